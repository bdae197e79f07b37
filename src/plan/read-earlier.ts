import type { Cause } from '../lib/cause.ts';
import { concurrently } from '../lib/concurrently.ts';
import type { Content } from '../media/content.ts';
import { explain } from '../service/advice.ts';
import { listedFacts, outcomeOf, withAnswer } from '../service/asset-outcome.ts';
import { AssetReader } from '../service/asset-reader.ts';
import { type Deadline, MAX_CONCURRENT_READS, type ServiceClient } from '../service/client.ts';
import type { Mode } from '../service/endpoints.ts';
import { type Issue, type Severity, severityRank } from '../service/issue.ts';
import { readUnlessGone } from '../service/read-unless-gone.ts';
import {
  type AssetAnswer,
  type AssetStatus,
  hasFailed,
  isTerminal,
  type SubmissionAnswer,
} from '../service/responses.ts';
import { ServiceError } from '../service/service-error.ts';
import { isYounger, KEEP_OPEN_DAYS } from '../state/document.ts';
import {
  type Confirmation,
  decideReuse,
  lastKnown,
  type Reading,
  type ReuseOutcome,
  unreadableResult,
} from './confirm.ts';
import type { AwaitedSubmission, Loss, Plan, ReusedContent } from './plan.ts';

export interface ReadOptions {
  readonly mode: Mode;
  /** Issues from this severity on can change the verdict: their assets are read first. */
  readonly failOnSeverity: Severity | 'never';
  readonly client: ServiceClient;
  readonly deadline: Deadline;
}

/**
 * Reads each earlier submission once, then only the assets that have issues: first those that can change the verdict, then
 * the others as far as the rate limit allows. An issue dismissed at the service passes a re-run at no cost, and one that
 * was re-opened fails it.
 */
export async function readEarlier(plan: Plan, options: ReadOptions): Promise<Confirmation> {
  const { mode, client, deadline } = options;
  const submissions = await readSubmissions(submissionsOf(plan, options), client, deadline);
  const { found, gone, refused, skipped } = submissions;
  const [refusal] = refused.values();
  // If no submission could be confirmed, nothing is sent either: that would be billed again.
  const isAnyUsable = submissions.outage || found.size + gone.size + skipped.size > 0;
  if (refusal && plan.toReuse.length > 0 && !isAnyUsable) throw refusal;

  const reader = new AssetReader(client, deadline);
  // Reads at once or not at all: it never waits for the end of a rate limit.
  const newQuickReader = (): AssetReader => new AssetReader(client, { ...deadline, until: 0 });
  let quickReader = newQuickReader();
  const listed = new Map(
    [...found].flatMap(([id, { assets }]) => assets.map((status) => [`${id} ${status.assetId}`, status])),
  );
  const entries = plan.toReuse
    .filter((entry) => !gone.has(idOf(entry)))
    .map((entry) => ({ entry, status: listed.get(`${idOf(entry)} ${entry.known.assetId}`) }))
    .map(({ entry, status }) => ({ entry, status, isUrgent: canChangeVerdict(entry, status, options) }))
    .toSorted((a, b) => Number(b.isUrgent) - Number(a.isUrgent));
  const outcomes = await concurrently(entries, MAX_CONCURRENT_READS, async (each) => ({
    sha256: each.entry.content.sha256,
    ...(await confirmReuse(each)),
  }));

  const lost = new Map(outcomes.flatMap((each) => (each.kind === 'lost' ? [[each.sha256, each.loss]] : [])));
  for (const entry of plan.toAwait) {
    const answer = found.get(entry.submissionId);
    if (answer) for (const [sha256, loss] of await findUnrecoverable(entry, answer, reader)) lost.set(sha256, loss);
  }
  const { stoppedBy } = reader;
  if (stoppedBy?.endsRun) throw stoppedBy;
  const outage = stoppedBy?.isOutage ? explain(stoppedBy) : undefined;
  return {
    losses: { submissions: gone, contents: lost },
    unfinished: new Map(outcomes.flatMap((each) => (each.kind === 'unfinished' ? [[each.sha256, each.filename]] : []))),
    assetIds: new Map([...found].map(([id, { assets }]) => [id, assets.map(({ assetId }) => assetId)])),
    reused: outcomes.flatMap((each) => (each.kind === 'result' ? [each.result] : [])),
    outage: submissions.outage ?? outage,
  };

  async function confirmReuse({ entry, status, isUrgent }: (typeof entries)[number]): Promise<ReuseOutcome> {
    const error = refused.get(idOf(entry));
    if (error) return unreadableResult(entry, error);
    if (!found.has(idOf(entry)) || Date.now() >= deadline.until) return lastKnown(entry);
    const isQuick = !isUrgent && !reader.stoppedBy;
    const chosen = isQuick ? quickReader : reader;
    const reading = await readAnalysis(entry, status, { mode, reader: chosen });
    if (!isQuick || !chosen.stoppedBy || chosen.stoppedBy.isRateLimited) return decideReuse(entry, reading);
    // Any other failure than a rate limit is worth the usual retries.
    if (quickReader === chosen) quickReader = newQuickReader();
    return decideReuse(entry, await readAnalysis(entry, status, { mode, reader }));
  }
}

/** Reads only what is needed to decide about an earlier analysis. */
async function readAnalysis(
  { known }: ReusedContent,
  listed: AssetStatus | undefined,
  { mode, reader }: { readonly mode: Mode; readonly reader: AssetReader },
): Promise<Reading> {
  if (!listed || hasFailed(listed)) {
    return { listed, answer: listed?.isRetryable ? await reader.answer(known) : undefined };
  }
  // Its name is proven, and it is complete unless its own answer says otherwise.
  const judged = { ...listedFacts(listed.issueCount, mode), isNamed: true, status: 'complete' };
  const facts = await reader.withIssues(known, judged, known.issues.length);
  const first = outcomeOf(facts);
  // The asset's own answer is read before fewer issues are believed.
  const isProven = first.outcome === 'judged' && first.issues.length >= known.issues.length;
  const answer = isProven ? undefined : await reader.answer(known);
  const now = answer ? outcomeOf(withAnswer(facts, answer)) : first;
  const topics = isChanged(now.issues, known.issues) ? await reader.topics(known, now.issues) : [];
  return { listed, answer, now, topics, isCutShort: reader.stoppedBy !== undefined };
}

function isChanged(issues: readonly Issue[], before: readonly Issue[]): boolean {
  const [now, then] = [issues, before].map(
    (list) => new Set(list.map(({ id, severity, status }) => `${id} ${severity} ${status}`)),
  );
  return now?.symmetricDifference(then ?? new Set()).size !== 0;
}

function idOf({ known }: ReusedContent): string {
  return known.submissionId;
}

function submissionsOf({ toReuse, toAwait }: Plan, options: ReadOptions): readonly WantedSubmission[] {
  const reused = Map.groupBy(toReuse, idOf);
  const open = new Set(toAwait.map(({ submissionId }) => submissionId));
  return [...open.union(new Set(reused.keys()))].map((submissionId) => {
    const entries = reused.get(submissionId) ?? [];
    const isUrgent = open.has(submissionId) || entries.some((entry) => canChangeVerdict(entry, undefined, options));
    return { submissionId, assetIds: entries.map(({ known }) => known.assetId), isUrgent };
  });
}

/** An issue at or above the threshold may have been dismissed or re-opened. Another count means that issues changed. */
function canChangeVerdict(
  { known }: ReusedContent,
  status: AssetStatus | undefined,
  { failOnSeverity }: ReadOptions,
): boolean {
  const count = status?.issueCount;
  if (typeof count === 'number' && count !== known.issues.length) return true;
  return (
    failOnSeverity !== 'never' &&
    known.issues.some(({ severity }) => severityRank(severity) <= severityRank(failOnSeverity))
  );
}

/** An earlier submission to read. */
interface WantedSubmission {
  readonly submissionId: string;
  /** Assets that it is known to hold. */
  readonly assetIds: readonly string[];
  /** Whether it is worth waiting for the end of a rate limit. */
  readonly isUrgent: boolean;
}

interface EarlierSubmissions {
  readonly found: ReadonlyMap<string, SubmissionAnswer>;
  readonly gone: ReadonlySet<string>;
  /** Those with an answer that cannot be used, and why. */
  readonly refused: ReadonlyMap<string, ServiceError>;
  /** Those that were left unread because of the rate limit. */
  readonly skipped: ReadonlySet<string>;
  /** Why the others have no answer: the service is not there, or its rate limit does not end in time. */
  readonly outage: Cause | undefined;
}

/** Reads each submission at most once, urgent ones first. */
async function readSubmissions(
  wanted: readonly WantedSubmission[],
  client: ServiceClient,
  deadline: Deadline,
): Promise<EarlierSubmissions> {
  const found = new Map<string, SubmissionAnswer>();
  const gone = new Set<string>();
  const refused = new Map<string, ServiceError>();
  const skipped = new Set<string>();
  let outage: Cause | undefined;
  const ordered = wanted.toSorted((a, b) => Number(b.isUrgent) - Number(a.isUrgent));
  await concurrently(ordered, MAX_CONCURRENT_READS, async ({ submissionId, assetIds, isUrgent }, stop) => {
    if (outage) return;
    // Once the bucket is empty, the rest is not read any more. It is not urgent, because urgent ones come first.
    if (skipped.size > 0) return void skipped.add(submissionId);
    const signal = AbortSignal.any([deadline.signal, stop]);
    const read = async (until: number): Promise<SubmissionAnswer | undefined> =>
      await readUnlessGone(submissionId, { client, deadline: { signal, until } }, assetIds);
    try {
      const answer = isUrgent ? await read(deadline.until) : await readAtOnce(read, deadline);
      if (answer) found.set(submissionId, answer);
      else gone.add(submissionId);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.endsRun) throw error;
      if (error.isRateLimited && !isUrgent) skipped.add(submissionId);
      else if (error.stopsReading) outage = explain(error);
      else refused.set(submissionId, error);
    }
  });
  return { found, gone, refused, skipped, outage };
}

/** Without waiting for the end of a rate limit; any other failure is worth the usual retries. */
async function readAtOnce<T>(read: (until: number) => Promise<T>, { until }: Deadline): Promise<T> {
  try {
    return await read(0);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.endsRun || error.isRateLimited) throw error;
    return await read(until);
  }
}

/** Contents of an open submission that will never have a result there. */
async function findUnrecoverable(
  { contents, createdAt }: AwaitedSubmission,
  answer: SubmissionAnswer,
  reader: AssetReader,
): Promise<readonly (readonly [string, Loss])[]> {
  if (!isTerminal(answer) && !isYounger(createdAt, KEEP_OPEN_DAYS, new Date())) {
    // One asset that never finishes does not make the others useless.
    const complete = (await read(answer.assets)).filter((asset) => asset?.status === 'complete');
    const names = new Set(complete.map((asset) => asset?.filename));
    return lose(({ name }) => !names.has(name), 'earlier analysis never finished');
  }
  const lost = answer.assets.filter((asset) => hasFailed(asset) && !asset.isRetryable);
  const failed = (await read(lost)).map((asset) => asset?.filename);
  const nameless = failed.filter((name) => name === undefined).length;
  const others = nameless > 0 ? await read(answer.assets.filter((asset) => !lost.includes(asset))) : [];
  const named = new Set([...failed, ...others.map((asset) => asset?.filename)]);
  const leftOver = contents.filter(({ name }) => !named.has(name));
  // A failed asset may have no resource. If all others have a name, such assets are the files that are left.
  const isProven = !others.includes(undefined) && leftOver.length <= nameless;
  const isLost = (content: Content): boolean =>
    failed.includes(content.name) || (isProven && leftOver.includes(content));
  return lose(isLost, 'earlier analysis failed');

  function lose(isLost: (content: Content) => boolean, loss: Loss): readonly (readonly [string, Loss])[] {
    return contents.filter(isLost).map(({ sha256 }) => [sha256, loss]);
  }

  async function read(assets: readonly AssetStatus[]): Promise<readonly (AssetAnswer | undefined)[]> {
    return await concurrently(assets, MAX_CONCURRENT_READS, async ({ assetId }) => {
      const asset = await reader.answer({ submissionId: answer.submissionId, assetId });
      return asset.ok ? asset.value : undefined;
    });
  }
}
