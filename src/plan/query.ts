import type { Cause } from '../lib/cause.ts';
import { type Analysis, about, stepsAfterFailure } from '../service/analysis.ts';
import { topicsFor } from '../service/extras.ts';
import { type Issue, isAtLeast, type Severity } from '../service/issue.ts';
import type { SubmissionReader, SubmissionResults } from '../service/reader.ts';
import { idKey } from '../service/responses.ts';
import type { NeededSubmission } from '../service/submission-reading.ts';
import type { Deadline } from '../service/tries.ts';
import { analysisId, type FailedRecord, isAnalysed, isYounger, KEEP_OPEN_DAYS } from '../state/document.ts';
import {
  type CandidateContent,
  candidatesIn,
  type EarlierResponses,
  type PlanBasis,
  preferredRecord,
  type RecordUse,
  useOf,
} from './candidates.ts';
import { asSent, type Plan, submissionsOf, withSource } from './plan.ts';

export interface QueryOptions {
  readonly reader: SubmissionReader;
  readonly deadline: Deadline;
  /** Issues of this severity or above can change the verdict, so their submissions and assets are read first. */
  readonly failOnSeverity: Severity | 'never';
}

/**
 * Retries files that an earlier run saved as failed, if the service allows it now. A retry is free, and a submission is
 * not, so this comes before the plan, whatever became of earlier retries.
 */
export async function retryFailures(
  basis: PlanBasis,
  before: EarlierResponses,
  options: Pick<QueryOptions, 'reader' | 'deadline'>,
): Promise<EarlierResponses> {
  const failures = filesToRead('failed', candidatesIn(basis), before, basis);
  const isSentOtherwise = basis.isRerun || basis.reuseDays === 0;
  return await read(failures, before, { ...options, useAfter: useAfterFailure(options.reader, isSentOtherwise) });
}

/**
 * Reads what the plan needs: each submission of the candidates, each that a new one may be linked to and, in submissions
 * that failed or are old, the assets of open files. A submission that is missing, and that the plan would use, is asked
 * for again: a gateway that restarts responds with 404 as well. `readReused` reads the issues of reused analyses later.
 *
 * @param before what this run has read when it knew fewer states
 */
export async function querySubmissions(
  basis: PlanBasis,
  before: EarlierResponses,
  options: QueryOptions,
): Promise<EarlierResponses> {
  const candidates = candidatesIn(basis);
  const open = new Map(filesToRead('open', candidates, before, basis).map((each) => [each.submissionId, each]));
  const needed = submissionIdsOf(candidates, options).map((id) => open.get(id) ?? { submissionId: id, contents: [] });
  const responses = await read(needed, before, { ...options, useAfter });
  const isMissed = (submissionId: string): boolean => missingAndNeeded(candidates, responses).has(submissionId);
  const missed = needed.filter(({ submissionId }) => isMissed(submissionId));
  return await read(missed, responses, { ...options, isMissed, useAfter });
}

async function read(
  needed: readonly NeededSubmission[],
  before: EarlierResponses,
  options: Pick<QueryOptions, 'reader' | 'deadline'> & {
    readonly isMissed?: (submissionId: string) => boolean;
    readonly useAfter: (analysis: Analysis, results: SubmissionResults) => RecordUse;
  },
): Promise<EarlierResponses> {
  const { reader } = options;
  const results = await reader.read(needed, { ...options, isWaiting: false });
  const files = results.flatMap((each) =>
    each.analyses.map((analysis) => {
      const use = options.useAfter(analysis, each);
      const { mayKnowMoreLater: isPrevented } = each;
      return [analysisId({ ...analysis.content, ...analysis }), { analysis, use, isPrevented }] as const;
    }),
  );
  return { submissions: reader.submissions, files: new Map([...before.files, ...files]) };
}

/** Submissions whose issues can change the verdict come first: a rate limit may leave no time for the others. */
function submissionIdsOf(candidates: readonly CandidateContent[], options: QueryOptions): readonly string[] {
  const mayFail = ({ newestAnalysis }: CandidateContent): boolean => canFail(newestAnalysis?.issues ?? [], options);
  const urgentFirst = candidates.toSorted((a, b) => Number(mayFail(b)) - Number(mayFail(a)));
  const all = urgentFirst.flatMap(({ records }) => records);
  const links = candidates.flatMap(({ previous }) => previous ?? []);
  return [...new Set([...all, ...links].map(({ submissionId }) => submissionId))];
}

/** Whether an issue is at or above the threshold, even if it is dismissed: it may have been re-opened by now. */
function canFail(issues: readonly Issue[], { failOnSeverity }: Pick<QueryOptions, 'failOnSeverity'>): boolean {
  return issues.some(({ severity }) => isAtLeast(severity, failOnSeverity));
}

/** The submissions of missing records that are newer than the record that the plan would reuse or await instead. */
function missingAndNeeded(candidates: readonly CandidateContent[], responses: EarlierResponses): ReadonlySet<string> {
  const missing = candidates.flatMap((candidate) => {
    const { records } = candidate;
    const preferred = preferredRecord(candidate, responses, () => false);
    const newer = preferred ? records.slice(0, records.indexOf(preferred)) : records;
    return newer.filter((record) => useOf(record, responses) === 'missing');
  });
  return new Set(missing.map(({ submissionId }) => submissionId));
}

/**
 * The open or failed files whose assets were not read before. The assets of an open file are read if it may never get a
 * result, because its submission failed or is old; those of a saved failure always.
 */
function filesToRead(
  kind: 'open' | 'failed',
  candidates: readonly CandidateContent[],
  { files }: EarlierResponses,
  { now, earlierState }: PlanBasis,
): readonly NeededSubmission[] {
  const unread = candidates.flatMap(({ content, records }) =>
    records.flatMap((record) => {
      if (isAnalysed(record) || record.kind !== kind || files.has(analysisId(record))) return [];
      return [{ content: asSent(content, record), record }];
    }),
  );
  return submissionsOf(unread, earlierState).map((submission): NeededSubmission => {
    const isOld = !isYounger(submission.createdAt, KEEP_OPEN_DAYS, now);
    return { ...submission, isOld, isAwaitedLater: kind === 'open' };
  });
}

/** What an open record is good for after its asset was read. A result counts more than any failure. */
function useAfter(
  { outcome, isFailedForGood }: Analysis,
  { submission: { isOld }, mayKnowMoreLater: isPrevented }: SubmissionResults,
): RecordUse {
  if (outcome === 'judged') return 'finished';
  if (isFailedForGood) return 'failed';
  return isOld && !isPrevented ? 'given up' : 'awaited';
}

/**
 * A saved failure stays until this run has read a result, or that the service works on the file again or may do so. What
 * runs on in a submission that has ended may run for ever, so a run that would send the file otherwise sends it.
 */
function useAfterFailure({ submissions }: SubmissionReader, isSentOtherwise: boolean) {
  return (analysis: Analysis, { response, mayKnowMoreLater: isPrevented }: SubmissionResults): RecordUse => {
    const { outcome, isFailedForGood, submissionId, assetId = '' } = analysis;
    if (outcome === 'judged') return 'finished';
    const { own, retry } = submissions.get(idKey(submissionId))?.assets.get(idKey(assetId)) ?? {};
    const isRunning = own?.status.isKnown === true && !own.status.isTerminal;
    const mayEnd = !response?.status.isTerminal || retry !== undefined || !isSentOtherwise;
    const isWorkedOn = (isRunning && mayEnd) || (outcome === 'failed' && !isFailedForGood);
    return isWorkedOn && !isPrevented ? 'awaited' : 'failed';
  };
}

/**
 * Reads the issues of reused analyses again, because people may have dismissed or re-opened an issue: a re-run can then
 * pass or fail at no cost.
 */
export async function readReused(plan: Plan, options: QueryOptions): Promise<readonly Analysis[]> {
  const { reader, deadline } = options;
  const reused = withSource(plan, 'reused');
  const groups = Map.groupBy(reused, ({ source }) => source.record.submissionId);
  const needed = [...groups].map(([submissionId, group]) => ({
    submissionId,
    contents: [],
    reused: group.map(({ content, source }) => ({ content, earlier: source.record })),
  }));
  const results = await reader.read(needed, {
    deadline,
    isWaiting: false,
    // If the issue count is unknown or has changed, the asset may have a new issue that changes the verdict.
    isUrgent: ({ earlier, issueCount }) =>
      canFail(earlier?.issues ?? [], options) || issueCount !== earlier?.issues.length,
  });
  const topics = new Map(reused.map(({ content, source }) => [content.sha256, source.record.topics ?? []]));
  return results
    .flatMap(({ analyses }) => analyses)
    .map((each) => ({ ...each, topics: topicsFor(each.issues, topics.get(each.content.sha256) ?? []) }));
}

/** Failures that this run has read of open files, and saved ones, with the messages that it has read, if any. */
export function earlierFailures(plan: Plan, { files }: EarlierResponses, isSandbox: boolean): readonly Analysis[] {
  return withSource(plan, 'failed').map(({ content, source: { record, analysis } }) => {
    if (analysis) return analysis;
    const { submissionId } = record;
    const read = files.get(analysisId(record))?.analysis;
    const cause = explainEarlierFailure(record, isSandbox, read?.isFailedForGood ? read.causes[0] : undefined);
    const causes = [about(content, cause)];
    return { content, outcome: 'failed', isFailedForGood: true, issues: [], topics: [], submissionId, causes };
  });
}

/** Says why the file failed, and what makes the gate send it again. @param read the failure as this run has read it */
function explainEarlierFailure({ submissionId, at, message }: FailedRecord, isSandbox: boolean, read?: Cause): Cause {
  const isFileToBlame = read?.steps.some(({ actor }) => actor === 'author') ?? true;
  const cost = isSandbox ? '' : ', so nothing was billed';
  return {
    reason: 'asset-failed',
    message: `${read?.message ?? message} That was on ${at.slice(0, 10)}. The file was not sent again${cost}. A re-run of this job, other bytes or \`reuse-days: 0\` send it again.`,
    steps: stepsAfterFailure({ isForGood: true, isFileToBlame, isSandbox }),
    submissionId,
  };
}
