import { count, plural } from '../lib/format.ts';
import type { Deadline, ServiceClient } from './client.ts';
import type { Mode } from './endpoints.ts';
import { type Issue, joinById, type ReadList, readIssues } from './issue.ts';
import type { ListedAsset } from './responses.ts';
import { ServiceError } from './service-error.ts';

/** What the service has said about one asset so far. */
export interface AssetReading {
  readonly listed: ListedAsset;
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
  /** Why the last read stopped early. */
  readonly error?: ServiceError | undefined;
}

export function unreadAsset(listed: ListedAsset): AssetReading {
  return {
    listed,
    issueCount: listed.issueCount ?? undefined,
    issues: [],
    hasUnreadIssues: false,
    versionNumber: listed.versionNumber ?? undefined,
    versionGroupId: listed.versionGroupId ?? undefined,
  };
}

export interface ReadAssetOptions {
  readonly client: Pick<ServiceClient, 'readAsset' | 'readIssues'>;
  readonly submissionId: string;
  readonly mode: Mode;
  readonly deadline: Deadline;
}

/**
 * Reads an asset, and its issues if there can be any. Only a refusal of every request is thrown.
 *
 * @param before an earlier reading: what it found still counts
 */
export async function readAsset(
  listed: ListedAsset,
  { client, submissionId, mode, deadline }: ReadAssetOptions,
  before: AssetReading = unreadAsset(listed),
): Promise<AssetReading> {
  let reading: AssetReading = {
    ...withCount(before, listed.issueCount),
    listed,
    hasUnreadIssues: false,
    error: undefined,
  };
  try {
    const response = await client.readAsset(submissionId, listed.assetId, deadline);
    const { filename, status } = response;
    reading = {
      ...withIssues(withCount(reading, response.issueCount), readIssues(response.issues)),
      filename,
      status,
      versionNumber: listed.versionNumber ?? response.versionNumber ?? undefined,
      versionGroupId: listed.versionGroupId ?? response.versionGroupId ?? undefined,
    };
    if (status !== 'complete' || expectedIssues(reading, mode) === 0) return reading;
    return withIssues(reading, readIssues(await client.readIssues(submissionId, listed.assetId, deadline)));
  } catch (error) {
    if (!(error instanceof ServiceError) || error.endsRun) throw error;
    return { ...reading, hasUnreadIssues: reading.hasUnreadIssues || before.hasUnreadIssues, error };
  }
}

/** The highest count that any response gave stays. */
export function withCount(reading: AssetReading, issueCount: number | null | undefined): AssetReading {
  return typeof issueCount === 'number'
    ? { ...reading, issueCount: Math.max(issueCount, reading.issueCount ?? 0) }
    : reading;
}

function withIssues(reading: AssetReading, { items, size = 0 }: ReadList<Issue>): AssetReading {
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
