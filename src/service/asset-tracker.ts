import { retryAfterMs } from '../http/http.ts';
import type { Content } from '../media/content.ts';
import type { Mode } from './endpoints.ts';
import {
  type AssetAnswer,
  type AssetStatus,
  type CreationAnswer,
  hasFailed,
  type SubmissionAnswer,
} from './responses.ts';
import type { ServiceError } from './service-error.ts';
import type { OpenSubmission } from './submit.ts';

/** `ended`: complete, or nothing more is to be expected, and what was read decides whether it is judged. */
export type AssetState = 'ended' | 'failed' | 'unfinished';

/** How long an answer may lag behind another one before a contradiction or a gap between them is believed. */
export const CATCH_UP_MS = 20_000;
/** How long a retry may show no effect. */
const RETRY_EFFECT_MS = 120_000;
const MAX_RETRIES = 2;
/** How soon a retry is requested again after a rate limit without a readable end. */
const UNKNOWN_LIMIT_MS = 1_000;

/** An asset that is waited for: the last answers about it, and the retries that were requested. */
export interface TrackedAsset {
  /** The asset that the submission was created with; a retry may have made another one. */
  readonly originalAssetId: string;
  readonly submissionId: string;
  /** Undefined if a retry moved it to a submission that has not named its assets yet. */
  readonly assetId: string | undefined;
  readonly mode: Mode;
  /** As its submission's list showed it last. */
  readonly listed: AssetStatus;
  /** Its own answer, as read last. */
  readonly answer: AssetAnswer | undefined;
  /** Why its own answer cannot be read. It is not requested again. */
  readonly readError: ServiceError | undefined;
  /** Which file it is, as any of its own answers said. */
  readonly filename: string | undefined;
  /** Since when one answer calls it finished, or lacks it, and the others do not agree. */
  readonly unclearSince: number | undefined;
  readonly retries: number;
  /** The last retry that was requested, as long as it has shown no effect. */
  readonly pendingRetry: PendingRetry | undefined;
}

interface PendingRetry {
  /** Until then the failure is not final. */
  readonly until: number;
  /** At the time of the retry: a higher one shows that it took effect. */
  readonly retryCount: number;
  /** Why the service refused it. */
  readonly refusal: string | undefined;
  /** Refused by a rate limit that ends in time: requested again then. */
  readonly isPostponed: boolean;
}

export function trackAsset(submissionId: string, listed: AssetStatus, mode: Mode): TrackedAsset {
  return {
    originalAssetId: listed.assetId,
    submissionId,
    assetId: listed.assetId,
    mode,
    listed,
    answer: undefined,
    readError: undefined,
    filename: undefined,
    unclearSince: undefined,
    retries: 0,
    pendingRetry: undefined,
  };
}

export function stateOf(asset: TrackedAsset, now: number): AssetState {
  const { mode, listed, answer, readError, unclearSince, pendingRetry } = asset;
  if (showsFailure(asset)) return pendingRetry && now < pendingRetry.until ? 'unfinished' : 'failed';
  const isCounted = typeof (listed.issueCount ?? answer?.issueCount) === 'number' || mode === 'sandbox';
  const isComplete = answer?.status === 'complete' && isCounted;
  const isUnclear = unclearSince !== undefined && now - unclearSince >= CATCH_UP_MS;
  return isComplete || readError || isUnclear ? 'ended' : 'unfinished';
}

/** Takes in the list of the submission that the asset is in. */
export function withList(asset: TrackedAsset, { assets }: SubmissionAnswer, now: number): TrackedAsset {
  const placed = asset.assetId === undefined ? placeIn(asset, assets) : asset;
  const found = assets.find(({ assetId }) => assetId === placed.assetId);
  const listed = found ?? placed.listed;
  const isUnclear = !found || typeof listed.issueCount === 'number' || asset.answer?.status === 'complete';
  return {
    ...placed,
    listed,
    unclearSince: isUnclear ? (asset.unclearSince ?? now) : undefined,
    pendingRetry: hasTakenEffect(placed, listed) ? undefined : placed.pendingRetry,
  };
}

/** Whether the asset's own answer has to be read to learn what the list leaves open. */
export function needsAnswer(asset: TrackedAsset, isSubmissionOver: boolean, now: number): boolean {
  if (asset.readError || asset.assetId === undefined || stateOf(asset, now) !== 'unfinished') return false;
  const isOldFailure = asset.pendingRetry !== undefined && hasFailed(asset.listed);
  return !isOldFailure && (isSubmissionOver || asset.unclearSince !== undefined);
}

export function canBeRetried(asset: TrackedAsset, now: number): boolean {
  const { listed, retries, pendingRetry } = asset;
  const isAllowed = listed.isRetryable && retries < MAX_RETRIES && (!pendingRetry || pendingRetry.isPostponed);
  return isAllowed && stateOf(asset, now) === 'failed';
}

/** Why a failed asset was not retried, or not once more. */
export function retryProblemOf({ pendingRetry }: TrackedAsset): string | undefined {
  return pendingRetry && (pendingRetry.refusal ?? 'the service accepted a retry that showed no effect');
}

/** A retry was accepted. It may go on in another submission. */
export function withRetry(asset: TrackedAsset, answer: CreationAnswer, now: number): TrackedAsset {
  const { retryCount } = asset.listed;
  const retried: TrackedAsset = {
    ...asset,
    retries: asset.retries + 1,
    pendingRetry: { until: now + RETRY_EFFECT_MS, retryCount, refusal: undefined, isPostponed: false },
    readError: undefined,
    unclearSince: undefined,
  };
  if (answer.submissionId === asset.submissionId) return { ...retried, answer: answerAfterRetry(asset) };
  const moved = { ...retried, submissionId: answer.submissionId, assetId: undefined, answer: undefined };
  return placeIn(moved, answer.assets);
}

/** A retry was refused. It may be in flight (409), or be possible after a rate limit; otherwise the failure is final. */
export function withRefusedRetry(
  asset: TrackedAsset,
  { status, failure, message }: ServiceError,
  { now, deadline }: { readonly now: number; readonly deadline: number },
): TrackedAsset {
  const { retryCount } = asset.listed;
  const limitMs = (failure.kind === 'status' && retryAfterMs(failure.retryAfter)) || UNKNOWN_LIMIT_MS;
  const isPostponed = status === 429 && now + limitMs < deadline;
  const waitMs = status === 409 ? RETRY_EFFECT_MS : isPostponed ? limitMs : 0;
  return {
    ...asset,
    pendingRetry: { until: waitMs === 0 ? 0 : now + waitMs, retryCount, refusal: message, isPostponed },
    answer: answerAfterRetry(asset),
  };
}

/** The list shows when its failure is over. A failure that only the asset itself reports stays until it is read again. */
function answerAfterRetry({ listed, answer }: TrackedAsset): AssetAnswer | undefined {
  return hasFailed(listed) ? undefined : answer;
}

function showsFailure({ listed, answer }: TrackedAsset): boolean {
  return hasFailed(listed) || answer?.status === 'failed';
}

/** The failure is gone, the asset is another one, or it has failed anew. */
function hasTakenEffect(asset: TrackedAsset, listed: AssetStatus): boolean {
  const isAnother = listed.assetId !== asset.listed.assetId;
  const hasRisen = asset.pendingRetry !== undefined && listed.retryCount > asset.pendingRetry.retryCount;
  return isAnother || hasRisen || !showsFailure({ ...asset, listed });
}

/** Which asset of another submission it became. With several to choose from, nothing proves it. */
function placeIn(asset: TrackedAsset, assets: readonly { readonly assetId: string }[]): TrackedAsset {
  const found = assets.length === 1 ? assets[0] : assets.find(({ assetId }) => assetId === asset.originalAssetId);
  return { ...asset, assetId: found?.assetId };
}

/** An earlier run's submission may also hold files that have left the repository: those are not waited for. */
export function hasAllFiles(
  { contents, isNew }: OpenSubmission,
  assets: readonly TrackedAsset[],
  now: number,
): boolean {
  const finished = assets.filter((asset) => stateOf(asset, now) !== 'unfinished');
  if (finished.length === assets.length && finished.length >= contents.length) return true;
  const names = new Set(finished.map(({ filename }) => filename));
  return !isNew && contents.every(({ name }) => names.has(name));
}

/** The file that an asset is, if that is proven by now. */
export function contentOf(
  { filename }: TrackedAsset,
  { contents }: OpenSubmission,
  assets: readonly TrackedAsset[],
): Content | undefined {
  const isOnly = contents.length === 1 && assets.length === 1;
  return contents.find(({ name }) => isOnly || name === filename);
}

/** The submissions that hold the files now, after retries moved some of them. */
export function openSubmissions(
  submission: OpenSubmission,
  assets: readonly TrackedAsset[],
): readonly OpenSubmission[] {
  const { submissionId: original, contents } = submission;
  const moved = assets.filter(({ submissionId }) => submissionId !== original);
  const holders = new Map(moved.map((asset) => [contentOf(asset, submission, assets)?.sha256, asset.submissionId]));
  const bySubmission = Map.groupBy(contents, ({ sha256 }) => holders.get(sha256) ?? original);
  return [...bySubmission].map(([submissionId, group]) => ({ submissionId, contents: group }));
}
