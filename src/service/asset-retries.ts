import { concurrently } from '../lib/concurrently.ts';
import type { Log } from '../lib/log.ts';
import { CATCH_UP_MS, type Deadline, MAX_CONCURRENT_READS, type ServiceClient } from './client.ts';
import type { AssetReading, Retry } from './read-asset.ts';
import { failureText } from './responses.ts';
import { orError, ServiceError } from './service-error.ts';
import type { OpenSubmission } from './submit.ts';

const MAX_RETRIES = 2;
/** How long an accepted retry may show no effect. */
const EFFECT_MS = 60_000;

/** Awaited as soon as a retry goes on in another submission. */
export type OnMoved = (moved: OpenSubmission) => Promise<void>;

interface RetryOptions {
  readonly client: ServiceClient;
  readonly log: Log;
  readonly deadline: Deadline;
  readonly onMoved: OnMoved;
}

/** Requests the retries that are due: of assets that failed, and whose retry before has failed as well. */
export async function retryFailed(
  submission: OpenSubmission,
  readings: readonly AssetReading[],
  options: RetryOptions,
): Promise<readonly AssetReading[]> {
  const names = new Set(submission.contents.map(({ name }) => name));
  const byName = Map.groupBy(readings, ({ filename = '' }) => filename);
  return await concurrently(readings, MAX_CONCURRENT_READS, async (reading) => {
    const { listed, filename = '', status } = reading;
    const hasShown = status !== 'failed' || listed.retryCount > (reading.retry?.retryCount ?? 0);
    const retry = reading.retry && { ...reading.retry, hasShown: reading.retry.hasShown || hasShown };
    const count = retry?.count ?? submission.retriesBefore ?? 0;
    const isDue = status === 'failed' && listed.isRetryable && count < MAX_RETRIES && (!retry || retry.hasShown);
    // Of two assets with one name, nothing says which one the file is: neither is retried.
    const isProved = names.has(filename) && byName.get(filename)?.length === 1;
    if (!isDue || !isProved || retry?.isMoved) return retry ? { ...reading, retry } : reading;
    return { ...reading, retry: await requestRetry(submission, reading, { ...options, count }) };
  });
}

/** Whether an asset that failed may still change in this submission, because it is retried. */
export function isRetried({ status, retry }: AssetReading): boolean {
  if (status !== 'failed' || !retry || retry.isMoved || retry.hasShown) return false;
  return Date.now() < retry.showsUntil;
}

async function requestRetry(
  submission: OpenSubmission,
  { listed, filename }: AssetReading,
  { client, log, deadline, onMoved, count }: RetryOptions & { readonly count: number },
): Promise<Retry> {
  const { submissionId } = submission;
  const retry = { retryCount: listed.retryCount, hasShown: false, isMoved: false };
  const response = await orError(client.retryAsset(submissionId, listed.assetId, deadline));
  if (response instanceof ServiceError) {
    // A conflict, a server error or a response that was lost may mean that a retry is already in flight.
    const { failureClass, mayHaveArrived, message: problem } = response;
    const waitMs = failureClass === 'conflict' || mayHaveArrived ? CATCH_UP_MS : 0;
    return { ...retry, count, problem, showsUntil: Date.now() + waitMs };
  }
  const contents = submission.contents.filter(({ name }) => name === filename);
  const number = count + 1;
  log.info(`${contents[0]?.paths[0] ?? filename} failed (${failureText(listed)}); retry ${number} was accepted`);
  const isMoved = response.submissionId !== submissionId;
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
}
