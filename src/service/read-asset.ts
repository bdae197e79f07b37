import { count, plural } from '../lib/format.ts';
import type { ServiceClient } from './client.ts';
import { type Issue, type IssueList, joinById, NO_ISSUES, parseIssues, type Topic } from './issue.ts';
import { type AssetResponse, failureText, idKey, type ListedAsset, statusOf } from './responses.ts';
import { orError, ServiceError } from './service-error.ts';
import type { Deadline } from './tries.ts';

/** Everything that the service has reported about one asset in this run so far. */
export interface AssetReading {
  readonly submissionId: string;
  /** The asset's entry in the newest list of the submission. */
  readonly listed: ListedAsset;
  /** From the asset's own response: which file it is, and what became of it. An earlier run may have read that. */
  readonly own?: Pick<AssetResponse, 'filename' | 'status' | 'versionNumber' | 'versionGroupId'> | undefined;
  /** The highest count that a response gave, or more if its own list is longer. Undefined if none gave a count. */
  readonly issueCount: number | undefined;
  /** The issues in the asset's own response. */
  readonly ownIssues: IssueList;
  /** The issues in the separate list, which adds reasons and precedents. */
  readonly enrichedIssues: IssueList;
  /** Every issue that was read in any response. */
  readonly issues: readonly Issue[];
  /** Set for a reused asset. */
  readonly earlier?: EarlierResult | undefined;
  readonly retry?: Retry | undefined;
  /** Set if a fact is missing because a request failed. */
  readonly error?: ServiceError | undefined;
}

/** The result that an earlier run has read. */
export interface EarlierResult {
  readonly name: string;
  readonly assetId: string;
  readonly issues: readonly Issue[];
  readonly topics?: readonly Topic[] | undefined;
  readonly versionNumber?: number | undefined;
  readonly versionGroupId?: string | undefined;
}

/** The retries of a failed asset in this run. */
export interface Retry {
  /** Counts accepted retries. */
  readonly count: number;
  /** When the last request for a retry ended, by `monotonicMs`. */
  readonly requestedAt: number;
  /** Why the last request failed. */
  readonly error?: ServiceError | undefined;
  /** Whether a response has shown the last retry, so that the next one may follow. */
  readonly isEffective?: true;
  /** The id of the submission in which the service goes on with the retry, if it is another submission. */
  readonly movedTo?: string;
}

export function unreadAsset(submissionId: string, listed: ListedAsset): AssetReading {
  const issueCount = listed.issueCount ?? undefined;
  return { submissionId, listed, issueCount, ownIssues: NO_ISSUES, enrichedIssues: NO_ISSUES, issues: [] };
}

/** Marks an asset as reused. It need not be read if neither the earlier run nor the list has an issue or error of it. */
export function asReused(asset: AssetReading, earlier: EarlierResult): AssetReading {
  const { listed, own } = asset;
  const isClean = listed.issueCount === 0 && earlier.issues.length === 0 && failureText(listed) === '';
  return { ...asset, earlier, own: own ?? (isClean ? ownOf(earlier) : undefined) };
}

/** The name and status that an earlier run has proved. With them, this run need not read the asset itself. */
function ownOf({ name }: EarlierResult): AssetReading['own'] {
  return { filename: name, status: statusOf('complete') };
}

export function needsReading(reading: AssetReading): boolean {
  const { own, retry, earlier } = reading;
  // A failed asset can change only after a retry, or if the service contradicts what an earlier run has read.
  if (own?.status.ended === 'without results') return retry !== undefined || earlier !== undefined;
  return own?.status.ended !== 'with results' || missingFact(reading) !== undefined;
}

/**
 * Makes one attempt to read what is missing about an asset. Throws if the service rejects every request.
 *
 * @param ask sends the request for the asset itself, unless an outage makes that useless
 */
export async function readAsset(
  before: AssetReading,
  { client, deadline }: { readonly client: ServiceClient; readonly deadline: Deadline },
  ask: (send: () => Promise<AssetResponse>) => Promise<AssetResponse | ServiceError>,
): Promise<AssetReading> {
  const { submissionId, listed, earlier } = before;
  const readList = async () => await orError(client.readList('readIssues', [submissionId, listed.assetId], deadline));
  let known = before;
  let list: unknown;
  // An earlier run has proved the name and status of a reused asset, so its issues alone may be enough.
  if (earlier && typeof listed.issueCount === 'number' && failureText(listed) === '') {
    list = await readList();
    known = withEnriched(before, list);
    const reading = { ...known, own: ownOf(earlier), error: undefined };
    if (!(list instanceof ServiceError) && missingFact(reading) === undefined) return reading;
  }
  const own = await ask(async () => await client.readAsset(submissionId, listed.assetId, deadline));
  if (own instanceof ServiceError) return { ...known, error: own };
  // A sandbox analyses nothing, so a missing issue count means that there are no issues.
  const reading = withOwn(known, own, own.issueCount ?? (client.mode === 'sandbox' ? 0 : undefined));
  if (own.status.ended !== 'with results' || reading.issueCount === 0) return reading;
  list ??= await readList();
  // Without the separate list, issues lack reasons and precedents. That is an error only if an issue is missing.
  if (list instanceof ServiceError && missingFact(reading) !== undefined) return { ...reading, error: list };
  return withEnriched(reading, list);
}

function withOwn(before: AssetReading, own: AssetResponse, issueCount: number | undefined): AssetReading {
  const ownIssues = parseIssues(own.issues);
  const hasEffect = own.status.ended !== 'without results';
  const counted = withCount({ ...noteEffect(before, hasEffect), own, ownIssues, error: undefined }, issueCount);
  // The length of a list can raise the issue count, but cannot replace a missing issue count.
  const raised = counted.issueCount === undefined ? counted : withCount(counted, ownIssues.size);
  return { ...raised, issues: joinById(ownIssues.items, raised.issues) };
}

function withEnriched(reading: AssetReading, list: unknown): AssetReading {
  if (list instanceof ServiceError) return reading;
  const enrichedIssues = parseIssues(list);
  return { ...reading, enrichedIssues, issues: joinById(enrichedIssues.items, reading.issues) };
}

/** @param hasEffect whether a response shows that a retry took effect: another status, or a higher count of retries */
export function noteEffect(asset: AssetReading, hasEffect: boolean): AssetReading {
  if (!asset.retry || asset.retry.movedTo !== undefined || !hasEffect) return asset;
  const { error, count, requestedAt } = asset.retry;
  // If the response to the request was lost or a conflict, only the effect shows that the retry counts.
  return { ...asset, retry: { count: error ? count + 1 : count, requestedAt, isEffective: true } };
}

export function withCount(reading: AssetReading, issueCount: number | null | undefined): AssetReading {
  return typeof issueCount === 'number'
    ? { ...reading, issueCount: Math.max(issueCount, reading.issueCount ?? 0) }
    : reading;
}

/** The fact that is missing for a verdict about a complete asset. Undefined if all issues were read. */
export function missingFact({ issueCount, ownIssues, enrichedIssues }: AssetReading): string | undefined {
  if (issueCount === undefined)
    return 'The service says that the analysis is complete, but not how many issues it found.';
  // If the asset itself lists every issue, the separate list can only add reasons and precedents.
  if (isReadable(ownIssues) && issueCount <= distinctOrEven(ownIssues)) return undefined;
  const counted = Math.max(issueCount, enrichedIssues.items.length);
  // An issue that only an earlier response had may be one of a failed try.
  const { length } = joinById(ownIssues.items, enrichedIssues.items);
  if (counted > Math.max(length, distinctOrEven(ownIssues), distinctOrEven(enrichedIssues)))
    return `The service counts ${plural(counted, 'issue')}, but only ${count(length)} could be read.`;
  const isWhole = isReadable(ownIssues) && isReadable(enrichedIssues);
  return isWhole ? undefined : 'The service lists an issue that could not be read.';
}

function isReadable({ items, size }: IssueList): boolean {
  return items.length === size;
}

/** A service may list and count each issue several times: then the length counts, otherwise the number of issues. */
function distinctOrEven(list: IssueList): number {
  const entries = [...Map.groupBy(list.items, ({ id }) => idKey(id)).values()];
  const isEven = isReadable(list) && entries.every(({ length }) => length === entries[0]?.length);
  return isEven ? list.size : entries.length;
}

/** An unnamed asset of a failed submission has no result, unless it has an issue count or an error may hide one. */
export function isWithoutResult({ listed, issueCount, error }: AssetReading): boolean {
  const isMissing = !error || error.failureClass === 'missing';
  return issueCount === undefined && (failureText(listed) !== '' || isMissing);
}

export function hasIssue({ issues, issueCount = 0 }: AssetReading): boolean {
  return Math.max(issueCount, issues.length) > 0;
}

/** Whether an asset has an error or an issue, so that neither a timeout nor an outage excuses it. */
export function isSuspicious(asset: AssetReading): boolean {
  return failureText(asset.listed) !== '' || hasIssue(asset);
}

/** The version of an asset, as far as a response or an earlier run has said. */
export function versionOf({ listed, own, earlier }: AssetReading) {
  return {
    versionNumber: listed.versionNumber ?? own?.versionNumber ?? earlier?.versionNumber,
    versionGroupId: listed.versionGroupId ?? own?.versionGroupId ?? earlier?.versionGroupId,
  };
}

export function isNewerVersion(asset: AssetReading, other: AssetReading): boolean {
  const group = groupOf(asset);
  const [one, another] = [versionOf(asset), versionOf(other)];
  return group !== undefined && group === groupOf(other) && (one.versionNumber ?? 1) > (another.versionNumber ?? 1);
}

export function groupOf(asset: AssetReading): string | undefined {
  const { versionGroupId } = versionOf(asset);
  return versionGroupId === undefined ? undefined : idKey(versionGroupId);
}
