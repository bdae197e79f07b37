import type { Cause } from '../lib/cause.ts';
import type { Log } from '../lib/log.ts';
import { explain } from '../service/advice.ts';
import { type Analysis, about, analysesOf, unjudged } from '../service/analysis.ts';
import type { Deadline, ServiceClient } from '../service/client.ts';
import { type EarlierSubmissions, readSubmissions, type WantedSubmission } from '../service/earlier-submissions.ts';
import type { Mode } from '../service/endpoints.ts';
import { type Severity, severityRank } from '../service/issue.ts';
import { type AssetReading, readAssets, unreadAsset } from '../service/read-asset.ts';
import { isTerminal, type ListedAsset, type SubmissionResponse, unlistedAsset } from '../service/responses.ts';
import type { ServiceError } from '../service/service-error.ts';
import type { OpenSubmission } from '../service/submit.ts';
import { readAnalyses } from '../service/wait.ts';
import { isYounger, KEEP_OPEN_DAYS, type KnownContent } from '../state/document.ts';
import { analysisId, type EarlierState } from '../state/earlier-state.ts';
import {
  type AwaitSource,
  type Checks,
  isLoss,
  type Loss,
  makePlan,
  NO_PLAN,
  openSubmissions,
  type Plan,
  type PlanBasis,
  type PlannedContent,
  type ReuseSource,
  submissionIdOf,
  withSource,
} from './plan.ts';

/** In a terminal submission of this age, a file that is not judged will not be judged any more. */
const KEEP_TERMINAL_DAYS = 1;

/** Enough to keep the distance to the request before it. */
const ONE_TRY_MS = 1_000;

export interface ConfirmOptions {
  readonly mode: Mode;
  /** Issues from this severity on can change the verdict: their assets are read first. */
  readonly failOnSeverity: Severity | 'never';
  readonly client: ServiceClient;
  readonly log: Log;
  readonly deadline: Deadline;
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
  const unchecked = { plan: NO_PLAN, checks: new Map(), analyses: [], lastKnownCause: undefined };
  const confirmed = await confirmNew(basis, unchecked, options);
  const { plan, checks } = confirmed;
  const isAnyPaidAgain = withSource(plan, 'submit').some(({ source }) => isLoss(source.why));
  if (!isAnyPaidAgain && (plan.unknownPointers.length === 0 || lostIn(checks).size === 0)) return confirmed;
  return await confirmNew({ ...basis, earlierState: await options.readAllStates() }, confirmed, options);
}

/** The analyses that are lost, by `analysisId`. */
export function lostIn(checks: Checks): ReadonlySet<string> {
  return new Set([...checks].filter(([, found]) => isLoss(found)).map(([id]) => id));
}

/** Asks for what was not asked for before, until the plan relies on nothing else. */
async function confirmNew(basis: PlanBasis, before: Confirmation, options: ConfirmOptions): Promise<Confirmation> {
  const plan = makePlan(basis, before.checks);
  const reused = withSource(plan, 'reuse');
  const unchecked = [...reused, ...plan.open].filter((each) => !before.checks.has(idOf(each)));
  if (unchecked.length === 0) {
    const inUse = new Set(reused.map(idOf));
    return { ...before, plan, analyses: before.analyses.filter((each) => inUse.has(idOf(each))) };
  }
  const { checks, analyses, lastKnownCause } = await check(unchecked, plan, options);
  const after = {
    plan,
    checks: new Map([...before.checks, ...checks]),
    analyses: [...before.analyses, ...analyses],
    lastKnownCause: before.lastKnownCause ?? lastKnownCause,
  };
  return await confirmNew(basis, after, options);
}

type EarlierContent = PlannedContent<AwaitSource | ReuseSource>;

function idOf(each: EarlierContent | Analysis): string {
  const submissionId = 'source' in each ? submissionIdOf(each.source) : each.submissionId;
  return analysisId({ sha256: each.content.sha256, submissionId });
}

/** Reads each submission once, then the assets that have issues, those first that can change the verdict. */
async function check(
  entries: readonly EarlierContent[],
  plan: Plan,
  options: ConfirmOptions,
): Promise<Omit<Confirmation, 'plan'>> {
  const submissions = await readSubmissions(wantedSubmissions(entries, options), options);
  const listed = listedAssets(submissions);
  const isGone = ({ source }: EarlierContent): boolean => {
    if (submissions.unread.has(submissionIdOf(source))) return false;
    return source.kind === 'await' ? submissions.missing.has(source.submissionId) : !listed.has(assetKey(source.known));
  };
  const contents = entries.filter((each) => !isGone(each));
  const reused = await readReused(withSource({ contents }, 'reuse'), {
    ...options,
    unread: submissions.unread,
    listed,
  });
  const open = openSubmissions(withSource({ contents }, 'await')).map(async (submission) => {
    const response = submissions.found.get(submission.submissionId);
    return response ? await checkOpen(submission, response, { ...options, plan }) : [];
  });
  const error = [...submissions.unread.values(), reused.stoppedBy].find((each) => each?.isOutage);
  return {
    checks: new Map([
      // Without an answer it stands as it is.
      ...entries.map((each) => [idOf(each), isGone(each) ? 'no longer at the service' : 'open'] as const),
      ...reused.analyses.map(
        (each) => [idOf(each), each.outcome === 'failed' ? 'earlier analysis failed' : 'complete'] as const,
      ),
      ...(await Promise.all(open)).flat(),
    ]),
    analyses: reused.analyses,
    lastKnownCause: error && explain(error),
  };
}

function assetKey({ submissionId, assetId }: Pick<KnownContent, 'submissionId' | 'assetId'>): string {
  return `${submissionId} ${assetId}`;
}

function listedAssets({ found }: EarlierSubmissions): ReadonlyMap<string, ListedAsset> {
  return new Map(
    [...found].flatMap(([submissionId, { assets }]) =>
      assets.map((listed) => [assetKey({ submissionId, assetId: listed.assetId }), listed]),
    ),
  );
}

/** Those first whose issues can change the verdict: a rate limit may leave no time for the others. */
function wantedSubmissions(entries: readonly EarlierContent[], options: ConfirmOptions): readonly WantedSubmission[] {
  const urgentFirst = entries.toSorted((a, b) => Number(canFail(b, options)) - Number(canFail(a, options)));
  return [...Map.groupBy(urgentFirst, ({ source }) => submissionIdOf(source))].map(([submissionId, group]) => ({
    submissionId,
    assetIds: group.flatMap(({ source }) => (source.kind === 'reuse' ? [source.known.assetId] : [])),
  }));
}

/** An issue at or above the threshold may have been dismissed or re-opened. */
function canFail({ source }: EarlierContent, { failOnSeverity }: ConfirmOptions): boolean {
  if (source.kind !== 'reuse' || failOnSeverity === 'never') return false;
  return source.known.issues.some(({ severity }) => severityRank(severity) <= severityRank(failOnSeverity));
}

/** What has become of the files of an open submission, if that matters before it is waited for. */
async function checkOpen(
  submission: OpenSubmission,
  response: SubmissionResponse,
  { plan, ...options }: ConfirmOptions & { readonly plan: Plan },
): Promise<readonly (readonly [string, Loss | 'complete' | 'open'])[]> {
  const isOld = !isYounger(
    submission.createdAt,
    isTerminal(response) ? KEEP_TERMINAL_DAYS : KEEP_OPEN_DAYS,
    options.now,
  );
  const { submissionId } = submission;
  // It takes the place of another source only if its results can be read.
  const others = plan.contents.filter(
    ({ source }) => source.kind !== 'submit' && submissionIdOf(source) !== submissionId,
  );
  const otherShas = new Set(others.map(({ content }) => content.sha256));
  const isInstead = isTerminal(response) && submission.contents.some(({ sha256 }) => otherShas.has(sha256));
  // Without the time to look closely, nothing is given up: it is awaited.
  const hasTime = Date.now() < options.deadline.until;
  if ((response.status !== 'failed' && !isOld && !isInstead) || !hasTime) return [];
  // Giving up costs money, so a fact that is missing is read again for a while.
  const analyses = await readAnalyses(submission, options);
  // Nothing is given up because of an outage; that it is not finished in time is what it is given up for.
  const causes = analyses.flatMap((analysis) => analysis.causes);
  const isStopped = causes.some((cause) => cause.submission === 'open' && cause.reason !== 'timeout');
  const final = new Set(response.assets.filter(({ isRetryable }) => !isRetryable).map(({ assetId }) => assetId));
  return analyses.map((analysis) => {
    const { outcome, assetId = '' } = analysis;
    if (outcome === 'judged') return [idOf(analysis), 'complete'];
    if (isStopped) return [idOf(analysis), 'open'];
    if (outcome === 'failed' && final.has(assetId)) return [idOf(analysis), 'earlier analysis failed'];
    return [idOf(analysis), isOld ? 'earlier analysis never finished' : 'open'];
  });
}

interface ReusedAnalyses {
  readonly analyses: readonly Analysis[];
  readonly stoppedBy: ServiceError | undefined;
}

/** Reads the reused analyses as far as the service allows, urgent ones first; what is left is last known. */
async function readReused(
  entries: readonly PlannedContent<ReuseSource>[],
  options: ConfirmOptions & Pick<EarlierSubmissions, 'unread'> & { readonly listed: ReadonlyMap<string, ListedAsset> },
): Promise<ReusedAnalyses> {
  const { client, mode, deadline, unread } = options;
  const known = entries.map((entry) => {
    const { submissionId, assetId, name, issues, analysedAt, ...version } = entry.source.known;
    const listed = options.listed.get(assetKey(entry.source.known)) ?? unlistedAsset(assetId);
    const reading: AssetReading = {
      ...unreadAsset(submissionId, listed),
      versionNumber: listed.versionNumber ?? version.versionNumber,
      versionGroupId: listed.versionGroupId ?? version.versionGroupId,
      filename: name,
      status: 'complete',
      issues,
      lastKnownAt: analysedAt,
    };
    // Another count than before means that issues changed, which can change the verdict as well.
    const { issueCount = issues.length } = reading;
    return { content: entry.content, reading, isUrgent: canFail(entry, options) || issueCount !== issues.length };
  });
  const inOrder = known.toSorted((a, b) => Number(b.isUrgent) - Number(a.isUrgent));
  const urgent = new Set(inOrder.filter(({ isUrgent }) => isUrgent).map(({ reading }) => reading));
  const readings = await readAssets(
    inOrder.map(({ reading }) => reading),
    {
      client,
      mode,
      deadlineFor: (reading) => {
        const now = Date.now();
        if (unread.has(reading.submissionId) || now >= deadline.until) return undefined;
        // What cannot change the verdict is not worth waiting for the end of a rate limit.
        return urgent.has(reading) ? deadline : { ...deadline, until: Math.min(deadline.until, now + ONE_TRY_MS) };
      },
    },
  );
  const analyses = inOrder.flatMap(({ content }, index) => {
    return readings.slice(index, index + 1).flatMap((reading) => {
      const { submissionId } = reading;
      const error = unread.get(submissionId);
      if (error && !error.stopsReading) return [unjudged(content, submissionId, [about(content, explain(error))])];
      return analysesOf([content], { submissionId, mode, readings: [reading], isListed: true });
    });
  });
  return { analyses, stoppedBy: readings.find(({ error }) => error?.stopsReading)?.error };
}
