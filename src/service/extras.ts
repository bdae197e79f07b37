import { concurrently } from '../lib/async.ts';
import { monotonicMs } from '../lib/clock.ts';
import type { Analysis } from './analysis.ts';
import { MAX_CONCURRENT_READS, type ServiceClient } from './client.ts';
import { countVersions, parseTopics, topicsFor } from './issue.ts';
import { ServiceError } from './service-error.ts';

/** The time limit for reading topics and versions, which no verdict depends on. */
const EXTRAS_MS = 15_000;

/** Adds topics and the number of versions. If the service cannot deliver them, they are left out. */
export async function withExtras(
  analyses: readonly Analysis[],
  client: ServiceClient,
  signal: AbortSignal,
): Promise<readonly Analysis[]> {
  const deadline = { signal, until: monotonicMs() + EXTRAS_MS };
  const [first] = analyses;
  const isVersioned = analyses.some(({ versionNumber = 1 }) => versionNumber > 1);
  const versions =
    first && isVersioned ? await orNothing(client.readList('readVersions', [first.submissionId], deadline)) : undefined;
  return await concurrently(analyses, MAX_CONCURRENT_READS, async (analysis) => {
    const { submissionId, assetId, issues, versionNumber = 1, versionGroupId } = analysis;
    const hasTopics = assetId !== undefined && issues.length > 1;
    const topics = hasTopics
      ? await orNothing(client.readList('readTopics', [submissionId, assetId], deadline))
      : undefined;
    const versionCount = countVersions(versions, versionGroupId) ?? 0;
    return {
      ...analysis,
      topics: topicsFor(issues, parseTopics(topics)),
      // A list with fewer items than the number of this version is incomplete, so its length is not the version count.
      versionCount: versionNumber > 1 && versionCount >= versionNumber ? versionCount : undefined,
    };
  });
}

async function orNothing(response: Promise<unknown>): Promise<unknown> {
  return await response.catch((error: unknown) => {
    if (!(error instanceof ServiceError)) throw error;
  });
}
