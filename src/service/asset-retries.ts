import { monotonicMs } from '../lib/clock.ts';
import { CATCH_UP_MS, type ServiceCalls } from './client.ts';
import { assetsOfFiles } from './file-assets.ts';
import type { AssetReading, Retry } from './read-asset.ts';
import { failureText, idKey } from './responses.ts';
import { orError, ServiceError } from './service-error.ts';
import type { OpenSubmission } from './submit.ts';

const MAX_RETRIES = 2;
/** After so many retries, in all runs together, a file has failed for good. */
const MAX_RETRY_COUNT = 6;

/** A failed asset, and the path of its file. The path is undefined if the asset has no name. */
interface FailedAsset {
  readonly asset: AssetReading;
  readonly path: string | undefined;
}

/**
 * One round of retries for the failed assets of a terminal submission. The service may take only one retry at a time:
 * after an accepted retry, the first conflict ends the round, and the conflicts of the round are forgotten, so that
 * these assets are asked for in the next round.
 */
export async function retryFailed(
  submission: OpenSubmission,
  readings: readonly AssetReading[],
  options: ServiceCalls,
): Promise<readonly AssetReading[]> {
  const requested = new Map<string, Retry>();
  let isAnyAccepted = false;
  for (const failed of retryable(submission, readings)) {
    const retry = await requestRetry(submission, failed, options);
    const isAccepted = !(retry.last instanceof ServiceError);
    if (isAnyAccepted && isConflict(retry)) break;
    isAnyAccepted ||= isAccepted;
    requested.set(failed.asset.listed.assetId, retry);
    if (isStopped(retry)) break;
  }
  return readings.map((reading) => {
    const retry = requested.get(reading.listed.assetId);
    return retry && !(isAnyAccepted && isConflict(retry)) ? { ...reading, retry } : reading;
  });
}

/** An asset without a name is retried as well: this gate sent every file of the submission. */
function retryable(submission: OpenSubmission, readings: readonly AssetReading[]): readonly FailedAsset[] {
  if (readings.some(({ retry }) => retry && isStopped(retry))) return [];
  const { of, unnamed } = assetsOfFiles(readings, submission);
  const named = submission.contents.flatMap((content) =>
    of(content)
      .filter(({ own }) => own?.status.phase === 'failed')
      .map((asset) => ({ asset, path: content.paths[0] })),
  );
  return [...named, ...unnamed.map((asset) => ({ asset, path: undefined }))].filter(
    ({ asset: { listed, retry } }) =>
      listed.isRetryable && (!retry || (retry.count < MAX_RETRIES && retry.last === 'shown')),
  );
}

async function requestRetry(
  { submissionId }: OpenSubmission,
  { asset, path }: FailedAsset,
  { client, log, deadline }: ServiceCalls,
): Promise<Retry> {
  const { listed, retry } = asset;
  const before = retry?.count ?? 0;
  const response = await orError(client.retryAsset(asset.submissionId, listed.assetId, deadline));
  const requestedAt = monotonicMs();
  if (response instanceof ServiceError) return { count: before, requestedAt, last: response };
  const reason = failureText(listed) || 'no reason given';
  log.info(`${path ?? `Asset ${listed.assetId}`} failed (${reason}); retry ${before + 1} was accepted`);
  const isHere = idKey(response.submissionId) === idKey(submissionId);
  return { count: before + 1, requestedAt, last: isHere ? 'accepted' : { movedTo: response.submissionId } };
}

function isConflict({ last }: Retry): boolean {
  return last instanceof ServiceError && last.failureClass === 'conflict';
}

/** Whether an outage or a rate limit prevented the retry: it would prevent others as well. */
function isStopped({ last }: Retry): boolean {
  return last instanceof ServiceError && last.stopsReading;
}

/** Whether a retry is running, or its effect may still show: its request ended less than 20 s ago. */
export function isRetrying({ own, retry }: AssetReading, now: number): boolean {
  if (!retry) return false;
  const { last } = retry;
  const phase = own?.status.phase ?? 'failed';
  if (last === 'shown') return phase === 'open' || phase === 'unknown';
  // The service may respond with a conflict because a retry is already in progress.
  const mayShow = last === 'accepted' || (last instanceof ServiceError && (isConflict(retry) || last.mayHaveArrived));
  return mayShow && phase === 'failed' && now < retry.requestedAt + CATCH_UP_MS;
}

/**
 * Notes that a retry has taken effect: the asset is no longer failed, or the list of the submission counts more
 * retries.
 */
export function noteEffect(before: AssetReading, after: AssetReading): AssetReading {
  const { own, listed, retry } = after;
  const hasShown = (own && own.status.phase !== 'failed') || listed.retryCount > before.listed.retryCount;
  return retry && hasShown ? { ...after, retry: { ...retry, last: 'shown' } } : after;
}

/**
 * Whether a failed asset will stay failed: the service allows no retry, or too many did not help, or it refused every
 * retry of the submission.
 */
export function isFinal({ listed, retry }: AssetReading, isAnyAccepted: boolean): boolean {
  if (!listed.isRetryable || listed.retryCount >= MAX_RETRY_COUNT) return true;
  return retry !== undefined && isConflict(retry) && !isAnyAccepted;
}
