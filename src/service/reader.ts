import { createQueue, sleep } from '../lib/async.ts';
import { type Cause, rerun } from '../lib/cause.ts';
import { monotonicMs } from '../lib/clock.ts';
import { plural } from '../lib/format.ts';
import { explain } from './advice.ts';
import { type Analysis, analysesOf, reusedAnalysis } from './analysis.ts';
import { noteEffect, retryFailed } from './asset-retries.ts';
import { MAX_CONCURRENT_READS, type ServiceCalls } from './client.ts';
import { type SubmissionFacts, situationOf } from './conclusion.ts';
import { type AssetReading, needsReading, readAsset } from './read-asset.ts';
import { idKey, type SubmissionResponse } from './responses.ts';
import { orError, ServiceError } from './service-error.ts';
import {
  assetsByName,
  mayAppear,
  mayKnowMoreLater,
  type NeededSubmission,
  possibleAssets,
  retryingAssets,
  reusedAssets,
  type SubmissionReading,
  unreadSubmission,
  withAssets,
  withoutAssetErrors,
  withResponse,
} from './submission-reading.ts';
import { catchUpWindow, type Deadline, READ_AGAIN_MS } from './tries.ts';

/** Reading each asset of `contents` gets at least this time, even after the deadline: the last reading decides. */
const MIN_READ_MS = 30_000;
/** After this time without a new log line, the progress is logged again, so that the job does not look stalled. */
const MAX_SILENCE_MS = 60_000;
const MIN_POLL_MS = 1_000;
const MAX_POLL_MS = 60_000;

export interface SubmissionResults {
  readonly submission: NeededSubmission;
  readonly response: SubmissionResponse | undefined;
  /** The analyses of `reused` and, if their assets were read, of `contents`. */
  readonly analyses: readonly Analysis[];
  /** True if an outage or a rate limit prevented a request. */
  readonly mayKnowMoreLater: boolean;
}

interface ReadOptions {
  readonly deadline: Deadline;
  /** Whether to poll until each submission has ended. Otherwise each is asked for once, and again only for 20 s. */
  readonly isWaiting: boolean;
  /** Whether an asset can change the verdict. Those are read first: a rate limit may leave no time for the others. */
  readonly isUrgent?: (asset: AssetReading) => boolean;
  /** Whether the run needs a submission, or an asset of it, that the service calls missing. */
  readonly isMissed?: (submissionId: string) => boolean;
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
      await new ReadCall(readings, { client, log, ...options }).run(needed),
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
class ReadCall {
  readonly #readings: Map<string, SubmissionReading>;
  readonly #options: ReadOptions & ServiceCalls;
  readonly #startedAt = monotonicMs();
  readonly #submissionQueue = createQueue(MAX_CONCURRENT_READS);
  readonly #assetQueue = createQueue(MAX_CONCURRENT_READS);
  /** The outage or rate limit with which the last read ended. */
  #stoppedBy: ServiceError | undefined;
  readonly #logged = new Map<NeededSubmission, { readonly text: string; readonly at: number }>();

  constructor(readings: Map<string, SubmissionReading>, options: ReadOptions & ServiceCalls) {
    this.#readings = readings;
    this.#options = options;
  }

  async run(needed: readonly NeededSubmission[]): Promise<readonly SubmissionResults[]> {
    for (const each of needed) this.#note(each, withoutAssetErrors(this.#readingOf(each)));
    await Promise.all(needed.map(async (each) => await this.#follow(each)));
    const mayReadAgain = catchUpWindow(this.#options.deadline);
    for (;;) {
      const lacking = needed.filter((each) => this.#isLacking(each));
      if (lacking.length === 0 || !(await mayReadAgain())) return needed.map((each) => this.#resultsOf(each));
      await Promise.all(
        lacking.map(async (each) => {
          await this.#ask(each);
          await this.#readAssets(each);
        }),
      );
    }
  }

  async #follow(each: NeededSubmission): Promise<void> {
    const { deadline, isWaiting } = this.#options;
    let workStartedAt = this.#startedAt;
    if (isWaiting || this.#readingOf(each).askedAt === undefined) await this.#ask(each);
    for (;;) {
      await this.#readAssets(each);
      if (await this.#retry(each)) workStartedAt = monotonicMs();
      if (!this.#isRunning(each)) return;
      const now = monotonicMs();
      const delayMs = mayAppear(this.#readingOf(each)) ? READ_AGAIN_MS : pollDelay(now - workStartedAt);
      await sleep(Math.min(delayMs, deadline.until - now), deadline.signal);
      await this.#ask(each);
    }
  }

  async #ask(each: NeededSubmission): Promise<void> {
    const { client, deadline, isWaiting } = this.#options;
    const request = async () => await client.readSubmission(each.submissionId, deadline);
    const response = isWaiting
      ? await orError(request())
      : await this.#submissionQueue(async () => await this.#unlessStopped(request));
    const now = monotonicMs();
    this.#note(each, withResponse(this.#readingOf(each), response, now));
    if (response instanceof ServiceError) return;
    this.#stoppedBy = undefined;
    if (isWaiting) this.#logProgress(each, response, now);
  }

  async #unlessStopped<T>(request: () => Promise<T>): Promise<T | ServiceError> {
    const response = this.#stoppedBy ?? (await orError(request()));
    this.#stoppedBy = response instanceof ServiceError && response.stopsReading ? response : undefined;
    return response;
  }

  async #readAssets(each: NeededSubmission): Promise<void> {
    const before = this.#readingOf(each);
    const reused = reusedAssets(each, before).map(({ asset }) => asset);
    const assets = [...reused, ...(this.#isReady(each) ? assetsByName(each, before) : [])];
    const isReadable = this.#options.isWaiting || before.response !== undefined;
    const read = isReadable ? await Promise.all(assets.map(async (asset) => await this.#readAsset(asset))) : assets;
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
    const isEnded = before.response?.status.isTerminal === true && !this.#isOver(each);
    const isNeeded = each.contents.length > 0 && !each.isAwaitedLater;
    if (!isEnded || !isNeeded || retryingAssets(each, before).length > 0) return false;
    const assets = await retryFailed(possibleAssets(each, before), this.#options);
    this.#note(each, withAssets(before, assets));
    return retryingAssets(each, this.#readingOf(each)).length > 0;
  }

  /** Whether to ask for the submission again until its work has ended. */
  #isRunning(each: NeededSubmission): boolean {
    if (this.#isOver(each)) return false;
    const reading = this.#readingOf(each);
    const retrying = retryingAssets(each, reading);
    // A call that does not wait leaves an accepted retry to the wait, and only looks whether a refused one shows.
    if (!this.#options.isWaiting) return retrying.some(({ retry }) => retry?.last instanceof ServiceError);
    return !reading.response?.status.isTerminal || mayAppear(reading) || retrying.length > 0;
  }

  /** Whether no other request can help: the time is up, the submission cannot be read, or the service does not respond. */
  #isOver(each: NeededSubmission): boolean {
    const reading = this.#readingOf(each);
    const isUnreadable = reading.error !== undefined && !(this.#options.isWaiting && mayAppear(reading));
    const isStopped = reading.assets.values().some(({ error }) => error?.stopsReading);
    return isUnreadable || isStopped || this.#isTimeUp(reading);
  }

  /** The time of the last request counts, so that one request follows the deadline, and slow reads are no timeout. */
  #isTimeUp({ askedAt = 0 }: SubmissionReading): boolean {
    return this.#options.isWaiting && askedAt >= this.#options.deadline.until;
  }

  /** Whether a fact is missing that the service may still publish. */
  #isLacking(each: NeededSubmission): boolean {
    const reading = this.#readingOf(each);
    const { response, error } = reading;
    const isMissed = error === undefined || mayAppear(reading) ? this.#options.isMissed?.(each.submissionId) : false;
    if (isMissed) return true;
    const isRetrying = retryingAssets(each, reading).length > 0;
    if (this.#isOver(each) || isRetrying || !response?.status.isKnown) return false;
    const isAnyUnnamed = response.status.hasFailed && assetsByName(each, reading).some(({ own }) => !own);
    if (isAnyUnnamed && this.#isReady(each)) return true;
    return this.#resultsOf(each).analyses.some(({ outcome }) => outcome === 'unjudged');
  }

  /** Whether the assets of `contents` are read now. */
  #isReady(each: NeededSubmission): boolean {
    const { status } = this.#readingOf(each).response ?? {};
    const { isWaiting } = this.#options;
    const isEnded = each.isAwaitedLater ? each.isOld || status?.hasFailed : status?.isTerminal || !isWaiting;
    return each.contents.length > 0 && ((status && isEnded) === true || (isWaiting && this.#isOver(each)));
  }

  #resultsOf(each: NeededSubmission): SubmissionResults {
    const reading = this.#readingOf(each);
    const prevented = preventedRead(reading);
    const ofReused = reusedAssets(each, reading).map(({ content, asset }) =>
      reusedAnalysis(content, prevented ? { ...asset, error: prevented } : asset, this.#factsOf(each, true)),
    );
    const facts = { ...this.#factsOf(each, false), readings: assetsByName(each, reading) };
    return {
      submission: each,
      response: reading.response,
      analyses: [...ofReused, ...(this.#isReady(each) ? analysesOf(each, facts) : [])],
      mayKnowMoreLater: mayKnowMoreLater(reading),
    };
  }

  #factsOf(each: NeededSubmission, isReused: boolean): Omit<SubmissionFacts, 'readings'> {
    const reading = this.#readingOf(each);
    const { response } = reading;
    const isSandbox = this.#options.client.mode === 'sandbox';
    return {
      situation: situationOf(response ?? {}, { isReused, isSandbox }),
      status: response?.status,
      errorMessage: response?.errorMessage ?? undefined,
      earlyEnd: isReused && (response || preventedRead(reading)) ? undefined : this.#explainEarlyEnd(each),
      isOverdue: each.isOld && !mayKnowMoreLater(reading),
      isSandbox,
    };
  }

  /** Why the work on a submission ended early. Undefined if it was completed. */
  #explainEarlyEnd(each: NeededSubmission): Cause | undefined {
    const { submissionId } = each;
    const reading = this.#readingOf(each);
    const { response, error, askedAt = 0 } = reading;
    if (error) return { ...explain(error), submissionId, ...(error.stopsReading && { submission: 'open' }) };
    const isUnderWay = !response?.status.isTerminal || retryingAssets(each, reading).length > 0;
    if (!response || !this.#isTimeUp(reading) || !isUnderWay) return undefined;
    const minutes = plural(Math.max(1, Math.round((askedAt - this.#startedAt) / 60_000)), 'minute');
    return {
      reason: 'timeout',
      message: `The analysis was not finished after ${minutes}: ${describeProgress(response)}.`,
      steps: [rerun('Re-run this job later.')],
      submissionId,
      submission: 'open',
    };
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
    const seconds = Math.round((at - this.#startedAt) / 1000);
    this.#options.log.info(`Submission ${each.submissionId}: ${text} (after ${seconds} s)`);
  }
}

/** The outage or rate limit that prevented the read of the submission. */
function preventedRead({ response, error }: SubmissionReading): ServiceError | undefined {
  return !response && error?.stopsReading ? error : undefined;
}

/** The longer the wait, the longer the pause between two polls. */
export function pollDelay(elapsedMs: number): number {
  return Math.min(Math.max(elapsedMs / 8, MIN_POLL_MS), MAX_POLL_MS);
}

/** Returns a text such as "processing, 40 %. The service says: …". */
function describeProgress({ status, progressPercent, errorMessage }: SubmissionResponse): string {
  const isCounted = Boolean(progressPercent) && !status.isTerminal;
  const progress = isCounted ? `${status.word}, ${progressPercent} %` : status.word;
  return errorMessage ? `${progress}. The service says: ${errorMessage}` : progress;
}
