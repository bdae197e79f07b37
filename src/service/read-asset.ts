import { concurrently } from '../lib/async.ts';
import { count, plural } from '../lib/format.ts';
import { MAX_CONCURRENT_READS, type ServiceClient } from './client.ts';
import { type Issue, joinById, parseIssues } from './issue.ts';
import { type AssetResponse, failureText, idKey, type ListedAsset } from './responses.ts';
import { orError, ServiceError, untilOutage } from './service-error.ts';
import type { Deadline } from './tries.ts';

/** Everything that the service has reported about one asset in this run so far. */
export interface AssetReading {
  readonly submissionId: string;
  /** The asset's entry in the newest list of the submission. */
  readonly listed: ListedAsset;
  /** The asset's own response, which proves which file it is and what became of it. */
  readonly own?: Pick<AssetResponse, 'filename' | 'status' | 'versionNumber' | 'versionGroupId'> | undefined;
  /** The highest issue count that any response gave. Undefined if no response gave a count. */
  readonly issueCount: number | undefined;
  readonly issues: readonly Issue[];
  /** True if a list of issues had unreadable items, or more items than are read. */
  readonly hasUnreadIssues: boolean;
  /** Length of the longest list that has each issue equally often: a service may list and count each issue twice. */
  readonly lengthWithRepeats: number;
  /** For a reused asset, the result that an earlier run has read. */
  readonly earlier?: EarlierResult | undefined;
  readonly retry?: Retry | undefined;
  /** Set if a fact is missing because a request failed. */
  readonly error?: ServiceError | undefined;
}

export interface EarlierResult {
  /** When an earlier run first read the result, in ISO 8601. */
  readonly at: string;
  readonly name: string;
  readonly issues: readonly Issue[];
  readonly versionNumber?: number | undefined;
  readonly versionGroupId?: string | undefined;
}

/** The retries of a failed asset in this run. */
export interface Retry {
  /** Counts accepted retries. */
  readonly count: number;
  /** When the last request for a retry ended, by `monotonicMs`. */
  readonly requestedAt: number;
  /** The last request was accepted, took effect on the asset, went on in another submission, or failed. */
  readonly last: 'accepted' | 'took effect' | { readonly movedTo: string } | ServiceError;
}

export function unreadAsset(submissionId: string, listed: ListedAsset): AssetReading {
  const issueCount = listed.issueCount ?? undefined;
  return { submissionId, listed, issueCount, issues: [], hasUnreadIssues: false, lengthWithRepeats: 0 };
}

/** A reused asset. If neither the earlier run nor the list has an issue or error of it, nothing else is read. */
export function reusedAsset(submissionId: string, listed: ListedAsset, earlier: EarlierResult): AssetReading {
  const reading = { ...unreadAsset(submissionId, listed), earlier };
  const isClean = listed.issueCount === 0 && earlier.issues.length === 0 && failureText(listed) === '';
  return isClean ? { ...reading, own: ownOf(earlier) } : reading;
}

/** The name and status that an earlier run has proved. With them, this run need not read the asset itself. */
function ownOf({ name: filename, versionNumber, versionGroupId }: EarlierResult): AssetReading['own'] {
  return { filename, status: { phase: 'complete', word: 'complete' }, versionNumber, versionGroupId };
}

/**
 * Makes one attempt to read each asset that lacks a fact. Throws only if the service rejects every request.
 *
 * @param deadlineFor returns undefined for an asset that must not be read, for example because no time is left
 */
export async function readMissing(
  readings: readonly AssetReading[],
  client: ServiceClient,
  deadlineFor: (reading: AssetReading) => Deadline | undefined,
): Promise<readonly AssetReading[]> {
  const ask = untilOutage();
  return await concurrently(readings, MAX_CONCURRENT_READS, async (before) => {
    const deadline = needsReading(before) ? deadlineFor(before) : undefined;
    if (!deadline) return before;
    const { submissionId, listed } = before;
    const readList = async () => await orError(client.readList('readIssues', [submissionId, listed.assetId], deadline));
    const reading = await readIssuesAlone(before, readList);
    if (reading) return reading;
    const own = await ask(async () => await client.readAsset(submissionId, listed.assetId, deadline));
    if (own instanceof ServiceError) return { ...before, error: own };
    // A sandbox analyses nothing, so a missing issue count means that there are no issues.
    const issueCount = own.issueCount ?? (client.mode === 'sandbox' ? 0 : undefined);
    return await withOwn(before, { ...own, issueCount }, readList);
  });
}

function needsReading(reading: AssetReading): boolean {
  const { own, retry, earlier } = reading;
  // A failed asset can change only after a retry, or if the service contradicts what an earlier run has read.
  if (own?.status.phase === 'failed') return retry !== undefined || earlier !== undefined;
  return own?.status.phase !== 'complete' || missingFact(reading) !== undefined;
}

/**
 * For a reused asset, reads only the issues, because an earlier run has proved its name and status. Undefined if the
 * asset is not reused, if `listed` has no issue count or an error, if the read fails, or if a fact is still missing.
 */
async function readIssuesAlone(
  before: AssetReading,
  readList: () => Promise<unknown>,
): Promise<AssetReading | undefined> {
  const { listed, earlier } = before;
  if (!earlier || typeof listed.issueCount !== 'number' || failureText(listed) !== '') return undefined;
  const list = await readList();
  if (list instanceof ServiceError) return undefined;
  const reading = withIssues({ ...before, own: ownOf(earlier), error: undefined }, list);
  return missingFact(reading) === undefined ? reading : undefined;
}

/**
 * Adds the asset's own response and its separate list of issues. If the separate list cannot be read, but no issue is
 * missing, that is no error: the issues merely lack reasons and precedents.
 */
async function withOwn(
  before: AssetReading,
  own: AssetResponse,
  readList: () => Promise<unknown>,
): Promise<AssetReading> {
  const counted = withCount({ ...before, own, hasUnreadIssues: false, error: undefined }, own.issueCount);
  const reading = withIssues(counted, own.issues);
  if (own.status.phase !== 'complete' || reading.issueCount === 0) return reading;
  const list = await readList();
  if (!(list instanceof ServiceError)) return withIssues(reading, list);
  const unchanged = { ...reading, hasUnreadIssues: reading.hasUnreadIssues || before.hasUnreadIssues };
  return missingFact(unchanged) === undefined ? unchanged : { ...unchanged, error: list };
}

export function withCount(reading: AssetReading, issueCount: number | null | undefined): AssetReading {
  return typeof issueCount === 'number'
    ? { ...reading, issueCount: Math.max(issueCount, reading.issueCount ?? 0) }
    : reading;
}

function withIssues(reading: AssetReading, list: unknown): AssetReading {
  const { items, size = 0 } = parseIssues(list);
  const entries = [...Map.groupBy(items, ({ id }) => idKey(id)).values()];
  const isEven = size === items.length && entries.every(({ length }) => length === entries[0]?.length);
  return {
    ...reading,
    issues: joinById(items, reading.issues),
    hasUnreadIssues: reading.hasUnreadIssues || size > items.length,
    lengthWithRepeats: Math.max(reading.lengthWithRepeats, isEven ? size : 0),
    // The length of a list can raise the issue count, but cannot replace a missing issue count.
    issueCount: reading.issueCount === undefined ? undefined : Math.max(reading.issueCount, size),
  };
}

/** The fact that is missing for a verdict about a complete asset. Undefined if all issues were read. */
export function missingFact(reading: AssetReading): string | undefined {
  const { issueCount, issues, lengthWithRepeats, hasUnreadIssues } = reading;
  if (issueCount === undefined)
    return 'The service says that the analysis is complete, but not how many issues it found.';
  if (issueCount > Math.max(issues.length, lengthWithRepeats))
    return `The service counts ${plural(issueCount, 'issue')}, but only ${count(issues.length)} could be read.`;
  return hasUnreadIssues ? 'The service lists an issue that could not be read.' : undefined;
}
