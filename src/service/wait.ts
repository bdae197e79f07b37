import type { Cause } from '../lib/cause.ts';
import { sleep } from '../lib/clock.ts';
import { concurrently } from '../lib/concurrently.ts';
import type { Log } from '../lib/log.ts';
import type { Content } from '../media/content.ts';
import { AssetReader, withGrace } from './asset-reader.ts';
import {
  type AssetState,
  CATCH_UP_MS,
  canBeRetried,
  type Moment,
  needsOwnAnswer,
  RETRY_EFFECT_MS,
  stateOf,
  type TrackedAsset,
  trackAsset,
  withListAnswer,
  withOwnAnswer,
  withRefusedRetry,
  withRetry,
} from './asset-tracker.ts';
import { type Deadline, MAX_CONCURRENT_READS, type ServiceClient } from './client.ts';
import type { Mode } from './endpoints.ts';
import { nextPoll, type PollSample } from './poll-schedule.ts';
import { describeAssetError, isTerminal, type SubmissionAnswer } from './responses.ts';
import { ServiceError } from './service-error.ts';
import type { OpenSubmission } from './submit.ts';
import { explainContradiction, explainEnd, explainTimeout, ProgressLog } from './wait-messages.ts';

/** An asset as the wait left it. */
export interface WaitedAsset extends TrackedAsset {
  readonly state: AssetState;
}

/** wait → collect */
export interface WaitedSubmission {
  readonly submission: OpenSubmission;
  /** The service's own text; `unknown` if it never answered. */
  readonly status: string;
  /** The submission's own message, if it has one. */
  readonly errorMessage: string | undefined;
  /** The service's job identifier, which its support asks for. */
  readonly workflowId: string | undefined;
  readonly assets: readonly WaitedAsset[];
  /** Why the wait ended before every file had its asset. */
  readonly interruptedBy: Cause | undefined;
}

export interface WaitOptions {
  readonly client: ServiceClient;
  readonly log: Log;
  readonly mode: Mode;
  /** Of the whole run after creation. */
  readonly deadline: Deadline;
  /**
   * Called and awaited as soon as a retry goes on in another submission.
   *
   * @param submissions all that now hold the files of the submission that is waited for
   */
  readonly onMoved?: (submissions: readonly OpenSubmission[]) => Promise<void>;
}

/** Even with steady progress, the analysis may stop. */
const MAX_POLL_INTERVAL_MS = 5 * 60_000;

/** Polls one submission until every file has a finished asset, retries failed assets, and stops at the deadline. */
export async function wait(submission: OpenSubmission, options: WaitOptions): Promise<WaitedSubmission> {
  return await new Poller(submission, options).run();
}

class Poller {
  readonly #submission: OpenSubmission;
  readonly #options: WaitOptions;
  readonly #startedAt = Date.now();
  readonly #progress: ProgressLog;
  /** By the id that the submission was created with. */
  readonly #assets = new Map<string, TrackedAsset>();
  /** Assets whose retry waits for the end of a rate limit, by their original id. */
  readonly #postponed = new Map<string, { readonly since: number; readonly error: ServiceError }>();
  /** The last answer about the submission that is waited for. */
  #answer: SubmissionAnswer | undefined;
  readonly #samples: PollSample[] = [];
  /** Since when the service does not find the submission. */
  #missingSince: number | undefined;
  /** Since when the submission is over and has fewer assets than files. */
  #shortSince: number | undefined;

  constructor(submission: OpenSubmission, options: WaitOptions) {
    this.#submission = submission;
    this.#options = options;
    this.#progress = new ProgressLog(submission.submissionId, this.#startedAt, options.log);
  }

  async run(): Promise<WaitedSubmission> {
    const interruption = await this.#pollUntilDone();
    const isRefused = interruption?.reason === 'auth' || interruption?.reason === 'plan';
    if (interruption && !isRefused) {
      // Once more before the run ends: an asset may be complete although its submission does not say so.
      const unfinished = this.#all.filter((asset) => !this.#isFinished(asset));
      await this.#readOwnAnswers(unfinished, withGrace(this.#options.deadline));
    }
    // Now a retry without an effect leaves its asset failed, and no answer is waited for any more.
    const end = { now: Number.POSITIVE_INFINITY, mode: this.#options.mode };
    const assets = this.#all.map((asset) => ({ ...asset, state: stateOf(asset, end) }));
    return {
      submission: this.#submission,
      status: this.#answer?.status ?? 'unknown',
      errorMessage: this.#answer?.errorMessage ?? undefined,
      workflowId: this.#answer?.workflowId ?? this.#submission.workflowId,
      assets,
      interruptedBy: isRefused || (interruption && !this.#hasAllFiles()) ? interruption : this.#contradiction(assets),
    };
  }

  /** @returns why it ended early */
  async #pollUntilDone(): Promise<Cause | undefined> {
    try {
      while (!(await this.#poll())) {
        const leftMs = this.#options.deadline.until - Date.now();
        if (leftMs <= 0) {
          // A retry that could not be made in time is not an analysis that is still under way.
          for (const [id, { error }] of this.#postponed) this.#refuseRetry(id, error);
          return this.#isDone(true) ? undefined : this.#timeout();
        }
        const waitedMs = Date.now() - this.#startedAt;
        this.#samples.push({ atMs: waitedMs, percent: this.#answer?.progressPercent ?? undefined });
        const delayMs = Math.min(leftMs, MAX_POLL_INTERVAL_MS, nextPoll(waitedMs, this.#samples));
        await sleep(delayMs, this.#options.deadline.signal);
      }
      return undefined;
    } catch (error) {
      if (error instanceof ServiceError) return explainEnd(error, this.#submission);
      throw error;
    }
  }

  /** @returns true once there is nothing left to wait for */
  async #poll(): Promise<boolean> {
    const isOver = await this.#readSubmissions();
    const unanswered = this.#all.filter((asset) => needsOwnAnswer(asset, isOver, this.#moment));
    for (const [asset, error] of await this.#readOwnAnswers(unanswered, this.#options.deadline)) {
      if (error.endsRun) throw error;
      if (error.status !== 404) this.#set({ ...asset, problem: error });
    }
    this.#reportProgress();
    const failed = this.#all.filter((asset) => canBeRetried(asset, this.#moment));
    // A retry that moves is saved with its file, so the name has to be known.
    const nameless = failed.filter(({ filename }) => filename === undefined);
    await this.#readOwnAnswers(nameless, this.#options.deadline);
    for (const { originalAssetId } of failed) await this.#retry(originalAssetId);
    return this.#isDone(isOver);
  }

  /** @returns true if every submission that holds one of our assets is over */
  async #readSubmissions(): Promise<boolean> {
    const held = this.#all.map(({ submissionId }) => submissionId);
    let isOver = true;
    for (const id of new Set([this.#submission.submissionId, ...held])) {
      const answer = await this.#readSubmission(id);
      isOver &&= answer !== undefined && isTerminal(answer);
    }
    return isOver;
  }

  /** Undefined if the service does not have it yet: a read may be faster than the creation before it. */
  async #readSubmission(submissionId: string): Promise<SubmissionAnswer | undefined> {
    try {
      const answer = await this.#options.client.readSubmission(submissionId, this.#options.deadline);
      this.#takeIn(answer);
      return answer;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 404) throw error;
      // A retry in a submission that stays missing has no effect, and ends as such.
      if (submissionId !== this.#submission.submissionId) return undefined;
      this.#missingSince ??= Date.now();
      if (Date.now() - this.#missingSince >= CATCH_UP_MS) throw error;
      return undefined;
    }
  }

  #takeIn(answer: SubmissionAnswer): void {
    const { submissionId } = answer;
    if (submissionId === this.#submission.submissionId) {
      if (answer.errorMessage && answer.errorMessage !== this.#answer?.errorMessage)
        this.#options.log.info(`Submission ${submissionId}: the service says: ${answer.errorMessage}`);
      this.#answer = answer;
      this.#missingSince = undefined;
      for (const status of answer.assets)
        if (!this.#assets.has(status.assetId)) this.#set(trackAsset(submissionId, status));
    }
    for (const asset of this.#all)
      if (asset.submissionId === submissionId) this.#set(withListAnswer(asset, answer, this.#moment));
  }

  /** @returns the assets that could not be read, and why. After an outage the rest is left to the next poll. */
  async #readOwnAnswers(wanted: readonly TrackedAsset[], deadline: Deadline): Promise<readonly FailedRead[]> {
    const { mode, client } = this.#options;
    const reader = new AssetReader(mode, client, deadline);
    const errors: FailedRead[] = [];
    await concurrently(wanted, MAX_CONCURRENT_READS, async (asset) => {
      const { submissionId, assetId } = asset;
      if (assetId === undefined || reader.outage) return;
      const own = await reader.own({ submissionId, assetId });
      if (own.ok) this.#set(withOwnAnswer(asset, own.value));
      else errors.push([asset, own.error]);
    });
    return errors;
  }

  /** A retry that cannot be made does not end the wait for the other assets. */
  async #retry(originalAssetId: string): Promise<void> {
    const asset = this.#assets.get(originalAssetId);
    if (asset?.assetId === undefined) return;
    const { submissionId, assetId, status } = asset;
    try {
      const answer = await this.#options.client.retryAsset(submissionId, assetId, this.#options.deadline);
      this.#postponed.delete(originalAssetId);
      const retried = withRetry(asset, answer, this.#moment);
      this.#set(retried);
      const name = this.#contentOf(asset)?.paths[0] ?? `Asset ${originalAssetId}`;
      this.#options.log.info(`${name} failed (${describeAssetError(status)}); retry ${retried.retries} was accepted`);
      if (retried.submissionId !== submissionId) await this.#options.onMoved?.(this.#openSubmissions());
    } catch (error) {
      if (!(error instanceof ServiceError) || error.endsRun) throw error;
      // A rate limit on retries must not hold up the other assets: a later poll tries again.
      const { since } = this.#postponed.get(originalAssetId) ?? { since: Date.now() };
      const canWait = error.status === 429 && Date.now() - since < RETRY_EFFECT_MS;
      if (canWait) this.#postponed.set(originalAssetId, { since, error });
      else this.#refuseRetry(originalAssetId, error);
    }
  }

  #refuseRetry(originalAssetId: string, error: ServiceError): void {
    this.#postponed.delete(originalAssetId);
    const asset = this.#assets.get(originalAssetId);
    if (asset) this.#set(withRefusedRetry(asset, error, this.#moment));
  }

  /** The submissions that hold our files, retries included. */
  #openSubmissions(): readonly OpenSubmission[] {
    const { submissionId, contents } = this.#submission;
    const places = this.#all.map((asset) => [this.#contentOf(asset), asset.submissionId] as const);
    const moved = places.filter(([content, id]) => content !== undefined && id !== submissionId);
    const idOf = new Map(moved.map(([content, id]) => [content?.sha256, id]));
    const bySubmission = Map.groupBy(contents, ({ sha256 }) => idOf.get(sha256) ?? submissionId);
    return [...bySubmission].map(([id, group]) => ({ submissionId: id, contents: group }));
  }

  /** The file that an asset is, if that is proven by now. */
  #contentOf({ filename }: TrackedAsset): Content | undefined {
    const { contents } = this.#submission;
    const isOnly = contents.length === 1 && this.#assets.size === 1;
    return contents.find(({ name }) => isOnly || name === filename);
  }

  #isDone(isOver: boolean): boolean {
    if (this.#hasAllFiles()) return true;
    if (!isOver || !this.#all.every((asset) => this.#isFinished(asset))) return false;
    // With fewer assets than files, the list may still grow.
    this.#shortSince ??= Date.now();
    return Date.now() - this.#shortSince >= CATCH_UP_MS;
  }

  /** An earlier run's submission may also hold files that have left the repository: those are not waited for. */
  #hasAllFiles(): boolean {
    const { contents, isNew } = this.#submission;
    const finished = this.#all.filter((asset) => this.#isFinished(asset));
    if (finished.length === this.#assets.size && finished.length >= contents.length) return true;
    const names = new Set(finished.map(({ filename }) => filename));
    return !isNew && contents.every(({ name }) => names.has(name));
  }

  #isFinished(asset: TrackedAsset): boolean {
    return !this.#postponed.has(asset.originalAssetId) && stateOf(asset, this.#moment) !== 'unfinished';
  }

  get #all(): readonly TrackedAsset[] {
    return [...this.#assets.values()];
  }

  get #moment(): Moment {
    return { now: Date.now(), mode: this.#options.mode };
  }

  #set(asset: TrackedAsset): void {
    this.#assets.set(asset.originalAssetId, asset);
  }

  #reportProgress(): void {
    const unfinished = this.#all.filter((asset) => !this.#isFinished(asset));
    this.#progress.report({
      status: this.#answer?.status ?? 'unknown',
      percent: this.#answer?.progressPercent,
      finished: this.#assets.size - unfinished.length,
      retried: unfinished.filter(({ retries, pendingRetry }) => retries > 0 || pendingRetry).length,
      assets: this.#assets.size,
    });
  }

  #contradiction(assets: readonly WaitedAsset[]): Cause | undefined {
    const isExplained = assets.some(({ state, retries }) => state === 'failed' || retries > 0);
    return this.#answer?.status === 'failed' && !isExplained ? explainContradiction(this.#submission) : undefined;
  }

  #timeout(): Cause {
    const minutes = Math.max(1, Math.round((this.#options.deadline.until - this.#startedAt) / 60_000));
    return explainTimeout(this.#submission, minutes, this.#progress.last);
  }
}

type FailedRead = readonly [TrackedAsset, ServiceError];
