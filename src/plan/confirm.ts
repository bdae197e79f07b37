import type { Cause } from '../lib/cause.ts';
import { concurrently } from '../lib/concurrently.ts';
import { count, plural } from '../lib/format.ts';
import type { Content } from '../media/content.ts';
import { explain } from '../service/advice.ts';
import { type Analysis, about, analysisOf, unjudged } from '../service/analysis.ts';
import { type Deadline, MAX_CONCURRENT_READS, type ServiceClient } from '../service/client.ts';
import { collect } from '../service/collect.ts';
import { type EarlierSubmissions, readSubmissions, type WantedSubmission } from '../service/earlier-submissions.ts';
import type { Mode } from '../service/endpoints.ts';
import { joinById, type Severity, severityRank } from '../service/issue.ts';
import { type AssetReading, readAsset, unreadAsset } from '../service/read-asset.ts';
import { isTerminal, type ListedAsset, type SubmissionResponse } from '../service/responses.ts';
import type { ServiceError } from '../service/service-error.ts';
import type { OpenSubmission } from '../service/submit.ts';
import { isYounger, KEEP_OPEN_DAYS } from '../state/document.ts';
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
  const submissions = await readSubmissions(wantedSubmissions(plan, options), options);
  const { found, missing, unread } = submissions;
  const reused = await readReused(withSource(plan, 'reuse'), submissions, options);
  const failed = reused.analyses.filter(({ outcome }) => outcome === 'failed');
  const gone = [
    ...reused.gone,
    ...withSource(plan, 'await').filter(({ source: { submissionId } }) => missing.has(submissionId)),
  ];
  const losses = new Map([
    ...gone.map(({ content }) => lost(content, 'no longer at the service')),
    ...failed.map(({ content }) => lost(content, 'earlier analysis failed')),
    ...(await findGivenUp(awaitedSubmissions(plan), found, options)),
  ]);
  const outage = [...unread.values(), reused.stoppedBy].find((error) => error?.isOutage);
  const analyses = reused.analyses.filter(({ outcome }) => outcome !== 'failed');
  return { losses, analyses, outage: outage && explain(outage) };
}

/** By sha256. */
type LostContent = readonly [string, Loss];

function lost({ sha256 }: Content, loss: Loss): LostContent {
  return [sha256, loss];
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
async function findGivenUp(
  awaited: readonly OpenSubmission[],
  found: ReadonlyMap<string, SubmissionResponse>,
  options: ConfirmOptions,
): Promise<readonly LostContent[]> {
  const givenUp = awaited.map(async (submission): Promise<readonly LostContent[]> => {
    const response = found.get(submission.submissionId);
    if (!response) return [];
    const keepDays = isTerminal(response) ? KEEP_TERMINAL_DAYS : KEEP_OPEN_DAYS;
    const isOld = !isYounger(submission.createdAt, keepDays, options.now);
    if (response.status !== 'failed' && !isOld) return [];
    // Giving up costs money, so a fact that is missing is read again for a while.
    const analyses = await collect({ submission, response, retries: new Map(), interruption: undefined }, options);
    // Nothing is given up because of an outage.
    if (analyses.some(({ causes }) => causes.some((cause) => cause.submission === 'open'))) return [];
    const final = new Set(response.assets.filter(({ isRetryable }) => !isRetryable).map(({ assetId }) => assetId));
    return analyses.flatMap(({ content, outcome, assetId = '' }) => {
      if (outcome === 'failed' && final.has(assetId)) return [lost(content, 'earlier analysis failed')];
      return isOld && outcome !== 'judged' ? [lost(content, 'earlier analysis never finished')] : [];
    });
  });
  return (await Promise.all(givenUp)).flat();
}

type ReusedContent = PlannedContent<ReuseSource>;

interface ReusedAnalyses {
  readonly analyses: readonly Analysis[];
  /** Whose submission, or asset in it, the service no longer has. */
  readonly gone: readonly ReusedContent[];
  readonly stoppedBy: ServiceError | undefined;
}

/** Reads the reused analyses as far as the service allows; what is left is last known. */
async function readReused(
  entries: readonly ReusedContent[],
  { found, unread }: Pick<EarlierSubmissions, 'found' | 'unread'>,
  options: ConfirmOptions,
): Promise<ReusedAnalyses> {
  const { client, mode, deadline } = options;
  const assets = new Map(
    [...found].flatMap(([id, { assets }]) => assets.map((listed) => [`${id} ${listed.assetId}`, listed])),
  );
  const gone: ReusedContent[] = [];
  let stoppedBy: ServiceError | undefined;
  const urgentFirst = entries.toSorted((a, b) => Number(isUrgent(b)) - Number(isUrgent(a)));
  const analyses = await concurrently(urgentFirst, MAX_CONCURRENT_READS, read);
  return { analyses: analyses.filter((analysis) => analysis !== undefined), gone, stoppedBy };

  function listedAs({ source: { known } }: ReusedContent): ListedAsset | undefined {
    return assets.get(`${known.submissionId} ${known.assetId}`);
  }

  /** Whether reading it again can change the verdict: another count than before means that issues changed. */
  function isUrgent(entry: ReusedContent): boolean {
    const counted = listedAs(entry)?.issueCount;
    return canFail(entry, options) || (typeof counted === 'number' && counted !== entry.source.known.issues.length);
  }

  async function read(entry: ReusedContent): Promise<Analysis | undefined> {
    const { content, source } = entry;
    const { submissionId, issues } = source.known;
    const error = unread.get(submissionId);
    if (error && !error.stopsReading) return unjudged(content, submissionId, [about(content, explain(error))]);
    if (error) return lastKnown(entry);
    const listed = listedAs(entry);
    if (!listed) {
      gone.push(entry);
      return undefined;
    }
    const hasNone = issues.length === 0 && (listed.issueCount ?? (mode === 'sandbox' ? 0 : undefined)) === 0;
    if (hasNone || stoppedBy || Date.now() >= deadline.until) return lastKnown(entry, unreadAsset(listed));
    // What cannot change the verdict is not worth waiting for the end of a rate limit.
    const until = isUrgent(entry) ? deadline.until : Math.min(deadline.until, Date.now() + ONE_TRY_MS);
    const reading = await readAsset(listed, { client, submissionId, mode, deadline: { ...deadline, until } });
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
    fix: 'An issue may be missing, so the file does not pass. Re-run the job later.',
  };
  return { ...analysis, ...since, causes: [about(content, cause)] };
}
