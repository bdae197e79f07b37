import { sleep } from '../lib/clock.ts';
import { concurrently } from '../lib/concurrently.ts';
import type { Content } from '../media/content.ts';
import type { Analysis } from '../service/analysis.ts';
import { CATCH_UP_MS, MAX_CONCURRENT_READS, READ_AGAIN_MS } from '../service/client.ts';
import { type Issue, type Severity, severityRank } from '../service/issue.ts';
import { isTerminal, type ListedAsset, type SubmissionResponse } from '../service/responses.ts';
import { orError, ServiceError } from '../service/service-error.ts';
import type { OpenSubmission } from '../service/submit.ts';
import { readEarlier, type WaitOptions } from '../service/wait.ts';
import { type ContentRecord, isYounger, KEEP_OPEN_DAYS } from '../state/document.ts';
import { analysisId } from '../state/earlier-state.ts';
import { type CandidateContent, candidatesIn, type PlanBasis } from './candidates.ts';
import { fromRecord, openSubmissions, type Status, type Statuses, withSource } from './plan.ts';

/** A file that is not judged this long after a terminal submission was created is given up. */
const TERMINAL_GRACE_DAYS = 1;

export interface QueryOptions extends WaitOptions {
  /** Issues from this severity on can change the verdict: their submissions and assets are read first. */
  readonly failOnSeverity: Severity | 'never';
}

/** What the service says about a submission of an earlier run: its response, that it is missing, or why it was not read. */
type EarlierSubmission = FoundSubmission | 'missing' | ServiceError;

interface FoundSubmission {
  readonly response: SubmissionResponse;
  /** By id: a submission can hold thousands. */
  readonly assets: ReadonlyMap<string, ListedAsset>;
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
    const needed = missingAndNeeded(candidates, submissions);
    const missing = ids.filter((id) => needed.has(id));
    if (missing.length === 0 || Date.now() >= windowEndsAt) break;
    await sleep(READ_AGAIN_MS, options.deadline.signal);
    const again = await readSubmissions(missing, options);
    // A submission was there if only one of its assets was missing. A 404 for it now does not change that.
    submissions = new Map([...submissions, ...[...again].filter(([, submission]) => submission !== 'missing')]);
  }
  const listed = new Map([...before.statuses, ...listedStatuses(candidates, submissions)]);
  const open = await openStatuses(candidates, { submissions, statuses: listed }, basis.rules.now, options);
  return { submissions, statuses: new Map([...listed, ...open]) };
}

/** Reads each submission once. If the service stops responding, the rest gets the same error and is not requested. */
async function readSubmissions(
  ids: readonly string[],
  { client, deadline }: QueryOptions,
): Promise<ReadonlyMap<string, EarlierSubmission>> {
  let stoppedBy: ServiceError | undefined;
  return new Map(await concurrently(ids, MAX_CONCURRENT_READS, async (id) => [id, await read(id)] as const));

  async function read(id: string): Promise<EarlierSubmission> {
    const response = stoppedBy ?? (await orError(client.readSubmission(id, deadline)));
    if (!(response instanceof ServiceError))
      return { response, assets: new Map(response.assets.map((asset) => [asset.assetId, asset])) };
    if (response.failureClass === 'missing') return 'missing';
    if (response.stopsReading) stoppedBy = response;
    return response;
  }
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

/** The missing submissions of records for which there is no newer usable record of the same content. */
function missingAndNeeded(
  candidates: readonly CandidateContent[],
  submissions: Queried['submissions'],
): ReadonlySet<string> {
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

/** Whether a record can be used: it is not missing, and not an open file of a failed submission, which may have failed. */
function isUsable(record: ContentRecord, submission: EarlierSubmission | undefined): boolean {
  const mayHaveFailed = record.kind === 'open' && isFound(submission) && submission.response.status === 'failed';
  return !mayHaveFailed && listedStatus(record, submission) !== 'missing';
}

export function isFound(submission: EarlierSubmission | undefined): submission is FoundSubmission {
  return submission !== undefined && submission !== 'missing' && !(submission instanceof ServiceError);
}

/** The status that the submission's list proves. It proves none for an open record, because it names no files. */
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

/** The statuses of open records whose submission was found, unless they were queried before. */
async function openStatuses(
  candidates: readonly CandidateContent[],
  { submissions, statuses }: Queried,
  now: Date,
  options: QueryOptions,
): Promise<readonly StatusEntry[]> {
  const contents = candidates.flatMap(({ content, earlier }) =>
    earlier.filter((record) => !statuses.has(analysisId(record))).map((record) => fromRecord(content, record)),
  );
  const entries = openSubmissions(withSource({ contents }, 'open')).map(async (submission) => {
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
  const isOld = !isYounger(createdAt, isOver ? TERMINAL_GRACE_DAYS : KEEP_OPEN_DAYS, now);
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
