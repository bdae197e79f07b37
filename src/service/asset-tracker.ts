import {
  type AssetAnswer,
  type AssetStatus,
  type CreationAnswer,
  hasFailed,
  isTerminal,
  type SubmissionAnswer,
} from './responses.ts';
import type { ServiceError } from './service-error.ts';

/** `lost`: the service no longer shows it, or cannot be made to. */
export type AssetState = 'done' | 'failed' | 'unfinished' | 'lost';

/** How often a complete asset is looked at again before its missing issue count is believed. */
const MAX_POLLS_WITHOUT_COUNT = 5;
/** How often an asset may be missing from the submission before it counts as lost. */
const MAX_ABSENCES = 5;
/** How often it may still look as before after a retry was refused, until there is none under way. */
const MAX_POLLS_AFTER_REFUSAL = 5;
const MAX_RETRIES = 2;

/** An asset on its way: where it is, how it does, and what we did about it. */
export class AssetTracker {
  /** The asset that the submission was created with; the same but for a retry that made a new one. */
  readonly originalAssetId: string;
  submissionId: string;
  assetId: string;
  status: AssetStatus;
  state: AssetState = 'unfinished';
  /** As the asset itself tells it, where it was asked. */
  filename: string | undefined;
  /** Why it is lost, where that was told. */
  problem: ServiceError | undefined;
  retries = 0;
  /** Why there was no further retry, where one was asked for; in the words of a `ServiceError`. */
  retryProblem: string | undefined;
  #mayRetry = true;
  /** The retry count at the time of our retry: until it rises, a failed state is the old one. */
  #retryCountBefore: number | undefined;
  /** Why a retry was refused that may be under way all the same. */
  #refusal: string | undefined;
  #looksAfterRefusal = 0;
  /** A retry made a new submission that did not say which of its assets this is. */
  #isMoved = false;
  #looksWithoutCount = 0;
  #absences = 0;

  constructor(submissionId: string, status: AssetStatus) {
    this.originalAssetId = status.assetId;
    this.submissionId = submissionId;
    this.assetId = status.assetId;
    this.status = status;
  }

  get isSettled(): boolean {
    return this.state !== 'unfinished';
  }

  /** Takes in what the submission that it is in says about it. */
  observe(answer: SubmissionAnswer): void {
    const { assets } = answer;
    if (this.#isMoved) this.#settleIn(assets);
    const status = assets.find(({ assetId }) => assetId === this.assetId);
    if (!status) {
      this.#absences += 1;
      return;
    }
    this.#absences = 0;
    this.status = status;
    this.state = stateOf(status, this.#retryCountBefore);
    if (this.#refusal !== undefined && isTerminal(answer) && hasFailed(status)) this.#doubtRetry(this.#refusal);
    // It left the failed state, or failed anew: what it says from now on is the truth.
    if (!hasFailed(status) || this.state === 'failed') this.#forgetRetry();
    // What could not be read once is not asked for again.
    if (this.state !== 'unfinished') this.problem = undefined;
    else if (this.problem) this.state = 'lost';
  }

  /** Whether the asset's own resource has to tell what the submission leaves open. */
  get needsOwnAnswer(): boolean {
    return this.state === 'unfinished' && this.#retryCountBefore === undefined;
  }

  /**
   * Takes in what the asset's own resource says.
   *
   * @param answer undefined where the service does not have it: it is meant to be read once the asset is complete
   * @param hasCounts false in a sandbox, which analyses nothing and so never has a count to wait for
   */
  observeOwn(answer: AssetAnswer | undefined, hasCounts: boolean): void {
    this.filename = answer?.filename ?? this.filename;
    if (answer?.status === 'failed') {
      this.state = 'failed';
    } else if (answer?.status === 'complete') {
      this.status = { ...this.status, issueCount: this.status.issueCount ?? answer.issueCount };
      this.#looksWithoutCount += 1;
      const isCounted = typeof this.status.issueCount === 'number';
      if (isCounted || !hasCounts || this.#looksWithoutCount > MAX_POLLS_WITHOUT_COUNT) this.state = 'done';
    } else if (!answer && this.#absences > MAX_ABSENCES) {
      this.state = 'lost';
    }
  }

  /** There is no way to learn how it does, and that must not keep the others waiting. */
  lose(problem: ServiceError): void {
    this.state = 'lost';
    this.problem = problem;
  }

  get isBeingRetried(): boolean {
    return this.state === 'unfinished' && (this.retries > 0 || this.#refusal !== undefined);
  }

  get wantsRetry(): boolean {
    return this.state === 'failed' && this.status.isRetryable && this.#mayRetry && this.retries < MAX_RETRIES;
  }

  /** A retry was accepted: it may go on in another submission. */
  retried({ submissionId, assets }: CreationAnswer): void {
    this.retries += 1;
    this.state = 'unfinished';
    this.#looksWithoutCount = 0;
    if (submissionId === this.submissionId) {
      this.#retryCountBefore = this.status.retryCount;
      return;
    }
    this.submissionId = submissionId;
    this.#isMoved = true;
    this.#settleIn(assets);
  }

  /** A retry was refused: there may be one under way already, or there will never be one. Only time tells. */
  refused(problem: string): void {
    this.state = 'unfinished';
    this.#retryCountBefore = this.status.retryCount;
    this.#refusal = problem;
    this.#doubtRetry(problem);
  }

  /** Nobody looks any more: a retry that nothing has shown is none, and a failed asset stays failed. */
  conclude(): void {
    if (this.#refusal !== undefined) this.#stayFailed(this.#refusal);
    else if (this.state === 'unfinished' && hasFailed(this.status)) this.state = 'failed';
  }

  /** It looks as if there were no retry under way. */
  #doubtRetry(problem: string): void {
    if (this.state !== 'unfinished') return;
    this.#looksAfterRefusal += 1;
    if (this.#looksAfterRefusal > MAX_POLLS_AFTER_REFUSAL) this.#stayFailed(problem);
  }

  #stayFailed(problem: string): void {
    this.state = 'failed';
    this.giveUpRetry(problem);
  }

  #forgetRetry(): void {
    this.#retryCountBefore = undefined;
    this.#refusal = undefined;
  }

  /** There will be no retry: it stays as it is. */
  giveUpRetry(problem: string): void {
    this.#mayRetry = false;
    this.retryProblem = problem;
  }

  /** Which asset of another submission it became; with more than one to choose from, nothing proves it. */
  #settleIn(assets: readonly { readonly assetId: string }[]): void {
    const [only, ...others] = assets;
    if (!only) return;
    this.#isMoved = false;
    if (assets.some(({ assetId }) => assetId === this.assetId)) return;
    if (others.length === 0) {
      this.assetId = only.assetId;
      return;
    }
    this.#stayFailed(`its retry went into submission ${this.submissionId}, where it cannot be told from other assets`);
  }
}

/**
 * The submission's list has no status per asset: its error fields and its count tell, and null is never 0.
 *
 * @param retryCountBefore where a retry was asked for and nothing has shown yet that it began
 */
export function stateOf(status: AssetStatus, retryCountBefore: number | undefined): AssetState {
  if (hasFailed(status)) {
    return retryCountBefore !== undefined && status.retryCount <= retryCountBefore ? 'unfinished' : 'failed';
  }
  return typeof status.issueCount === 'number' ? 'done' : 'unfinished';
}

/** The service's words about a failed asset. */
export function errorOf({ errorType, errorMessage }: AssetStatus): string {
  return [errorType, errorMessage].filter(Boolean).join(': ').replace(/\.$/, '') || 'it gave no reason';
}
