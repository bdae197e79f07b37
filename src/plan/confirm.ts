import type { Cause } from '../lib/cause.ts';
import type { Log } from '../lib/log.ts';
import { explain } from '../service/advice.ts';
import { type Analysis, about, analysesOf, unjudged } from '../service/analysis.ts';
import type { Deadline, ServiceClient } from '../service/client.ts';
import { type EarlierSubmissions, readSubmissions, type WantedSubmission } from '../service/earlier-submissions.ts';
import type { Mode } from '../service/endpoints.ts';
import { type Severity, severityRank } from '../service/issue.ts';
import { type AssetReading, readAssets, unreadAsset } from '../service/read-asset.ts';
import { isTerminal, type ListedAsset, unlistedAsset } from '../service/responses.ts';
import type { ServiceError } from '../service/service-error.ts';
import type { OpenSubmission } from '../service/submit.ts';
import { readAnalyses } from '../service/wait.ts';
import { isYounger, KEEP_OPEN_DAYS, type KnownContent } from '../state/document.ts';
import {
  awaitedSubmissions,
  type Loss,
  type Plan,
  type PlannedContent,
  type ReuseSource,
  submissionOf,
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
}

/** What the service still has of the analyses that a plan relies on. */
export interface Confirmation {
  /** By sha256: the analyses that cannot be used. */
  readonly losses: ReadonlyMap<string, Loss>;
  /** Of the reused contents, with the issue statuses of now unless `lastKnownAt` is set. */
  readonly analyses: readonly Analysis[];
  /** Set if the service did not answer everything. */
  readonly outage: Cause | undefined;
}

/**
 * plan → confirmed plan: reads each earlier submission once, then the assets that have issues, those first that can change
 * the verdict. An issue dismissed at the service passes a re-run at no cost, and one that was re-opened fails it.
 */
export async function confirm(plan: Plan, options: ConfirmOptions): Promise<Confirmation> {
  const losses = new Map<string, Loss>();
  const lose: Lose = ({ content }, loss) => void losses.set(content.sha256, loss);
  const submissions = await readSubmissions(wantedSubmissions(plan, options), options);
  const listed = listedAssets(submissions);
  const isGone = ({ source }: PlannedContent): boolean => {
    if (source.kind === 'submit') return false;
    if (source.kind === 'await') return submissions.missing.has(source.submissionId);
    return !listed.has(assetKey(source.known)) && !submissions.unread.has(source.known.submissionId);
  };
  for (const each of plan.contents.filter(isGone)) lose(each, 'no longer at the service');

  const reused = withSource(plan, 'reuse').filter((each) => !isGone(each));
  const { analyses, stoppedBy } = await readReused(reused, { ...options, unread: submissions.unread, listed });
  const failed = analyses.filter(({ outcome }) => outcome === 'failed');
  for (const each of failed) lose(each, 'earlier analysis failed');
  await giveUp(awaitedSubmissions(plan), submissions.found, { ...options, lose });

  const outage = [...submissions.unread.values(), stoppedBy].find((error) => error?.isOutage);
  return {
    losses,
    analyses: analyses.filter(({ outcome }) => outcome !== 'failed'),
    outage: outage && explain(outage),
  };
}

type Lose = (each: Pick<PlannedContent, 'content'>, loss: Loss) => void;

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
function wantedSubmissions({ contents }: Plan, options: ConfirmOptions): readonly WantedSubmission[] {
  const urgentFirst = contents.toSorted((a, b) => Number(canFail(b, options)) - Number(canFail(a, options)));
  return [...Map.groupBy(urgentFirst, submissionOf)].flatMap(([submissionId, entries]) => {
    if (submissionId === undefined) return [];
    const assetIds = entries.flatMap(({ source }) => (source.kind === 'reuse' ? [source.known.assetId] : []));
    return [{ submissionId, assetIds }];
  });
}

/** An issue at or above the threshold may have been dismissed or re-opened. */
function canFail({ source }: PlannedContent, { failOnSeverity }: ConfirmOptions): boolean {
  if (source.kind !== 'reuse' || failOnSeverity === 'never') return false;
  return source.known.issues.some(({ severity }) => severityRank(severity) <= severityRank(failOnSeverity));
}

/** Awaited files that failed for good, or that a submission too old to be waited for has not judged. */
async function giveUp(
  awaited: readonly OpenSubmission[],
  found: EarlierSubmissions['found'],
  { lose, ...options }: ConfirmOptions & { readonly lose: Lose },
): Promise<void> {
  const review = async (submission: OpenSubmission): Promise<void> => {
    const response = found.get(submission.submissionId);
    if (!response) return;
    const keepDays = isTerminal(response) ? KEEP_TERMINAL_DAYS : KEEP_OPEN_DAYS;
    const isOld = !isYounger(submission.createdAt, keepDays, options.now);
    // Without the time to look closely, nothing is given up: it is awaited.
    const hasTime = Date.now() < options.deadline.until;
    if ((response.status !== 'failed' && !isOld) || !hasTime) return;
    // Giving up costs money, so a fact that is missing is read again for a while.
    const analyses = await readAnalyses(submission, options);
    // Nothing is given up because of an outage; that it is not finished in time is what it is given up for.
    const causes = analyses.flatMap((analysis) => analysis.causes);
    if (causes.some((cause) => cause.submission === 'open' && cause.reason !== 'timeout')) return;
    const final = new Set(response.assets.filter(({ isRetryable }) => !isRetryable).map(({ assetId }) => assetId));
    for (const analysis of analyses) {
      const { outcome, assetId = '' } = analysis;
      if (outcome === 'failed' && final.has(assetId)) lose(analysis, 'earlier analysis failed');
      else if (isOld && outcome !== 'judged') lose(analysis, 'earlier analysis never finished');
    }
  };
  await Promise.all(awaited.map(review));
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
