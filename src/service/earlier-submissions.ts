import { concurrently } from '../lib/concurrently.ts';
import { type Deadline, MAX_CONCURRENT_READS, type ServiceClient } from './client.ts';
import type { ListedAsset, SubmissionResponse } from './responses.ts';
import { orError, ServiceError } from './service-error.ts';

/** What the service says about a submission of an earlier run: its response, that it is missing, or why it was not read. */
export type EarlierSubmission = FoundSubmission | 'missing' | ServiceError;

export interface FoundSubmission {
  readonly response: SubmissionResponse;
  /** By id: a submission can hold thousands. */
  readonly assets: ReadonlyMap<string, ListedAsset>;
}

/** Reads each submission once. If the service stops responding, the rest gets the same error and is not requested. */
export async function readSubmissions(
  ids: readonly string[],
  { client, deadline }: { readonly client: Pick<ServiceClient, 'readSubmission'>; readonly deadline: Deadline },
): Promise<ReadonlyMap<string, EarlierSubmission>> {
  let stoppedBy: ServiceError | undefined;
  return new Map(await concurrently(ids, MAX_CONCURRENT_READS, async (id) => [id, await read(id)] as const));

  async function read(id: string): Promise<EarlierSubmission> {
    const response = stoppedBy ?? (await orError(client.readSubmission(id, deadline)));
    if (!(response instanceof ServiceError))
      return { response, assets: new Map(response.assets.map((asset) => [asset.assetId, asset])) };
    if (response.failureClass === 'missing') return 'missing';
    if (response.stopsReading) stoppedBy = response;
    return response;
  }
}
