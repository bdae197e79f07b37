import type { Cause } from '../cause.ts';
import { concurrently } from '../concurrently.ts';
import type { Mode } from '../inputs/inputs.ts';
import type { SubmissionAnswer } from '../service/answers.ts';
import { AssetReader } from '../service/asset-reader.ts';
import type { Effort, ServiceClient } from '../service/client.ts';
import type { ContentResult } from '../service/collect.ts';
import { explain, ServiceError } from '../service/service-error.ts';
import type { RememberedIssue } from './document.ts';
import type { Await, Losses, Plan, Reuse } from './plan.ts';

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
  const ids = new Set([
    ...plan.reuse.map(({ known }) => known.submissionId),
    ...plan.await.map(({ submissionId }) => submissionId),
  ]);
  const reader = new AssetReader(mode, client, effort);
  const lostSubmissions = new Set<string>();
  const lostContents = new Map<string, 'gone from the service' | 'failed before'>();
  try {
    const answers = new Map<string, SubmissionAnswer>();
    await concurrently([...ids], READS_AT_ONCE, async (id) => {
      const answer = await readIfThere(id, client, effort);
      if (answer) answers.set(id, answer);
      else lostSubmissions.add(id);
    });
    const reused = await concurrently(plan.reuse, READS_AT_ONCE, async (entry) => {
      const answer = answers.get(entry.known.submissionId);
      const result = answer && (await confirmReuse(entry, answer, reader));
      if (answer && !result) lostContents.set(entry.content.sha256, 'gone from the service');
      return result;
    });
    for (const entry of plan.await) {
      const answer = answers.get(entry.submissionId);
      for (const sha256 of answer ? await failedForGood(entry, answer, reader) : [])
        lostContents.set(sha256, 'failed before');
    }
    return {
      losses: { submissions: lostSubmissions, contents: lostContents },
      reused: reused.filter((result) => result !== undefined),
      outage: undefined,
    };
  } catch (error) {
    const cause = error instanceof ServiceError ? explain(error) : undefined;
    if (cause?.reason !== 'service') throw error;
    return {
      losses: { submissions: new Set(), contents: new Map() },
      reused: plan.reuse.map(lastKnown),
      outage: cause,
    };
  }
}

async function readIfThere(id: string, client: ServiceClient, effort: Effort): Promise<SubmissionAnswer | undefined> {
  try {
    return await client.readSubmission(id, effort);
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return undefined;
    throw error;
  }
}

/** Undefined where the submission no longer has a sound analysis of the content. */
async function confirmReuse(
  { content, known }: Reuse,
  answer: SubmissionAnswer,
  reader: AssetReader,
): Promise<ContentResult | undefined> {
  const status = answer.assets.find(({ assetId }) => assetId === known.assetId);
  if (!status || status.errorType || status.errorMessage) return undefined;
  const { outcome, issues, topics, cause } = await reader.findings(known, status.issueCount);
  const path = content.paths[0];
  return {
    ...unchanged({ content, known }),
    outcome,
    issues,
    topics,
    causes: cause ? [{ ...cause, ...(path !== undefined && { path }) }] : [],
  };
}

/** Contents whose asset failed and may not be retried: waiting for them would be in vain. */
async function failedForGood(
  { contents }: Await,
  answer: SubmissionAnswer,
  reader: AssetReader,
): Promise<readonly string[]> {
  const failed = answer.assets.filter((asset) => (asset.errorType || asset.errorMessage) && !asset.isRetryable);
  const names = await concurrently(failed, READS_AT_ONCE, async ({ assetId }) => {
    const own = await reader.own({ submissionId: answer.submissionId, assetId });
    return own instanceof ServiceError ? undefined : own.filename;
  });
  return contents.filter(({ name }) => names.includes(name)).map(({ sha256 }) => sha256);
}

function lastKnown(entry: Reuse): ContentResult {
  return { ...unchanged(entry), outcome: 'judged', issues: entry.known.issues.map(asIssue), topics: [], causes: [] };
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

/** A remembered issue lacks only what is there to be read by people. */
export function asIssue(issue: RememberedIssue): ContentResult['issues'][number] {
  return {
    ...issue,
    headline: issue.headline,
    referenceNumber: issue.referenceNumber,
    sidekickId: issue.sidekickId,
    reasoning: undefined,
    precedents: [],
    createdAt: undefined,
    updatedAt: undefined,
  };
}
