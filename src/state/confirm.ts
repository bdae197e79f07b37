import type { Cause } from '../cause.ts';
import { concurrently } from '../concurrently.ts';
import type { Mode } from '../service/access.ts';

import type { SubmissionAnswer } from '../service/answers.ts';
import { AssetReader } from '../service/asset-reader.ts';
import type { Effort, ServiceClient } from '../service/client.ts';
import type { ContentResult } from '../service/collect.ts';
import { explain, ServiceError } from '../service/service-error.ts';
import { isYounger, KEEP_OPEN_DAYS } from './age.ts';
import type { Await, Loss, Losses, Plan, Reuse } from './plan.ts';

/** What the service still knows of the analyses that a plan counts on. */
export interface Confirmation {
  readonly losses: Losses;
  /** Their issues, with the statuses of this moment. */
  readonly reused: readonly ContentResult[];
  /** The service did not answer: `reused` is what was known last. */
  readonly outage: Cause | undefined;
}

const READS_AT_ONCE = 8;

/**
 * Reads each earlier submission once, then only the assets that have issues: a finding dismissed in the service turns a
 * re-run green at no cost, and one that was re-opened turns it red.
 */
export async function confirm(plan: Plan, mode: Mode, client: ServiceClient, effort: Effort): Promise<Confirmation> {
  const reader = new AssetReader(mode, client, effort);
  try {
    const submissions = await readSubmissions(plan, client, effort);
    const confirmed = await concurrently(plan.reuse, READS_AT_ONCE, async (entry) => {
      const answer = submissions.found.get(entry.known.submissionId);
      return answer && { entry, result: await confirmReuse(entry, answer, reader) };
    });
    const lost = new Map<string, Loss>();
    const reused: ContentResult[] = [];
    for (const each of confirmed) {
      if (each?.result) reused.push(each.result);
      else if (each) lost.set(each.entry.content.sha256, 'gone from the service');
    }
    const silence = reused.flatMap(({ causes }) => causes).find(({ reason }) => reason === 'service');
    if (silence) return inOutage(plan, silence);
    for (const entry of plan.await) {
      const answer = submissions.found.get(entry.submissionId)?.answer;
      if (answer) for (const [sha256, loss] of await hopeless(entry, answer, reader)) lost.set(sha256, loss);
    }
    return { losses: { submissions: submissions.gone, contents: lost }, reused, outage: undefined };
  } catch (error) {
    if (error instanceof ServiceError && error.isOutage) return inOutage(plan, explain(error));
    throw error;
  }
}

function inOutage(plan: Plan, outage: Cause): Confirmation {
  return {
    losses: { submissions: new Set(), contents: new Map() },
    reused: plan.reuse.map((entry) => ({
      ...unchanged(entry),
      outcome: 'judged',
      issues: entry.known.issues,
      topics: [],
      causes: [],
    })),
    outage,
  };
}

/** A submission as the service tells it, with its assets ready to be asked for. */
interface FoundSubmission {
  readonly answer: SubmissionAnswer;
  readonly assets: ReadonlyMap<string, SubmissionAnswer['assets'][number]>;
}

async function readSubmissions(
  { reuse, await: awaited }: Plan,
  client: ServiceClient,
  effort: Effort,
): Promise<{ readonly found: ReadonlyMap<string, FoundSubmission>; readonly gone: ReadonlySet<string> }> {
  const ids = new Set([
    ...reuse.map(({ known }) => known.submissionId),
    ...awaited.map(({ submissionId }) => submissionId),
  ]);
  const found = new Map<string, FoundSubmission>();
  const gone = new Set<string>();
  await concurrently([...ids], READS_AT_ONCE, async (id, stop) => {
    try {
      const signal = AbortSignal.any([effort.signal, stop]);
      const answer = await client.readSubmission(id, { ...effort, signal });
      found.set(id, { answer, assets: new Map(answer.assets.map((asset) => [asset.assetId, asset])) });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 404) throw error;
      gone.add(id);
    }
  });
  return { found, gone };
}

/** Undefined where the submission no longer has a sound analysis of the content. */
async function confirmReuse(
  { content, known }: Reuse,
  { assets }: FoundSubmission,
  reader: AssetReader,
): Promise<ContentResult | undefined> {
  const status = assets.get(known.assetId);
  if (!status || status.errorType || status.errorMessage) return undefined;
  const before = known.issues.length;
  const { outcome, issues, topics, cause } = await reader.findings(known, status.issueCount, undefined, before);
  const path = content.paths[0];
  return {
    ...unchanged({ content, known }),
    outcome,
    issues,
    topics,
    causes: cause ? [{ ...cause, ...(path !== undefined && { path }) }] : [],
  };
}

/** Contents that it would be in vain to wait for. */
async function hopeless(
  { contents, createdAt }: Await,
  answer: SubmissionAnswer,
  reader: AssetReader,
): Promise<readonly (readonly [string, Loss])[]> {
  const isOver = answer.status === 'complete' || answer.status === 'failed';
  if (!isOver && !isYounger(createdAt, KEEP_OPEN_DAYS, new Date()))
    return contents.map(({ sha256 }) => [sha256, 'never finished']);
  const failed = answer.assets.filter((asset) => (asset.errorType || asset.errorMessage) && !asset.isRetryable);
  const names = await concurrently(failed, READS_AT_ONCE, async ({ assetId }) => {
    const own = await reader.own({ submissionId: answer.submissionId, assetId });
    return own instanceof ServiceError ? undefined : own.filename;
  });
  return contents.filter(({ name }) => names.includes(name)).map(({ sha256 }) => [sha256, 'failed before']);
}

function unchanged({ content, known }: Reuse): Omit<ContentResult, 'outcome' | 'issues' | 'topics' | 'causes'> {
  return {
    content,
    submissionId: known.submissionId,
    assetId: known.assetId,
    versionNumber: known.versionNumber,
    versionGroupId: known.versionGroupId,
    versionCount: undefined,
    retries: 0,
  };
}
