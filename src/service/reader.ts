import { createQueue, sleep } from '../lib/async.ts';
import { monotonicMs } from '../lib/clock.ts';
import { noteEffect, retryFailed } from './asset-retries.ts';
import { MAX_CONCURRENT_READS, type ServiceCalls } from './client.ts';
import { type AssetReading, needsReading, readAsset } from './read-asset.ts';
import {
  areAssetsDue,
  areRetriesDue,
  describeProgress,
  isLacking,
  type ReadCall,
  resultsOf,
  type SubmissionResults,
  stageOf,
} from './read-progress.ts';
import { idKey, type SubmissionResponse } from './responses.ts';
import { orError, ServiceError } from './service-error.ts';
import {
  assetsByName,
  forNextCall,
  mayAppear,
  type NeededSubmission,
  possibleAssets,
  retryingAssets,
  reusedAssets,
  type SubmissionReading,
  unreadSubmission,
  withAssets,
  withResponse,
} from './submission-reading.ts';
import { CATCH_UP_MS, READ_AGAIN_MS } from './tries.ts';

/** Reading each asset of `contents` gets at least this time, even after the deadline: the last reading decides. */
const MIN_READ_MS = 30_000;
/** After this time without a new log line, the progress is logged again, so that the job does not look stalled. */
const MAX_SILENCE_MS = 60_000;
const MIN_POLL_MS = 1_000;
const MAX_POLL_MS = 60_000;

interface ReadOptions extends Pick<ReadCall, 'isPolled' | 'deadline'> {
  /** Whether an asset can change the verdict. Those are read first: a rate limit may leave no time for the others. */
  readonly isUrgent?: (asset: AssetReading) => boolean;
  /** The ids of submissions that the run needs after these results, and that are missing or lack an asset. */
  readonly missedAfter?: (results: readonly SubmissionResults[]) => ReadonlySet<string>;
}

export type SubmissionReader = ReturnType<typeof createReader>;

/** Reads submissions and their assets. It remembers what it has read; an asset is asked for again after an error. */
export function createReader({ client, log }: Pick<ServiceCalls, 'client' | 'log'>) {
  const readings = new Map<string, SubmissionReading>();
  return {
    /** What was read about each submission, by `idKey`. */
    submissions: readings as ReadonlyMap<string, SubmissionReading>,
    /** @param needed each submission once */
    read: async (needed: readonly NeededSubmission[], options: ReadOptions): Promise<readonly SubmissionResults[]> =>
      await new Reading(readings, { client, log, ...options }).run(needed),
  };
}

/**
 * Reads submissions, whether they are new, awaited or reused:
 *
 * 1. Ask for each submission and, in a wait, ask again until it has ended. A missing one has 20 s from its first 404.
 * 2. Read what is missing of its assets, in one queue for all submissions, urgent ones first.
 * 3. Retry failed assets. In a wait, go on with 1 until no retry is running.
 * 4. When nothing is running any more, ask again, for 20 s, about everything that lacks a fact.
 *
 * A rate limit is waited for as long as the deadline allows. After a read was given up, reads that have not begun are
 * left out until a request is answered; but in a wait, the other submissions are polled on.
 */
class Reading {
  readonly #readings: Map<string, SubmissionReading>;
  readonly #options: ReadOptions & ServiceCalls;
  readonly #call: ReadCall;
  readonly #submissionQueue = createQueue(MAX_CONCURRENT_READS);
  readonly #assetQueue = createQueue(MAX_CONCURRENT_READS);
  /** The outage or rate limit with which the last read ended. */
  #stoppedBy: ServiceError | undefined;
  readonly #logged = new Map<NeededSubmission, { readonly text: string; readonly at: number }>();

  constructor(readings: Map<string, SubmissionReading>, options: ReadOptions & ServiceCalls) {
    this.#readings = readings;
    this.#options = options;
    const { isPolled, deadline, client } = options;
    this.#call = { isPolled, deadline, startedAt: monotonicMs(), mode: client.mode };
  }

  async run(needed: readonly NeededSubmission[]): Promise<readonly SubmissionResults[]> {
    for (const each of needed) this.#note(each, forNextCall(each, this.#readingOf(each)));
    await Promise.all(needed.map(async (each) => await this.#follow(each)));
    // What an outage prevented is over. It says nothing about the others.
    this.#stoppedBy = undefined;
    // Even after the deadline, because one 404 must not bill a file again.
    const endsAt = monotonicMs() + CATCH_UP_MS;
    for (;;) {
      const results = needed.map((each) => resultsOf(each, this.#readingOf(each), this.#call));
      const missed = this.#options.missedAfter?.(results);
      const lacking = results.filter((each) => this.#isLacking(each, missed));
      if (lacking.length === 0 || monotonicMs() >= endsAt) return results;
      await sleep(READ_AGAIN_MS, this.#options.deadline.signal);
      await Promise.all(
        lacking.map(async ({ submission }) => {
          await this.#ask(submission);
          await this.#readAssets(submission);
        }),
      );
    }
  }

  async #follow(each: NeededSubmission): Promise<void> {
    const { deadline } = this.#options;
    let workStartedAt = this.#call.startedAt;
    if (this.#call.isPolled || this.#readingOf(each).askedAt === undefined) await this.#ask(each);
    for (;;) {
      await this.#readAssets(each);
      if (await this.#retry(each)) workStartedAt = monotonicMs();
      const reading = this.#readingOf(each);
      if (stageOf(each, reading, this.#call) !== 'running') return;
      const now = monotonicMs();
      const delayMs = mayAppear(reading) ? READ_AGAIN_MS : pollDelay(now - workStartedAt);
      await sleep(this.#call.isPolled ? Math.min(delayMs, deadline.until - now) : delayMs, deadline.signal);
      await this.#ask(each);
    }
  }

  #isLacking(results: SubmissionResults, missed: ReadonlySet<string> | undefined): boolean {
    const { submission } = results;
    const reading = this.#readingOf(submission);
    const isMissed = missed?.has(submission.submissionId) === true && (!reading.error || mayAppear(reading));
    return isMissed || isLacking(results, reading, this.#call);
  }

  async #ask(each: NeededSubmission): Promise<void> {
    const { client, deadline } = this.#options;
    const request = async () => await client.readSubmission(each.submissionId, deadline);
    const response = this.#call.isPolled
      ? await orError(request())
      : await this.#submissionQueue(async () => await this.#unlessStopped(request));
    const now = monotonicMs();
    this.#note(each, withResponse(this.#readingOf(each), response, now));
    if (response instanceof ServiceError) return;
    this.#stoppedBy = undefined;
    if (this.#call.isPolled) this.#logProgress(each, response, now);
  }

  async #unlessStopped<T>(request: () => Promise<T>): Promise<T | ServiceError> {
    const response = this.#stoppedBy ?? (await orError(request()));
    this.#stoppedBy = response instanceof ServiceError && response.stopsReading ? response : undefined;
    return response;
  }

  async #readAssets(each: NeededSubmission): Promise<void> {
    const before = this.#readingOf(each);
    const isDue = areAssetsDue(each, before, this.#call);
    const reused = before.response ? reusedAssets(each, before).map(({ asset }) => asset) : [];
    const assets = [...reused, ...(isDue ? assetsByName(each, before) : [])];
    const read = await Promise.all(assets.map(async (asset) => await this.#readAsset(asset)));
    const noted = read.map((asset) => noteEffect(asset, asset.own && !asset.own.status.hasFailed));
    this.#note(each, withAssets(this.#readingOf(each), noted));
  }

  async #readAsset(asset: AssetReading): Promise<AssetReading> {
    const { client, deadline, isUrgent } = this.#options;
    if (!needsReading(asset)) return asset;
    const work = async (): Promise<AssetReading> => {
      const now = monotonicMs();
      if (asset.earlier && now >= deadline.until) return asset;
      const until = asset.earlier ? deadline.until : Math.max(deadline.until, now + MIN_READ_MS);
      const calls = { client, deadline: { ...deadline, until } };
      return await readAsset(asset, calls, async (request) => await this.#unlessStopped(request));
    };
    return await this.#assetQueue(work, isUrgent?.(asset));
  }

  /** @returns whether a retry that was requested now may be running */
  async #retry(each: NeededSubmission): Promise<boolean> {
    const before = this.#readingOf(each);
    if (!areRetriesDue(each, before, this.#call)) return false;
    const assets = await retryFailed(possibleAssets(each, before), this.#options);
    this.#note(each, withAssets(before, assets));
    return retryingAssets(each, this.#readingOf(each)).length > 0;
  }

  #readingOf(each: NeededSubmission): SubmissionReading {
    return this.#readings.get(idKey(each.submissionId)) ?? unreadSubmission(each);
  }

  #note({ submissionId }: NeededSubmission, reading: SubmissionReading): void {
    this.#readings.set(idKey(submissionId), reading);
  }

  /** Logs the progress if it has changed, or after a minute. */
  #logProgress(each: NeededSubmission, response: SubmissionResponse, at: number): void {
    const text = describeProgress(response);
    const logged = this.#logged.get(each);
    if (text === logged?.text && at - logged.at < MAX_SILENCE_MS) return;
    this.#logged.set(each, { text, at });
    // The seconds count from the start of this wait: an earlier run may have created the submission.
    const seconds = Math.round((at - this.#call.startedAt) / 1000);
    this.#options.log.info(`Submission ${each.submissionId}: ${text} (after ${seconds} s)`);
  }
}

/** The longer the wait, the longer the pause between two polls. */
function pollDelay(elapsedMs: number): number {
  return Math.min(Math.max(elapsedMs / 8, MIN_POLL_MS), MAX_POLL_MS);
}
