import type { Mode } from './endpoints.ts';
import {
  type AssetAnswer,
  type AssetStatus,
  type CreationAnswer,
  hasFailed,
  type SubmissionAnswer,
} from './responses.ts';
import type { ServiceError } from './service-error.ts';

/** `unclear`: nothing more is to be expected, and the answers do not prove that it is complete. */
export type AssetState = 'complete' | 'failed' | 'unfinished' | 'unclear';

/** How long an answer may lag behind another one before a contradiction or a gap between them is believed. */
export const CATCH_UP_MS = 20_000;
/** How long a retry may show no effect. */
export const RETRY_EFFECT_MS = 120_000;
const MAX_RETRIES = 2;

/** An asset that is waited for: the last answers about it, and the retries that were asked for. */
export interface TrackedAsset {
  /** The asset that the submission was created with; a retry may have made another one. */
  readonly originalAssetId: string;
  readonly submissionId: string;
  /** Undefined if a retry moved it to a submission that has not named its assets yet. */
  readonly assetId: string | undefined;
  /** As its submission's list showed it last. */
  readonly status: AssetStatus;
  /** Its own resource, as read last. */
  readonly own: AssetAnswer | undefined;
  /** Which file it is, as its own resource said. */
  readonly filename: string | undefined;
  /** Why its own resource cannot be read. It is not asked for again. */
  readonly problem: ServiceError | undefined;
  /** Since when one answer calls it finished, or lacks it, and the others do not agree. */
  readonly unclearSince: number | undefined;
  readonly retries: number;
  /** The last retry that was asked for, as long as it has shown no effect. */
  readonly pendingRetry: PendingRetry | undefined;
}

interface PendingRetry {
  readonly since: number;
  /** At the time of the retry: a higher one shows that it took effect. */
  readonly retryCount: number;
  /** Why it was refused; another one may already be in flight. */
  readonly refusal: string | undefined;
}

/** What the rules depend on besides the asset. */
export interface Moment {
  readonly now: number;
  readonly mode: Mode;
}

export function trackAsset(submissionId: string, status: AssetStatus): TrackedAsset {
  return {
    originalAssetId: status.assetId,
    submissionId,
    assetId: status.assetId,
    status,
    own: undefined,
    filename: undefined,
    problem: undefined,
    unclearSince: undefined,
    retries: 0,
    pendingRetry: undefined,
  };
}

export function stateOf(asset: TrackedAsset, { now, mode }: Moment): AssetState {
  const { own, status, pendingRetry, problem, unclearSince } = asset;
  if (showsFailure(asset)) {
    return pendingRetry && now - pendingRetry.since < RETRY_EFFECT_MS ? 'unfinished' : 'failed';
  }
  const isCounted = typeof (status.issueCount ?? own?.issueCount) === 'number' || mode === 'sandbox';
  if (own?.status === 'complete' && isCounted) return 'complete';
  const isUnclear = unclearSince !== undefined && now - unclearSince >= CATCH_UP_MS;
  return problem || isUnclear ? 'unclear' : 'unfinished';
}

/** Takes in the list of the submission that the asset is in. */
export function withListAnswer(asset: TrackedAsset, answer: SubmissionAnswer, { now }: Moment): TrackedAsset {
  const placed = asset.assetId === undefined ? placeIn(asset, answer.assets) : asset;
  const listed = answer.assets.find(({ assetId }) => assetId === placed.assetId);
  const status = listed ?? placed.status;
  const isUnclear = !listed || typeof status.issueCount === 'number' || asset.own?.status === 'complete';
  return {
    ...placed,
    status,
    unclearSince: isUnclear ? (asset.unclearSince ?? now) : undefined,
    pendingRetry: hasTakenEffect(placed, status) ? undefined : placed.pendingRetry,
  };
}

/** Takes in the asset's own resource. */
export function withOwnAnswer(asset: TrackedAsset, own: AssetAnswer): TrackedAsset {
  return { ...asset, own, filename: own.filename };
}

/** Whether the asset's own resource has to be read to learn what the list leaves open. */
export function needsOwnAnswer(asset: TrackedAsset, isSubmissionOver: boolean, moment: Moment): boolean {
  if (asset.problem || asset.assetId === undefined || stateOf(asset, moment) !== 'unfinished') return false;
  const isOldFailure = asset.pendingRetry !== undefined && hasFailed(asset.status);
  return !isOldFailure && (isSubmissionOver || asset.unclearSince !== undefined);
}

export function canBeRetried(asset: TrackedAsset, moment: Moment): boolean {
  const isPossible = asset.status.isRetryable && asset.retries < MAX_RETRIES && !asset.pendingRetry;
  return isPossible && stateOf(asset, moment) === 'failed';
}

/** Why a failed asset was not retried, or not once more. */
export function retryProblemOf({ pendingRetry }: TrackedAsset): string | undefined {
  return pendingRetry && (pendingRetry.refusal ?? 'the service accepted a retry that showed no effect');
}

/** A retry was accepted. It may go on in another submission. */
export function withRetry(asset: TrackedAsset, answer: CreationAnswer, { now }: Moment): TrackedAsset {
  const pendingRetry = { since: now, retryCount: asset.status.retryCount, refusal: undefined };
  const retried = { ...asset, retries: asset.retries + 1, pendingRetry, unclearSince: undefined };
  if (answer.submissionId !== asset.submissionId) {
    const moved = { ...retried, submissionId: answer.submissionId, assetId: undefined, own: undefined };
    return placeIn(moved, answer.assets);
  }
  return { ...retried, own: staleOwn(asset) };
}

/** A retry was refused. If that was with 409, another one may be in flight, which only the next answers show. */
export function withRefusedRetry(
  asset: TrackedAsset,
  { status, message }: ServiceError,
  { now }: Moment,
): TrackedAsset {
  const since = status === 409 ? now : Number.NEGATIVE_INFINITY;
  return {
    ...asset,
    pendingRetry: { since, retryCount: asset.status.retryCount, refusal: message },
    own: staleOwn(asset),
  };
}

/** The list shows when its failure is over. A failure that only the asset itself reports stays until it is read again. */
function staleOwn({ status, own }: TrackedAsset): AssetAnswer | undefined {
  return hasFailed(status) ? undefined : own;
}

function showsFailure({ status, own }: TrackedAsset): boolean {
  return hasFailed(status) || own?.status === 'failed';
}

/** The failure is gone, the asset is another one, or it has failed anew. */
function hasTakenEffect(asset: TrackedAsset, status: AssetStatus): boolean {
  const isAnother = status.assetId !== asset.status.assetId;
  const hasRisen = asset.pendingRetry !== undefined && status.retryCount > asset.pendingRetry.retryCount;
  return isAnother || hasRisen || !showsFailure({ ...asset, status });
}

/** Which asset of another submission it became. With several to choose from, nothing proves it. */
function placeIn(asset: TrackedAsset, assets: readonly { readonly assetId: string }[]): TrackedAsset {
  const found = assets.length === 1 ? assets[0] : assets.find(({ assetId }) => assetId === asset.originalAssetId);
  return { ...asset, assetId: found?.assetId };
}
