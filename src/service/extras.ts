import { concurrently } from '../lib/async.ts';
import { monotonicMs } from '../lib/clock.ts';
import type { Analysis } from './analysis.ts';
import { MAX_CONCURRENT_READS, type ServiceCalls, type ServiceClient } from './client.ts';
import { countVersions, parseTopics, topicsFor } from './issue.ts';
import type { SubmissionResults } from './reader.ts';
import { ServiceError } from './service-error.ts';
import type { Deadline } from './tries.ts';

/** The time limit for reading topics and versions, which no verdict depends on. */
const EXTRAS_MS = 15_000;

/** Adds topics and the number of versions. If the service cannot deliver them, they are left out. */
export async function withExtras(
  results: readonly SubmissionResults[],
  { client, deadline }: ServiceCalls,
): Promise<readonly SubmissionResults[]> {
  const extrasDeadline = { ...deadline, until: monotonicMs() + EXTRAS_MS };
  return await Promise.all(
    results.map(async (each) => ({ ...each, analyses: await addExtras(each.analyses, client, extrasDeadline) })),
  );
}

async function addExtras(
  analyses: readonly Analysis[],
  client: ServiceClient,
  deadline: Deadline,
): Promise<readonly Analysis[]> {
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
