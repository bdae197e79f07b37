import { concurrently } from '../lib/concurrently.ts';
import { count, plural } from '../lib/format.ts';
import type { Content } from '../media/content.ts';
import { type Deadline, MAX_CONCURRENT_READS, type ServiceClient } from './client.ts';
import type { Mode } from './endpoints.ts';
import { type Issue, joinById, readIssues } from './issue.ts';
import { failureText, type ListedAsset } from './responses.ts';
import { orError, ServiceError } from './service-error.ts';

/** What the service has said about one asset so far. */
export interface AssetReading {
  readonly submissionId: string;
  readonly listed: ListedAsset;
  /** What it is, if an earlier run has proved it. */
  readonly content?: Content | undefined;
  /** Proves which file it is; undefined if its own response could not be read. */
  readonly filename?: string;
  readonly status?: string;
  /** The highest number that any response gave; undefined if none did. */
  readonly issueCount: number | undefined;
  /** All that could be read, even if others may be missing. */
  readonly issues: readonly Issue[];
  /** A list had items that could not be read, or more than are read. */
  readonly hasUnreadIssues: boolean;
  readonly versionNumber: number | undefined;
  readonly versionGroupId: string | undefined;
  /** Set as long as the issues are those that an earlier run read: the ISO 8601 time of that analysis. */
  readonly lastKnownAt?: string | undefined;
  readonly retry?: Retry;
  /** Why the last read stopped early. */
  readonly error?: ServiceError | undefined;
}

/** The last retry of a failed asset. */
export interface Retry {
  /** How many were accepted. */
  readonly count: number;
  /** Why this one was not accepted. */
  readonly problem: string | undefined;
  /** As listed when it was requested. A higher one shows that it took effect, as does another status than failed. */
  readonly retryCount: number;
  readonly hasShown: boolean;
  /** Epoch milliseconds; until then it may still show. */
  readonly showsUntil: number;
  /** It goes on in another submission. */
  readonly isMoved: boolean;
}

export function unreadAsset(submissionId: string, listed: ListedAsset): AssetReading {
  return {
    submissionId,
    listed,
    issueCount: listed.issueCount ?? undefined,
    issues: [],
    hasUnreadIssues: false,
    versionNumber: listed.versionNumber ?? undefined,
    versionGroupId: listed.versionGroupId ?? undefined,
  };
}

export interface ReadOptions {
  readonly client: Pick<ServiceClient, 'readAsset' | 'readIssues'>;
  readonly mode: Mode;
  /** Asked before each asset; undefined if there is no time left for it. */
  readonly deadlineFor: (reading: AssetReading) => Deadline | undefined;
}

/**
 * The one reader of new, awaited and reused assets: reads every fact that is missing, in the given order. Once an error
 * stops it, the rest stays as it is, with that error. Only a refusal of every request is thrown.
 */
export async function readAssets(
  readings: readonly AssetReading[],
  { client, mode, deadlineFor }: ReadOptions,
): Promise<readonly AssetReading[]> {
  let stoppedBy: ServiceError | undefined;
  return await concurrently(readings, MAX_CONCURRENT_READS, async (before) => {
    const isLastKnown = before.lastKnownAt !== undefined && before.issues.length > 0;
    if (!before.error && !isLastKnown && missingFact(before, mode) === undefined) return before;
    if (stoppedBy) return { ...before, error: stoppedBy };
    const deadline = deadlineFor(before);
    if (!deadline) return before;
    const options = { client, mode, deadline };
    const reading = await (before.lastKnownAt === undefined ? readWhole : readAgain)(before, options);
    if (reading.error?.stopsReading) stoppedBy = reading.error;
    return reading;
  });
}

type RequestOptions = Omit<ReadOptions, 'deadlineFor'> & { readonly deadline: Deadline };

/** Reads an asset, and its issues if there can be any. What was read before still counts. */
async function readWhole(before: AssetReading, { client, mode, deadline }: RequestOptions): Promise<AssetReading> {
  const { submissionId, listed, hasUnreadIssues } = before;
  const own = await orError(client.readAsset(submissionId, listed.assetId, deadline));
  if (own instanceof ServiceError) return { ...before, error: own };
  const reading: AssetReading = {
    ...withIssues({ ...withCount(before, own.issueCount), hasUnreadIssues: false, error: undefined }, own.issues),
    filename: own.filename,
    status: own.status,
    versionNumber: listed.versionNumber ?? own.versionNumber ?? undefined,
    versionGroupId: listed.versionGroupId ?? own.versionGroupId ?? undefined,
  };
  if (own.status !== 'complete' || expectedIssues(reading, mode) === 0) return reading;
  const list = await orError(client.readIssues(submissionId, listed.assetId, deadline));
  if (!(list instanceof ServiceError)) return withIssues(reading, list);
  return { ...reading, hasUnreadIssues: reading.hasUnreadIssues || hasUnreadIssues, error: list };
}

/** Replaces what an earlier run read. If the service does not answer, that stands, except for what was read now. */
async function readAgain(before: AssetReading, options: RequestOptions): Promise<AssetReading> {
  const unread = { ...unreadAsset(before.submissionId, before.listed), content: before.content };
  const reading = (await readIssuesAlone(before, options)) ?? (await readWhole(unread, options));
  if (!reading.error?.stopsReading) return reading;
  const readIds = new Set(reading.issues.map(({ id }) => id));
  const issues = [...reading.issues, ...before.issues.filter(({ id }) => !readIds.has(id))];
  return { ...before, issues, issueCount: reading.issueCount, error: reading.error };
}

/** One request is enough if an earlier run has proved name and status. Undefined unless its list of issues is whole. */
async function readIssuesAlone(
  before: AssetReading,
  { client, mode, deadline }: RequestOptions,
): Promise<AssetReading | undefined> {
  const { submissionId, listed } = before;
  if (typeof listed.issueCount !== 'number' || failureText(listed) !== '') return undefined;
  const list = await orError(client.readIssues(submissionId, listed.assetId, deadline));
  if (list instanceof ServiceError) return list.stopsReading ? { ...before, issues: [], error: list } : undefined;
  const reading = withIssues({ ...before, issues: [], lastKnownAt: undefined }, list);
  const readIds = new Set(reading.issues.map(({ id }) => id));
  const isWhole = missingFact(reading, mode) === undefined && before.issues.every(({ id }) => readIds.has(id));
  return isWhole ? reading : undefined;
}

/** The highest count that any response gave stays. */
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
    // The length of a list can raise a count, but not take the place of one.
    issueCount: reading.issueCount === undefined ? undefined : Math.max(reading.issueCount, size),
  };
}

/** A sandbox analyses nothing: there, no count means no issues. */
function expectedIssues({ issueCount }: AssetReading, mode: Mode): number | undefined {
  return issueCount ?? (mode === 'sandbox' ? 0 : undefined);
}

/** The fact without which a complete asset is not judged; undefined if it has all of them. */
export function missingFact(reading: AssetReading, mode: Mode): string | undefined {
  const { status, issues, hasUnreadIssues } = reading;
  if (status !== 'complete')
    return `The service reports the status ${JSON.stringify(status)} for this file, not complete.`;
  const expected = expectedIssues(reading, mode);
  if (expected === undefined)
    return 'The service says that the analysis is complete, but not how many issues it found.';
  if (expected > issues.length)
    return `The service counts ${plural(expected, 'issue')}, but only ${count(issues.length)} could be read.`;
  return hasUnreadIssues ? 'The service lists an issue that could not be read.' : undefined;
}
