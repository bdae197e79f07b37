import { sleep } from '../lib/async.ts';
import { type Cause, rerun } from '../lib/cause.ts';
import { monotonicMs } from '../lib/clock.ts';
import { plural } from '../lib/format.ts';
import { explain } from './advice.ts';
import { type Analysis, analysesOf } from './analysis.ts';
import { inheritRetries, isRetrying, noteEffect, retryFailed } from './asset-retries.ts';
import type { ServiceCalls } from './client.ts';
import type { SubmissionPhase } from './conclusion.ts';
import { withExtras } from './extras.ts';
import { assetsOfFiles } from './file-assets.ts';
import { type AssetReading, readMissing, unreadAsset, withCount } from './read-asset.ts';
import { idKey, isTerminal, type SubmissionResponse, unlistedAsset } from './responses.ts';
import { orError, ServiceError } from './service-error.ts';
import type { OpenSubmission } from './submit.ts';
import { CATCH_UP_MS, catchUpWindow } from './tries.ts';

/** Reading the assets gets at least this time, even after the deadline: the last reading decides the verdict. */
const MIN_READ_MS = 30_000;
/** After this time without a new log line, the progress is logged again, so that the job does not look stalled. */
const MAX_SILENCE_MS = 60_000;
const MIN_POLL_MS = 1_000;
const MAX_POLL_MS = 60_000;

export interface WaitedSubmission {
  readonly submission: OpenSubmission;
  /** The last response about the submission. Undefined if every request failed. */
  readonly response: SubmissionResponse | undefined;
  readonly analyses: readonly Analysis[];
  /** True if an outage or a rate limit prevented a read, so that a later run may read more results. */
  readonly mayKnowMoreLater: boolean;
}

/** Waits for submissions of this run or an earlier one, and reads their results. */
export async function waitForAll(
  submissions: readonly OpenSubmission[],
  calls: ServiceCalls,
): Promise<readonly WaitedSubmission[]> {
  return await Promise.all(
    submissions.map(async (submission) => {
      const waited = await new Wait(submission, calls).toTheEnd();
      return { ...waited, analyses: await withExtras(waited.analyses, calls.client, calls.deadline.signal) };
    }),
  );
}

/** Reads the results of an earlier run's submission, without retries. Missing facts get 20 s to appear. */
export async function readEarlier(
  submission: OpenSubmission,
  response: SubmissionResponse,
  calls: ServiceCalls,
): Promise<WaitedSubmission> {
  const deadline = { ...calls.deadline, until: monotonicMs() + CATCH_UP_MS };
  return await new Wait(submission, { ...calls, deadline }, response).readResults();
}

/** The wait for one submission. Times are those of `monotonicMs`. */
class Wait {
  readonly #submission: OpenSubmission;
  readonly #calls: ServiceCalls;
  readonly #startedAt = monotonicMs();
  /** When the last request for the submission ended. */
  #polledAt = this.#startedAt;
  #response: SubmissionResponse | undefined;
  /** The error that ended the polling: the submission cannot be read any more. */
  #stoppedBy: ServiceError | undefined;
  /** The readings of the assets in the last response. */
  #assets: readonly AssetReading[] = [];
  #logged = { text: '', at: 0 };

  constructor(submission: OpenSubmission, calls: ServiceCalls, response?: SubmissionResponse) {
    this.#submission = submission;
    this.#calls = calls;
    this.#response = response;
  }

  /** Polls until the submission is terminal, reads its assets, and retries failed ones until no retry is running. */
  async toTheEnd(): Promise<WaitedSubmission> {
    const { deadline } = this.#calls;
    let workStartedAt = this.#startedAt;
    for (;;) {
      await this.#poll();
      if (isTerminal(this.#response) || this.#shouldStop()) {
        await this.#readAssets();
        if (this.#shouldStop()) break;
        if (!this.#isRetrying()) {
          this.#assets = await retryFailed(this.#submission, this.#assets, this.#calls);
          if (!this.#isRetrying()) break;
          workStartedAt = monotonicMs();
        }
      }
      const delayMs = pollDelay(monotonicMs() - workStartedAt);
      await sleep(Math.min(delayMs, deadline.until - monotonicMs()), deadline.signal);
    }
    return await this.#catchUp();
  }

  async readResults(): Promise<WaitedSubmission> {
    await this.#readAssets();
    return await this.#catchUp();
  }

  /** Requests the submission. If it is missing, it gets 20 s to appear. If it cannot be read, the wait is stopped. */
  async #poll(): Promise<void> {
    const { client, deadline } = this.#calls;
    const mayReadAgain = catchUpWindow(deadline);
    for (;;) {
      const response = await orError(client.readSubmission(this.#submission.submissionId, deadline));
      this.#polledAt = monotonicMs();
      if (!(response instanceof ServiceError)) {
        this.#response = response;
        this.#logProgress(response);
        return;
      }
      if (response.failureClass !== 'missing' || !(await mayReadAgain())) {
        this.#stoppedBy = response;
        return;
      }
    }
  }

  async #readAssets(): Promise<void> {
    const { client, deadline } = this.#calls;
    const until = Math.max(deadline.until, monotonicMs() + MIN_READ_MS);
    const assets = await readMissing(this.#relist(), client, () => ({ ...deadline, until }));
    this.#assets = assets.map((asset) => noteEffect(asset, asset.own && asset.own.status.phase !== 'failed'));
  }

  /** The assets of the last response or, if it has no list, those that the response to the creation named. */
  #relist(): readonly AssetReading[] {
    const { assetIds, otherFiles } = this.#submission;
    const { submissionId } = this.#response ?? this.#submission;
    const newest = (this.#response?.assets ?? assetIds.map(unlistedAsset)).filter(
      ({ assetId }) => !otherFiles?.assetKeys.has(idKey(assetId)),
    );
    const before = new Map(this.#assets.map((asset) => [idKey(asset.listed.assetId), asset]));
    const readings = newest.map((listed) => {
      const asset = before.get(idKey(listed.assetId));
      if (!asset) return unreadAsset(submissionId, listed);
      const hasRetried = listed.retryCount > asset.listed.retryCount;
      return noteEffect({ ...withCount(asset, listed.issueCount), submissionId, listed }, hasRetried);
    });
    return inheritRetries(readings, this.#assets);
  }

  /** The service may publish names, counts and issues late, so incomplete assets are read again for at most 20 s. */
  async #catchUp(): Promise<WaitedSubmission> {
    const mayReadAgain = catchUpWindow(this.#calls.deadline);
    let results = this.#results();
    while (!this.#shouldStop() && this.#isFactMissing(results) && (await mayReadAgain())) {
      await this.#poll();
      await this.#readAssets();
      results = this.#results();
    }
    return results;
  }

  #isFactMissing({ analyses }: WaitedSubmission): boolean {
    const isAnyUnnamed = this.#response?.status.phase === 'failed' && this.#assets.some(({ own }) => !own);
    return isAnyUnnamed || analyses.some(({ outcome }) => outcome === 'unjudged');
  }

  #results(): WaitedSubmission {
    const [submission, response, readings] = [this.#submission, this.#response, this.#assets];
    const analyses = analysesOf(submission, {
      submissionPhase: this.#phase(),
      readings,
      errorMessage: response?.errorMessage ?? undefined,
      earlyEnd: this.#explainEarlyEnd(),
    });
    const errors = [this.#stoppedBy, ...readings.map(({ error }) => error)];
    return { submission, response, analyses, mayKnowMoreLater: errors.some((error) => error?.stopsReading) };
  }

  #phase(): SubmissionPhase {
    const { phase = 'unread' } = this.#response?.status ?? {};
    if (phase === 'complete' && this.#calls.client.mode === 'sandbox') return 'simulated';
    // An outage or a timeout may excuse a file if the phase is `unread`, so an unknown status must not become `unread`.
    return this.#response?.assets || phase === 'unknown' ? phase : 'unread';
  }

  /** Why the wait ended early. Undefined if the wait was completed. */
  #explainEarlyEnd(): Cause | undefined {
    const { submissionId } = this.#submission;
    if (this.#stoppedBy) {
      const cause = explain(this.#stoppedBy);
      return { ...cause, submissionId, ...(this.#stoppedBy.stopsReading && { submission: 'open' }) };
    }
    const isUnderWay = !isTerminal(this.#response) || this.#isRetrying();
    if (!this.#response || !this.#isTimeUp() || !isUnderWay) return undefined;
    const minutes = plural(Math.max(1, Math.round((this.#polledAt - this.#startedAt) / 60_000)), 'minute');
    return {
      reason: 'timeout',
      message: `The analysis was not finished after ${minutes}: ${describeProgress(this.#response)}.`,
      steps: [rerun('Re-run this job later.')],
      submissionId,
      submission: 'open',
    };
  }

  /** Whether to stop waiting: the time is up, the submission cannot be read, or the service does not respond. */
  #shouldStop(): boolean {
    return this.#isTimeUp() || this.#stoppedBy !== undefined || this.#assets.some(({ error }) => error?.stopsReading);
  }

  /** The time of the last poll counts, so that one poll follows the deadline, and slow reads are no timeout. */
  #isTimeUp(): boolean {
    return this.#polledAt >= this.#calls.deadline.until;
  }

  #isRetrying(): boolean {
    const { of, unnamed } = assetsOfFiles(this.#assets, this.#submission);
    return [...this.#submission.contents.flatMap(of), ...unnamed].some((asset) => isRetrying(asset, this.#polledAt));
  }

  /** Logs the progress if it has changed, or after a minute. */
  #logProgress(response: SubmissionResponse): void {
    const text = describeProgress(response);
    if (text === this.#logged.text && this.#polledAt - this.#logged.at < MAX_SILENCE_MS) return;
    this.#logged = { text, at: this.#polledAt };
    // The seconds count from the start of this wait: an earlier run may have created the submission.
    const seconds = Math.round((this.#polledAt - this.#startedAt) / 1000);
    this.#calls.log.info(`Submission ${this.#submission.submissionId}: ${text} (after ${seconds} s)`);
  }
}

/** The longer the wait, the longer the pause between two polls. */
export function pollDelay(elapsedMs: number): number {
  return Math.min(Math.max(elapsedMs / 8, MIN_POLL_MS), MAX_POLL_MS);
}

/** Returns a text such as "processing, 40 %. The service says: …". */
function describeProgress(response: SubmissionResponse): string {
  const { status, progressPercent, errorMessage } = response;
  const isCounted = typeof progressPercent === 'number' && !isTerminal(response);
  const progress = isCounted ? `${status.word}, ${progressPercent} %` : status.word;
  return errorMessage ? `${progress}. The service says: ${errorMessage}` : progress;
}
