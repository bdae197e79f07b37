import * as v from 'valibot';
import { refusal } from './answer.ts';
import type { Body } from './body.ts';
import type { Asset, Submission } from './model.ts';
import type { Workspace } from './workspace.ts';

/** A request that passed the checks of key, rate limit, path and body. */
export interface Call {
  readonly workspace: Workspace;
  /** The identifiers in the path, in order. */
  readonly ids: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Body;
}

/** The body, if it matches the schema; 422 otherwise. */
export function validated<S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> {
  // Valibot accepts an array as an object.
  if (Array.isArray(value)) throw refusal(422, 'Request validation failed. The body must be an object.');
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const problems = result.issues.map((issue) => `${v.getDotPath(issue) ?? 'body'}: ${issue.message}`);
  throw refusal(422, `Request validation failed. ${problems.join(' ')}`);
}

export function submissionOf({ workspace, ids }: Call): Submission {
  const submission = workspace.submission(ids[0] ?? '');
  if (submission === undefined) throw refusal(404, `There is no submission ${ids[0]} in this workspace.`);
  return submission;
}

export function assetOf(call: Call): { submission: Submission; asset: Asset } {
  const submission = submissionOf(call);
  const id = call.ids[1]?.toLowerCase();
  const asset = submission.assets.find((asset) => asset.assetId === id);
  if (asset === undefined) throw refusal(404, `Submission ${submission.submissionId} has no asset ${id}.`);
  return { submission, asset };
}
