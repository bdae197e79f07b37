import type { Cause } from '../lib/cause.ts';
import { sleep } from '../lib/clock.ts';
import { concurrently } from '../lib/concurrently.ts';
import { plural } from '../lib/format.ts';
import type { Log } from '../lib/log.ts';
import { explain } from './advice.ts';
import { CATCH_UP_MS, type Deadline, MAX_CONCURRENT_READS, type ServiceClient } from './client.ts';
import { type AssetResponse, failureText, isTerminal, type ListedAsset, type SubmissionResponse } from './responses.ts';
import { ServiceError } from './service-error.ts';
import type { OpenSubmission } from './submit.ts';

const MAX_RETRIES = 2;
/** How long an accepted retry may show no effect. */
const RETRY_EFFECT_MS = 60_000;
/** A log without a line for longer looks dead. */
const MAX_SILENCE_MS = 60_000;

/** The retries of one asset. */
interface Retry {
  readonly count: number;
  /** As listed when it was requested: a higher one shows that it took effect, as does another status than failed. */
  readonly retryCount: number;
  readonly hasShown?: boolean;
  /** Until then it may still take effect. */
  readonly until: number;
  /** Why there will be no other. */
  readonly problem: string | undefined;
}

/** wait → collect */
export interface WaitedSubmission {
  /** With the contents that are still in it. */
  readonly submission: OpenSubmission;
  /** As it was read last; undefined if it never could be. */
  readonly response: SubmissionResponse | undefined;
  /** By asset. */
  readonly retries: ReadonlyMap<string, Retry>;
  /** Why the wait ended early. */
  readonly interruption: Cause | undefined;
}

export interface WaitOptions {
  readonly client: ServiceClient;
  readonly log: Log;
  readonly deadline: Deadline;
  /** Awaited as soon as a retry goes on in another submission. */
  readonly onMoved: (moved: OpenSubmission) => Promise<void>;
}

/** Waits for all submissions, and then for those that retries moved files to. */
export async function waitForAll(
  submissions: readonly OpenSubmission[],
  options: WaitOptions,
): Promise<readonly WaitedSubmission[]> {
  const moved: OpenSubmission[] = [];
  const onMoved = async (submission: OpenSubmission): Promise<void> => {
    moved.push(submission);
    await options.onMoved(submission);
  };
  const waited = await Promise.all(
    submissions.map((submission) => new Wait(submission, { ...options, onMoved }).run()),
  );
  return moved.length === 0 ? waited : [...waited, ...(await waitForAll(moved, options))];
}

/** An end is noticed an eighth of the analysis late at most. */
export function pollDelay(waitedMs: number): number {
  return Math.min(Math.max(waitedMs / 8, 1_000), 60_000);
}

/** Polls one submission until it is terminal, and retries the assets that failed. */
class Wait {
  readonly #submission: OpenSubmission;
  readonly #options: WaitOptions;
  readonly #startedAt = Date.now();
  /** Restarts with each retry, after which something may happen soon. */
  #pollingSince = this.#startedAt;
  readonly #retries = new Map<string, Retry>();
  /** Names of files that a retry moved to another submission. */
  readonly #moved = new Set<string>();
  #response: SubmissionResponse | undefined;
  #missingSince: number | undefined;
  #logged = { text: '', at: 0 };

  constructor(submission: OpenSubmission, options: WaitOptions) {
    this.#submission = submission;
    this.#options = options;
  }

  async run(): Promise<WaitedSubmission> {
    const interruption = await this.#poll();
    const contents = this.#submission.contents.filter(({ name }) => !this.#moved.has(name));
    return {
      submission: { ...this.#submission, contents },
      response: this.#response,
      retries: this.#retries,
      interruption,
    };
  }

  /** @returns why it ended early */
  async #poll(): Promise<Cause | undefined> {
    const { deadline } = this.#options;
    try {
      for (;;) {
        await this.#read();
        if (this.#response && isTerminal(this.#response) && !(await this.#hasMoreToCome(this.#response)))
          return undefined;
        const leftMs = deadline.until - Date.now();
        if (leftMs <= 0) return this.#explainTimeout();
        await sleep(Math.min(leftMs, pollDelay(Date.now() - this.#pollingSince)), deadline.signal);
      }
    } catch (error) {
      if (!(error instanceof ServiceError) || error.endsRun) throw error;
      return this.#explainEnd(error);
    }
  }

  /** A submission may be missing for a while: a read can be faster than the creation before it. */
  async #read(): Promise<void> {
    const { client, deadline } = this.#options;
    try {
      this.#response = await client.readSubmission(this.#submission.submissionId, deadline);
      this.#missingSince = undefined;
      this.#logProgress(this.#response);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 404) throw error;
      this.#missingSince ??= Date.now();
      if (Date.now() - this.#missingSince >= CATCH_UP_MS) throw error;
    }
  }

  /** `failed` means that one or more assets failed: the others, and those that are retried, may not be finished. */
  async #hasMoreToCome({ status, assets }: SubmissionResponse): Promise<boolean> {
    if (status === 'complete' && this.#retries.size === 0) return false;
    // A count without an error shows that there are results.
    const unclear = assets.filter((listed) => typeof listed.issueCount !== 'number' || failureText(listed) !== '');
    const unfinished = await concurrently(
      unclear,
      MAX_CONCURRENT_READS,
      async (listed) => await this.#followUp(listed),
    );
    return unfinished.includes(true);
  }

  /** Retries the asset if it failed. @returns whether it may still change */
  async #followUp(listed: ListedAsset): Promise<boolean> {
    const asset = await this.#readAsset(listed.assetId);
    // Without a response, its list entry decides whether there is something to wait for.
    if (!asset) return failureText(listed) === '' && this.#response?.status === 'failed';
    const isOurs =
      this.#submission.contents.some(({ name }) => name === asset.filename) && !this.#moved.has(asset.filename);
    if (!isOurs || asset.status === 'complete') return false;
    if (asset.status === 'failed') return await this.#retry(listed, asset.filename);
    const retry = this.#retries.get(listed.assetId);
    if (retry) this.#retries.set(listed.assetId, { ...retry, hasShown: true });
    return true;
  }

  /** Undefined if there is no readable response. */
  async #readAsset(assetId: string): Promise<AssetResponse | undefined> {
    const { client, deadline } = this.#options;
    try {
      return await client.readAsset(this.#submission.submissionId, assetId, deadline);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.stopsReading) throw error;
      return undefined;
    }
  }

  /** @returns whether the failed asset may still change */
  async #retry(listed: ListedAsset, filename: string): Promise<boolean> {
    const before = this.#retries.get(listed.assetId);
    const hasShown = before?.hasShown || (before && listed.retryCount > before.retryCount);
    if (before && !hasShown) return this.#awaitEffect(listed.assetId, before);
    const count = before?.count ?? this.#submission.retriesBefore ?? 0;
    if (!listed.isRetryable || count >= MAX_RETRIES) return false;
    const { client, deadline, log } = this.#options;
    const { submissionId, contents } = this.#submission;
    const requested = { count: count + 1, retryCount: listed.retryCount };
    const own = contents.filter(({ name }) => name === filename);
    this.#pollingSince = Date.now();
    try {
      const response = await client.retryAsset(submissionId, listed.assetId, deadline);
      log.info(
        `${own[0]?.paths[0] ?? filename} failed (${failureText(listed)}); retry ${requested.count} was accepted`,
      );
      this.#retries.set(listed.assetId, { ...requested, until: Date.now() + RETRY_EFFECT_MS, problem: undefined });
      if (response.submissionId === submissionId) return true;
      this.#moved.add(filename);
      await this.#options.onMoved({
        submissionId: response.submissionId,
        createdAt: new Date().toISOString(),
        contents: own,
        assetIds: response.assets.map(({ assetId }) => assetId),
        workflowId: response.workflowId ?? undefined,
        retriesBefore: requested.count,
      });
      return false;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.endsRun) throw error;
      // A conflict may mean that a retry is already in flight.
      const waitMs = error.status === 409 ? CATCH_UP_MS : 0;
      this.#retries.set(listed.assetId, { ...requested, count, until: Date.now() + waitMs, problem: error.message });
      return waitMs > 0;
    }
  }

  #awaitEffect(assetId: string, retry: Retry): boolean {
    if (Date.now() < retry.until) return true;
    const problem = retry.problem ?? 'the service accepted a retry that showed no effect';
    this.#retries.set(assetId, { ...retry, problem });
    return false;
  }

  #logProgress(response: SubmissionResponse): void {
    const { submissionId, status, progressPercent, errorMessage, assets } = response;
    const now = Date.now();
    const finished = assets.filter(({ issueCount }) => typeof issueCount === 'number').length;
    const parts = [
      status,
      ...(typeof progressPercent === 'number' && !isTerminal(response) ? [`${progressPercent} %`] : []),
      ...(assets.length > 0 && !isTerminal(response) ? [`${finished} of ${assets.length} assets finished`] : []),
    ];
    const text = `${parts.join(', ')}${errorMessage ? `. The service says: ${errorMessage}` : ''}`;
    if (text === this.#logged.text && now - this.#logged.at < MAX_SILENCE_MS) return;
    this.#logged = { text, at: now };
    this.#options.log.info(`Submission ${submissionId}: ${text} (after ${formatDuration(now - this.#startedAt)})`);
  }

  #explainTimeout(): Cause {
    const { submissionId } = this.#submission;
    const minutes = Math.max(1, Math.round((Date.now() - this.#startedAt) / 60_000));
    const status = this.#logged.text || 'the service gave no status';
    return {
      reason: 'timeout',
      message: `The analysis was not finished after ${plural(minutes, 'minute')}: ${status} (submission ${submissionId}).`,
      fix: 'The service is still analysing.',
      submission: 'open',
    };
  }

  #explainEnd(error: ServiceError): Cause {
    const cause = explain(error);
    if (!error.stopsReading) return cause;
    const message = `${cause.message} The service may still be analysing submission ${this.#submission.submissionId}.`;
    return { ...cause, message, submission: 'open' };
  }
}

function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
