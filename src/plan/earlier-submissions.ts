import type { Cause } from '../lib/cause.ts';
import { concurrently } from '../lib/concurrently.ts';
import type { Content } from '../media/content.ts';
import { explain } from '../service/advice.ts';
import type { AssetReader } from '../service/asset-reader.ts';
import { type Deadline, MAX_CONCURRENT_READS, type ServiceClient } from '../service/client.ts';
import { readUnlessGone } from '../service/read-unless-gone.ts';
import {
  type AssetAnswer,
  type AssetStatus,
  hasFailed,
  isTerminal,
  type SubmissionAnswer,
} from '../service/responses.ts';
import { ServiceError } from '../service/service-error.ts';
import { isYounger, KEEP_OPEN_DAYS } from '../state/document.ts';
import type { Await, Loss } from './plan.ts';

/** An earlier submission to read. */
export interface WantedSubmission {
  readonly submissionId: string;
  /** Assets that it is known to hold. */
  readonly assetIds: readonly string[];
  /** Whether it is worth waiting for the end of a rate limit. */
  readonly isUrgent: boolean;
}

export interface EarlierSubmissions {
  readonly found: ReadonlyMap<string, SubmissionAnswer>;
  readonly gone: ReadonlySet<string>;
  /** Those with an answer that cannot be used, and why. */
  readonly refused: ReadonlyMap<string, ServiceError>;
  /** Those that were left unread because of the rate limit. */
  readonly skipped: ReadonlySet<string>;
  /** Why the others have no answer: the service is not there. */
  readonly outage: Cause | undefined;
}

/** Reads each submission at most once, urgent ones first. */
export async function readSubmissions(
  wanted: readonly WantedSubmission[],
  client: ServiceClient,
  deadline: Deadline,
): Promise<EarlierSubmissions> {
  const found = new Map<string, SubmissionAnswer>();
  const gone = new Set<string>();
  const refused = new Map<string, ServiceError>();
  const skipped = new Set<string>();
  let outage: Cause | undefined;
  const ordered = wanted.toSorted((a, b) => Number(b.isUrgent) - Number(a.isUrgent));
  await concurrently(ordered, MAX_CONCURRENT_READS, async ({ submissionId, assetIds, isUrgent }, stop) => {
    if (outage) return;
    // What is not urgent is not read any more once the bucket is empty.
    if (!isUrgent && skipped.size > 0) return void skipped.add(submissionId);
    const signal = AbortSignal.any([deadline.signal, stop]);
    const read = async (until: number): Promise<SubmissionAnswer | undefined> =>
      await readUnlessGone(submissionId, { client, deadline: { signal, until } }, assetIds);
    try {
      const answer = isUrgent ? await read(deadline.until) : await readAtOnce(read, deadline);
      if (answer) found.set(submissionId, answer);
      else gone.add(submissionId);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.endsRun) throw error;
      if (error.status === 429 && !isUrgent) skipped.add(submissionId);
      else if (error.isOutage) outage = explain(error);
      else refused.set(submissionId, error);
    }
  });
  return { found, gone, refused, skipped, outage };
}

/** Without waiting for the end of a rate limit; any other failure is worth the usual retries. */
async function readAtOnce<T>(read: (until: number) => Promise<T>, { until }: Deadline): Promise<T> {
  try {
    return await read(0);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.endsRun || error.status === 429) throw error;
    return await read(until);
  }
}

/** Contents of an open submission that will never have a result there. */
export async function findUnrecoverable(
  { contents, createdAt }: Await,
  answer: SubmissionAnswer,
  reader: AssetReader,
): Promise<readonly (readonly [string, Loss])[]> {
  if (!isTerminal(answer) && !isYounger(createdAt, KEEP_OPEN_DAYS, new Date())) {
    // One asset that never finishes does not make the others useless.
    const complete = (await read(answer.assets)).filter((asset) => asset?.status === 'complete');
    const names = new Set(complete.map((asset) => asset?.filename));
    return lose(({ name }) => !names.has(name), 'earlier analysis never finished');
  }
  const lost = answer.assets.filter((asset) => hasFailed(asset) && !asset.isRetryable);
  const failed = (await read(lost)).map((asset) => asset?.filename);
  const nameless = failed.filter((name) => name === undefined).length;
  const others = nameless > 0 ? await read(answer.assets.filter((asset) => !lost.includes(asset))) : [];
  const named = new Set([...failed, ...others.map((asset) => asset?.filename)]);
  const leftOver = contents.filter(({ name }) => !named.has(name));
  // A failed asset may have no resource. If all others have a name, such assets are the files that are left.
  const isProven = !others.includes(undefined) && leftOver.length <= nameless;
  const isLost = (content: Content): boolean =>
    failed.includes(content.name) || (isProven && leftOver.includes(content));
  return lose(isLost, 'earlier analysis failed');

  function lose(isLost: (content: Content) => boolean, loss: Loss): readonly (readonly [string, Loss])[] {
    return contents.filter(isLost).map(({ sha256 }) => [sha256, loss]);
  }

  async function read(assets: readonly AssetStatus[]): Promise<readonly (AssetAnswer | undefined)[]> {
    return await concurrently(assets, MAX_CONCURRENT_READS, async ({ assetId }) => {
      const asset = await reader.answer({ submissionId: answer.submissionId, assetId });
      return asset.ok ? asset.value : undefined;
    });
  }
}
