import type { Cause } from '../lib/cause.ts';
import { sleep } from '../lib/clock.ts';
import { concurrently } from '../lib/concurrently.ts';
import { count, plural } from '../lib/format.ts';
import { explain } from '../service/advice.ts';
import { type Analysis, about, analysisOf, unjudged } from '../service/analysis.ts';
import {
  CATCH_UP_MS,
  type Deadline,
  MAX_CONCURRENT_READS,
  READ_AGAIN_MS,
  type ServiceClient,
} from '../service/client.ts';
import { type EarlierSubmissions, readSubmissions, type WantedSubmission } from '../service/earlier-submissions.ts';
import type { Mode } from '../service/endpoints.ts';
import { joinById, type Severity, severityRank } from '../service/issue.ts';
import { type AssetReading, readAsset, unreadAsset } from '../service/read-asset.ts';
import { isTerminal, type ListedAsset, type SubmissionResponse } from '../service/responses.ts';
import type { ServiceError } from '../service/service-error.ts';
import { isYounger, KEEP_OPEN_DAYS } from '../state/document.ts';
import {
  type AwaitSource,
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
  const gone = plan.contents.filter((entry) => missing.has(submissionOf(entry) ?? ''));
  const losses = new Map([
    ...reused.losses,
    ...(await findGivenUp(withSource(plan, 'await'), found, options)),
    ...gone.map((entry) => lostAs(entry, GONE)),
  ]);
  const outage = [...unread.values(), reused.stoppedBy].find((error) => error?.isOutage);
  return { losses, analyses: reused.analyses, outage: outage && explain(outage) };
}

const GONE: Loss = 'no longer at the service';

function lostAs({ content }: PlannedContent, loss: Loss): readonly [string, Loss] {
  return [content.sha256, loss];
}

/** Those first whose issues can change the verdict: a rate limit may leave no time for the others. */
function wantedSubmissions({ contents }: Plan, options: ConfirmOptions): readonly WantedSubmission[] {
  const urgentFirst = contents.toSorted((a, b) => Number(canFail(b, options)) - Number(canFail(a, options)));
  return [...Map.groupBy(urgentFirst, submissionOf)].flatMap(([submissionId, entries]) => {
    if (submissionId === undefined) return [];
    return [
      {
        submissionId,
        assetIds: entries.flatMap(({ source }) => (source.kind === 'reuse' ? [source.known.assetId] : [])),
      },
    ];
  });
}

/** An issue at or above the threshold may have been dismissed or re-opened. */
function canFail({ source }: PlannedContent, { failOnSeverity }: ConfirmOptions): boolean {
  if (source.kind !== 'reuse' || failOnSeverity === 'never') return false;
  return source.known.issues.some(({ severity }) => severityRank(severity) <= severityRank(failOnSeverity));
}

type AwaitedContent = PlannedContent<AwaitSource>;

/** Awaited files that failed for good, or whose submission is too old to be waited for any longer. */
async function findGivenUp(
  awaited: readonly AwaitedContent[],
  found: ReadonlyMap<string, SubmissionResponse>,
  { client, mode, deadline, now }: ConfirmOptions,
): Promise<readonly (readonly [string, Loss])[]> {
  const lost: (readonly [string, Loss])[] = [];
  for (const [submissionId, entries] of Map.groupBy(awaited, ({ source }) => source.submissionId)) {
    const response = found.get(submissionId);
    if (!response) continue;
    const keepDays = isTerminal(response) ? KEEP_TERMINAL_DAYS : KEEP_OPEN_DAYS;
    const isOld = entries.some(({ source }) => !isYounger(source.createdAt, keepDays, now));
    if (response.status !== 'failed' && !isOld) continue;
    const readAll = async (): Promise<readonly AssetReading[]> =>
      await concurrently(
        response.assets,
        MAX_CONCURRENT_READS,
        async (listed) => await readAsset(listed, { client, submissionId, mode, deadline }),
      );
    let readings = await readAll();
    // A replica that restarts must not cost money: what an old submission lacks is read again for a while.
    const windowEndsAt = isOld ? Date.now() + CATCH_UP_MS : 0;
    while (readings.some(({ error }) => error?.status === 404) && Date.now() < windowEndsAt) {
      await sleep(READ_AGAIN_MS, deadline.signal);
      readings = await readAll();
    }
    // Nothing is given up, and paid for again, because of an outage.
    if (readings.some(({ error }) => error?.stopsReading)) continue;
    const byName = Map.groupBy(readings, ({ filename }) => filename);
    for (const entry of entries) {
      const own = byName.get(entry.content.name) ?? [];
      const { outcome } = analysisOf(entry.content, own, { submissionId, mode, readings });
      const isFinal = outcome === 'failed' && !own.some(({ listed }) => listed.isRetryable);
      if (isFinal) lost.push(lostAs(entry, 'earlier analysis failed'));
      else if (isOld && outcome !== 'judged') lost.push(lostAs(entry, 'earlier analysis never finished'));
    }
  }
  return lost;
}

type ReusedContent = PlannedContent<ReuseSource>;

/** An earlier analysis as its submission lists it now. */
interface ListedContent {
  readonly entry: ReusedContent;
  /** Undefined if the submission could not be read, or no longer has the asset. */
  readonly listed: ListedAsset | undefined;
  /** Whether reading it again can change the verdict. */
  readonly isUrgent: boolean;
}

interface ReusedAnalyses {
  readonly analyses: readonly Analysis[];
  readonly losses: readonly (readonly [string, Loss])[];
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
  const analyses: Analysis[] = [];
  const losses: (readonly [string, Loss])[] = [];
  let stoppedBy: ServiceError | undefined;
  const urgentFirst = entries.map(inList).toSorted((a, b) => Number(b.isUrgent) - Number(a.isUrgent));
  await concurrently(urgentFirst, MAX_CONCURRENT_READS, async (each) => {
    const analysis = await read(each);
    if (!analysis) losses.push(lostAs(each.entry, GONE));
    else if (analysis.outcome === 'failed') losses.push(lostAs(each.entry, 'earlier analysis failed'));
    else analyses.push(analysis);
  });
  return { analyses, losses, stoppedBy };

  function inList(entry: ReusedContent): ListedContent {
    const { known } = entry.source;
    const listed = assets.get(`${known.submissionId} ${known.assetId}`);
    const counted = listed?.issueCount;
    // Another count than before means that issues changed.
    const isUrgent = canFail(entry, options) || (typeof counted === 'number' && counted !== known.issues.length);
    return { entry, listed, isUrgent };
  }

  /** Undefined if the submission no longer has the asset. */
  async function read({ entry, listed, isUrgent }: ListedContent): Promise<Analysis | undefined> {
    const { content, source } = entry;
    const { submissionId, issues } = source.known;
    const error = unread.get(submissionId);
    if (error && !error.stopsReading) return unjudged(content, submissionId, [about(content, explain(error))]);
    if (error) return lastKnown(entry);
    if (!listed) return undefined;
    const hasNone = issues.length === 0 && (listed.issueCount ?? (mode === 'sandbox' ? 0 : undefined)) === 0;
    if (hasNone || stoppedBy || Date.now() >= deadline.until) return lastKnown(entry, unreadAsset(listed));
    const reading = await readAsset(listed, {
      client,
      submissionId,
      mode,
      deadline: isUrgent ? deadline : withoutWaiting(deadline),
    });
    if (reading.error?.stopsReading) {
      stoppedBy = reading.error;
      return lastKnown(entry, reading);
    }
    const own = reading.filename === content.name ? [reading] : [];
    return analysisOf(content, own, { submissionId, mode, readings: [reading] });
  }
}

/** Time for one try: what cannot change the verdict is not worth waiting for the end of a rate limit. */
function withoutWaiting(deadline: Deadline): Deadline {
  return { ...deadline, until: Math.min(deadline.until, Date.now() + ONE_TRY_MS) };
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
