import { sleep } from '../lib/clock.ts';
import type { Deadline, ServiceClient } from './client.ts';
import type { SubmissionAnswer } from './responses.ts';
import { ServiceError } from './service-error.ts';

const GONE: readonly (number | undefined)[] = [404, 410];
/** Long enough for a gateway that is being restarted to know its way again. */
const SECOND_LOOK_MS = 2_000;

/**
 * An earlier submission, or undefined where the service no longer has it. What follows from that costs money or a link
 * between versions, and a gateway says 404, too, when it has lost its way: so it has to be missing twice.
 *
 * @param assetIds what it is known to hold: an asset, too, has to be missing twice
 */
export async function readUnlessGone(
  submissionId: string,
  client: Pick<ServiceClient, 'readSubmission'>,
  deadline: Deadline,
  assetIds: readonly string[] = [],
): Promise<SubmissionAnswer | undefined> {
  const first = await look();
  if (first && holdsAll(first, assetIds)) return first;
  await sleep(SECOND_LOOK_MS, deadline.signal);
  return (await look()) ?? first;

  async function look(): Promise<SubmissionAnswer | undefined> {
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
