import type { Cause } from '../lib/cause.ts';
import { sleep } from '../lib/clock.ts';
import { concurrently } from '../lib/concurrently.ts';
import type { Log } from '../lib/log.ts';
import { AssetReader, withGrace } from './asset-reader.ts';
import {
  type AssetState,
  CATCH_UP_MS,
  canBeRetried,
  contentOf,
  hasAllFiles,
  needsAnswer,
  openSubmissions,
  stateOf,
  type TrackedAsset,
  trackAsset,
  withList,
  withRefusedRetry,
  withRetry,
} from './asset-tracker.ts';
import { type Deadline, MAX_CONCURRENT_READS, type ServiceClient } from './client.ts';
import type { Mode } from './endpoints.ts';
import { nextPoll, type PollSample } from './poll-schedule.ts';
import { describeAssetError, isTerminal, type SubmissionAnswer, unlisted } from './responses.ts';
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
  /** False if its status was never read, or contradicts its assets: then nothing proves that they are complete. */
  readonly isTrusted: boolean;
  /** Why the wait ended before every file had its asset. */
  readonly interruptedBy: Cause | undefined;
}

export interface WaitOptions {
  readonly client: ServiceClient;
  readonly log: Log;
  readonly mode: Mode;
  /** Of the whole run after creation. */
  readonly deadline: Deadline;
  /** Awaited as soon as a retry goes on in another submission, with all submissions that now hold the files. */
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
  readonly #samples: PollSample[] = [];
  /** The last answer about the submission that is waited for. */
  #answer: SubmissionAnswer | undefined;
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
    const ended = await this.#pollUntilDone();
    const refusal = ended && (await this.#readOnceMore());
    const interruption = refusal ? explainEnd(refusal, this.#submission) : ended;
    const isRefused = interruption?.reason === 'auth' || interruption?.reason === 'plan';
    const isCutShort = interruption && !(this.#answer && hasAllFiles(this.#submission, this.#all, Date.now()));
    // Now a retry without an effect leaves its asset failed, and no answer is waited for any more.
    const assets = this.#all.map((asset) => ({ ...asset, state: stateOf(asset, Number.POSITIVE_INFINITY) }));
    const isExplained = assets.some(({ state, retries }) => state === 'failed' || retries > 0);
    const status = this.#answer?.status ?? 'unknown';
    const contradiction = status === 'failed' && !isExplained ? explainContradiction(this.#submission) : undefined;
    return {
      submission: this.#submission,
      status,
      errorMessage: this.#answer?.errorMessage ?? undefined,
      workflowId: this.#answer?.workflowId ?? this.#submission.workflowId,
      assets,
      isTrusted: this.#answer !== undefined && !contradiction,
      interruptedBy: isRefused || isCutShort ? interruption : contradiction,
    };
  }

  /**
   * Before the wait ends: an asset may be complete although its submission does not say so, or cannot be read.
   *
   * @returns a refusal that ends the run, whatever ended the wait before
   */
  async #readOnceMore(): Promise<ServiceError | undefined> {
    const { submissionId, contents, assetIds = [] } = this.#submission;
    if (this.#assets.size < contents.length)
      for (const assetId of assetIds)
        if (!this.#assets.has(assetId)) this.#set(trackAsset(submissionId, unlisted(assetId), this.#options.mode));
    const errors = await this.#readAnswers(this.#unfinishedAt(Date.now()), withGrace(this.#options.deadline));
    return refusalIn(errors);
  }

  /** @returns why it ended early */
  async #pollUntilDone(): Promise<Cause | undefined> {
    const { deadline } = this.#options;
    try {
      while (!(await this.#poll())) {
        const leftMs = deadline.until - Date.now();
        if (leftMs <= 0) return explainTimeout(this.#submission, deadline.until - this.#startedAt, this.#progress.last);
        const waitedMs = Date.now() - this.#startedAt;
        this.#samples.push({ atMs: waitedMs, percent: this.#answer?.progressPercent ?? undefined });
        await sleep(Math.min(leftMs, MAX_POLL_INTERVAL_MS, nextPoll(waitedMs, this.#samples)), deadline.signal);
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
    // One time for all decisions of this poll: a retry that becomes due meanwhile is made in the next one.
    const now = Date.now();
    const unanswered = this.#all.filter((asset) => needsAnswer(asset, isOver, now));
    for (const [asset, error] of await this.#readAnswers(unanswered, this.#options.deadline)) {
      if (error.endsRun) throw error;
      if (error.status !== 404) this.#set({ ...asset, readError: error });
    }
    this.#reportProgress(now);
    const failed = this.#all.filter((asset) => canBeRetried(asset, now));
    const unclear = await this.#findNameless(failed);
    for (const { originalAssetId } of failed) if (!unclear.has(originalAssetId)) await this.#retry(originalAssetId);
    return unclear.size === 0 && this.#isDone(isOver, now);
  }

  /**
   * A retry that moves is saved with its file, so its name is read before. A failed asset may have no answer; then it is
   * retried without a name.
   *
   * @returns the assets whose name may be readable at a later poll
   */
  async #findNameless(failed: readonly TrackedAsset[]): Promise<ReadonlySet<string>> {
    const nameless = failed.filter(
      (asset) => asset.filename === undefined && !contentOf(asset, this.#submission, this.#all),
    );
    const errors = await this.#readAnswers(nameless, this.#options.deadline);
    const refusal = refusalIn(errors);
    if (refusal) throw refusal;
    if (!errors.some(([, error]) => error.stopsReading)) return new Set();
    const absent = errors.filter(([, error]) => !error.stopsReading).map(([asset]) => asset);
    const later = nameless.filter((asset) => !absent.includes(asset)).map(({ originalAssetId }) => originalAssetId);
    return new Set(later.filter((id) => this.#assets.get(id)?.filename === undefined));
  }

  /** @returns true if every submission that holds one of our assets is over */
  async #readSubmissions(): Promise<boolean> {
    const held = this.#all.map(({ submissionId }) => submissionId);
    const open = new Set<string>();
    for (const id of new Set([this.#submission.submissionId, ...held]))
      if (!(await this.#readSubmission(id))) open.add(id);
    return open.size === 0;
  }

  /** @returns true if it is over; false also if it is not there yet: a read may be faster than the creation before it */
  async #readSubmission(submissionId: string): Promise<boolean> {
    try {
      const answer = await this.#options.client.readSubmission(submissionId, this.#options.deadline);
      this.#takeIn(answer);
      return isTerminal(answer);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 404) throw error;
      // A retry in a submission that stays missing has no effect, and ends as such.
      if (submissionId !== this.#submission.submissionId) return false;
      this.#missingSince ??= Date.now();
      if (Date.now() - this.#missingSince >= CATCH_UP_MS) throw error;
      return false;
    }
  }

  #takeIn(answer: SubmissionAnswer): void {
    const { submissionId, errorMessage } = answer;
    if (submissionId === this.#submission.submissionId) {
      if (errorMessage && errorMessage !== this.#answer?.errorMessage)
        this.#options.log.info(`Submission ${submissionId}: the service says: ${errorMessage}`);
      this.#answer = answer;
      this.#missingSince = undefined;
      for (const listed of answer.assets)
        if (!this.#assets.has(listed.assetId)) this.#set(trackAsset(submissionId, listed, this.#options.mode));
    }
    for (const asset of this.#all)
      if (asset.submissionId === submissionId) this.#set(withList(asset, answer, Date.now()));
  }

  /** @returns the assets that could not be read, and why. After an error that stops all reading, the rest is left to the next poll. */
  async #readAnswers(wanted: readonly TrackedAsset[], deadline: Deadline): Promise<readonly FailedRead[]> {
    const reader = new AssetReader(this.#options.client, deadline);
    const errors: FailedRead[] = [];
    await concurrently(wanted, MAX_CONCURRENT_READS, async (asset) => {
      const { submissionId, assetId } = asset;
      if (assetId === undefined || reader.stoppedBy) return;
      const answer = await reader.answer({ submissionId, assetId });
      if (answer.ok) this.#set({ ...asset, answer: answer.value, filename: answer.value.filename });
      else errors.push([asset, answer.error]);
    });
    return errors;
  }

  /** A retry that cannot be made, now or at all, does not hold up the other assets. */
  async #retry(originalAssetId: string): Promise<void> {
    const asset = this.#assets.get(originalAssetId);
    if (asset?.assetId === undefined) return;
    const { client, deadline, log, onMoved } = this.#options;
    const { submissionId, assetId, listed } = asset;
    try {
      const retried = withRetry(asset, await client.retryAsset(submissionId, assetId, deadline), Date.now());
      this.#set(retried);
      const name = contentOf(asset, this.#submission, this.#all)?.paths[0] ?? `Asset ${originalAssetId}`;
      log.info(`${name} failed (${describeAssetError(listed)}); retry ${retried.retries} was accepted`);
      if (retried.submissionId !== submissionId) await onMoved?.(openSubmissions(this.#submission, this.#all));
    } catch (error) {
      if (!(error instanceof ServiceError) || error.endsRun) throw error;
      this.#set(withRefusedRetry(asset, error, { now: Date.now(), deadline: deadline.until }));
    }
  }

  #isDone(isOver: boolean, now: number): boolean {
    if (hasAllFiles(this.#submission, this.#all, now)) return true;
    if (!isOver || this.#unfinishedAt(now).length > 0) return false;
    // With fewer assets than files, the list may still grow.
    this.#shortSince ??= now;
    return now - this.#shortSince >= CATCH_UP_MS;
  }

  get #all(): readonly TrackedAsset[] {
    return [...this.#assets.values()];
  }

  #unfinishedAt(now: number): readonly TrackedAsset[] {
    return this.#all.filter((asset) => stateOf(asset, now) === 'unfinished');
  }

  #set(asset: TrackedAsset): void {
    this.#assets.set(asset.originalAssetId, asset);
  }

  #reportProgress(now: number): void {
    const unfinished = this.#unfinishedAt(now);
    this.#progress.report({
      status: this.#answer?.status ?? 'unknown',
      percent: this.#answer?.progressPercent,
      finished: this.#assets.size - unfinished.length,
      failed: this.#all.filter((asset) => stateOf(asset, now) === 'failed').length,
      retried: unfinished.filter(({ retries, pendingRetry }) => retries > 0 || pendingRetry).length,
      assets: this.#assets.size,
    });
  }
}

type FailedRead = readonly [TrackedAsset, ServiceError];

function refusalIn(errors: readonly FailedRead[]): ServiceError | undefined {
  return errors.map(([, error]) => error).find(({ endsRun }) => endsRun);
}
