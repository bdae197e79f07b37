import { monotonicMs } from '../lib/clock.ts';
import type { ServiceCalls } from './client.ts';
import { type AssetReading, noteEffect, type Retry } from './read-asset.ts';
import { failureText, idKey } from './responses.ts';
import { orError, ServiceError } from './service-error.ts';
import { CATCH_UP_MS } from './tries.ts';

/** How often this run retries an asset. */
const MAX_RETRIES = 2;
/** Counted by the service: of all runs together, and of other people. */
const MAX_RETRY_COUNT = 6;

/**
 * One round of retries for the failed assets of a submission that has ended. A conflict may mean that the service takes only
 * one retry at a time. So if a retry is accepted, the next conflict ends the round, and no conflict of this round
 * is noted: the next round retries these assets.
 *
 * @param assets those whose retry is due
 * @returns the assets whose retry was requested
 */
export async function retryFailed(
  assets: readonly AssetReading[],
  calls: ServiceCalls,
): Promise<readonly AssetReading[]> {
  const requested: (AssetReading & { readonly retry: Retry })[] = [];
  let isAnyAccepted = false;
  for (const asset of assets) {
    const retry = await requestRetry(asset, calls);
    if (isAnyAccepted && isConflict(retry)) break;
    isAnyAccepted ||= !retry.error;
    requested.push({ ...asset, retry });
    if (isRetryPrevented({ ...asset, retry })) break;
  }
  return requested.filter(({ retry }) => !(isAnyAccepted && isConflict(retry)));
}

/** Whether an asset has failed, and may be retried now. */
export function isRetryDue(asset: AssetReading): boolean {
  const { retry } = asset;
  return isRetryable(asset) && (!retry || (retry.count < MAX_RETRIES && retry.isEffective === true));
}

/** Whether the service would accept a retry, as far as the newest list and the status of the asset say. */
export function isRetryable({ listed, own }: AssetReading): boolean {
  const mayHaveFailed = !own || (own.status.ended === 'without results' && !own.status.isFinal);
  return mayHaveFailed && listed.isRetryable && listed.retryCount < MAX_RETRY_COUNT;
}

async function requestRetry(asset: AssetReading, { client, log, deadline }: ServiceCalls): Promise<Retry> {
  const { submissionId, listed, own, retry } = asset;
  const count = (retry?.count ?? 0) + 1;
  const response = await orError(client.retryAsset(submissionId, listed.assetId, deadline));
  const requestedAt = monotonicMs();
  if (response instanceof ServiceError) return { count: count - 1, requestedAt, error: response };
  const reason = failureText(listed) || 'no reason given';
  log.info(`${own?.filename ?? `Asset ${listed.assetId}`} failed (${reason}); retry ${count} was accepted`);
  const isHere = idKey(response.submissionId) === idKey(submissionId);
  return { count, requestedAt, ...(!isHere && { movedTo: response.submissionId }) };
}

function isConflict({ error }: Retry): boolean {
  return error?.failureClass === 'conflict';
}

/** Whether the service refused every retry of this asset in this run. */
export function isRefused({ retry }: AssetReading): boolean {
  return retry?.count === 0 && retry.error?.refuses.includes('retry') === true;
}

/** Whether an outage, a rate limit or a gateway prevented the retry: it would prevent others as well. */
export function isRetryPrevented({ retry }: AssetReading): boolean {
  return retry?.error?.isAboutResource === false;
}

/** An outage, a rate limit or the retry of another asset that prevented a retry in one call may be over in the next. */
export function forNextCall(asset: AssetReading): AssetReading {
  const { retry } = asset;
  const isOver = isRetryPrevented(asset) || (retry?.count === 0 && isConflict(retry));
  return { ...asset, error: undefined, retry: isOver ? undefined : retry };
}

/** Whether a retry is running, or was requested less than 20 s ago and may still take effect. */
export function isRetrying({ own, listed, retry }: AssetReading, now: number): boolean {
  if (!retry || retry.movedTo !== undefined || own?.status.isFinal) return false;
  const { error, isEffective, requestedAt } = retry;
  if (isEffective) return own ? own.status.ended === false : failureText(listed) === '';
  // The service may respond with a conflict because a retry is already in progress.
  const mayTakeEffect = !error || isConflict(retry) || error.mayHaveArrived;
  return mayTakeEffect && now < requestedAt + CATCH_UP_MS;
}

/** A retry may add a new asset, beside the old one or in its place. So a new one takes over the highest count so far. */
export function inheritRetries(newest: readonly AssetReading[], before: ReadonlyMap<string, AssetReading>) {
  const retries = [...before.values()].flatMap((asset) => noteEffect(asset, true).retry ?? []);
  const [retry] = retries.toSorted((a, b) => b.count - a.count);
  return newest.map((asset): AssetReading => {
    const isNew = !before.has(idKey(asset.listed.assetId));
    return isNew && retry ? { ...asset, retry } : asset;
  });
}
