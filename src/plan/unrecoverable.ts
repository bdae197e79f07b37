import { concurrently } from '../lib/concurrently.ts';
import type { AssetReader } from '../service/asset-reader.ts';
import { MAX_CONCURRENT_READS } from '../service/client.ts';
import { type AssetStatus, hasFailed, isTerminal, type SubmissionAnswer } from '../service/responses.ts';
import { ServiceError } from '../service/service-error.ts';
import { isYounger, KEEP_OPEN_DAYS } from '../state/document.ts';
import type { Await, Loss } from './plan.ts';

/** Contents that it would be in vain to wait for. */
export async function findUnrecoverable(
  { contents, createdAt }: Await,
  answer: SubmissionAnswer,
  reader: AssetReader,
): Promise<readonly (readonly [string, Loss])[]> {
  if (!isTerminal(answer) && !isYounger(createdAt, KEEP_OPEN_DAYS, new Date()))
    return contents.map(({ sha256 }) => [sha256, 'never finished']);
  const lost = new Set(answer.assets.filter((asset) => hasFailed(asset) && !asset.isRetryable));
  const failed = await namesOf([...lost]);
  const nameless = failed.filter((name) => name === undefined).length;
  const others = nameless > 0 ? await namesOf(answer.assets.filter((asset) => !lost.has(asset))) : [];
  const named = new Set([...failed, ...others]);
  const leftOver = contents.filter(({ name }) => !named.has(name));
  // A failed asset may have no answer of its own. Where all others have a name, such assets are the files that are left over.
  const isProven = !others.includes(undefined) && leftOver.length <= nameless;
  return [...contents.filter(({ name }) => failed.includes(name)), ...(isProven ? leftOver : [])].map(({ sha256 }) => [
    sha256,
    'failed before',
  ]);

  async function namesOf(assets: readonly AssetStatus[]): Promise<readonly (string | undefined)[]> {
    return await concurrently(assets, MAX_CONCURRENT_READS, async ({ assetId }) => {
      const own = await reader.own({ submissionId: answer.submissionId, assetId });
      return own instanceof ServiceError ? undefined : own.filename;
    });
  }
}
