import { concurrently, sleep } from '../lib/async.ts';
import type { Content } from '../media/content.ts';
import type { Analysis } from '../service/analysis.ts';
import { CATCH_UP_MS, MAX_CONCURRENT_READS, READ_AGAIN_MS, type ServiceCalls } from '../service/client.ts';
import { type Issue, type Severity, severityRank } from '../service/issue.ts';
import { isTerminal, type ListedAsset, type SubmissionResponse } from '../service/responses.ts';
import { orError, ServiceError } from '../service/service-error.ts';
import type { OpenSubmission } from '../service/submit.ts';
import { readEarlier } from '../service/wait.ts';
import { type ContentRecord, isYounger, KEEP_OPEN_DAYS } from '../state/document.ts';
import { analysisId } from '../state/earlier-state.ts';
import { type CandidateContent, candidatesIn, type PlanBasis } from './candidates.ts';
import { fromRecord, openSubmissions, type Status, type Statuses, withSource } from './plan.ts';

/** A file of a terminal submission is given up if it is not judged this long after the submission was created. */
const TERMINAL_GRACE_DAYS = 1;

export interface QueryOptions extends ServiceCalls {
  /** Issues of this severity or above can change the verdict, so their submissions and assets are read first. */
  readonly failOnSeverity: Severity | 'never';
}

/** A submission of an earlier run: found, no longer at the service, or not readable because of an error. */
type EarlierSubmission = FoundSubmission | 'missing' | ServiceError;

interface FoundSubmission {
  readonly response: SubmissionResponse;
  /** A map by asset id, because a submission can hold thousands of assets. */
  readonly assets: ReadonlyMap<string, ListedAsset>;
}

/** What the service says about the submissions and analyses of earlier runs. */
export interface Queried {
  /** The key is the submission id. */
  readonly submissions: ReadonlyMap<string, EarlierSubmission>;
  readonly statuses: Statuses;
}

export const NOTHING_QUERIED: Queried = { submissions: new Map(), statuses: new Map() };

/**
 * Queries each submission of the candidates, and each submission to be linked, once. A missing analysis would be paid
 * for again, and a gateway that restarts responds with 404 as well. So missing submissions are read again, all in the
 * same 20 seconds.
 *
 * @param before the results of an earlier query, which was made with fewer states
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
    // A submission that was found stays found, even if it responds with 404 when it is read again for a missing asset.
    submissions = new Map([...submissions, ...[...again].filter(([, submission]) => submission !== 'missing')]);
  }
  const listed = new Map([...before.statuses, ...listedStatuses(candidates, submissions)]);
  const open = await openStatuses(candidates, { submissions, statuses: listed }, basis.rules.now, options);
  return { submissions, statuses: new Map([...listed, ...open]) };
}

/** Reads each submission once. If the service stops responding, the rest is not requested and gets the same error. */
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

/** Submissions whose issues can change the verdict come first: a rate limit may leave no time for the others. */
function submissionsOf(candidates: readonly CandidateContent[], options: QueryOptions): readonly string[] {
  const isUrgent = ({ earlier }: CandidateContent): boolean =>
    earlier.some((record) => record.kind === 'analysed' && canFail(record.issues, options));
  const urgentFirst = candidates.toSorted((a, b) => Number(isUrgent(b)) - Number(isUrgent(a)));
  const records = urgentFirst.flatMap(({ earlier }) => earlier.filter(isQueried));
  const links = candidates.flatMap(({ previous }) => previous ?? []);
  return [...new Set([...records, ...links].map(({ submissionId }) => submissionId))];
}

/** Whether an issue is at or above the threshold, even if it is dismissed: it may have been re-opened by now. */
export function canFail(issues: readonly Issue[], { failOnSeverity }: Pick<QueryOptions, 'failOnSeverity'>): boolean {
  if (failOnSeverity === 'never') return false;
  return issues.some(({ severity }) => severityRank(severity) <= severityRank(failOnSeverity));
}

/** The missing submissions of records that have no newer usable record of the same content. */
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

/** A failed record is final, so the service is not asked about its submission again. */
function isQueried({ kind }: ContentRecord): boolean {
  return kind !== 'failed';
}

/** False if the analysis is missing, or is open in a failed submission: the file may have failed as well. */
function isUsable(record: ContentRecord, submission: EarlierSubmission | undefined): boolean {
  const mayHaveFailed = record.kind === 'open' && isFound(submission) && submission.response.status === 'failed';
  return !mayHaveFailed && listedStatus(record, submission) !== 'missing';
}

export function isFound(submission: EarlierSubmission | undefined): submission is FoundSubmission {
  return submission !== undefined && submission !== 'missing' && !(submission instanceof ServiceError);
}

/** The status that the submission's asset list proves. The list has no file names, so an open record has no status. */
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

/** The statuses of open records whose submission was found, without records that have a status already. */
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
  // A file that is given up is billed again, so its assets are read first, and missing facts are read repeatedly.
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
