import { concurrently } from '../lib/async.ts';
import type { Analysis } from '../service/analysis.ts';
import { MAX_CONCURRENT_READS, type ServiceCalls } from '../service/client.ts';
import { type Issue, type Severity, severityRank } from '../service/issue.ts';
import { idKey, isDoubtful } from '../service/responses.ts';
import { ServiceError, untilOutage } from '../service/service-error.ts';
import { catchUpWindow } from '../service/tries.ts';
import { readEarlier } from '../service/wait.ts';
import { analysisId, isAnalysed, isYounger, KEEP_OPEN_DAYS } from '../state/document.ts';
import { type CandidateContent, candidatesIn, type PlanBasis } from './candidates.ts';
import { fromRecord, openSubmissions } from './plan.ts';
import {
  type EarlierResponses,
  type EarlierSubmissions,
  type FoundSubmission,
  isFound,
  isMissing,
  preferredRecord,
  type RecordStatus,
  statusOf,
} from './record-status.ts';

export interface QueryOptions extends ServiceCalls {
  /** Issues of this severity or above can change the verdict, so their submissions and assets are read first. */
  readonly failOnSeverity: Severity | 'never';
}

/**
 * Reads from the service what the plan needs, in this order:
 *
 * 1. Once, each submission of the candidates, and each submission that a new one may be linked to.
 * 2. The assets of submissions that failed or are old: an open file may have failed or never finish, and the service
 *    may have healed a failed file.
 * 3. For 20 seconds, the missing submissions again: a gateway that restarts responds with 404 as well, and a file with
 *    a missing analysis is paid for again.
 *
 * Then the plan is made, and `readReused` reads the issues of reused analyses.
 *
 * @param before the result of an earlier query, which was made with fewer states
 */
export async function querySubmissions(
  basis: PlanBasis,
  before: EarlierResponses,
  options: QueryOptions,
): Promise<EarlierResponses> {
  const candidates = candidatesIn(basis);
  const ids = submissionsOf(candidates, options).filter((id) => !before.submissions.has(id));
  const extend = async (soFar: EarlierResponses, added: EarlierSubmissions): Promise<EarlierResponses> => {
    const all = { ...soFar, submissions: new Map([...soFar.submissions, ...added]) };
    return { ...all, files: await readOpenAndFailed(candidates, all, basis, options) };
  };
  let responses = await extend(before, await readSubmissions(ids, options));
  const mayReadAgain = catchUpWindow(options.deadline);
  for (;;) {
    const needed = missingAndNeeded(candidates, responses);
    const missing = ids.filter((id) => needed.has(id));
    if (missing.length === 0 || !(await mayReadAgain())) return responses;
    const again = await readSubmissions(missing, options);
    // A submission that was found stays found, even if it responds with 404 when it is read again for a missing asset.
    responses = await extend(responses, new Map([...again].filter(([, submission]) => !isMissing(submission))));
  }
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
    const assets = response.assets?.map((asset) => [idKey(asset.assetId), asset] as const);
    return [id, { response, assets: assets && new Map(assets) }] as const;
  });
  return new Map<string, FoundSubmission | ServiceError>(entries);
}

/** Submissions whose issues can change the verdict come first: a rate limit may leave no time for the others. */
function submissionsOf(candidates: readonly CandidateContent[], options: QueryOptions): readonly string[] {
  const mayFail = ({ newestAnalysis }: CandidateContent): boolean => canFail(newestAnalysis?.issues ?? [], options);
  const urgentFirst = candidates.toSorted((a, b) => Number(mayFail(b)) - Number(mayFail(a)));
  const all = urgentFirst.flatMap(({ records }) => records);
  const links = candidates.flatMap(({ previous }) => previous ?? []);
  return [...new Set([...all, ...links].map(({ submissionId }) => submissionId))];
}

/** Whether an issue is at or above the threshold, even if it is dismissed: it may have been re-opened by now. */
export function canFail(issues: readonly Issue[], { failOnSeverity }: Pick<QueryOptions, 'failOnSeverity'>): boolean {
  if (failOnSeverity === 'never') return false;
  return issues.some(({ severity }) => severityRank(severity) <= severityRank(failOnSeverity));
}

/** The submissions of missing records that are newer than the record that the plan would reuse or await instead. */
function missingAndNeeded(candidates: readonly CandidateContent[], responses: EarlierResponses): ReadonlySet<string> {
  const missing = candidates.flatMap((candidate) => {
    const { records } = candidate;
    const preferred = preferredRecord(candidate, responses, () => false);
    const newer = preferred ? records.slice(0, records.indexOf(preferred)) : records;
    return newer.filter((record) => statusOf(record, responses) === 'missing');
  });
  return new Set(missing.map(({ submissionId }) => submissionId));
}

/** Reads the assets of open and failed records, in submissions that failed or are old, unless they were read before. */
async function readOpenAndFailed(
  candidates: readonly CandidateContent[],
  { submissions, files }: EarlierResponses,
  { now, earlierState }: PlanBasis,
  options: QueryOptions,
): Promise<EarlierResponses['files']> {
  const unread = candidates.flatMap(({ content, records }) =>
    records.flatMap((record) => {
      if (isAnalysed(record) || files.has(analysisId(record))) return [];
      return [fromRecord(content, record)];
    }),
  );
  const failures = new Set(unread.flatMap(({ source }) => (source.kind === 'failed' ? [analysisId(source)] : [])));
  const read = openSubmissions(unread, earlierState).map(async (submission) => {
    const { submissionId, createdAt } = submission;
    const found = submissions.get(submissionId);
    const isOld = !isYounger(createdAt, KEEP_OPEN_DAYS, now);
    if (!isFound(found) || (!isDoubtful(found.response) && !isOld)) return [];
    const { analyses, mayKnowMoreLater } = await readEarlier(submission, found.response, options);
    return analyses.map((analysis) => {
      const id = analysisId({ ...analysis.content, submissionId });
      const facts = { hadFailed: failures.has(id), isOld, mayKnowMoreLater };
      return [id, { status: statusAfter(analysis, facts), analysis }] as const;
    });
  });
  return new Map([...files, ...(await Promise.all(read)).flat()]);
}

/** The status of an open or failed record after its asset was read. A result counts more than any failure. */
function statusAfter(
  { outcome, isFailedForGood }: Analysis,
  { hadFailed, isOld, mayKnowMoreLater }: Readonly<Record<'hadFailed' | 'isOld' | 'mayKnowMoreLater', boolean>>,
): RecordStatus {
  if (outcome === 'judged') return 'finished';
  // A saved failure stays until the asset can be read and is not failed, even if the service would allow a retry now.
  if (hadFailed) return outcome === 'failed' || mayKnowMoreLater ? 'failed' : 'open';
  if (isFailedForGood) return 'failed';
  return isOld && !mayKnowMoreLater ? 'given up' : 'open';
}
