import { sleep } from '../lib/clock.ts';
import { concurrently } from '../lib/concurrently.ts';
import { CATCH_UP_MS, type Deadline, MAX_CONCURRENT_READS, READ_AGAIN_MS, type ServiceClient } from './client.ts';
import type { SubmissionResponse } from './responses.ts';
import { orError, ServiceError } from './service-error.ts';

/** A submission of an earlier run. */
export interface WantedSubmission {
  readonly submissionId: string;
  /** Assets that it is known to hold. */
  readonly assetIds: readonly string[];
}

export interface EarlierSubmissions {
  readonly found: ReadonlyMap<string, SubmissionResponse>;
  readonly missing: ReadonlySet<string>;
  /** Those that could not be read, and why. */
  readonly unread: ReadonlyMap<string, ServiceError>;
}

/**
 * Reads each submission. What is missing is paid for again, and a gateway that restarts says so as
 * well, so all of them together get one window in which they may appear.
 */
export async function readSubmissions(
  wanted: readonly WantedSubmission[],
  { client, deadline }: { readonly client: Pick<ServiceClient, 'readSubmission'>; readonly deadline: Deadline },
): Promise<EarlierSubmissions> {
  const found = new Map<string, SubmissionResponse>();
  const unread = new Map<string, ServiceError>();
  let left = wanted;
  let stopped: ServiceError | undefined;
  let windowEndsAt: number | undefined;
  for (;;) {
    await concurrently(left, MAX_CONCURRENT_READS, read);
    left = left.filter((each) => !unread.has(each.submissionId) && !isWhole(each));
    windowEndsAt ??= Date.now() + CATCH_UP_MS;
    if (left.length === 0 || Date.now() >= windowEndsAt) break;
    await sleep(READ_AGAIN_MS, deadline.signal);
  }
  const missing = left.map(({ submissionId }) => submissionId).filter((id) => !found.has(id));
  return { found, missing: new Set(missing), unread };

  async function read({ submissionId }: WantedSubmission): Promise<void> {
    const response = stopped ?? (await orError(client.readSubmission(submissionId, deadline)));
    if (!(response instanceof ServiceError)) return void found.set(submissionId, response);
    if (response.failureClass === 'missing') return;
    if (response.stopsReading) stopped = response;
    unread.set(submissionId, response);
  }

  function isWhole({ submissionId, assetIds }: WantedSubmission): boolean {
    const listed = new Set(found.get(submissionId)?.assets.map(({ assetId }) => assetId));
    return found.has(submissionId) && assetIds.every((id) => listed.has(id));
  }
}
