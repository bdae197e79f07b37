import type { Cause } from '../lib/cause.ts';
import { concurrently } from '../lib/concurrently.ts';
import { AssetReader } from '../service/asset-reader.ts';
import { type Deadline, MAX_CONCURRENT_READS, type ServiceClient } from '../service/client.ts';
import type { ContentResult } from '../service/content-result.ts';
import type { Issue } from '../service/issue.ts';
import { hasFailed } from '../service/responses.ts';
import type { Mode } from '../service/service-access.ts';
import { explain, ServiceError } from '../service/service-error.ts';
import { type FoundSubmission, readSubmissions } from './earlier-submissions.ts';
import type { Await, Loss, Losses, Plan, Reuse } from './plan.ts';
import { findUnrecoverable } from './unrecoverable.ts';

/** What the service still knows of the analyses that a plan counts on. */
export interface Confirmation {
  readonly losses: Losses;
  /** Contents whose analysis is under way again, or can be: by sha256, the file name of their asset. */
  readonly unfinished: ReadonlyMap<string, string>;
  /** Their issues, with the statuses of this moment. */
  readonly reused: readonly ContentResult[];
  /** The service did not answer for everything: where it did not, `reused` has what was known last. */
  readonly outage: Cause | undefined;
}

/** A plan that rests on nothing that was not read. */
export interface ConfirmedPlan extends Pick<Confirmation, 'reused' | 'outage'> {
  readonly plan: Plan;
}

/**
 * Confirms a plan, and what takes the place of what was lost: a content that was sent twice is in two submissions, and
 * where the later one is gone, it is awaited in the other.
 */
export async function confirmAll(
  draft: Plan,
  planWithout: (losses: Losses) => Plan,
  mode: Mode,
  client: ServiceClient,
  deadline: Deadline,
): Promise<ConfirmedPlan> {
  const { unfinished, reused, ...first } = await confirm(draft, mode, client, deadline);
  const read = new Set(draft.await.flatMap(placesIn));
  let { losses, outage } = first;
  for (;;) {
    const plan = planWithout(losses);
    const unread = plan.await.filter((entry) => placesIn(entry).some((place) => !read.has(place)));
    if (unread.length === 0 || outage) return { plan: awaitUnfinished(plan, unfinished), reused, outage };
    for (const place of unread.flatMap(placesIn)) read.add(place);
    const next = await confirm({ ...plan, reuse: [], await: unread }, mode, client, deadline);
    outage = next.outage;
    losses = {
      submissions: losses.submissions.union(next.losses.submissions),
      contents: new Map([...losses.contents, ...next.losses.contents]),
    };
  }
}

/** Where which content is awaited. */
function placesIn({ submissionId, contents }: Await): readonly string[] {
  return contents.map(({ sha256 }) => `${submissionId} ${sha256}`);
}

/**
 * Reads each earlier submission once, then only the assets that have issues: an issue dismissed in the service turns a
 * re-run green at no cost, and one that was re-opened turns it red.
 */
export async function confirm(
  plan: Plan,
  mode: Mode,
  client: ServiceClient,
  deadline: Deadline,
): Promise<Confirmation> {
  const reader = new AssetReader(mode, client, deadline);
  const { found, gone, refused, silence } = await readSubmissions(plan, client, deadline);
  const [refusal] = refused.values();
  // With nothing to go by, nothing is sent either: that would only be paid for.
  if (refusal && plan.reuse.length > 0 && !silence && found.size + gone.size === 0) throw refusal;
  const kept = plan.reuse.filter(({ known }) => !gone.has(known.submissionId));
  const outcomeOf = async (entry: Reuse): Promise<ReuseOutcome> => {
    const { submissionId } = entry.known;
    const answer = found.get(submissionId);
    if (answer) return await confirmReuse(entry, answer, reader);
    const error = refused.get(submissionId);
    return { result: error ? unread(entry, error) : lastKnown(entry) };
  };
  const outcomes = await concurrently(
    kept,
    MAX_CONCURRENT_READS,
    async (entry) => [entry.content.sha256, await outcomeOf(entry)] as const,
  );
  const lost = new Map<string, Loss>();
  const unfinished = new Map<string, string>();
  const reused: ContentResult[] = [];
  let outage = silence;
  for (const [sha256, fate] of outcomes) {
    if ('loss' in fate) lost.set(sha256, fate.loss);
    else if ('filename' in fate) unfinished.set(sha256, fate.filename);
    else reused.push(fate.result);
    if ('outage' in fate) outage ??= fate.outage;
  }
  for (const entry of plan.await) {
    const answer = found.get(entry.submissionId)?.answer;
    if (answer) for (const [sha256, loss] of await findUnrecoverable(entry, answer, reader)) lost.set(sha256, loss);
  }
  return { losses: { submissions: gone, contents: lost }, unfinished, reused, outage };
}

/** Waits for what is under way again, or can be, instead of reusing it. */
export function awaitUnfinished(made: Plan, unfinished: Confirmation['unfinished']): Plan {
  const awaited = new Map(made.await.map((entry) => [entry.submissionId, entry]));
  const reuse = made.reuse.filter(({ content, known: { submissionId, analysedAt } }) => {
    const name = unfinished.get(content.sha256);
    if (name === undefined) return true;
    const entry = awaited.get(submissionId) ?? { submissionId, createdAt: analysedAt, contents: [] };
    awaited.set(submissionId, { ...entry, contents: [...entry.contents, { ...content, name }] });
    return false;
  });
  return { ...made, reuse, await: [...awaited.values()] };
}

/**
 * What an earlier run read, where the service does not answer now.
 *
 * @param read what could be read today, before it fell silent: that is no longer as it was known
 */
function lastKnown(entry: Reuse, read: readonly Issue[] = []): ContentResult {
  const issues = new Map([...entry.known.issues, ...read].map((issue) => [issue.id, issue]));
  return { ...unchanged(entry), outcome: 'judged', issues: [...issues.values()], topics: [], causes: [] };
}

/** An answer that there is, and that does not tell what is asked for: only an outage leaves what was known last. */
function unread(entry: Reuse, error: ServiceError): ContentResult {
  const causes = [explain(error, entry.content.paths[0])];
  return { ...unchanged(entry), outcome: 'unjudged', issues: [], topics: [], causes };
}

/** What becomes of an analysis that was to be reused. */
type ReuseOutcome =
  | { readonly result: ContentResult; readonly outage?: Cause }
  /** It is to be waited for. */
  | { readonly filename: string }
  | { readonly loss: Loss };

async function confirmReuse(entry: Reuse, { assets }: FoundSubmission, reader: AssetReader): Promise<ReuseOutcome> {
  const { content, known } = entry;
  const status = assets.get(known.assetId);
  if (!status) return { loss: 'gone from the service' };
  if (hasFailed(status)) return status.isRetryable ? await toRetry(entry, reader) : { loss: 'failed before' };
  const results = await reader.resultsAgain(known, status.issueCount, known.issues.length);
  if (results.outcome === 'unfinished') return results;
  const { outcome, issues, topics, cause, isOutage } = results;
  if (cause && isOutage) return { result: lastKnown(entry, issues), outage: cause };
  const path = content.paths[0];
  const causes = cause ? [{ ...cause, ...(path !== undefined && { path }) }] : [];
  return { result: { ...unchanged(entry), outcome, issues, topics, causes } };
}

/** The wait retries it in place. Its asset says by which name it is known; one that says nothing cannot be waited for. */
async function toRetry(entry: Reuse, reader: AssetReader): Promise<ReuseOutcome> {
  const own = await reader.own(entry.known);
  if (!(own instanceof ServiceError)) return { filename: own.filename };
  return own.status === 404 ? { loss: 'failed before' } : { result: unread(entry, own) };
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
