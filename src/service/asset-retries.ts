import { concurrently } from '../lib/async.ts';
import { CATCH_UP_MS, MAX_CONCURRENT_READS, type ServiceCalls } from './client.ts';
import type { AssetReading, Retry } from './read-asset.ts';
import { failureText } from './responses.ts';
import { orError, ServiceError } from './service-error.ts';
import type { OpenSubmission } from './submit.ts';

const MAX_RETRIES = 2;

/**
 * Retries the failed assets of a terminal submission, if the service allows it. An asset whose name could not be read
 * is retried as well: this gate sent every file of the submission, so the asset is one of these files.
 */
export async function retryFailed(
  submission: OpenSubmission,
  readings: readonly AssetReading[],
  options: ServiceCalls,
): Promise<readonly AssetReading[]> {
  const names = new Set(submission.contents.map(({ name }) => name));
  return await concurrently(readings, MAX_CONCURRENT_READS, async (reading) => {
    const { own, listed, retry } = reading;
    const isNeeded = own === undefined || (own.status === 'failed' && names.has(own.filename));
    const isLeft = retry === undefined || (retry.count < MAX_RETRIES && retry.problem === undefined);
    if (!isNeeded || !isLeft || !listed.isRetryable) return reading;
    return { ...reading, retry: await requestRetry(submission, reading, options) };
  });
}

async function requestRetry(
  { submissionId, contents }: OpenSubmission,
  { own, listed, retry }: AssetReading,
  { client, log, deadline }: ServiceCalls,
): Promise<Retry> {
  const before = retry?.count ?? 0;
  const response = await orError(client.retryAsset(submissionId, listed.assetId, deadline));
  const requestedAt = Date.now();
  if (response instanceof ServiceError) return { count: before, requestedAt, problem: response };
  const file = contents.find(({ name }) => name === own?.filename)?.paths[0] ?? `Asset ${listed.assetId}`;
  log.info(`${file} failed (${failureText(listed) || 'no reason given'}); retry ${before + 1} was accepted`);
  const isHere = response.submissionId === submissionId;
  return { count: before + 1, requestedAt, problem: isHere ? 'no effect' : { movedTo: response.submissionId } };
}

/** Whether the last retry may still show an effect: it was requested less than 20 s ago, and was not refused. */
export function mayTakeEffect({ own, retry }: AssetReading, now: number): boolean {
  if (!retry || now >= retry.requestedAt + CATCH_UP_MS || (own && own.status !== 'failed')) return false;
  const { problem } = retry;
  if (!(problem instanceof ServiceError)) return problem === 'no effect';
  // The service may respond with a conflict because a retry is already in progress.
  return problem.failureClass === 'conflict' || problem.mayHaveArrived;
}

/**
 * Notes that a retry has taken effect: the asset is no longer failed, or the list of the submission counts more
 * retries.
 */
export function noteEffect(before: AssetReading, after: AssetReading): AssetReading {
  const { own, listed, retry } = after;
  const hasShown = (own !== undefined && own.status !== 'failed') || listed.retryCount > before.listed.retryCount;
  return retry && hasShown ? { ...after, retry: { ...retry, problem: undefined } } : after;
}

/** Whether a failed asset will stay failed: the service allows no retry, or a retry did not help. */
export function isFinal({ listed, retry }: AssetReading): boolean {
  if (!listed.isRetryable) return true;
  // If an outage or a rate limit prevented the retry, the next run may request it.
  const isRefusedForNow = retry?.problem instanceof ServiceError && retry.problem.stopsReading;
  return retry !== undefined && !isRefusedForNow;
}
