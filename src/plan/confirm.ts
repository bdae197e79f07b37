import type { Cause } from '../lib/cause.ts';
import { concurrently } from '../lib/concurrently.ts';
import { formatList, plural } from '../lib/format.ts';
import type { Content } from '../media/content.ts';
import { explain } from '../service/advice.ts';
import { type ContentResult, listedFacts, outcomeOf, UNREAD, withAnswer } from '../service/asset-outcome.ts';
import { AssetReader } from '../service/asset-reader.ts';
import { type Deadline, MAX_CONCURRENT_READS, type ServiceClient } from '../service/client.ts';
import type { Mode } from '../service/endpoints.ts';
import { type Issue, type Severity, severityRank } from '../service/issue.ts';
import { type AssetStatus, hasFailed } from '../service/responses.ts';
import type { ServiceError } from '../service/service-error.ts';
import { findUnrecoverable, readSubmissions, type WantedSubmission } from './earlier-submissions.ts';
import type { Await, Loss, Losses, Plan, Reuse } from './plan.ts';

export interface ConfirmOptions {
  readonly mode: Mode;
  /** Issues from this severity on can change the verdict: their assets are read first. */
  readonly failOnSeverity: Severity | 'never';
  readonly client: ServiceClient;
  readonly deadline: Deadline;
}

/** What the service still has of the analyses that a plan relies on. */
export interface Confirmation {
  readonly losses: Losses;
  /** Contents whose analysis is under way again, or can be retried: by sha256, the file name of their asset. */
  readonly unfinished: ReadonlyMap<string, string>;
  /** Their issues, with the statuses of now unless `lastKnownAt` is set. */
  readonly reused: readonly ContentResult[];
  /** Set if the service was not there for everything. */
  readonly outage: Cause | undefined;
}

/** A plan that relies only on what was confirmed. */
export interface ConfirmedPlan extends Pick<Confirmation, 'reused' | 'outage'> {
  readonly plan: Plan;
}

/**
 * Confirms a plan, and also the submissions that take the place of lost ones: a content that was sent twice is in two
 * submissions, and if the later one is gone, it is awaited in the other.
 */
export async function confirmAll(
  draft: Plan,
  planWithout: (losses: Losses) => Plan,
  options: ConfirmOptions,
): Promise<ConfirmedPlan> {
  const { unfinished, reused, ...first } = await confirm(draft, options);
  const read = new Set(draft.await.flatMap(placesIn));
  let { losses, outage } = first;
  for (;;) {
    const plan = planWithout(losses);
    const unread = plan.await.filter((entry) => placesIn(entry).some((place) => !read.has(place)));
    if (unread.length === 0 || outage) return { plan: awaitUnfinished(plan, unfinished), reused, outage };
    for (const place of unread.flatMap(placesIn)) read.add(place);
    const next = await confirm({ ...plan, reuse: [], await: unread }, options);
    outage = next.outage;
    losses = {
      submissions: losses.submissions.union(next.losses.submissions),
      contents: new Map([...losses.contents, ...next.losses.contents]),
    };
  }
}

/** Which content is awaited in which submission. */
function placesIn({ submissionId, contents }: Await): readonly string[] {
  return contents.map(({ sha256 }) => `${submissionId} ${sha256}`);
}

/** The notice about issues that were not read in this run; undefined if all were. */
export function describeLastKnown(reused: readonly ContentResult[]): string | undefined {
  const unread = reused.filter(({ lastKnownAt }) => lastKnownAt !== undefined);
  const [oldest] = unread.map(({ lastKnownAt = '' }) => lastKnownAt).toSorted();
  if (oldest === undefined) return undefined;
  const paths = formatList(unread.map(({ content: { paths, name } }) => paths[0] ?? name));
  return `The issues of ${plural(unread.length, 'file')} were not read again, because the service's rate limit or the time limit of this run was reached. They are shown as last known, the oldest from ${oldest.slice(0, 10)}: ${paths}. Files with issues that can change the verdict were read first.`;
}

/**
 * Reads each earlier submission once, then only the assets that have issues: first those that can change the verdict, then
 * the others as far as the rate limit allows. An issue dismissed at the service passes a re-run at no cost, and one that
 * was re-opened fails it.
 */
export async function confirm(plan: Plan, options: ConfirmOptions): Promise<Confirmation> {
  const { mode, client, deadline } = options;
  const submissions = await readSubmissions(submissionsOf(plan, options), client, deadline);
  const { found, gone, refused, skipped } = submissions;
  const [refusal] = refused.values();
  // If no submission could be confirmed, nothing is sent either: that would be billed again.
  const isAnyUsable = submissions.outage || found.size + gone.size + skipped.size > 0;
  if (refusal && plan.reuse.length > 0 && !isAnyUsable) throw refusal;

  const patient = new AssetReader(client, deadline);
  // Reads at once or not at all: it never waits for the end of a rate limit.
  const newHasty = (): AssetReader => new AssetReader(client, { ...deadline, until: 0 });
  let hasty = newHasty();
  const statuses = new Map(
    [...found].flatMap(([id, { assets }]) => assets.map((status) => [`${id} ${status.assetId}`, status])),
  );
  const entries = plan.reuse
    .filter((entry) => !gone.has(idOf(entry)))
    .map((entry) => ({ entry, status: statuses.get(`${idOf(entry)} ${entry.known.assetId}`) }))
    .map(({ entry, status }) => ({ entry, status, isUrgent: canChangeVerdict(entry, status, options) }))
    .toSorted((a, b) => Number(b.isUrgent) - Number(a.isUrgent));
  const outcomes = await concurrently(entries, MAX_CONCURRENT_READS, async ({ entry, status, isUrgent }) => {
    const error = refused.get(idOf(entry));
    if (error) return unread(entry, error);
    if (!found.has(idOf(entry)) || Date.now() >= deadline.until) return lastKnown(entry);
    const reader = isUrgent || patient.outage ? patient : hasty;
    const outcome = await confirmReuse(entry, { status, mode, reader });
    if (reader === patient || !reader.outage || reader.outage.status === 429) return outcome;
    // Any other failure than a rate limit is worth the usual retries.
    if (hasty === reader) hasty = newHasty();
    return await confirmReuse(entry, { status, mode, reader: patient });
  });

  const lost = new Map(outcomes.flatMap(({ sha256, loss }) => (loss ? [[sha256, loss]] : [])));
  for (const entry of plan.await) {
    const answer = found.get(entry.submissionId);
    if (answer) for (const [sha256, loss] of await findUnrecoverable(entry, answer, patient)) lost.set(sha256, loss);
  }
  return {
    losses: { submissions: gone, contents: lost },
    unfinished: new Map(
      outcomes.flatMap(({ sha256, filename }) => (filename === undefined ? [] : [[sha256, filename]])),
    ),
    reused: outcomes.flatMap(({ result }) => (result ? [result] : [])),
    outage: submissions.outage ?? outageOf(patient),
  };
}

function idOf({ known }: Reuse): string {
  return known.submissionId;
}

/** A rate limit is not an outage: the service is there. */
function outageOf({ outage }: AssetReader): Cause | undefined {
  return outage && outage.status !== 429 ? explain(outage) : undefined;
}

function submissionsOf({ reuse, await: awaited }: Plan, options: ConfirmOptions): readonly WantedSubmission[] {
  const reused = Map.groupBy(reuse, idOf);
  const open = new Set(awaited.map(({ submissionId }) => submissionId));
  return [...open.union(new Set(reused.keys()))].map((submissionId) => {
    const entries = reused.get(submissionId) ?? [];
    const isUrgent = open.has(submissionId) || entries.some((entry) => canChangeVerdict(entry, undefined, options));
    return { submissionId, assetIds: entries.map(({ known }) => known.assetId), isUrgent };
  });
}

/** An issue at or above the threshold may have been dismissed or re-opened. Another count means that issues changed. */
function canChangeVerdict(
  { known }: Reuse,
  status: AssetStatus | undefined,
  { failOnSeverity }: ConfirmOptions,
): boolean {
  const count = status?.issueCount;
  if (typeof count === 'number' && count !== known.issues.length) return true;
  return (
    failOnSeverity !== 'never' &&
    known.issues.some(({ severity }) => severityRank(severity) <= severityRank(failOnSeverity))
  );
}

/** Waits for what is under way again, or can be retried, instead of reusing it. */
export function awaitUnfinished(plan: Plan, unfinished: Confirmation['unfinished']): Plan {
  const awaited = new Map(plan.await.map((entry) => [entry.submissionId, entry]));
  const reuse = plan.reuse.filter(({ content, known: { submissionId, analysedAt } }) => {
    const name = unfinished.get(content.sha256);
    if (name === undefined) return true;
    const entry = awaited.get(submissionId) ?? { submissionId, createdAt: analysedAt, contents: [] };
    awaited.set(submissionId, { ...entry, contents: [...entry.contents, { ...content, name }] });
    return false;
  });
  return { ...plan, reuse, await: [...awaited.values()] };
}

/** Whether an earlier analysis can be reused: it has a result, is to be waited for under a name, or is lost. */
interface ReuseOutcome {
  readonly sha256: string;
  readonly result?: ContentResult;
  readonly filename?: string;
  readonly loss?: Loss;
}

async function confirmReuse(
  entry: Reuse,
  {
    status,
    mode,
    reader,
  }: { readonly status: AssetStatus | undefined; readonly mode: Mode; readonly reader: AssetReader },
): Promise<ReuseOutcome> {
  const { content, known } = entry;
  const { sha256 } = content;
  if (!status) return { sha256, loss: 'no longer at the service' };
  if (hasFailed(status)) {
    return status.isRetryable ? await toRetry(entry, reader) : { sha256, loss: 'earlier analysis failed' };
  }
  const { issueCount } = status;
  // Its name is proven, and it is complete unless its own answer says otherwise.
  const judged = { ...listedFacts(issueCount, mode), isNamed: true, status: 'complete' };
  const facts = await reader.withIssues(known, judged, known.issues.length);
  const listed = outcomeOf(facts);
  // The asset's own answer is read before fewer issues are believed.
  const isProven = listed.outcome === 'judged' && listed.issues.length >= known.issues.length;
  const answer = isProven ? undefined : await reader.answer(known);
  const { outcome, issues, cause } = answer ? outcomeOf(withAnswer(facts, answer)) : listed;
  if (answer?.ok && answer.value.status !== 'complete' && issues.length === 0)
    return { sha256, filename: answer.value.filename };
  const hasMore = (issueCount ?? 0) > known.issues.length;
  if (outcome === 'unjudged' && reader.outage) return lastKnown(entry, issues, hasMore ? cause : undefined);
  const topics = isChanged(issues, known.issues) ? await reader.topics(known, issues) : [];
  return { sha256, result: { ...unchanged(entry), outcome, issues, topics, causes: withPath(cause, content) } };
}

function isChanged(issues: readonly Issue[], before: readonly Issue[]): boolean {
  const [now, then] = [issues, before].map(
    (list) => new Set(list.map(({ id, severity, status }) => `${id} ${severity} ${status}`)),
  );
  return now?.symmetricDifference(then ?? new Set()).size !== 0;
}

/**
 * What an earlier run read, if it cannot be read now.
 *
 * @param read issues that could be read before that
 * @param cause set if the service counts more issues than are known: then the last known result does not stand
 */
function lastKnown(entry: Reuse, read: readonly Issue[] = [], cause?: Cause): ReuseOutcome {
  const { content, known } = entry;
  const issues = [...new Map([...known.issues, ...read].map((issue) => [issue.id, issue])).values()];
  const result: ContentResult = {
    ...unchanged(entry),
    outcome: cause ? 'unjudged' : 'judged',
    issues,
    causes: withPath(cause, content),
    // A file without issues has nothing that could have been read again.
    ...(issues.length > 0 && { lastKnownAt: known.analysedAt }),
  };
  return { sha256: content.sha256, result };
}

function withPath(cause: Cause | undefined, { paths: [path] }: Content): readonly Cause[] {
  return cause ? [{ ...cause, ...(path !== undefined && { path }) }] : [];
}

/** The service answered, but not with the submission: only an outage leaves the last known result. */
function unread(entry: Reuse, error: ServiceError): ReuseOutcome {
  const causes = [explain(error, entry.content.paths[0])];
  return { sha256: entry.content.sha256, result: { ...unchanged(entry), causes } };
}

/** The wait retries it in place, and needs its name for that. */
async function toRetry(entry: Reuse, reader: AssetReader): Promise<ReuseOutcome> {
  const { sha256 } = entry.content;
  const answer = await reader.answer(entry.known);
  if (answer.ok) return { sha256, filename: answer.value.filename };
  return answer.error.status === 404 ? { sha256, loss: 'earlier analysis failed' } : unread(entry, answer.error);
}

function unchanged({ content, known }: Reuse): ContentResult {
  const { submissionId, assetId, versionNumber, versionGroupId } = known;
  return { ...UNREAD, content, submissionId, assetId, versionNumber, versionGroupId };
}
