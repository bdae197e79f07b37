import type { Cause } from '../cause.ts';
import { sleep } from '../clock.ts';
import { concurrently } from '../concurrently.ts';
import type { Mode } from '../inputs/inputs.ts';
import type { Log } from '../log.ts';
import type { AssetAnswer, AssetStatus, SubmissionAnswer } from './answers.ts';
import type { Effort, ServiceClient } from './client.ts';
import { nextPoll } from './poll-schedule.ts';
import { explain, ServiceError } from './service-error.ts';
import type { OpenSubmission } from './submit.ts';

/** Where an asset was last seen: after a retry it may live in another submission. */
export interface WaitedAsset {
  readonly submissionId: string;
  readonly assetId: string;
  /** The asset that the submission was created with; the same but for a retry that made a new one. */
  readonly originalAssetId: string;
  readonly state: AssetState;
  readonly status: AssetStatus;
  readonly retries: number;
}

export type AssetState = 'done' | 'failed' | 'unfinished';

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

const MOST_RETRIES = 2;
const READS_AT_ONCE = 8;
/** How often a complete asset is looked at again before its missing issue count is believed. */
const MOST_LOOKS_WITHOUT_COUNT = 5;

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

/** An asset on its way, and what we did about it. */
interface Track {
  submissionId: string;
  assetId: string;
  readonly originalAssetId: string;
  state: AssetState;
  status: AssetStatus;
  retries: number;
  /** False once the service said that there will be no further retry. */
  mayRetry: boolean;
  /** The retry count at the time of our retry: until it rises, a failed state is the old one. */
  retryCountBefore: number | undefined;
  looksWithoutCount: number;
}

class Watch {
  readonly #submission: OpenSubmission;
  readonly #options: WaitOptions;
  readonly #client: ServiceClient;
  readonly #log: Log;
  readonly #startedAt = Date.now();
  readonly #effort: Effort;
  readonly #tracks = new Map<string, Track>();
  #status = 'unknown';
  #lastShown = '';

  constructor(submission: OpenSubmission, options: WaitOptions, client: ServiceClient, log: Log) {
    this.#submission = submission;
    this.#options = options;
    this.#client = client;
    this.#log = log;
    this.#effort = { signal: options.signal, until: this.#startedAt + options.timeoutMinutes * 60_000 };
  }

  async untilSettled(): Promise<WaitedSubmission> {
    try {
      for (;;) {
        if (await this.#look()) return this.#end(undefined);
        const delay = nextPoll(Date.now() - this.#startedAt);
        if (Date.now() + delay > this.#effort.until) return this.#end(this.#timeout());
        await sleep(delay, this.#options.signal);
      }
    } catch (error) {
      if (error instanceof ServiceError) return this.#end(explain(error));
      throw error;
    }
  }

  #end(interruptedBy: Cause | undefined): WaitedSubmission {
    return { submission: this.#submission, status: this.#status, assets: [...this.#tracks.values()], interruptedBy };
  }

  #timeout(): Cause {
    const unfinished = [...this.#tracks.values()].filter(({ state }) => state === 'unfinished').length;
    return {
      reason: 'timeout',
      message: `Submission ${this.#submission.submissionId} was not finished after ${this.#options.timeoutMinutes} minutes (${this.#lastShown}; ${unfinished} of ${this.#submission.contents.length} assets unfinished).`,
      fix: 'The analysis goes on at the service. Re-run the job later: it goes on waiting for this submission and sends nothing again. If analyses usually take this long, raise `wait-timeout-minutes`.',
    };
  }

  /** @returns true once there is nothing left to wait for */
  async #look(): Promise<boolean> {
    const followed = new Set([
      this.#submission.submissionId,
      ...[...this.#tracks.values()].map((track) => track.submissionId),
    ]);
    const answers: SubmissionAnswer[] = [];
    for (const submissionId of followed) {
      const answer = await this.#client.readSubmission(submissionId, this.#effort);
      this.#note(submissionId, answer);
      answers.push(answer);
    }
    const [own] = answers;
    if (own) this.#show(own);
    if (!answers.every(({ status }) => isTerminal(status))) return false;
    await concurrently([...this.#tracks.values()], READS_AT_ONCE, async (track) => await this.#settle(track));
    return [...this.#tracks.values()].every(({ state }) => state !== 'unfinished');
  }

  #note(submissionId: string, answer: SubmissionAnswer): void {
    if (submissionId === this.#submission.submissionId) this.#status = answer.status;
    const followed = new Map(
      [...this.#tracks.values()]
        .filter((track) => track.submissionId === submissionId)
        .map((track) => [track.assetId, track]),
    );
    for (const status of answer.assets) {
      const track = followed.get(status.assetId);
      if (track) {
        track.status = status;
        track.state = stateOf(status, track.retryCountBefore);
      } else if (submissionId === this.#submission.submissionId && !this.#tracks.has(status.assetId)) {
        this.#tracks.set(status.assetId, {
          submissionId,
          assetId: status.assetId,
          originalAssetId: status.assetId,
          state: stateOf(status, undefined),
          status,
          retries: 0,
          mayRetry: true,
          retryCountBefore: undefined,
          looksWithoutCount: 0,
        });
      }
    }
  }

  #show({ status, progressPercent }: SubmissionAnswer): void {
    const shown =
      progressPercent === null || progressPercent === undefined || isTerminal(status)
        ? status
        : `${status}, ${progressPercent} %`;
    if (shown === this.#lastShown) return;
    this.#lastShown = shown;
    this.#log.info(
      `Submission ${this.#submission.submissionId}: ${shown} (after ${Math.round((Date.now() - this.#startedAt) / 1000)} s)`,
    );
  }

  /** Decides what the submission's own status leaves open, and retries what failed. */
  async #settle(track: Track): Promise<void> {
    if (track.state === 'unfinished' && track.retryCountBefore === undefined) await this.#askAsset(track);
    if (track.state === 'failed' && track.status.isRetryable && track.mayRetry && track.retries < MOST_RETRIES)
      await this.#retry(track);
  }

  /** The asset's own resource has the status that the submission's list does not show. */
  async #askAsset(track: Track): Promise<void> {
    const asset = await this.#readAsset(track);
    if (asset?.status === 'failed') {
      track.state = 'failed';
    } else if (asset?.status === 'complete') {
      track.status = { ...track.status, issueCount: track.status.issueCount ?? asset.issueCount };
      track.looksWithoutCount += 1;
      // A sandbox analyses nothing, so it never has a count to wait for.
      const isSettled =
        typeof track.status.issueCount === 'number' ||
        this.#options.mode === 'sandbox' ||
        track.looksWithoutCount > MOST_LOOKS_WITHOUT_COUNT;
      if (isSettled) track.state = 'done';
    }
  }

  /** Undefined where the service does not have it yet: it is meant to be read once the asset is complete. */
  async #readAsset(track: Track): Promise<AssetAnswer | undefined> {
    try {
      return await this.#client.readAsset(track.submissionId, track.assetId, this.#effort);
    } catch (error) {
      if (error instanceof ServiceError && error.status === 404) return undefined;
      throw error;
    }
  }

  async #retry(track: Track): Promise<void> {
    const before = track.status.retryCount;
    try {
      const answer = await this.#client.retryAsset(track.submissionId, track.assetId, this.#effort);
      track.retries += 1;
      this.#log.info(
        `Asset ${track.assetId} failed (${errorOf(track.status)}); retry ${track.retries} of ${MOST_RETRIES}`,
      );
      if (answer.submissionId !== track.submissionId) {
        track.submissionId = answer.submissionId;
        track.assetId = answer.assets[0]?.assetId ?? track.assetId;
        track.retryCountBefore = undefined;
      } else {
        track.retryCountBefore = before;
      }
      track.state = 'unfinished';
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 409) throw error;
      await this.#afterConflict(track);
    }
  }

  /** 409 can mean that a retry is under way already, or that there will never be one. Only the submission itself tells. */
  async #afterConflict(track: Track): Promise<void> {
    const answer = await this.#client.readSubmission(track.submissionId, this.#effort);
    this.#note(track.submissionId, answer);
    track.mayRetry = !isTerminal(answer.status) || track.state !== 'failed';
  }
}

function isTerminal(status: string): boolean {
  return status === 'complete' || status === 'failed';
}

/** The submission's list has no status per asset: its error fields and its count tell, and null is never 0. */
function stateOf(status: AssetStatus, retryCountBefore: number | undefined): AssetState {
  const hasFailed = Boolean(status.errorType) || Boolean(status.errorMessage);
  if (hasFailed)
    return retryCountBefore !== undefined && status.retryCount <= retryCountBefore ? 'unfinished' : 'failed';
  return typeof status.issueCount === 'number' ? 'done' : 'unfinished';
}

/** The service's words about a failed asset. */
export function errorOf({ errorType, errorMessage }: AssetStatus): string {
  return [errorType, errorMessage].filter(Boolean).join(': ') || 'no error was given';
}
