import type { Cause } from '../lib/cause.ts';
import { sleep } from '../lib/clock.ts';
import { concurrently } from '../lib/concurrently.ts';
import { plural } from '../lib/format.ts';
import type { Log } from '../lib/log.ts';
import { type AssetState, AssetTracker, errorOf } from './asset-tracker.ts';
import { type Deadline, MAX_CONCURRENT_READS, type ServiceClient } from './client.ts';
import { nextPoll, type PollSample } from './poll-schedule.ts';
import { Progress } from './progress.ts';
import { type AssetStatus, isTerminal, type SubmissionAnswer } from './responses.ts';
import type { Mode } from './service-access.ts';
import { explain, ServiceError } from './service-error.ts';
import type { OpenSubmission } from './submit.ts';

/** Where an asset was last seen: after a retry it may live in another submission. */
export interface WaitedAsset {
  readonly submissionId: string;
  readonly assetId: string;
  /** The asset that the submission was created with; the same but for a retry that made a new one. */
  readonly originalAssetId: string;
  /** Which file it is, where the wait has learnt that. */
  readonly filename: string | undefined;
  readonly state: AssetState;
  /** Why it is lost, where that was told: it is not to be asked for again. */
  readonly problem: ServiceError | undefined;
  readonly status: AssetStatus;
  readonly retries: number;
  /** Why a retry that was asked for did not come about. */
  readonly retryProblem: string | undefined;
}

/** wait → collect */
export interface WaitedSubmission {
  readonly submission: OpenSubmission;
  /** As the service says it; `unknown` where it never did. */
  readonly status: string;
  readonly assets: readonly WaitedAsset[];
  /** Why the wait ended before the analysis did. */
  readonly interruptedBy: Cause | undefined;
}

export interface WaitOptions {
  readonly mode: Mode;
  readonly timeoutMinutes: number;
  readonly signal: AbortSignal;
}

/** However steady the progress: it may stop. */
const MAX_POLL_INTERVAL_MS = 5 * 60_000;
/** How often something may be missing that was created a moment ago, before it is believed. */
const MAX_POLLS_FOR_MISSING = 5;

/** Polls one submission until every asset is done or failed, retries what may be retried, and gives up at the time limit. */
export async function wait(
  submission: OpenSubmission,
  options: WaitOptions,
  client: ServiceClient,
  log: Log,
): Promise<WaitedSubmission> {
  const watch = new Watch(submission, options, client, log);
  return await watch.untilSettled();
}

class Watch {
  readonly #submission: OpenSubmission;
  readonly #options: WaitOptions;
  readonly #client: ServiceClient;
  readonly #log: Log;
  readonly #startedAt: number;
  readonly #deadline: Deadline;
  readonly #progress: Progress;
  /** By the id that the submission was created with. */
  readonly #tracks = new Map<string, AssetTracker>();
  #status = 'unknown';
  #percent: number | null | undefined;
  readonly #looks: PollSample[] = [];
  /** By submission. */
  readonly #missesInARow = new Map<string, number>();
  #shortLooks = 0;
  /** In this look, an asset was asked for in vain for as long as a service is waited for. */
  #hasGivenUp = false;

  constructor(submission: OpenSubmission, options: WaitOptions, client: ServiceClient, log: Log) {
    this.#submission = submission;
    this.#options = options;
    this.#client = client;
    this.#log = log;
    this.#startedAt = submission.waitsSince ?? Date.now();
    this.#deadline = { signal: options.signal, until: this.#startedAt + options.timeoutMinutes * 60_000 };
    this.#progress = new Progress(submission.submissionId, this.#startedAt, log);
  }

  async untilSettled(): Promise<WaitedSubmission> {
    try {
      while (!(await this.#look())) {
        const left = this.#deadline.until - Date.now();
        if (left <= 0) return this.#end(this.#timeout());
        const waited = Date.now() - this.#startedAt;
        this.#looks.push({ atMs: waited, percent: this.#percent ?? undefined });
        const delay = Math.min(left, MAX_POLL_INTERVAL_MS, nextPoll(waited, this.#looks));
        await sleep(delay, this.#options.signal);
      }
      return this.#end(this.#contradiction());
    } catch (error) {
      if (error instanceof ServiceError) return this.#end(this.#givenUp(error));
      throw error;
    }
  }

  /** @returns true once there is nothing left to wait for */
  async #look(): Promise<boolean> {
    const isOver = await this.#readAll();
    this.#tell();
    if (!isOver) return false;
    if (this.#isShort()) return false;
    this.#hasGivenUp = false;
    await concurrently([...this.#tracks.values()], MAX_CONCURRENT_READS, async (track) => await this.#settle(track));
    return [...this.#tracks.values()].every(({ isSettled }) => isSettled);
  }

  /** @returns true where each submission that holds one of our assets says that it is over */
  async #readAll(): Promise<boolean> {
    const tracks = [...this.#tracks.values()].filter(({ state }) => state !== 'lost');
    const ids = new Set([this.#submission.submissionId, ...tracks.map(({ submissionId }) => submissionId)]);
    let isOver = true;
    for (const id of ids) {
      const answer = await this.#read(id);
      isOver &&= answer !== undefined && isTerminal(answer);
    }
    return isOver;
  }

  /** Undefined where the service does not have it yet: a read may come sooner than what was written a moment ago. */
  async #read(submissionId: string): Promise<SubmissionAnswer | undefined> {
    try {
      const answer = await this.#client.readSubmission(submissionId, this.#deadline);
      this.#missesInARow.delete(submissionId);
      this.#note(submissionId, answer);
      return answer;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 404) throw error;
      const misses = (this.#missesInARow.get(submissionId) ?? 0) + 1;
      this.#missesInARow.set(submissionId, misses);
      if (misses > MAX_POLLS_FOR_MISSING) this.#lose(submissionId, error);
      return undefined;
    }
  }

  /** One that a retry made holds only what was retried; without our own there is nothing to wait for. */
  #lose(submissionId: string, error: ServiceError): void {
    if (submissionId === this.#submission.submissionId) throw error;
    for (const track of this.#tracks.values()) if (track.submissionId === submissionId) track.lose(error);
  }

  /** Fewer assets than files: the list may still grow, but not for ever. */
  #isShort(): boolean {
    if (this.#tracks.size >= this.#submission.contents.length) return false;
    this.#shortLooks += 1;
    return this.#shortLooks <= MAX_POLLS_FOR_MISSING;
  }

  #note(submissionId: string, answer: SubmissionAnswer): void {
    if (submissionId === this.#submission.submissionId) {
      this.#status = answer.status;
      this.#percent = answer.progressPercent;
      for (const status of answer.assets) {
        if (!this.#tracks.has(status.assetId)) this.#tracks.set(status.assetId, new AssetTracker(submissionId, status));
      }
    }
    for (const track of this.#tracks.values()) if (track.submissionId === submissionId) track.observe(answer);
  }

  /** Decides what the submission's own status leaves open, and retries what failed. */
  async #settle(track: AssetTracker): Promise<void> {
    // Whether the service is gone or only one asset's answer, the next look at the submission tells.
    if (track.needsOwnAnswer && !this.#hasGivenUp) await this.#ask(track);
    if (track.wantsRetry) await this.#retry(track);
  }

  /** What cannot be learnt of one asset must not hide what the others have. */
  async #ask(track: AssetTracker): Promise<void> {
    const hasCounts = this.#options.mode === 'live';
    try {
      track.observeOwn(await this.#client.readAsset(track.submissionId, track.assetId, this.#deadline), hasCounts);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.endsRun) throw error;
      if (error.status === 404) track.observeOwn(undefined, hasCounts);
      else track.lose(error);
      this.#hasGivenUp ||= error.isOutage;
    }
  }

  /** What becomes of one asset's retry must not end the wait for the others. */
  async #retry(track: AssetTracker): Promise<void> {
    const problem = errorOf(track.status);
    try {
      track.retried(await this.#client.retryAsset(track.submissionId, track.assetId, this.#deadline));
      this.#log.info(`${this.#nameOf(track)} failed (${problem}); retry ${track.retries} was accepted`);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.endsRun) throw error;
      if (error.status === 409) track.refused(error.message);
      else track.giveUpRetry(error.message);
    }
  }

  /** The file, where it is known by now; an asset that failed is not read for it. */
  #nameOf({ filename, originalAssetId }: AssetTracker): string {
    const { contents } = this.#submission;
    const isOnly = contents.length === 1 && this.#tracks.size === 1;
    const content = contents.find(({ name }) => isOnly || name === filename);
    return content?.paths[0] ?? `Asset ${originalAssetId}`;
  }

  #tell(): void {
    const tracks = [...this.#tracks.values()];
    this.#progress.tell({
      status: this.#status,
      percent: this.#percent,
      settled: tracks.filter(({ isSettled }) => isSettled).length,
      retried: tracks.filter(({ isBeingRetried }) => isBeingRetried).length,
      assets: tracks.length,
    });
  }

  /** The submission has failed, it says, but nothing in it has: then what it says of the rest is not to be trusted either. */
  #contradiction(): Cause | undefined {
    const tracks = [...this.#tracks.values()];
    const isExplained = tracks.some(({ state, retries }) => state === 'failed' || retries > 0);
    if (this.#status !== 'failed' || isExplained) return undefined;
    return {
      reason: 'results',
      message: `Submission ${this.#submission.submissionId} has failed, but the service names no asset that has.`,
      fix: 'One of the files may not have been analysed, so none passes. Re-run the job; if it stays, tell the service.',
    };
  }

  #end(interruptedBy: Cause | undefined): WaitedSubmission {
    const assets = [...this.#tracks.values()];
    for (const track of assets) track.conclude();
    return { submission: this.#submission, status: this.#status, assets, interruptedBy };
  }

  #givenUp(error: ServiceError): Cause {
    const cause = explain(error);
    if (!error.isOutage && !error.endsRun) return cause;
    const { submissionId } = this.#submission;
    return {
      ...cause,
      message: `${cause.message} Submission ${submissionId} goes on without us: where state is kept, a re-run waits for it and sends nothing again.`,
    };
  }

  #timeout(): Cause {
    const { submissionId } = this.#submission;
    const { timeoutMinutes } = this.#options;
    return {
      reason: 'timeout',
      message: `The analysis was not finished after ${plural(timeoutMinutes, 'minute')}: ${this.#progress.last} (submission ${submissionId}).`,
      fix: 'The analysis goes on at the service. Re-run the job later: where state is kept, it goes on waiting for this submission and sends nothing again. If analyses usually take this long, raise `wait-timeout-minutes`.',
    };
  }
}
