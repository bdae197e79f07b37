import { readFileSync } from 'node:fs';
import * as v from 'valibot';

/** A part that is missing or malformed is left out, so that a payload cannot break the run. */
function lenient<const S extends v.GenericSchema>(schema: S) {
  return v.fallback(v.optional(schema), undefined);
}

const Repository = v.object({
  id: v.number(),
  private: lenient(v.boolean()),
  visibility: lenient(v.string()),
  default_branch: lenient(v.string()),
});

const Side = v.object({
  ref: v.string(),
  sha: v.string(),
  /** `owner:branch`; missing in the short form that a workflow_run lists. */
  label: lenient(v.string()),
  /** Null if the fork was deleted. */
  repo: lenient(v.nullable(v.object({ id: v.number() }))),
});

const PullRequest = v.object({
  number: v.number(),
  head: Side,
  base: Side,
  user: lenient(v.nullable(v.object({ login: v.string() }))),
});

const MergeGroup = v.object({ head_ref: v.string(), base_ref: v.string(), base_sha: v.string() });

const WorkflowRun = v.object({
  event: v.string(),
  head_branch: lenient(v.nullable(v.string())),
  head_sha: v.string(),
  head_repository: lenient(
    v.nullable(v.object({ id: v.number(), owner: lenient(v.nullable(v.object({ login: v.string() }))) })),
  ),
  pull_requests: v.fallback(v.array(PullRequest), []),
});

const EventPayload = v.object({
  repository: lenient(Repository),
  pull_request: lenient(PullRequest),
  merge_group: lenient(MergeGroup),
  workflow_run: lenient(WorkflowRun),
});

/** The parts of the event's payload that are used. */
export type EventPayload = Partial<v.InferOutput<typeof EventPayload>>;
export type WorkflowRunPayload = v.InferOutput<typeof WorkflowRun>;

/** An unreadable payload is an empty one. */
export function readEvent(path: string | undefined): EventPayload {
  if (!path) return {};
  try {
    const parsed = v.safeParse(EventPayload, JSON.parse(readFileSync(path, 'utf8')));
    return parsed.success ? parsed.output : {};
  } catch {
    return {};
  }
}
