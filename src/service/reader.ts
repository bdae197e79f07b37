import { createQueue, sleep } from '../lib/async.ts';
import { monotonicMs } from '../lib/clock.ts';
import { type Analysis, describeProgress, resultsOf, type SubmissionResults } from './analysis.ts';
import { retryFailed } from './asset-retries.ts';
import { MAX_CONCURRENT_READS, type ServiceCalls } from './client.ts';
import { type AssetReading, needsReading, readAsset } from './read-asset.ts';
import { idKey, type SubmissionResponse } from './responses.ts';
import { orError, ServiceError } from './service-error.ts';
import {
  assetsToRead,
  assetsToRetry,
  beginReading,
  isAnyAssetUnknown,
  mayAppear,
  type NeededSubmission,
  type SubmissionReading,
  stageOf,
  withAssets,
  withResponse,
} from './submission-reading.ts';
import { CATCH_UP_MS, type Deadline, READ_AGAIN_MS } from './tries.ts';

/** Reading each asset of `contents` gets at least this time, even after the deadline: the last reading decides. */
const MIN_READ_MS = 30_000;
/** After this time without a new log line, the progress is logged again, so that the job does not look stalled. */
const MAX_SILENCE_MS = 60_000;
const MIN_POLL_MS = 1_000;
const MAX_POLL_MS = 60_000;

interface ReadOptions {
  /** Whether to ask for a submission until it has ended. Otherwise it is asked for once, and again only for 20 s. */
  readonly isPolled?: boolean;
  readonly deadline: Deadline;
  /**
   * Whether an asset can change the verdict. Those are read first: a rate limit may leave no time for the others.
   * Default: whether it may have an issue.
   */
  readonly isUrgent?: (asset: AssetReading) => boolean;
  /** The `idKey`s of submissions that the run needs after these results, and that are missing or lack an asset. */
  readonly missedAfter?: (results: readonly SubmissionResults[]) => ReadonlySet<string>;
}

export type SubmissionReader = ReturnType<typeof createReader>;

/**
 * Reads submissions and their assets. It remembers what it has read; an asset is asked for again after an error, a list of
 * issues only if that was no outage.
 */
export function createReader(calls: Pick<ServiceCalls, 'client' | 'log'>) {
  const remembered = new Map<string, SubmissionReading>();
  return {
    /** @param needed each submission once */
    read: async (needed: readonly NeededSubmission[], options: ReadOptions): Promise<readonly SubmissionResults[]> => {
      const pollUntil = options.isPolled ? options.deadline.until : undefined;
      const begun = needed.map((each) => beginReading(each, remembered.get(idKey(each.submissionId)), pollUntil));
      const results = await new ReadCall({ ...calls, ...options }).run(begun);
      for (const { submission } of results) remembered.set(idKey(submission.submissionId), submission);
      return results;
    },
  };
}

/**
 * Reads submissions, whether they are new, awaited or reused:
 *
 * 1. Ask for each submission and, in a wait, ask again until it has ended. A missing one has 20 s from its first 404.
 * 2. Read what is missing of its assets, in one queue for all submissions, urgent ones first.
 * 3. Retry failed assets. In a wait, go on with 1 until no retry is running.
 * 4. When nothing is running any more, go on with 1, for 20 s, for everything that lacks a fact.
 *
 * A rate limit is waited for as long as the deadline allows. After a read was given up, reads that have not begun are
 * left out until a request is answered, and its submission gets neither retries nor the 20 s; but in a wait, the other
 * submissions are polled on.
 */
class ReadCall {
  readonly #options: ReadOptions & ServiceCalls;
  readonly #startedAt = monotonicMs();
  readonly #submissionQueue = createQueue(MAX_CONCURRENT_READS);
  readonly #assetQueue = createQueue(MAX_CONCURRENT_READS);
  /** The outage or rate limit with which the last read ended. */
  #stoppedBy: ServiceError | undefined;
  /** When a submission was last asked for because it was running: the 20 s for missing facts begin then. */
  #workedAt = 0;
  readonly #logged = new Map<string, { readonly text: string; readonly at: number }>();

  constructor(options: ReadOptions & ServiceCalls) {
    this.#options = options;
  }

  async run(begun: readonly SubmissionReading[]): Promise<readonly SubmissionResults[]> {
    const { client, deadline, isPolled = false, missedAfter } = this.#options;
    const first = begun.map(async (each) => await this.#follow(each, isPolled || each.askedAt === undefined));
    let readings = await Promise.all(first);
    // Forget the outage: what is still missing is asked for again.
    this.#stoppedBy = undefined;
    // The 20 s begin now, even after the deadline: otherwise one 404 would bill a file again.
    this.#workedAt = monotonicMs();
    for (;;) {
      const results = readings.map((each) => resultsOf(each, this.#startedAt, client.mode === 'sandbox'));
      const missed = missedAfter?.(results);
      const lacking = new Set(results.filter((each) => isLacking(each, missed)).map(({ submission }) => submission));
      if (lacking.size === 0 || monotonicMs() >= this.#workedAt + CATCH_UP_MS) return results;
      await sleep(READ_AGAIN_MS, deadline.signal);
      const followed = readings.map(async (each) => (lacking.has(each) ? await this.#follow(each, true) : each));
      readings = await Promise.all(followed);
    }
  }

  /** @param isAsked whether to ask for the submission before its assets are read */
  async #follow(before: SubmissionReading, isAsked: boolean): Promise<SubmissionReading> {
    const { isPolled, deadline } = this.#options;
    let workStartedAt = this.#startedAt;
    let reading = isAsked ? await this.#ask(before) : before;
    for (;;) {
      reading = await this.#readAssets(reading);
      const failed = assetsToRetry(reading);
      if (failed.length > 0) {
        reading = withAssets(reading, await retryFailed(failed, this.#options));
        workStartedAt = monotonicMs();
      }
      if (stageOf(reading) !== 'running') return reading;
      const now = monotonicMs();
      const delayMs = mayAppear(reading) ? READ_AGAIN_MS : pollDelay(now - workStartedAt);
      await sleep(isPolled ? Math.min(delayMs, deadline.until - now) : delayMs, deadline.signal);
      reading = await this.#ask(reading);
      this.#workedAt = monotonicMs();
    }
  }

  async #ask(before: SubmissionReading): Promise<SubmissionReading> {
    const { client, deadline, isPolled } = this.#options;
    const request = async () => await client.readSubmission(before.submissionId, deadline);
    const response = isPolled
      ? await orError(request())
      : await this.#submissionQueue(async () => await this.#unlessStopped(request));
    const now = monotonicMs();
    if (!(response instanceof ServiceError)) {
      this.#stoppedBy = undefined;
      if (isPolled) this.#logProgress(response, now);
    }
    return withResponse(before, response, now);
  }

  async #unlessStopped<T>(request: () => Promise<T>): Promise<T | ServiceError> {
    const response = this.#stoppedBy ?? (await orError(request()));
    this.#stoppedBy = response instanceof ServiceError && response.stopsReading ? response : undefined;
    return response;
  }

  async #readAssets(before: SubmissionReading): Promise<SubmissionReading> {
    return withAssets(
      before,
      await Promise.all(assetsToRead(before).map(async (asset) => await this.#readAsset(asset))),
    );
  }

  async #readAsset(asset: AssetReading): Promise<AssetReading> {
    const { client, deadline, isUrgent = mayHaveIssues } = this.#options;
    if (!needsReading(asset)) return asset;
    const work = async (): Promise<AssetReading> => {
      const now = monotonicMs();
      if (asset.earlier && now >= deadline.until) return asset;
      const until = asset.earlier ? deadline.until : Math.max(deadline.until, now + MIN_READ_MS);
      const calls = { client, deadline: { ...deadline, until } };
      return await readAsset(asset, calls, async (request) => await this.#unlessStopped(request));
    };
    return await this.#assetQueue(work, isUrgent(asset));
  }

  /** Logs the progress if it has changed, or after a minute. */
  #logProgress(response: SubmissionResponse, at: number): void {
    const { submissionId } = response;
    const text = describeProgress(response);
    const logged = this.#logged.get(submissionId);
    if (text === logged?.text && at - logged.at < MAX_SILENCE_MS) return;
    this.#logged.set(submissionId, { text, at });
    // The seconds count from the start of this wait: an earlier run may have created the submission.
    const seconds = Math.round((at - this.#startedAt) / 1000);
    this.#options.log.info(`Submission ${submissionId}: ${text} (after ${seconds} s)`);
  }
}

/**
 * Whether to ask again, for 20 s, because a fact is missing that the service may still publish, or because the run needs
 * a submission that is missing, or that lacks an asset.
 */
function isLacking({ submission, analyses }: SubmissionResults, missed: ReadonlySet<string> | undefined): boolean {
  const { submissionId, response, error, assets } = submission;
  if (missed?.has(idKey(submissionId)) && (!error || mayAppear(submission))) return true;
  if (!response?.status.mayPass || stageOf(submission) !== 'done') return false;
  // A file without an asset has failed with its submission, but its asset may be listed or readable only later.
  const mayAssetAppear = response.status.ended === 'without results' && isAnyAssetUnknown(submission);
  const isFinal = ({ assetId = '' }: Analysis) => assets.get(idKey(assetId))?.own?.status.isFinal;
  return mayAssetAppear || analyses.some((each) => each.outcome === 'unjudged' && !isFinal(each));
}

function mayHaveIssues({ issueCount }: AssetReading): boolean {
  return issueCount !== 0;
}

/** The longer the wait, the longer the pause between two polls. */
function pollDelay(elapsedMs: number): number {
  return Math.min(Math.max(elapsedMs / 8, MIN_POLL_MS), MAX_POLL_MS);
}
