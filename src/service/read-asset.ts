import { concurrently } from '../lib/concurrently.ts';
import { count, plural } from '../lib/format.ts';
import { type Deadline, MAX_CONCURRENT_READS, type ServiceClient } from './client.ts';
import type { Mode } from './endpoints.ts';
import { type Issue, joinById, readIssues } from './issue.ts';
import { type AssetResponse, failureText, type ListedAsset } from './responses.ts';
import { orError, ServiceError } from './service-error.ts';

/** What the service has said about one asset so far. */
export interface AssetReading {
  readonly submissionId: string;
  /** Its entry in the newest list of the submission. */
  readonly listed: ListedAsset;
  /** The asset's own response, which proves which file it is; of a reused asset, what an earlier run has proved. */
  readonly own?: OwnFacts | undefined;
  /** The highest number that any response gave; undefined if none did. */
  readonly issueCount: number | undefined;
  /** All that could be read, even if others may be missing. */
  readonly issues: readonly Issue[];
  /** A list had items that could not be read, or more than are read. */
  readonly hasUnreadIssues: boolean;
  /** Set as long as the issues are those that an earlier run read: the ISO 8601 time of that analysis. */
  readonly lastKnownAt?: string | undefined;
  readonly retry?: Retry | undefined;
  /** Why a fact is missing. */
  readonly error?: ServiceError | undefined;
}

type OwnFacts = Pick<AssetResponse, 'filename' | 'status' | 'versionNumber' | 'versionGroupId'>;

/** The retries of a failed asset. */
export interface Retry {
  /** How many the service accepted. */
  readonly count: number;
  /** When the last request for one ended, in epoch milliseconds. */
  readonly requestedAt: number;
  /** Why the last one is of no use, unless the asset shows an effect; undefined once it has. */
  readonly problem: RetryProblem | undefined;
}

/** It was not accepted, it goes on in another submission, or it was accepted and nothing has changed. */
export type RetryProblem = ServiceError | { readonly movedTo: string } | 'no effect';

export function unreadAsset(submissionId: string, listed: ListedAsset): AssetReading {
  return { submissionId, listed, issueCount: listed.issueCount ?? undefined, issues: [], hasUnreadIssues: false };
}

export interface ReadOptions {
  readonly client: Pick<ServiceClient, 'readAsset' | 'readIssues'>;
  readonly mode: Mode;
  /** Called before each asset is read. Returns undefined if there is no time left for it. */
  readonly deadlineFor: (reading: AssetReading) => Deadline | undefined;
}

/**
 * The one reader of new, awaited and reused assets: reads every asset that lacks a fact once, in the given order. Throws
 * only if the service rejects every request, for example because the key is wrong.
 */
export async function readMissing(
  readings: readonly AssetReading[],
  { client, mode, deadlineFor }: ReadOptions,
): Promise<readonly AssetReading[]> {
  let stoppedBy: ServiceError | undefined;
  return await concurrently(readings, MAX_CONCURRENT_READS, async (before) => {
    const deadline = needsReading(before, mode) ? deadlineFor(before) : undefined;
    if (!deadline) return before;
    const options = { client, mode, deadline, readOwn: () => readOwn(before, deadline) };
    return (await readIssuesAlone(before, options)) ?? (await readWhole(before, options));
  });

  /** Once the service does not respond for one asset, it is not asked for the others. */
  async function readOwn({ submissionId, listed }: AssetReading, deadline: Deadline) {
    const own = stoppedBy ?? (await orError(client.readAsset(submissionId, listed.assetId, deadline)));
    if (own instanceof ServiceError && own.stopsReading) stoppedBy = own;
    return own;
  }
}

interface OneRead extends Omit<ReadOptions, 'deadlineFor'> {
  readonly deadline: Deadline;
  readonly readOwn: () => Promise<AssetResponse | ServiceError>;
}

function needsReading(reading: AssetReading, mode: Mode): boolean {
  const { own, issues, lastKnownAt, retry } = reading;
  // A reused asset without issues has none that could have changed.
  if (lastKnownAt !== undefined && issues.length > 0) return true;
  // A failed asset changes only by a retry.
  return (own?.status === 'failed' && retry !== undefined) || missingFact(reading, mode) !== undefined;
}

/**
 * The shortcut for a reused asset whose list entry has a count and no error text: an earlier run has proved its name and
 * status, so one request for its issues is enough. As many issues as counted are the issues, even if their ids have changed.
 *
 * @returns undefined if the asset is not reused, or that was not enough
 */
async function readIssuesAlone(
  before: AssetReading,
  { client, mode, deadline }: OneRead,
): Promise<AssetReading | undefined> {
  const { submissionId, listed, lastKnownAt } = before;
  const isShort = lastKnownAt !== undefined && typeof listed.issueCount === 'number' && failureText(listed) === '';
  if (!isShort) return undefined;
  const list = await orError(client.readIssues(submissionId, listed.assetId, deadline));
  if (list instanceof ServiceError) return undefined;
  const reading = withIssues({ ...before, issues: [], lastKnownAt: undefined }, list);
  return missingFact(reading, mode) === undefined ? reading : undefined;
}

/** Reads the asset itself and its issues. If the service stops responding, the issues that an earlier run read stand. */
async function readWhole(before: AssetReading, options: OneRead): Promise<AssetReading> {
  const { submissionId, listed, lastKnownAt } = before;
  if (lastKnownAt === undefined) return await readOwnAndIssues(before, options);
  const reading = await readOwnAndIssues(unreadAsset(submissionId, listed), options);
  return reading.error?.stopsReading ? joinLastKnown(before, reading) : reading;
}

/**
 * What this run has read before still counts. The enriched list adds reasons and precedents: if the asset itself has all
 * issues, a failure to read that list costs nothing else.
 */
async function readOwnAndIssues(before: AssetReading, options: OneRead): Promise<AssetReading> {
  const { client, mode, deadline, readOwn } = options;
  const { submissionId, listed } = before;
  const own = await readOwn();
  if (own instanceof ServiceError) return { ...before, error: own };
  const counted = withCount({ ...before, own, hasUnreadIssues: false, error: undefined }, own.issueCount);
  const reading = withIssues(counted, own.issues);
  if (own.status !== 'complete' || expectedIssues(reading, mode) === 0) return reading;
  const list = await orError(client.readIssues(submissionId, listed.assetId, deadline));
  if (!(list instanceof ServiceError)) return withIssues(reading, list);
  const unchanged = { ...reading, hasUnreadIssues: reading.hasUnreadIssues || before.hasUnreadIssues };
  return missingFact(unchanged, mode) === undefined ? unchanged : { ...unchanged, error: list };
}

function joinLastKnown(before: AssetReading, { issues, issueCount, error }: AssetReading): AssetReading {
  const readIds = new Set(issues.map(({ id }) => id));
  const others = before.issues.filter(({ id }) => !readIds.has(id));
  return { ...before, issues: [...issues, ...others], issueCount, error };
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

/** The fact without which the file is not judged; undefined if the asset has failed, or is complete with all issues. */
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
