import { concurrently } from '../lib/concurrently.ts';
import type { Log } from '../lib/log.ts';
import { CATCH_UP_MS, type Deadline, MAX_CONCURRENT_READS, type ServiceClient } from './client.ts';
import { type AssetReading, hasShown, type Retry } from './read-asset.ts';
import { failureText, type ListedAsset } from './responses.ts';
import { ServiceError } from './service-error.ts';
import type { OpenSubmission } from './submit.ts';

export const MAX_RETRIES = 2;
/** How long an accepted retry may show no effect. */
const EFFECT_MS = 60_000;

export interface RetryOptions {
  readonly client: ServiceClient;
  readonly log: Log;
  readonly deadline: Deadline;
  /** Awaited as soon as a retry goes on in another submission. */
  readonly onMoved: (moved: OpenSubmission) => Promise<void>;
}

/** Requests the retries that are due: of assets that failed, and whose retry before has failed as well. */
export async function retryFailed(
  submission: OpenSubmission,
  readings: readonly AssetReading[],
  options: RetryOptions,
): Promise<readonly AssetReading[]> {
  return await concurrently(readings, MAX_CONCURRENT_READS, async (reading) => {
    const { listed, filename, status, retry } = reading;
    if (status !== 'failed') return retry ? { ...reading, retry: { ...retry, hasRun: true } } : reading;
    const count = retry?.count ?? submission.retriesBefore ?? 0;
    const isDue = listed.isRetryable && count < MAX_RETRIES && (!retry || hasShown(retry, listed)) && !retry?.isMoved;
    const isOurs = submission.contents.some(({ name }) => name === filename);
    // Of two assets with one name, nothing says which one the file is: neither is retried.
    if (!isDue || !isOurs || readings.some((other) => other !== reading && other.filename === filename)) return reading;
    return { ...reading, retry: await requestRetry(submission, reading, { ...options, count }) };
  });
}

/** Whether an asset that failed may still change in this submission, because it is retried. */
export function isRetried({ listed, status, retry }: AssetReading): boolean {
  return status === 'failed' && retry !== undefined && !retry.isMoved && isAwaited(retry, listed);
}

/** Whether the service has accepted a retry of this asset, and it was not given up. */
export function hasAcceptedRetry({ listed, retry }: AssetReading): boolean {
  if (!retry || retry.problem !== undefined) return false;
  return retry.isMoved || hasShown(retry, listed) || isAwaited(retry, listed);
}

function isAwaited(retry: Retry, listed: ListedAsset): boolean {
  return !hasShown(retry, listed) && Date.now() < retry.showsUntil;
}

async function requestRetry(
  submission: OpenSubmission,
  { listed, filename }: AssetReading,
  { client, log, deadline, onMoved, count }: RetryOptions & { readonly count: number },
): Promise<Retry> {
  const requestedAt = Date.now();
  const retry = { requestedAt, retryCount: listed.retryCount, hasRun: false };
  try {
    const contents = submission.contents.filter(({ name }) => name === filename);
    const response = await client.retryAsset(submission.submissionId, listed.assetId, deadline);
    const number = count + 1;
    log.info(`${contents[0]?.paths[0] ?? filename} failed (${failureText(listed)}); retry ${number} was accepted`);
    const isMoved = response.submissionId !== submission.submissionId;
    if (isMoved) {
      await onMoved({
        submissionId: response.submissionId,
        createdAt: new Date().toISOString(),
        contents,
        assetIds: response.assets.map(({ assetId }) => assetId),
        workflowId: response.workflowId ?? undefined,
        retriesBefore: number,
      });
    }
    return { ...retry, count: number, problem: undefined, showsUntil: Date.now() + EFFECT_MS, isMoved };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.endsRun) throw error;
    // A conflict, a server error or a response that was lost may mean that a retry is already in flight.
    const { status = 500 } = error;
    const waitMs = status === 409 || status >= 500 ? CATCH_UP_MS : 0;
    return { ...retry, count, problem: error.message, showsUntil: Date.now() + waitMs, isMoved: false };
  }
}
