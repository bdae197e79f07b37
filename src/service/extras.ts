import * as v from 'valibot';
import { concurrently } from '../lib/async.ts';
import type { Analysis } from './analysis.ts';
import { MAX_CONCURRENT_REQUESTS, type ServiceCalls } from './client.ts';
import { entriesOf, parseTopics } from './issue.ts';
import { idKey } from './responses.ts';
import { ServiceError } from './service-error.ts';

/** The time limit for reading topics and versions, which no verdict depends on. */
const EXTRAS_MS = 15_000;

/** Adds topics and the number of versions of one submission's assets. What the service cannot deliver is left out. */
export async function withExtras(
  submissionId: string,
  analyses: readonly Analysis[],
  { client, deadline }: ServiceCalls,
): Promise<readonly Analysis[]> {
  const extrasDeadline = { ...deadline, until: performance.now() + EXTRAS_MS };
  const read = async (list: 'readTopics' | 'readVersions', ...ids: readonly string[]): Promise<unknown> => {
    if (performance.now() >= extrasDeadline.until) return undefined;
    return await client.readList(list, ids, extrasDeadline).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
    });
  };
  const isAnyLater = analyses.some(({ versionNumber = 1 }) => versionNumber > 1);
  const versions = isAnyLater ? await read('readVersions', submissionId) : undefined;
  return await concurrently(analyses, MAX_CONCURRENT_REQUESTS, async (analysis) => {
    const { assetId, issues } = analysis;
    const hasTopics = assetId !== undefined && issues.length > 1;
    const topics = hasTopics ? parseTopics(await read('readTopics', submissionId, assetId), issues) : [];
    return { ...analysis, topics, versionCount: countVersions(versions, analysis) };
  });
}

const Version = v.object({ versionGroupId: v.string() });

/** Counts the versions of an asset. A list that ends before the version of the asset is incomplete, so it is not used. */
export function countVersions(
  response: unknown,
  { versionGroupId = '', versionNumber = 1 }: Pick<Analysis, 'versionGroupId' | 'versionNumber'>,
): number | undefined {
  const versions = entriesOf(response).filter((entry) => v.is(Version, entry));
  const { length } = versions.filter((version) => idKey(version.versionGroupId) === idKey(versionGroupId));
  return versionNumber > 1 && length >= versionNumber ? length : undefined;
}
