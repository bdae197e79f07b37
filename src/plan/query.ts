import { sleep } from '../lib/clock.ts';
import type { Content } from '../media/content.ts';
import type { Analysis } from '../service/analysis.ts';
import { CATCH_UP_MS, READ_AGAIN_MS } from '../service/client.ts';
import { type EarlierSubmission, type FoundSubmission, readSubmissions } from '../service/earlier-submissions.ts';
import { type Issue, type Severity, severityRank } from '../service/issue.ts';
import { isTerminal } from '../service/responses.ts';
import { ServiceError } from '../service/service-error.ts';
import type { OpenSubmission } from '../service/submit.ts';
import { readEarlier, type WaitOptions } from '../service/wait.ts';
import { type ContentRecord, isYounger, KEEP_OPEN_DAYS } from '../state/document.ts';
import { analysisId } from '../state/earlier-state.ts';
import { type CandidateContent, candidatesIn, type PlanBasis } from './candidates.ts';
import { fromRecord, openSubmissions, type Status, type Statuses, withSource } from './plan.ts';

/** In a terminal submission of this age, a file that is not judged will not be judged any more. */
const KEEP_TERMINAL_DAYS = 1;

export interface QueryOptions extends WaitOptions {
  /** Issues from this severity on can change the verdict: their submissions and assets are read first. */
  readonly failOnSeverity: Severity | 'never';
}

/** What the service says about earlier runs. */
export interface Queried {
  /** By id. */
  readonly submissions: ReadonlyMap<string, EarlierSubmission>;
  readonly statuses: Statuses;
}

export const NOTHING_QUERIED: Queried = { submissions: new Map(), statuses: new Map() };

/**
 * Queries the submissions of all candidates, and those that are to be linked, each of them once. A missing analysis would
 * be paid for again, and a gateway that restarts responds with 404 as well, so all missing ones share one window of 20 s in
 * which they may appear.
 *
 * @param before what was queried already, from fewer states
 */
export async function querySubmissions(basis: PlanBasis, before: Queried, options: QueryOptions): Promise<Queried> {
  const candidates = candidatesIn(basis);
  const ids = submissionsOf(candidates, options).filter((id) => !before.submissions.has(id));
  let submissions = new Map([...before.submissions, ...(await readSubmissions(ids, options))]);
  const windowEndsAt = Date.now() + CATCH_UP_MS;
  for (;;) {
    const awaited = missingIn(candidates, submissions);
    const missing = ids.filter((id) => awaited.has(id));
    if (missing.length === 0 || Date.now() >= windowEndsAt) break;
    await sleep(READ_AGAIN_MS, options.deadline.signal);
    const again = await readSubmissions(missing, options);
    // A submission that was there once is not missing: only its asset may be.
    submissions = new Map([...submissions, ...[...again].filter(([, submission]) => submission !== 'missing')]);
  }
  const listed = new Map([...before.statuses, ...listedStatuses(candidates, submissions)]);
  const open = await openStatuses(candidates, { submissions, statuses: listed }, basis.rules.now, options);
  return { submissions, statuses: new Map([...listed, ...open]) };
}

/** Those first whose issues can change the verdict: a rate limit may leave no time for the others. */
function submissionsOf(candidates: readonly CandidateContent[], options: QueryOptions): readonly string[] {
  const isUrgent = ({ earlier }: CandidateContent): boolean =>
    earlier.some((record) => record.kind === 'analysed' && canFail(record.issues, options));
  const urgentFirst = candidates.toSorted((a, b) => Number(isUrgent(b)) - Number(isUrgent(a)));
  const records = urgentFirst.flatMap(({ earlier }) => earlier.filter(isQueried));
  const links = candidates.flatMap(({ previous }) => previous ?? []);
  return [...new Set([...records, ...links].map(({ submissionId }) => submissionId))];
}

/** Whether an issue is at or above the threshold: it may have been dismissed or re-opened. */
export function canFail(issues: readonly Issue[], { failOnSeverity }: Pick<QueryOptions, 'failOnSeverity'>): boolean {
  if (failOnSeverity === 'never') return false;
  return issues.some(({ severity }) => severityRank(severity) <= severityRank(failOnSeverity));
}

/** The submissions that are worth waiting for: no newer candidate of the same content can take their place. */
function missingIn(candidates: readonly CandidateContent[], submissions: Queried['submissions']): ReadonlySet<string> {
  const missing = candidates.flatMap(({ earlier }) => {
    const records = earlier
      .filter(isQueried)
      .map((record) => ({ ...record, found: submissions.get(record.submissionId) }));
    const usable = records.findIndex((record) => isUsable(record, record.found));
    const newer = records.slice(0, usable === -1 ? undefined : usable);
    return newer.filter((record) => listedStatus(record, record.found) === 'missing');
  });
  return new Set(missing.map(({ submissionId }) => submissionId));
}

/** A failure is final: the service is not asked about it again. */
function isQueried({ kind }: ContentRecord): boolean {
  return kind !== 'failed';
}

/** In a failed submission, this file may be the one that failed. */
function isUsable(record: ContentRecord, submission: EarlierSubmission | undefined): boolean {
  const mayHaveFailed = record.kind === 'open' && isFound(submission) && submission.response.status === 'failed';
  return !mayHaveFailed && listedStatus(record, submission) !== 'missing';
}

export function isFound(submission: EarlierSubmission | undefined): submission is FoundSubmission {
  return submission !== undefined && submission !== 'missing' && !(submission instanceof ServiceError);
}

/** What the list of a submission says about a record. Undefined for a file in an open one, and without a response. */
function listedStatus(record: ContentRecord, submission: EarlierSubmission | undefined): Status | undefined {
  if (submission === 'missing') return 'missing';
  if (record.kind !== 'analysed' || !isFound(submission)) return undefined;
  return submission.assets.has(record.assetId) ? 'complete' : 'missing';
}

type StatusEntry = readonly [id: string, Status];

function listedStatuses(
  candidates: readonly CandidateContent[],
  submissions: Queried['submissions'],
): readonly StatusEntry[] {
  return candidates.flatMap(({ earlier, previous }) => [
    ...earlier.filter(isQueried).flatMap((record): readonly StatusEntry[] => {
      const status = listedStatus(record, submissions.get(record.submissionId));
      return status ? [[analysisId(record), status]] : [];
    }),
    ...(previous && submissions.get(previous.submissionId) === 'missing'
      ? [[previous.submissionId, 'missing'] as const]
      : []),
  ]);
}

/** What became of the files in open submissions that the service has, unless that was found out before. */
async function openStatuses(
  candidates: readonly CandidateContent[],
  { submissions, statuses }: Queried,
  now: Date,
  options: QueryOptions,
): Promise<readonly StatusEntry[]> {
  const contents = candidates.flatMap(({ content, earlier }) =>
    earlier.filter((record) => !statuses.has(analysisId(record))).map((record) => fromRecord(content, record)),
  );
  const entries = openSubmissions(withSource({ contents }, 'await')).map(async (submission) => {
    const found = submissions.get(submission.submissionId);
    return isFound(found) ? await statusesIn(submission, found, now, options) : [];
  });
  return (await Promise.all(entries)).flat();
}

async function statusesIn(
  submission: OpenSubmission,
  { response }: FoundSubmission,
  now: Date,
  options: QueryOptions,
): Promise<readonly StatusEntry[]> {
  const { submissionId, createdAt, contents } = submission;
  const idOf = ({ sha256 }: Content): string => analysisId({ sha256, submissionId });
  const isOver = isTerminal(response);
  const isOld = !isYounger(createdAt, isOver ? KEEP_TERMINAL_DAYS : KEEP_OPEN_DAYS, now);
  if (response.status !== 'failed' && !isOld)
    return contents.map((content) => [idOf(content), isOver ? 'complete' : 'open']);
  // Giving up costs money, so the assets are read, and a fact that is missing is read again for a while.
  const { analyses, mayKnowMoreLater } = await readEarlier(submission, options);
  return analyses.map((analysis) => {
    const isSettled = analysis.outcome === 'judged' || !mayKnowMoreLater;
    return [idOf(analysis.content), isSettled ? statusOfAnalysis(analysis, isOld) : 'open'];
  });
}

function statusOfAnalysis({ outcome, isFailedForGood }: Analysis, isOld: boolean): Status {
  if (outcome === 'judged') return 'complete';
  if (isFailedForGood) return 'failed';
  return isOld ? 'given up' : 'open';
}
