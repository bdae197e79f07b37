import { plural } from '../lib/format.ts';
import type { ServiceClient } from './client.ts';
import { type Issue, joinById, parseIssues, type Topic } from './issue.ts';
import { type AssetResponse, failureText, type ListedAsset } from './responses.ts';
import { orError, ServiceError } from './service-error.ts';
import type { Deadline } from './tries.ts';

/** Everything that the service has said about one asset in this run, by the newest response of each kind. */
export interface AssetReading {
  /** The asset's entry in the list of the submission. */
  readonly listed: ListedAsset;
  /** Set if an earlier run has proved name and status: then the separate list of issues may be enough. */
  readonly earlier?: EarlierResult | undefined;
  /** Known as soon as the asset was read once, because it does not change. */
  readonly filename?: string | undefined;
  /** The asset's own response. It is forgotten when a retry is accepted. */
  readonly response?: AssetResponse | undefined;
  /** The separate list of its issues, which have reasons and precedents. Undefined if it was not read. */
  readonly enriched?: unknown;
  /** Why the newest read failed. */
  readonly error?: ServiceError | undefined;
  readonly retry: Retry;
}

/** The retries of an asset in this run. */
interface Retry {
  /** How many were accepted. */
  readonly accepted: number;
  /** The `retryCount` before the last accepted retry. Undefined once a response shows it: until then a failure is older. */
  readonly countBefore?: number | undefined;
  /** Why the last request for a retry was not accepted. */
  readonly error?: ServiceError | undefined;
}

/** The result that an earlier run has read. */
export interface EarlierResult {
  readonly assetId: string;
  readonly issues: readonly Issue[];
  readonly topics?: readonly Topic[] | undefined;
  readonly versionNumber?: number | undefined;
}

/** Adds a new entry of the list to what is known of an asset. @param isRunning whether the submission is */
export function withEntry(before: AssetReading | undefined, listed: ListedAsset, isRunning: boolean): AssetReading {
  if (!before) return { listed, retry: { accepted: 0 } };
  const hasRetried = isRunning || listed.retryCount > before.listed.retryCount;
  // A retry, of whomever, makes an earlier failure untrue, so the asset is read again.
  const isOutdated = hasRetried && before.response?.status.phase === 'failed';
  return { ...before, listed, response: isOutdated ? undefined : before.response };
}

/** Adds the asset's own response. */
function withResponse(asset: AssetReading, response: AssetResponse): AssetReading {
  const { filename } = response;
  const { countBefore } = asset.retry;
  const isHidden = countBefore !== undefined && asset.listed.retryCount <= countBefore;
  return isHidden && response.status.phase === 'failed'
    ? { ...asset, filename }
    : { ...asset, response, filename, retry: { ...asset.retry, countBefore: undefined } };
}

/** Whether an accepted retry has not ended. */
export function isRetrying({ response, retry }: AssetReading): boolean {
  const isShown = retry.countBefore === undefined;
  return retry.accepted > 0 && (!isShown || response?.status.phase === 'running');
}

/** Every issue that the newest responses have. */
export function issuesOf({ response, enriched }: AssetReading): readonly Issue[] {
  return joinById(parseIssues(enriched), parseIssues(response?.issues));
}

/** The highest count that a response gives. Undefined if none gives one. */
export function countOf({ listed, response, enriched }: AssetReading): number | undefined {
  const counts = [listed.issueCount, response?.issueCount].filter((each) => typeof each === 'number');
  const lengths = [response?.issues, enriched].map(lengthOf);
  return counts.length === 0 ? undefined : Math.max(...counts, ...lengths);
}

/**
 * How many issues a list has. An entry that cannot be read counts, and an issue that is repeated counts once. An object may
 * hold other lists beside that of the issues, so its entries are not counted.
 */
function lengthOf(list: unknown): number {
  if (!Array.isArray(list)) return 0;
  const issues = parseIssues(list);
  return list.length - issues.length + joinById(issues, []).length;
}

/** The fact that is missing for a verdict about a complete asset. Undefined if every issue was read. */
export function missingFact(asset: AssetReading): string | undefined {
  const counted = countOf(asset);
  if (counted === undefined) return 'The service says that the analysis is complete, but not how many issues it found.';
  const { length } = issuesOf(asset);
  return counted > length
    ? `The service counts ${plural(counted, 'issue')}, but only ${length} could be read.`
    : undefined;
}

/** Whether this run knows all issues of an asset. */
export function isRead(asset: AssetReading): boolean {
  const { response, listed, earlier, enriched } = asset;
  if (response) return response.status.phase === 'complete' && missingFact(asset) === undefined;
  if (!earlier || failureText(listed) !== '') return false;
  if (listed.issueCount === 0 && earlier.issues.length === 0) return true;
  // If there are fewer issues than before, the asset's own response must say that its analysis is complete.
  const areFewer = issuesOf(asset).length < earlier.issues.length;
  return enriched !== undefined && !areFewer && missingFact(asset) === undefined;
}

/** Whether a request may change what is known of an asset. */
export function needsReading(asset: AssetReading): boolean {
  return !isRead(asset) && (asset.earlier !== undefined || asset.response?.status.phase !== 'failed');
}

/** Makes one attempt to read what is missing about an asset. Throws if the service rejects every request. */
export async function readAsset(
  submissionId: string,
  before: AssetReading,
  { client, deadline }: { readonly client: ServiceClient; readonly deadline: Deadline },
): Promise<AssetReading> {
  const { listed, earlier } = before;
  const withList = async (reading: AssetReading): Promise<AssetReading> => {
    const list = await orError(client.readList('readIssues', [submissionId, listed.assetId], deadline));
    return list instanceof ServiceError ? { ...reading, error: list } : { ...reading, enriched: list };
  };
  let reading: AssetReading = { ...before, error: undefined };
  const mayBeEnough = earlier && typeof listed.issueCount === 'number' && failureText(listed) === '';
  if (mayBeEnough) {
    reading = await withList({ ...reading, response: undefined });
    if (isRead(reading)) return reading;
  }
  const response = await orError(client.readAsset(submissionId, listed.assetId, deadline));
  if (response instanceof ServiceError) return { ...reading, error: response };
  reading = withResponse(reading, response);
  if (response.status.phase !== 'complete' || countOf(reading) === 0) return { ...reading, error: undefined };
  return mayBeEnough ? reading : await withList(reading);
}
