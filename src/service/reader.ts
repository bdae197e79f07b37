import { createQueue, sleep } from '../lib/async.ts';
import type { Analysis } from './analysis.ts';
import { type AssetReading, countOf, isRetrying, needsReading, readAsset } from './asset.ts';
import { MAX_CONCURRENT_REQUESTS, type ServiceCalls } from './client.ts';
import { isAtLeast, type Severity } from './issue.ts';
import { analysisOf, describeProgress } from './outcome.ts';
import { failureText, idKey, type SubmissionResponse } from './responses.ts';
import { orError, ServiceError } from './service-error.ts';
import { findAssets, type NeededSubmission, type SubmissionReading, withReply } from './submission.ts';
import type { Deadline } from './tries.ts';

const MIN_POLL_MS = 1_000;
/** Each poll logs the progress, so that the job does not look stalled. */
const MAX_POLL_MS = 60_000;
/** How long to wait for the service to catch up: after a 404, if a fact is missing, and after a retry was refused. */
const CATCH_UP_MS = 20_000;
/** The pause between two looks in that time. */
const LOOK_AGAIN_MS = 2_000;
/** How often this run retries an asset. */
const MAX_RETRIES = 2;
/** After so many reads in a row that were given up, the rest of the submission is left out. */
const MAX_GIVEN_UP = 2;

/** What this run has read about the files that it needs of one submission. */
interface SubmissionResults {
  readonly submissionId: string;
  readonly response: SubmissionResponse | undefined;
  readonly analyses: readonly Analysis[];
}

interface ReaderOptions extends Pick<ServiceCalls, 'client' | 'log'> {
  /** Assets whose issues could change the verdict are read first: a rate limit may leave no time for the others. */
  readonly failOnSeverity: Severity | 'never';
}

export type SubmissionReader = ReturnType<typeof createReader>;

/** Reads submissions and their assets, and remembers what it has read. */
export function createReader(options: ReaderOptions) {
  const remembered = new Map<string, SubmissionReading>();
  const read = (isWait: boolean) => async (needed: readonly NeededSubmission[], deadline: Deadline) =>
    await new ReadCall({ ...options, deadline, isWait, remembered }).run(needed);
  return {
    /** Asks for each submission once, and again for 20 s if a fact is missing. */
    ask: read(false),
    /** Asks for each submission until it has ended, and retries failed assets. */
    wait: read(true),
  };
}

interface CallOptions extends ReaderOptions {
  readonly deadline: Deadline;
  readonly isWait: boolean;
  readonly remembered: Map<string, SubmissionReading>;
}

/**
 * The condition in which a look finds a submission. `unreadable`: after a refusal or an outage. `missing`: after a 404.
 * `at work`: it has not ended, or an accepted retry has not.
 */
type Condition = 'unreadable' | 'missing' | 'at work' | 'ended';

/** One submission of a call, with what is known of it now. */
interface Followed {
  readonly needed: NeededSubmission;
  reading: SubmissionReading;
  condition: Condition;
  /** Since when each look has found this condition, by `performance.now`. */
  since: number;
}

/** What decides about the next look at a submission. */
interface Look {
  readonly condition: Condition;
  /** For how long each look has found this condition. */
  readonly forMs: number;
  /** For how long the run has waited. Undefined if it does not wait for the service. */
  readonly waitedMs: number | undefined;
  /** Whether the look began after the deadline. */
  readonly isLast: boolean;
  /** Whether a file needs a fact that the service may still publish. */
  readonly lacksFact: boolean;
}

/** The pause before the next look at a submission. Undefined if there is none. */
function pauseAfter({ condition, forMs, waitedMs, isLast, lacksFact }: Look): number | undefined {
  if (isLast) return undefined;
  const catchUp = forMs < CATCH_UP_MS ? LOOK_AGAIN_MS : undefined;
  switch (condition) {
    case 'unreadable':
      return undefined;
    case 'missing':
      return catchUp;
    case 'at work':
      // The longer the wait, the longer the pause between two polls.
      return waitedMs === undefined ? undefined : Math.min(Math.max(waitedMs / 8, MIN_POLL_MS), MAX_POLL_MS);
    case 'ended':
      return lacksFact ? catchUp : undefined;
  }
}

class ReadCall {
  readonly #options: CallOptions;
  readonly #startedAt = performance.now();
  readonly #queue = createQueue(MAX_CONCURRENT_REQUESTS);
  /** The submissions to which the service has moved a retry. Nothing is retried in these. */
  readonly #moved: NeededSubmission[] = [];

  constructor(options: CallOptions) {
    this.#options = options;
  }

  async run(needed: readonly NeededSubmission[]): Promise<readonly SubmissionResults[]> {
    const results = await Promise.all(needed.map(async (each) => await this.#follow(each)));
    for (const moved of this.#moved) results.push(await this.#follow(moved));
    return results;
  }

  /**
   * Looks at a submission until `pauseAfter` ends that. In each look, it is asked for, what is unknown of its assets is
   * read, and those that have failed are retried. At the deadline, everything is read once more.
   */
  async #follow(needed: NeededSubmission): Promise<SubmissionResults> {
    const { submissionId } = needed;
    const { remembered, isWait, deadline } = this.#options;
    const reading: SubmissionReading = remembered.get(idKey(submissionId)) ?? { assets: new Map() };
    const followed: Followed = { needed, reading, condition: 'at work', since: this.#startedAt };
    for (;;) {
      const isLast = performance.now() >= deadline.until;
      await this.#ask(followed);
      const isStopped = await this.#readAssets(followed, isLast);
      if (isWait && !isLast) await this.#retryFailed(followed);
      const condition = conditionOf(followed);
      const now = performance.now();
      if (condition !== followed.condition) Object.assign(followed, { condition, since: now });
      const forMs = now - followed.since;
      const waitedMs = isWait ? now - this.#startedAt : undefined;
      const lacksFact = !isStopped && this.#lacksFact(followed);
      const pauseMs = pauseAfter({ condition, forMs, waitedMs, isLast, lacksFact });
      if (pauseMs === undefined) {
        remembered.set(idKey(submissionId), followed.reading);
        return this.#resultsOf(followed, condition === 'missing' && !isLast);
      }
      await sleep(Math.min(pauseMs, deadline.until - now), deadline.signal);
    }
  }

  /** Whether the service may still publish a fact that a file needs, or show a retry that it is already at work on. */
  #lacksFact(followed: Followed): boolean {
    const { analyses } = this.#resultsOf(followed, false);
    const { isWait } = this.#options;
    return analyses.some(({ outcome, assetId }) => {
      if (outcome === 'failed') return assetId === undefined;
      return outcome === 'unclear' || (isWait && outcome === 'retryable');
    });
  }

  async #ask(followed: Followed): Promise<void> {
    const { client, deadline, isWait, log } = this.#options;
    const { submissionId } = followed.needed;
    const response = await this.#queue(async () => {
      if (!isWait && performance.now() >= deadline.until) return undefined;
      return await orError(client.readSubmission(submissionId, deadline));
    });
    if (!response) return;
    followed.reading = withReply(followed.reading, response);
    if (!isWait || response instanceof ServiceError) return;
    // The seconds count from the start of this wait: an earlier run may have created the submission.
    const seconds = Math.round((performance.now() - this.#startedAt) / 1000);
    log.info(`Submission ${submissionId}: ${describeProgress(response)} (after ${seconds} s)`);
  }

  /** Reads what is unknown of the assets. @returns whether an outage or a rate limit prevented that */
  async #readAssets(followed: Followed, isLast: boolean): Promise<boolean> {
    const { needed, reading } = followed;
    const { client, deadline, isWait } = this.#options;
    const isDue = hasEnded(reading) || (isLast && reading.error === undefined);
    const { all, ofFile } = findAssets(reading, needed);
    const analysed = needed.files.filter(({ earlier }) => earlier);
    const due = [...analysed.flatMap(ofFile), ...(isDue ? all : [])].filter(needsReading);
    let givenUp: ServiceError | undefined;
    let inARow = 0;
    const read = async (asset: AssetReading): Promise<void> => {
      if (!isWait && performance.now() >= deadline.until) return;
      const isLeftOut = inARow >= MAX_GIVEN_UP;
      const result = isLeftOut
        ? { ...asset, error: givenUp }
        : await readAsset(needed.submissionId, asset, { client, deadline });
      reading.assets.set(idKey(asset.listed.assetId), result);
      inARow = result.error?.stopsReading ? inARow + 1 : 0;
      if (result.error?.stopsReading) givenUp = result.error;
    };
    await Promise.all(
      due.map(async (asset) => await this.#queue(async () => await read(asset), this.#isUrgent(asset))),
    );
    return givenUp !== undefined;
  }

  /** Whether the issues of an asset could change the verdict. */
  #isUrgent(asset: AssetReading): boolean {
    const { issues = [] } = asset.earlier ?? {};
    if (countOf(asset) !== issues.length) return true;
    return issues.some(({ severity }) => isAtLeast(severity, this.#options.failOnSeverity));
  }

  /**
   * Retries failed assets. The service may accept one retry at a time and refuse the others (409): so a refused one is
   * requested again when the submission was at work and has ended.
   */
  async #retryFailed(followed: Followed): Promise<void> {
    const { needed, reading } = followed;
    if (conditionOf(followed) !== 'ended' || this.#moved.includes(needed)) return;
    const { client, deadline, log } = this.#options;
    for (const { asset, file } of findAssets(reading, needed).possible) {
      const { listed, response, retry } = asset;
      const isRefused = retry.error !== undefined && followed.condition === 'ended';
      const mayHaveFailed = response === undefined || response.status.phase === 'failed';
      if (!listed.isRetryable || !mayHaveFailed || isRefused || retry.accepted >= MAX_RETRIES) continue;
      const reply = await orError(client.retryAsset(needed.submissionId, listed.assetId, deadline));
      const key = idKey(listed.assetId);
      if (reply instanceof ServiceError) {
        reading.assets.set(key, { ...asset, retry: { accepted: retry.accepted, error: reply } });
        if (reply.stopsReading) return;
        continue;
      }
      const accepted = retry.accepted + 1;
      const name = file?.content.paths[0] ?? `Asset ${listed.assetId}`;
      log.info(`${name} failed (${failureText(listed) || 'no reason given'}); retry ${accepted} was accepted`);
      const { submissionId } = reply;
      if (idKey(submissionId) === idKey(needed.submissionId)) {
        // The failure that was read is the one before the retry.
        reading.assets.set(key, { ...asset, response: undefined, retry: { accepted, countBefore: listed.retryCount } });
        continue;
      }
      reading.assets.set(key, { ...asset, retry: { accepted: MAX_RETRIES } });
      log.info(`The service goes on with this retry in the submission ${submissionId}`);
      if (file) this.#moved.push({ submissionId, files: [file], knownAssets: new Set() });
    }
  }

  #resultsOf({ needed, reading }: Followed, isMissing: boolean): SubmissionResults {
    const { submissionId, files } = needed;
    const found = findAssets(reading, needed);
    const facts = { ...found, submissionId, submission: reading, isMissing, mode: this.#options.client.mode };
    const analyses = files.map((file) => analysisOf({ ...facts, ...file, own: found.ofFile(file) }));
    return { submissionId, response: reading.response, analyses };
  }
}

function conditionOf({ reading, needed }: Followed): Condition {
  if (reading.error) return reading.error.failureClass === 'missing' ? 'missing' : 'unreadable';
  const isRetried = findAssets(reading, needed).possible.some(({ asset }) => isRetrying(asset));
  return hasEnded(reading) && !isRetried ? 'ended' : 'at work';
}

function hasEnded({ response }: SubmissionReading): boolean {
  return response?.status.phase === 'complete' || response?.status.phase === 'failed';
}
