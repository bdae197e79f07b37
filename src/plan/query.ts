import { concurrently, sleep } from '../lib/async.ts';
import { monotonicMs } from '../lib/clock.ts';
import type { Analysis } from '../service/analysis.ts';
import { CATCH_UP_MS, MAX_CONCURRENT_READS, READ_AGAIN_MS, type ServiceCalls } from '../service/client.ts';
import { type Issue, type Severity, severityRank } from '../service/issue.ts';
import { idKey } from '../service/responses.ts';
import { ServiceError, untilOutage } from '../service/service-error.ts';
import { readEarlier } from '../service/wait.ts';
import { analysisId, type ContentRecord, isAnalysed, isYounger, KEEP_OPEN_DAYS } from '../state/document.ts';
import { type CandidateContent, candidatesIn, type PlanBasis } from './candidates.ts';
import {
  asOpen,
  type EarlierSubmissions,
  type FoundSubmission,
  fromRecord,
  isFound,
  isMissing,
  openSubmissions,
  type RecordStatus,
  statusOf,
  withSource,
} from './plan.ts';

export interface QueryOptions extends ServiceCalls {
  /** Issues of this severity or above can change the verdict, so their submissions and assets are read first. */
  readonly failOnSeverity: Severity | 'never';
}

/**
 * Queries each submission of the candidates, and each submission to be linked, once. A missing analysis would be paid
 * for again, and a gateway that restarts responds with 404 as well. So missing submissions are read again, all in the
 * same 20 seconds.
 *
 * @param before the result of an earlier query, which was made with fewer states
 */
export async function querySubmissions(
  basis: PlanBasis,
  before: EarlierSubmissions,
  options: QueryOptions,
): Promise<EarlierSubmissions> {
  const candidates = candidatesIn(basis);
  const ids = submissionsOf(candidates, options).filter((id) => !before.has(id));
  let submissions: EarlierSubmissions = new Map([...before, ...(await readSubmissions(ids, options))]);
  const windowEndsAt = monotonicMs() + CATCH_UP_MS;
  for (;;) {
    const needed = missingAndNeeded(candidates, submissions);
    const missing = ids.filter((id) => needed.has(id));
    if (missing.length === 0 || monotonicMs() >= windowEndsAt) break;
    await sleep(READ_AGAIN_MS, options.deadline.signal);
    const again = await readSubmissions(missing, options);
    // A submission that was found stays found, even if it responds with 404 when it is read again for a missing asset.
    submissions = new Map([...submissions, ...[...again].filter(([, submission]) => !isMissing(submission))]);
  }
  return await readDoubtful(candidates, submissions, basis, options);
}

/** Reads each submission once. If the service stops responding, the remaining submissions are not requested. */
export async function readSubmissions(
  ids: readonly string[],
  { client, deadline }: QueryOptions,
): Promise<EarlierSubmissions> {
  const ask = untilOutage();
  const entries = await concurrently(ids, MAX_CONCURRENT_READS, async (id) => {
    const response = await ask(async () => await client.readSubmission(id, deadline));
    if (response instanceof ServiceError) return [id, response] as const;
    const assets = response.assets && new Map(response.assets.map((asset) => [idKey(asset.assetId), asset]));
    return [id, { response, assets: assets ?? undefined, files: new Map() }] as const;
  });
  return new Map<string, FoundSubmission | ServiceError>(entries);
}

/** Submissions whose issues can change the verdict come first: a rate limit may leave no time for the others. */
function submissionsOf(candidates: readonly CandidateContent[], options: QueryOptions): readonly string[] {
  const mayFail = ({ earlier }: CandidateContent): boolean =>
    earlier.some((record) => isAnalysed(record) && canFail(record.issues, options));
  const urgentFirst = candidates.toSorted((a, b) => Number(mayFail(b)) - Number(mayFail(a)));
  const records = urgentFirst.flatMap(({ earlier }) => earlier);
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
  submissions: EarlierSubmissions,
): ReadonlySet<string> {
  const missing = candidates.flatMap(({ earlier }) => {
    const usable = earlier.findIndex((record) => isUsable(record, submissions));
    const newer = earlier.slice(0, usable === -1 ? undefined : usable);
    return newer.filter((record) => statusOf(record, submissions) === 'missing');
  });
  return new Set(missing.map(({ submissionId }) => submissionId));
}

/** False if the analysis is missing or has failed. An open file of a failed submission may have failed as well. */
function isUsable(record: ContentRecord, submissions: EarlierSubmissions): boolean {
  const submission = submissions.get(record.submissionId);
  const mayHaveFailed = !isAnalysed(record) && isFound(submission) && submission.response.status.phase === 'failed';
  return record.kind !== 'failed' && !mayHaveFailed && statusOf(record, submissions) !== 'missing';
}

/**
 * Reads the assets of submissions that failed or are old, to find out what became of each file that is open or has
 * failed. A file that is given up is billed again, so incomplete responses are requested again before that.
 */
async function readDoubtful(
  candidates: readonly CandidateContent[],
  submissions: EarlierSubmissions,
  { now, earlierState }: PlanBasis,
  options: QueryOptions,
): Promise<EarlierSubmissions> {
  const failures = new Set(
    candidates.flatMap(({ earlier }) => earlier.filter(({ kind }) => kind === 'failed')).map(analysisId),
  );
  const contents = candidates.flatMap(({ content, earlier }) =>
    earlier.map((record) => fromRecord(content, record.kind === 'failed' ? asOpen(record) : record)),
  );
  const read = openSubmissions(withSource({ contents }, 'open'), earlierState).map(async (submission) => {
    const { submissionId } = submission;
    const found = submissions.get(submissionId);
    if (!isFound(found)) return [];
    const { response, files } = found;
    const isOld = !isYounger(submission.createdAt, KEEP_OPEN_DAYS, now);
    const unread = submission.contents.filter(({ sha256 }) => !files.has(sha256));
    if (unread.length === 0 || (response.status.phase !== 'failed' && !isOld)) return [];
    const { analyses, mayKnowMoreLater } = await readEarlier({ ...submission, contents: unread }, response, options);
    const statusAfter = ({ content: { sha256 }, outcome, isFailedForGood }: Analysis): RecordStatus => {
      if (outcome === 'judged') return 'finished';
      // A failed file stays failed until its asset no longer is, even if the service would allow a retry.
      if (failures.has(analysisId({ sha256, submissionId })))
        return outcome === 'failed' || mayKnowMoreLater ? 'failed' : 'open';
      if (isFailedForGood) return 'failed';
      return isOld && !mayKnowMoreLater ? 'given up' : 'open';
    };
    const added = analyses.map(
      (analysis) => [analysis.content.sha256, { status: statusAfter(analysis), analysis }] as const,
    );
    return [[submissionId, { ...found, files: new Map([...files, ...added]) }] as const];
  });
  return new Map([...submissions, ...(await Promise.all(read)).flat()]);
}
