import type { Log } from '../lib/log.ts';
import type { Retries } from './analysis.ts';
import { CATCH_UP_MS, type Deadline, type ServiceClient } from './client.ts';
import type { AssetReading } from './read-asset.ts';
import { failureText } from './responses.ts';
import { ServiceError } from './service-error.ts';
import type { OpenSubmission } from './submit.ts';

export const MAX_RETRIES = 2;
/** How long an accepted retry may show no effect. */
const EFFECT_MS = 60_000;

interface Retry extends Retries {
  /** As listed when it was requested: a higher one shows that it took effect, as does another status than failed. */
  readonly retryCount: number;
  readonly hasShown: boolean;
  /** Until then it may still take effect. */
  readonly until: number;
}

export interface RetryOptions {
  readonly client: ServiceClient;
  readonly log: Log;
  readonly deadline: Deadline;
  /** Awaited as soon as a retry goes on in another submission. */
  readonly onMoved: (moved: OpenSubmission) => Promise<void>;
}

/** Retries the assets of one submission that failed. */
export class AssetRetries {
  readonly byAsset = new Map<string, Retry>();
  /** Names of files that a retry moved to another submission. */
  readonly moved = new Set<string>();
  requestedAt = 0;
  readonly #submission: OpenSubmission;
  readonly #options: RetryOptions;

  constructor(submission: OpenSubmission, options: RetryOptions) {
    this.#submission = submission;
    this.#options = options;
  }

  /** True if one was accepted, and has not been given up. */
  get isAnyAccepted(): boolean {
    return [...this.byAsset.values()].some(({ problem }) => problem === undefined);
  }

  /** @returns whether the asset failed and may still change, because it is retried */
  async follow({ listed, filename, status }: AssetReading): Promise<boolean> {
    const before = this.byAsset.get(listed.assetId);
    if (status !== 'failed' || filename === undefined) {
      if (before) this.byAsset.set(listed.assetId, { ...before, hasShown: true });
      return false;
    }
    const hasShown = before && (before.hasShown || listed.retryCount > before.retryCount);
    if (before && !hasShown) return this.#awaitEffect(listed.assetId, before);
    const count = before?.count ?? this.#submission.retriesBefore ?? 0;
    if (!listed.isRetryable || count >= MAX_RETRIES) return false;
    const requested = { count, retryCount: listed.retryCount, hasShown: false };
    this.requestedAt = Date.now();
    try {
      const isMoved = await this.#request(listed.assetId, filename, { number: count + 1, reason: failureText(listed) });
      const until = Date.now() + EFFECT_MS;
      this.byAsset.set(listed.assetId, { ...requested, count: count + 1, until, problem: undefined });
      return !isMoved;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.endsRun) throw error;
      // A conflict, a server error or a response that was lost may mean that a retry is already in flight.
      const { status = 500 } = error;
      const waitMs = status === 409 || status >= 500 ? CATCH_UP_MS : 0;
      this.byAsset.set(listed.assetId, { ...requested, until: Date.now() + waitMs, problem: error.message });
      return waitMs > 0;
    }
  }

  #awaitEffect(assetId: string, retry: Retry): boolean {
    if (Date.now() < retry.until) return true;
    const problem = retry.problem ?? 'the service accepted a retry that showed no effect';
    this.byAsset.set(assetId, { ...retry, problem });
    return false;
  }

  /** @returns whether the retry goes on in another submission */
  async #request(
    assetId: string,
    filename: string,
    { number, reason }: { readonly number: number; readonly reason: string },
  ): Promise<boolean> {
    const { client, log, deadline, onMoved } = this.#options;
    const { submissionId, contents } = this.#submission;
    const own = contents.filter(({ name }) => name === filename);
    const response = await client.retryAsset(submissionId, assetId, deadline);
    log.info(`${own[0]?.paths[0] ?? filename} failed (${reason}); retry ${number} was accepted`);
    if (response.submissionId === submissionId) return false;
    this.moved.add(filename);
    await onMoved({
      submissionId: response.submissionId,
      createdAt: new Date().toISOString(),
      contents: own,
      assetIds: response.assets.map(({ assetId: id }) => id),
      workflowId: response.workflowId ?? undefined,
      retriesBefore: number,
    });
    return true;
  }
}
