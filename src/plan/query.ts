import { type Analysis, failedBefore, type SubmissionResults } from '../service/analysis.ts';
import { type Issue, isAtLeast, type Severity } from '../service/issue.ts';
import type { SubmissionReader } from '../service/reader.ts';
import { idKey } from '../service/responses.ts';
import type { NeededSubmission } from '../service/submission-reading.ts';
import type { Deadline } from '../service/tries.ts';
import { analysisId, type ContentRecord, isYounger, KEEP_OPEN_DAYS } from '../state/document.ts';
import type { EarlierState } from '../state/merge.ts';
import type { History, StateStore } from '../state/store.ts';
import {
  type CandidateContent,
  candidatesIn,
  chooseRecord,
  type EarlierResponses,
  isMissing,
  NO_RESPONSES,
  type PlanBasis,
  readingOf,
} from './candidates.ts';
import { asSent, makePlan, needsOtherStates, type Plan, submissionsOf, withSource } from './plan.ts';

/** What a query asks about, and with which limits. */
interface EarlierQuery {
  readonly reader: SubmissionReader;
  /** Issues of this severity or above can change the verdict, so their submissions and assets are read first. */
  readonly failOnSeverity: Severity | 'never';
  readonly basisOf: (earlierState: EarlierState) => PlanBasis;
  readonly load: StateStore['load'];
  /** Begins the time limit of one step. */
  readonly startDeadline: () => Deadline;
}

type QueryOptions = Pick<EarlierQuery, 'reader' | 'failOnSeverity'> & { readonly deadline: Deadline };

/** Asks the service about earlier analyses, and loads other states as long as a file would be sent. */
export async function queryEarlier(loaded: History, { basisOf, load, startDeadline, ...given }: EarlierQuery) {
  const { reader } = given;
  let history = loaded;
  let responses = NO_RESPONSES;
  const isEnough = (earlierState: EarlierState) => !needsOtherStates(makePlan(basisOf(earlierState), responses));
  const retryDeadline = startDeadline();
  const retryFailures = async (): Promise<void> => {
    const failures = filesToRead(['failed'], basisOf(history.earlierState), responses);
    responses = withResults(responses, await reader.read(failures, { deadline: retryDeadline }));
  };
  // A retry is free, and a submission is not, so failed files are retried first, within a separate time limit.
  await retryFailures();
  const options = { ...given, deadline: startDeadline() };
  for (;;) {
    responses = await querySubmissions(basisOf(history.earlierState), responses, options);
    // Before a file is sent again, other states are read: a run that was cancelled may have paid for its analysis.
    if (!history.hasMore || isEnough(history.earlierState)) break;
    history = await load(isEnough);
    await retryFailures();
  }
  const plan = makePlan(basisOf(history.earlierState), responses);
  return { history, responses, plan, reused: await readReused(plan, options) };
}

/**
 * Reads what the plan needs: each submission of the candidates, and each that a new one may be linked to; the assets of
 * open files, which are retried if they have failed; and those of saved failures whose submission could not be read
 * before. A submission that is missing, and that the plan would use, is asked for again: a gateway that restarts responds
 * with 404 as well. `readReused` reads the issues of reused analyses later.
 *
 * @param before what this run has read when it knew fewer states
 */
async function querySubmissions(
  basis: PlanBasis,
  before: EarlierResponses,
  options: QueryOptions,
): Promise<EarlierResponses> {
  const candidates = candidatesIn(basis);
  const plain = submissionIdsOf(candidates, options).map((submissionId) => ({ submissionId, contents: [] }));
  const withFiles = filesToRead(['open', 'failed'], basis, before);
  // A Map keeps the place of the first entry of a key, and the value of the last.
  const needed = new Map([...plain, ...withFiles].map((each) => [idKey(each.submissionId), each]));
  const { reader } = options;
  const missedAfter = (results: readonly SubmissionResults[]) =>
    missingAndNeeded(candidates, withResults(before, results), basis);
  return withResults(before, await reader.read([...needed.values()], { ...options, missedAfter }));
}

function withResults(
  { submissions, files }: EarlierResponses,
  results: readonly SubmissionResults[],
): EarlierResponses {
  const analyses = results.flatMap((each) => each.analyses);
  const read = results.map(({ submission }) => [idKey(submission.submissionId), submission] as const);
  return {
    submissions: new Map([...submissions, ...read]),
    files: new Map([...files, ...analyses.map((each) => [analysisId({ ...each.content, ...each }), each] as const)]),
  };
}

/** Submissions whose issues can change the verdict come first: a rate limit may leave no time for the others. */
function submissionIdsOf(candidates: readonly CandidateContent[], options: QueryOptions): readonly string[] {
  const mayFail = ({ newestAnalysis }: CandidateContent): boolean => canFail(newestAnalysis?.issues ?? [], options);
  const urgentFirst = candidates.toSorted((a, b) => Number(mayFail(b)) - Number(mayFail(a)));
  const all = urgentFirst.flatMap(({ records }) => records);
  const links = candidates.flatMap(({ previous }) => previous ?? []);
  return [...all, ...links].map(({ submissionId }) => submissionId);
}

/** Whether an issue is at or above the threshold, even if it is dismissed: it may have been re-opened by now. */
function canFail(issues: readonly Issue[], { failOnSeverity }: Pick<QueryOptions, 'failOnSeverity'>): boolean {
  return issues.some(({ severity }) => isAtLeast(severity, failOnSeverity));
}

/** The submissions of missing records, unless the plan would reuse or await a newer record instead. */
function missingAndNeeded(
  candidates: readonly CandidateContent[],
  responses: EarlierResponses,
  basis: PlanBasis,
): ReadonlySet<string> {
  const missing = candidates.flatMap((candidate) => {
    const { uses, preferred, newer } = chooseRecord(candidate, responses, basis);
    return (preferred?.use === 'failed' ? uses : newer).filter(({ record, use }) => {
      const isFailed = use === 'earlier analysis failed' && isMissing(readingOf(record, responses));
      return isFailed || use === 'no longer at the service';
    });
  });
  return new Set(missing.map(({ record }) => idKey(record.submissionId)));
}

/** The submissions with those files of these kinds that this run has not read before. */
function filesToRead(
  kinds: readonly ContentRecord['kind'][],
  basis: PlanBasis,
  { files }: EarlierResponses,
): readonly NeededSubmission[] {
  const unread = candidatesIn(basis).flatMap(({ content, records }) =>
    records
      .filter((record) => kinds.includes(record.kind) && !files.has(analysisId(record)))
      .map((record) => ({ content: asSent(content, record), record })),
  );
  const isOld = ({ at }: ContentRecord): boolean => !isYounger(at, KEEP_OPEN_DAYS, basis.now);
  const old = new Set(unread.flatMap(({ record }) => (isOld(record) ? analysisId(record) : [])));
  return submissionsOf(unread, basis.earlierState).map((submission): NeededSubmission => {
    const { contents, submissionId } = submission;
    return { ...submission, old: contents.filter(({ sha256 }) => old.has(analysisId({ sha256, submissionId }))) };
  });
}

/**
 * Reads the issues of reused analyses again, because people may have dismissed or re-opened an issue: a re-run can then
 * pass or fail at no cost.
 */
async function readReused(plan: Plan, options: QueryOptions): Promise<readonly Analysis[]> {
  const { reader, deadline } = options;
  const reused = withSource(plan, 'reused');
  const groups = Map.groupBy(reused, ({ source }) => idKey(source.record.submissionId));
  const needed = [...groups].map(([key, group]) => ({
    submissionId: group[0]?.source.record.submissionId ?? key,
    contents: [],
    reused: group.map(({ content, source }) => ({ content, earlier: source.record })),
  }));
  const results = await reader.read(needed, {
    deadline,
    // If the issue count is unknown or has changed, the asset may have a new issue that changes the verdict.
    isUrgent: ({ earlier, issueCount }) =>
      canFail(earlier?.issues ?? [], options) || issueCount !== earlier?.issues.length,
  });
  return results.flatMap(({ analyses }) => analyses);
}

/**
 * What this run has read before it waits: about awaited and failed files, and the issues of submissions that are newer than
 * the source of a file. A saved failure is shown in any case.
 */
export function earlierAnalyses(plan: Plan, { files }: EarlierResponses, isSandbox: boolean): readonly Analysis[] {
  const ofNewer = plan.contents.flatMap(({ newer }) => newer.flatMap((record) => files.get(analysisId(record)) ?? []));
  const unfinished = [...withSource(plan, 'awaited'), ...withSource(plan, 'failed')];
  const ofUnfinished = unfinished.flatMap(({ content, source: { kind, record } }) => {
    const read = files.get(analysisId(record));
    if (kind === 'failed' && record.kind === 'failed') return failedBefore(content, record, read, isSandbox);
    const isAtWork = read?.prospect === 'retried' || read?.prospect === 'at work';
    return isAtWork ? withIssues([{ ...read, outcome: 'unjudged', causes: [] }]) : (read ?? []);
  });
  return [...withIssues(ofNewer), ...ofUnfinished];
}

function withIssues(analyses: readonly Analysis[]): readonly Analysis[] {
  return analyses.filter(({ issues }) => issues.length > 0);
}
