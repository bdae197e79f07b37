import { sleep } from '../lib/clock.ts';
import type { Deadline, ServiceClient } from './client.ts';
import type { SubmissionAnswer } from './responses.ts';
import { ServiceError } from './service-error.ts';

const GONE: readonly (number | undefined)[] = [404, 410];
/** Long enough for a gateway that is being restarted. */
const SECOND_READ_MS = 2_000;

/**
 * An earlier submission, or undefined if the service no longer has it. That would cost money or a link between versions,
 * and a gateway in trouble answers 404 as well: so a submission or an asset has to be missing twice.
 *
 * @param assetIds what it is known to hold
 */
export async function readUnlessGone(
  submissionId: string,
  { client, deadline }: { readonly client: Pick<ServiceClient, 'readSubmission'>; readonly deadline: Deadline },
  assetIds: readonly string[] = [],
): Promise<SubmissionAnswer | undefined> {
  const first = await read();
  if (first && holdsAll(first, assetIds)) return first;
  await sleep(SECOND_READ_MS, deadline.signal);
  return (await read()) ?? first;

  async function read(): Promise<SubmissionAnswer | undefined> {
    try {
      return await client.readSubmission(submissionId, deadline);
    } catch (error) {
      if (error instanceof ServiceError && GONE.includes(error.status)) return undefined;
      throw error;
    }
  }
}

function holdsAll({ assets }: SubmissionAnswer, assetIds: readonly string[]): boolean {
  const held = new Set(assets.map(({ assetId }) => assetId));
  return assetIds.every((id) => held.has(id));
}
