import { type Cause, rerun } from '../lib/cause.ts';
import { concurrently } from '../lib/concurrently.ts';
import { count, plural } from '../lib/format.ts';
import type { Log } from '../lib/log.ts';
import { explain } from '../service/advice.ts';
import { type Analysis, about, analysisOf, unjudged } from '../service/analysis.ts';
import { type Deadline, MAX_CONCURRENT_READS, type ServiceClient } from '../service/client.ts';
import { type EarlierSubmissions, readSubmissions, type WantedSubmission } from '../service/earlier-submissions.ts';
import type { Mode } from '../service/endpoints.ts';
import { joinById, type Severity, severityRank } from '../service/issue.ts';
import { type AssetReading, readAsset, unreadAsset } from '../service/read-asset.ts';
import { isTerminal, type ListedAsset } from '../service/responses.ts';
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

type ReusedContent = PlannedContent<ReuseSource>;

interface ReusedAnalyses {
  readonly analyses: readonly Analysis[];
  readonly stoppedBy: ServiceError | undefined;
}

/** Reads the reused analyses as far as the service allows; what is left is last known. */
async function readReused(
  entries: readonly ReusedContent[],
  options: ConfirmOptions & Pick<EarlierSubmissions, 'unread'> & { readonly listed: ReadonlyMap<string, ListedAsset> },
): Promise<ReusedAnalyses> {
  const { client, mode, deadline, unread, listed } = options;
  let stoppedBy: ServiceError | undefined;
  const { urgent = [], others = [] } = Object.groupBy(entries, (entry) => (isUrgent(entry) ? 'urgent' : 'others'));
  const analyses = await concurrently([...urgent, ...others], MAX_CONCURRENT_READS, read);
  return { analyses, stoppedBy };

  /** Whether reading it again can change the verdict: another count than before means that issues changed. */
  function isUrgent(entry: ReusedContent): boolean {
    const counted = listed.get(assetKey(entry.source.known))?.issueCount;
    return canFail(entry, options) || (typeof counted === 'number' && counted !== entry.source.known.issues.length);
  }

  async function read(entry: ReusedContent): Promise<Analysis> {
    const { content, source } = entry;
    const { submissionId, issues } = source.known;
    const error = unread.get(submissionId);
    if (error && !error.stopsReading) return unjudged(content, submissionId, [about(content, explain(error))]);
    const asset = listed.get(assetKey(source.known));
    if (!asset) return lastKnown(entry);
    const hasNone = issues.length === 0 && (asset.issueCount ?? (mode === 'sandbox' ? 0 : undefined)) === 0;
    if (hasNone || stoppedBy || Date.now() >= deadline.until) return lastKnown(entry, unreadAsset(asset));
    // What cannot change the verdict is not worth waiting for the end of a rate limit.
    const until = isUrgent(entry) ? deadline.until : Math.min(deadline.until, Date.now() + ONE_TRY_MS);
    const reading = await readAsset(asset, { client, submissionId, mode, deadline: { ...deadline, until } });
    if (reading.error?.stopsReading) {
      stoppedBy = reading.error;
      return lastKnown(entry, reading);
    }
    const own = reading.filename === content.name ? [reading] : [];
    return analysisOf(content, own, { submissionId, mode, readings: [reading] });
  }
}

/** What an earlier run read; unjudged if the service already counts more issues than that. */
function lastKnown({ content, source: { known } }: ReusedContent, reading?: AssetReading): Analysis {
  const { submissionId, assetId, versionNumber, versionGroupId, analysedAt } = known;
  const issues = joinById(reading?.issues ?? [], known.issues);
  const counted = reading?.issueCount ?? 0;
  const analysis = { ...unjudged(content, submissionId, []), issues, assetId, versionNumber, versionGroupId };
  // A file without issues has nothing that could have been read again.
  const since = issues.length > 0 ? { lastKnownAt: analysedAt } : {};
  if (counted <= issues.length) return { ...analysis, ...since, outcome: 'judged' };
  const cause: Cause = {
    reason: 'results',
    message: `The service counts ${plural(counted, 'issue')}, and only ${count(issues.length)} could be read before its rate limit or the time limit of this run was reached.`,
    steps: [rerun('Re-run this job later.')],
    submissionId,
  };
  return { ...analysis, ...since, causes: [about(content, cause)] };
}
