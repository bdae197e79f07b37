import type { Cause } from '../lib/cause.ts';
import type { Content } from '../media/content.ts';
import { explain } from '../service/advice.ts';
import { type Analysis, about, analysesOf, unjudged } from '../service/analysis.ts';
import type { Deadline } from '../service/client.ts';
import { type EarlierSubmissions, readSubmissions, type WantedSubmission } from '../service/earlier-submissions.ts';
import { type Issue, type Severity, severityRank } from '../service/issue.ts';
import { type AssetReading, readMissing, unreadAsset } from '../service/read-asset.ts';
import { isTerminal, type ListedAsset, type SubmissionResponse, unlistedAsset } from '../service/responses.ts';
import type { ServiceError } from '../service/service-error.ts';
import type { OpenSubmission } from '../service/submit.ts';
import { readEarlier, type WaitOptions } from '../service/wait.ts';
import { type AnalysedRecord, isYounger, KEEP_OPEN_DAYS } from '../state/document.ts';
import { analysisId, type EarlierState } from '../state/earlier-state.ts';
import {
  type Check,
  type Checks,
  type EarlierContent,
  lostIn,
  makePlan,
  NO_PLAN,
  openSubmissions,
  type Plan,
  type PlanBasis,
  withSource,
} from './plan.ts';

/** In a terminal submission of this age, a file that is not judged will not be judged any more. */
const KEEP_TERMINAL_DAYS = 1;
const FAILED = 'earlier analysis failed';
/** Enough to keep the distance to the request before it. */
const ONE_TRY_MS = 1_000;

export interface ConfirmOptions extends WaitOptions {
  /** Issues from this severity on can change the verdict: their assets are read first. */
  readonly failOnSeverity: Severity | 'never';
  readonly now: Date;
  /** Reads the states that were not read yet: a run that was cancelled may have paid for what is lost. */
  readonly readAllStates: () => Promise<EarlierState>;
}

/** A plan that relies only on analyses that the service still has, as far as it answered. */
export interface Confirmation {
  readonly plan: Plan;
  readonly checks: Checks;
  /** Of the reused contents, with the issue statuses of now unless `lastKnownAt` is set. */
  readonly analyses: readonly Analysis[];
  /** Why some of them are last known: the service did not answer. */
  readonly lastKnownCause: Cause | undefined;
}

/**
 * Asks the service for every earlier analysis that the plan relies on, and plans again if one is lost, or a newer one is
 * complete. No answer is no loss. An issue dismissed at the service passes a re-run at no cost, and one that was re-opened
 * fails it.
 */
export async function confirm(basis: PlanBasis, options: ConfirmOptions): Promise<Confirmation> {
  const unasked = { plan: NO_PLAN, checks: new Map(), analyses: [], lastKnownCause: undefined };
  const confirmed = await confirmNew(basis, unasked, options);
  const { plan, checks } = confirmed;
  const isAllFound = plan.unknownPointers.length === 0 && withSource(plan, 'submit').length === 0;
  if (isAllFound || lostIn(checks).size === 0) return confirmed;
  return await confirmNew({ ...basis, earlierState: await options.readAllStates() }, confirmed, options);
}

/** Asks for what was not asked for before, until the plan relies on nothing else. */
async function confirmNew(basis: PlanBasis, before: Confirmation, options: ConfirmOptions): Promise<Confirmation> {
  const plan = makePlan(basis, before.checks);
  const reused = withSource(plan, 'reuse');
  // What was open when it was asked for is asked again, if a state that was read later knows its analysis.
  const answered = new Set([...before.analyses.map(idOf), ...lostIn(before.checks)]);
  const unasked = [
    ...reused.filter((each) => !answered.has(idOf(each))),
    ...plan.open.filter((each) => !before.checks.has(idOf(each))),
  ];
  if (unasked.length === 0) {
    const inUse = new Set(reused.map(idOf));
    return { ...before, plan, analyses: before.analyses.filter((each) => inUse.has(idOf(each))) };
  }
  const { checks, analyses, lastKnownCause } = await ask(unasked, plan, options);
  const after = {
    plan,
    checks: new Map([...before.checks, ...checks]),
    analyses: [...before.analyses, ...analyses],
    lastKnownCause: before.lastKnownCause ?? lastKnownCause,
  };
  return await confirmNew(basis, after, options);
}

function idOf(each: EarlierContent | Analysis): string {
  return analysisId('source' in each ? each.source.sent : { ...each, ...each.content });
}

/** Reads each submission once, then the assets that have issues, those first that can change the verdict. */
async function ask(
  entries: readonly EarlierContent[],
  plan: Plan,
  options: ConfirmOptions,
): Promise<Omit<Confirmation, 'plan'>> {
  const { found, missing, unread } = await readSubmissions(wantedSubmissions(entries, options), options);
  const lists = new Map([...found].map(([id, { assets }]) => [id, new Map(assets.map((a) => [a.assetId, a]))]));
  const listedOf = ({ submissionId, assetId }: AnalysedRecord): ListedAsset | undefined =>
    lists.get(submissionId)?.get(assetId);
  const isGone = ({ source }: EarlierContent): boolean =>
    source.kind === 'await'
      ? missing.has(source.sent.submissionId)
      : !listedOf(source.sent) && !unread.has(source.sent.submissionId);
  const contents = entries.filter((each) => !isGone(each));
  const reused = withSource({ contents }, 'reuse').map(({ content, source: { sent } }): ReusedAsset => {
    const listed = listedOf(sent) ?? unlistedAsset(sent.assetId);
    const { name: filename, issues, analysedAt: lastKnownAt, versionNumber, versionGroupId } = sent;
    const own = { filename, status: 'complete', versionNumber, versionGroupId };
    return { ...unreadAsset(sent.submissionId, listed), content, own, issues, lastKnownAt };
  });
  const { analyses, error } = await readReused(reused, unread, options);
  const open = openSubmissions(withSource({ contents }, 'await')).map(async (submission) => {
    const response = found.get(submission.submissionId);
    return response ? await checkOpen(submission, response, { ...options, plan }) : [];
  });
  const stoppedBy = [...unread.values(), error].find((each) => each?.isOutage);
  return {
    checks: new Map<string, Check>([
      // Without an answer it stands as it is.
      ...entries.map((each) => [idOf(each), isGone(each) ? 'no longer at the service' : 'open'] as const),
      ...analyses.filter(({ outcome }) => outcome === 'failed').map((each) => [idOf(each), FAILED] as const),
      ...(await Promise.all(open)).flat(),
    ]),
    analyses,
    lastKnownCause: stoppedBy && explain(stoppedBy),
  };
}

/** Those first whose issues can change the verdict: a rate limit may leave no time for the others. */
function wantedSubmissions(entries: readonly EarlierContent[], options: ConfirmOptions): readonly WantedSubmission[] {
  const isUrgent = ({ source }: EarlierContent): boolean =>
    source.kind === 'reuse' && canFail(source.sent.issues, options);
  const urgentFirst = entries.toSorted((a, b) => Number(isUrgent(b)) - Number(isUrgent(a)));
  return [...Map.groupBy(urgentFirst, ({ source }) => source.sent.submissionId)].map(([submissionId, group]) => ({
    submissionId,
    assetIds: withSource({ contents: group }, 'reuse').map(({ source }) => source.sent.assetId),
  }));
}

/** An issue at or above the threshold may have been dismissed or re-opened. */
function canFail(issues: readonly Issue[], { failOnSeverity }: ConfirmOptions): boolean {
  if (failOnSeverity === 'never') return false;
  return issues.some(({ severity }) => severityRank(severity) <= severityRank(failOnSeverity));
}

/** What has become of the files of an open submission, as far as that matters before it is waited for. */
async function checkOpen(
  submission: OpenSubmission,
  response: SubmissionResponse,
  { plan, ...options }: ConfirmOptions & { readonly plan: Plan },
): Promise<readonly (readonly [string, Check])[]> {
  const isOver = isTerminal(response);
  const isOld = !isYounger(submission.createdAt, isOver ? KEEP_TERMINAL_DAYS : KEEP_OPEN_DAYS, options.now);
  // It takes the place of another source only if its results can be read.
  const awaited = withSource(plan, 'await').filter(
    ({ source }) => source.sent.submissionId === submission.submissionId,
  );
  const awaitedShas = new Set(awaited.map(({ content }) => content.sha256));
  const isInstead = isOver && submission.contents.some(({ sha256 }) => !awaitedShas.has(sha256));
  // Without the time to look closely, nothing is given up: it is awaited.
  const hasTime = Date.now() < options.deadline.until;
  if (!hasTime || (response.status !== 'failed' && !isOld && !isInstead)) return [];
  // Giving up costs money, so a fact that is missing is read again for a while.
  const { analyses, isUnanswered } = await readEarlier(submission, options);
  const final = new Set(response.assets.filter(({ isRetryable }) => !isRetryable).map(({ assetId }) => assetId));
  return analyses.map((analysis) => {
    const { outcome, assetId = '' } = analysis;
    const isFailed = outcome === 'failed' && final.has(assetId);
    const loss = isFailed ? FAILED : isOld ? 'earlier analysis never finished' : 'open';
    // Nothing is given up because the service does not answer.
    return [idOf(analysis), outcome === 'judged' ? 'complete' : isUnanswered ? 'open' : loss];
  });
}

type ReusedAsset = AssetReading & { readonly content: Content };

/** Reads the reused analyses as far as the service allows, urgent ones first; what is left is last known. */
async function readReused(
  reused: readonly ReusedAsset[],
  unread: EarlierSubmissions['unread'],
  options: ConfirmOptions,
): Promise<{ readonly analyses: readonly Analysis[]; readonly error: ServiceError | undefined }> {
  const { client, mode, deadline } = options;
  // Another count than before means that issues changed, which can change the verdict as well.
  const isUrgent = ({ issues, issueCount = issues.length }: AssetReading): boolean =>
    canFail(issues, options) || issueCount !== issues.length;
  const deadlineFor = (reading: AssetReading): Deadline | undefined => {
    const now = Date.now();
    if (unread.has(reading.submissionId) || now >= deadline.until) return undefined;
    // What cannot change the verdict is not worth waiting for the end of a rate limit.
    return isUrgent(reading) ? deadline : { ...deadline, until: now + ONE_TRY_MS };
  };
  const urgentFirst = reused.toSorted((a, b) => Number(isUrgent(b)) - Number(isUrgent(a)));
  const readings = await readMissing(urgentFirst, { client, mode, deadlineFor });
  const analyses = urgentFirst.flatMap(({ submissionId, content }, index) => {
    const reading = readings[index];
    const refused = unread.get(submissionId);
    if (!reading) return [];
    if (refused && !refused.stopsReading) return unjudged(content, submissionId, [about(content, explain(refused))]);
    return analysesOf([content], { submissionId, mode, readings: [reading], status: 'complete' });
  });
  return { analyses, error: readings.find(({ error }) => error?.stopsReading)?.error };
}
