import * as v from 'valibot';
import { concurrently } from '../lib/async.ts';
import { monotonicMs } from '../lib/clock.ts';
import type { Analysis, SubmissionResults } from './analysis.ts';
import { MAX_CONCURRENT_READS, type ServiceCalls, type ServiceClient } from './client.ts';
import { type Issue, MAX_LIST_ITEMS, type Topic } from './issue.ts';
import { idKey } from './responses.ts';
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

/**
 * The array in a response: the response itself, the value under the expected key, or the only array in the object. The
 * contract does not define the shape of the lists of topics and versions.
 */
function arrayIn(response: unknown, key: string): readonly unknown[] | undefined {
  if (Array.isArray(response)) return response;
  if (typeof response !== 'object' || response === null) return undefined;
  const arrays = Object.entries(response).filter(([, value]) => Array.isArray(value));
  const [, array] = arrays.find(([name]) => name === key) ?? (arrays.length === 1 ? arrays[0] : undefined) ?? [];
  return array;
}

/** Reads each item separately, so that an unreadable item does not hide the others. */
function readItems<T>(response: unknown, key: string, readItem: (item: unknown) => T | undefined): readonly T[] {
  const items = (arrayIn(response, key) ?? []).slice(0, MAX_LIST_ITEMS).map(readItem);
  return items.filter((item) => item !== undefined);
}

export function parseTopics(response: unknown): readonly Topic[] {
  return readItems(response, 'topics', readTopic);
}

/** Writes the issue ids in topics as in `issues`: the case of a UUID may differ. */
export function topicsFor(issues: readonly Issue[], topics: readonly Topic[]): readonly Topic[] {
  const ids = new Map(issues.map(({ id }) => [idKey(id), id]));
  return topics.map((topic) => ({ ...topic, issueIds: topic.issueIds.map((id) => ids.get(idKey(id)) ?? id) }));
}

const TitledTopic = v.object({ title: v.string() });
const NamedTopic = v.object({ name: v.string() });
const TopicMember = v.object({ id: v.string() });

/** The contract does not define topics. A title or name, and a list of ids or of objects with an id, are required. */
function readTopic(item: unknown): Topic | undefined {
  const title = v.is(TitledTopic, item) ? item.title : v.is(NamedTopic, item) ? item.name : undefined;
  const issueIds = readItems(item, 'issues', (member) => {
    if (typeof member === 'string') return member;
    return v.is(TopicMember, member) ? member.id : undefined;
  });
  return title !== undefined && issueIds.length > 0 ? { title, issueIds } : undefined;
}

const VersionItem = v.object({ versionGroupId: v.string() });

/** Counts the versions in a submission's list. If its items have version groups, only the given group is counted. */
export function countVersions(response: unknown, versionGroupId: string | undefined): number | undefined {
  const items = arrayIn(response, 'versions') ?? [];
  const grouped = items.filter((item) => v.is(VersionItem, item));
  const own = grouped.length === 0 ? items : grouped.filter((item) => item.versionGroupId === versionGroupId);
  return own.length === 0 ? undefined : own.length;
}
