import { concurrently } from '../lib/async.ts';
import { count, plural } from '../lib/format.ts';
import { MAX_CONCURRENT_READS, type ServiceClient } from './client.ts';
import type { Mode } from './endpoints.ts';
import { type Issue, joinById, readIssues } from './issue.ts';
import { type AssetResponse, failureText, type ListedAsset } from './responses.ts';
import { orError, ServiceError, untilOutage } from './service-error.ts';
import type { Deadline } from './tries.ts';

/** Everything that the service has reported about one asset so far. */
export interface AssetReading {
  readonly submissionId: string;
  /** The asset's entry in the newest list of the submission. */
  readonly listed: ListedAsset;
  /** The asset's own response, which proves which file it is. For a reused asset, an earlier run may have read it. */
  readonly own?: Pick<AssetResponse, 'filename' | 'status' | 'versionNumber' | 'versionGroupId'> | undefined;
  /** The highest issue count that any response gave. Undefined if no response gave a count. */
  readonly issueCount: number | undefined;
  /** The issues that could be read so far. */
  readonly issues: readonly Issue[];
  /** True if a list had unreadable items, or more items than the limit. */
  readonly hasUnreadIssues: boolean;
  /** The ISO 8601 time of the earlier analysis whose issues these are. Undefined if this run read all issues. */
  readonly lastKnownAt?: string | undefined;
  readonly retry?: Retry | undefined;
  /** Set if a fact is missing because a request failed. */
  readonly error?: ServiceError | undefined;
}

/** The retries of a failed asset. */
export interface Retry {
  /** How many retries the service accepted. */
  readonly count: number;
  /** When the last request for a retry ended, in epoch milliseconds. */
  readonly requestedAt: number;
  /**
   * Why the last retry does not help: the service did not accept it, moved it to another submission, or accepted it
   * without any visible effect. Undefined once the asset shows that the retry took effect.
   */
  readonly problem: ServiceError | { readonly movedTo: string } | 'no effect' | undefined;
}

export function unreadAsset(submissionId: string, listed: ListedAsset): AssetReading {
  return { submissionId, listed, issueCount: listed.issueCount ?? undefined, issues: [], hasUnreadIssues: false };
}

/**
 * Makes one attempt to read each asset that lacks a fact, whether this run or an earlier run created it. Throws
 * only if the service rejects every request, for example because the key is wrong.
 *
 * @param deadlineFor is called before each asset is read, and returns undefined if no time is left for the asset
 */
export async function readMissing(
  readings: readonly AssetReading[],
  client: ServiceClient,
  deadlineFor: (reading: AssetReading) => Deadline | undefined,
): Promise<readonly AssetReading[]> {
  const ask = untilOutage();
  return await concurrently(readings, MAX_CONCURRENT_READS, async (before) => {
    const deadline = needsReading(before, client.mode) ? deadlineFor(before) : undefined;
    if (!deadline) return before;
    const { submissionId, listed } = before;
    const readOwn = () => ask(async () => await client.readAsset(submissionId, listed.assetId, deadline));
    const options = { client, deadline, readOwn };
    return (await readIssuesAlone(before, options)) ?? (await readWhole(before, options));
  });
}

interface OneRead {
  readonly client: ServiceClient;
  readonly deadline: Deadline;
  readonly readOwn: () => Promise<AssetResponse | ServiceError>;
}

function needsReading(reading: AssetReading, mode: Mode): boolean {
  const { own, issues, lastKnownAt, retry } = reading;
  // A reused asset with issues is read again, because the status of an issue may have changed.
  if (lastKnownAt !== undefined && issues.length > 0) return true;
  // A failed asset can change only after a retry.
  return (own?.status === 'failed' && retry !== undefined) || missingFact(reading, mode) !== undefined;
}

/**
 * The shortcut for a reused asset whose list entry has a count and no error text. An earlier run has proved its name
 * and status, so one request for its issues is enough. If no fact is missing, the list replaces the earlier issues.
 *
 * @returns undefined if the asset is not reused, or if a fact is still missing
 */
async function readIssuesAlone(before: AssetReading, { client, deadline }: OneRead): Promise<AssetReading | undefined> {
  const { submissionId, listed, lastKnownAt } = before;
  const isShort = lastKnownAt !== undefined && typeof listed.issueCount === 'number' && failureText(listed) === '';
  if (!isShort) return undefined;
  const list = await orError(client.readIssues(submissionId, listed.assetId, deadline));
  if (list instanceof ServiceError) return undefined;
  const reading = withIssues({ ...before, issues: [], lastKnownAt: undefined }, list);
  return missingFact(reading, client.mode) === undefined ? reading : undefined;
}

/** Reads the asset and its issues. If the service stops responding, the issues that an earlier run read are kept. */
async function readWhole(before: AssetReading, options: OneRead): Promise<AssetReading> {
  const { submissionId, listed, lastKnownAt } = before;
  if (lastKnownAt === undefined) return await readOwnAndIssues(before, options);
  const reading = await readOwnAndIssues(unreadAsset(submissionId, listed), options);
  return reading.error?.stopsReading ? joinLastKnown(before, reading) : reading;
}

/**
 * Reads the asset's own response and its separate list of issues, and keeps the issues that this run read before. If
 * only the separate list cannot be read, but no issue is missing, the issues merely lack reasons and precedents.
 */
async function readOwnAndIssues(before: AssetReading, options: OneRead): Promise<AssetReading> {
  const { client, deadline, readOwn } = options;
  const { submissionId, listed } = before;
  const own = await readOwn();
  if (own instanceof ServiceError) return { ...before, error: own };
  const counted = withCount({ ...before, own, hasUnreadIssues: false, error: undefined }, own.issueCount);
  const reading = withIssues(counted, own.issues);
  if (own.status !== 'complete' || expectedIssues(reading, client.mode) === 0) return reading;
  const list = await orError(client.readIssues(submissionId, listed.assetId, deadline));
  if (!(list instanceof ServiceError)) return withIssues(reading, list);
  const unchanged = { ...reading, hasUnreadIssues: reading.hasUnreadIssues || before.hasUnreadIssues };
  return missingFact(unchanged, client.mode) === undefined ? unchanged : { ...unchanged, error: list };
}

function joinLastKnown(before: AssetReading, { issues, issueCount, error }: AssetReading): AssetReading {
  const readIds = new Set(issues.map(({ id }) => id));
  const others = before.issues.filter(({ id }) => !readIds.has(id));
  return { ...before, issues: [...issues, ...others], issueCount, error };
}

/** Keeps the highest issue count that any response gave. */
export function withCount(reading: AssetReading, issueCount: number | null | undefined): AssetReading {
  return typeof issueCount === 'number'
    ? { ...reading, issueCount: Math.max(issueCount, reading.issueCount ?? 0) }
    : reading;
}

function withIssues(reading: AssetReading, list: unknown): AssetReading {
  const { items, size = 0 } = readIssues(list);
  return {
    ...reading,
    issues: joinById(items, reading.issues),
    hasUnreadIssues: reading.hasUnreadIssues || size > items.length,
    // The length of a list can raise a count, but cannot replace a missing count.
    issueCount: reading.issueCount === undefined ? undefined : Math.max(reading.issueCount, size),
  };
}

/** A sandbox analyses nothing, so a missing count means that the asset has no issues. */
function expectedIssues({ issueCount }: AssetReading, mode: Mode): number | undefined {
  return issueCount ?? (mode === 'sandbox' ? 0 : undefined);
}

/** The fact that is missing for a verdict. Undefined if the asset has failed, or is complete with all issues. */
export function missingFact(reading: AssetReading, mode: Mode): string | undefined {
  const { own, issues, hasUnreadIssues } = reading;
  if (own?.status === 'failed') return undefined;
  if (own?.status !== 'complete')
    return `The service reports the status ${JSON.stringify(own?.status)} for this file, not complete.`;
  const expected = expectedIssues(reading, mode);
  if (expected === undefined)
    return 'The service says that the analysis is complete, but not how many issues it found.';
  if (expected > issues.length)
    return `The service counts ${plural(expected, 'issue')}, but only ${count(issues.length)} could be read.`;
  return hasUnreadIssues ? 'The service lists an issue that could not be read.' : undefined;
}
