import { type Content, digitsIn } from '../media/content.ts';
import { forNextCall, inheritRetries, isRetryDue, isRetrying, isRetryPrevented } from './asset-retries.ts';
import {
  type AssetReading,
  asReused,
  type EarlierResult,
  groupOf,
  isNewerVersion,
  noteEffect,
  unreadAsset,
  withCount,
} from './read-asset.ts';
import { failureText, idKey, type SubmissionResponse, unlistedAsset } from './responses.ts';
import { ServiceError } from './service-error.ts';
import { CATCH_UP_MS } from './tries.ts';

/** A submission whose results a run waits for: this run has created it, or an earlier one. */
export interface AwaitedSubmission {
  readonly submissionId: string;
  readonly createdAt: string;
  /** Each content is one asset of the submission. Only the file name of an asset proves which content it is. */
  readonly contents: readonly Content[];
  /** From the response to the creation. These assets are read even if the submission cannot be read. */
  readonly assetIds?: readonly string[];
  /** Other files that this gate has sent, which may be assets of the submission. */
  readonly otherFiles?: OtherFiles | undefined;
  /** The service's job identifier, which its support asks for. */
  readonly workflowId?: string | undefined;
}

/** Files that a run does not need from a submission, such as files that were deleted since. */
interface OtherFiles {
  readonly names: readonly string[];
  /** The assets of the submission that an earlier run has read, as `idKey`s. */
  readonly assetKeys: ReadonlySet<string>;
  /** The names of the files of the submission that no earlier run has read. */
  readonly pending: readonly string[];
}

/** What a run needs of a submission of this run or an earlier one. */
export interface NeededSubmission extends Omit<AwaitedSubmission, 'createdAt'> {
  /** Files whose assets an earlier run has read. Their assets are found by id, those of `contents` by name. */
  readonly reused?: readonly { readonly content: Content; readonly earlier: EarlierResult }[];
  /** Those of `contents` that were sent, or saved as failed, more than seven days ago. */
  readonly old?: readonly Content[];
}

/** What this run has read about a submission that it needs. What was found stays found if a later request fails. */
export interface SubmissionReading extends NeededSubmission {
  /** If set, the submission is asked for until it has ended, or until this time by `monotonicMs`. */
  readonly pollUntil?: number | undefined;
  /** The newest response. Undefined if every request failed. */
  readonly response?: SubmissionResponse | undefined;
  /** Why the last request failed. */
  readonly error?: ServiceError | undefined;
  /** By `idKey`: the assets of the newest list, and reused ones, with everything that was read about them. */
  readonly assets: ReadonlyMap<string, AssetReading>;
  /** When the last request for the submission ended, by `monotonicMs`. */
  readonly askedAt?: number | undefined;
  /** Since when the service has called the submission missing, by `monotonicMs`. */
  readonly missingSince?: number | undefined;
}

/**
 * Begins a call of the reader. An outage of an earlier call is forgotten, so what was not read is asked for again; except
 * for the submissions of reused files, which the call before has just asked for.
 */
export function beginReading(
  needed: NeededSubmission,
  before: SubmissionReading | undefined,
  pollUntil: number | undefined,
): SubmissionReading {
  const { submissionId, assetIds = [], reused } = needed;
  if (!before) {
    // Before the first response, only the assets are known that the response to the creation named.
    const created = assetIds.map((assetId) => unreadAsset(submissionId, unlistedAsset(assetId)));
    return { ...needed, pollUntil, assets: byKey(created) };
  }
  const { response, error, askedAt, missingSince } = before;
  const assets = byKey([...before.assets.values()].map(forNextCall));
  const isAskedAgain = !reused && error?.stopsReading;
  return { ...needed, pollUntil, response, assets, ...(!isAskedAgain && { error, askedAt, missingSince }) };
}

/** Adds the result of a request for the submission. Without a list, its assets stay as they are; reused ones always do. */
export function withResponse(
  before: SubmissionReading,
  response: SubmissionResponse | ServiceError,
  askedAt: number,
): SubmissionReading {
  if (response instanceof ServiceError) {
    const missingSince = response.failureClass === 'missing' ? (before.missingSince ?? askedAt) : undefined;
    return { ...before, error: response, askedAt, missingSince };
  }
  const { submissionId, assets: listed } = response;
  const relisted = listed?.map((entry) => {
    const asset = before.assets.get(idKey(entry.assetId));
    if (!asset) return unreadAsset(submissionId, entry);
    const hasRetried = entry.retryCount > asset.listed.retryCount;
    // A retry, of whomever, makes an earlier failure untrue, so the asset is read again.
    const own = hasRetried && asset.own?.status.ended === 'without results' ? undefined : asset.own;
    return noteEffect({ ...withCount(asset, entry.issueCount), submissionId, listed: entry, own }, hasRetried);
  });
  const reused = (before.reused ?? []).flatMap(({ earlier }) => before.assets.get(idKey(earlier.assetId)) ?? []);
  const assets = relisted ? byKey([...reused, ...inheritRetries(relisted, before.assets)]) : before.assets;
  return { ...before, response, error: undefined, assets, askedAt, missingSince: undefined };
}

export function withAssets(reading: SubmissionReading, assets: readonly AssetReading[]): SubmissionReading {
  return { ...reading, assets: new Map([...reading.assets, ...byKey(assets)]) };
}

function byKey(assets: readonly AssetReading[]): ReadonlyMap<string, AssetReading> {
  return new Map(assets.map((asset) => [idKey(asset.listed.assetId), asset]));
}

/**
 * How far a call has come with a submission:
 *
 * - `running`: it is asked for again, because the service is working on it, or because its 404 may end
 * - `done`: the service has ended its work, so failed assets are retried, and facts that are missing may still come
 * - `over`: this call asks for nothing more, because the time is up, the service does not respond, or a wait follows
 */
type Stage = 'running' | 'done' | 'over';

export function stageOf(reading: SubmissionReading): Stage {
  const { error, assets, pollUntil, old = [] } = reading;
  const isPolled = pollUntil !== undefined;
  const isUnreadable = error !== undefined && !(isPolled && mayAppear(reading));
  const isStopped = assets.values().some((asset) => asset.error?.stopsReading);
  if (isUnreadable || isStopped || isTimeUp(reading)) return 'over';
  if (isPolled) return mayAppear(reading) || isUnfinished(reading) ? 'running' : 'done';
  const retrying = retryingAssets(reading);
  if (retrying.length === 0) return 'done';
  // An accepted retry is left to the wait. A refused one may show at once, and without an effect an old file is sent.
  const isShown = retrying.every(({ retry }) => retry?.isEffective || (!retry?.error && old.length === 0));
  return isShown ? 'over' : 'running';
}

/** The time of the last request counts, so that one request follows the deadline, and slow reads are no timeout. */
export function isTimeUp({ askedAt = 0, pollUntil = Number.POSITIVE_INFINITY }: SubmissionReading): boolean {
  return askedAt >= pollUntil;
}

export function isUnfinished(reading: SubmissionReading): boolean {
  return !reading.response?.status.ended || retryingAssets(reading).length > 0;
}

/** Whether the submission is missing, and has been for less than 20 s. */
export function mayAppear({ missingSince, askedAt = 0 }: SubmissionReading): boolean {
  return missingSince !== undefined && askedAt < missingSince + CATCH_UP_MS;
}

/**
 * Whether to read the assets of `contents` now: if the submission has ended, or one of them is so old that it may never get
 * a result. In a wait, the last reading decides, even if the work has not ended.
 */
export function areAssetsDue(reading: SubmissionReading): boolean {
  const { contents, response, old = [], pollUntil } = reading;
  const isDue = response && (response.status.ended || old.length > 0);
  return contents.length > 0 && Boolean(isDue || (pollUntil !== undefined && stageOf(reading) === 'over'));
}

/** The assets to read now, except for what is known of them already. */
export function assetsToRead(reading: SubmissionReading): readonly AssetReading[] {
  const reused = reading.response ? reusedAssets(reading).map(({ asset }) => asset) : [];
  return [...reused, ...(areAssetsDue(reading) ? assetsByName(reading) : [])];
}

/** The failed assets to retry now: those of `contents`, and those without a name, which may be theirs. */
export function assetsToRetry(reading: SubmissionReading): readonly AssetReading[] {
  const { ended, isFinal } = reading.response?.status ?? {};
  const possible = ended && !isFinal && stageOf(reading) === 'done' ? possibleAssets(reading) : [];
  return possible.some(isRetryPrevented) ? [] : possible.filter(isRetryDue);
}

/** Whether an asset of `contents` is not listed, or its name is unknown. */
export function isAnyAssetUnknown(reading: SubmissionReading): boolean {
  const { of, readings } = assetsOfFiles(reading);
  const { contents } = reading;
  return contents.length > 0 && (readings.some(({ own }) => !own) || contents.some((each) => of(each).length === 0));
}

/** The reused contents with their assets. An asset that is in no list is known by its id alone. */
export function reusedAssets({ submissionId, reused = [], assets }: SubmissionReading) {
  return reused.map(({ content, earlier }) => {
    const listed = assets.get(idKey(earlier.assetId));
    return { content, asset: asReused(listed ?? unreadAsset(submissionId, unlistedAsset(earlier.assetId)), earlier) };
  });
}

/** The assets that may belong to `contents`: those that no earlier run has read. */
function assetsByName({ otherFiles, assets }: FilesOfSubmission): readonly AssetReading[] {
  return [...assets].filter(([key]) => !otherFiles?.assetKeys.has(key)).map(([, asset]) => asset);
}

function possibleAssets(reading: SubmissionReading): readonly AssetReading[] {
  const { contents } = reading;
  if (contents.length === 0) return [];
  const { of, unnamed } = assetsOfFiles(reading);
  return [...contents.flatMap(of), ...unnamed];
}

/** The assets of `contents` whose retry is running, or may still take effect. */
function retryingAssets(reading: SubmissionReading): readonly AssetReading[] {
  if (reading.response?.status.isFinal || !assetsByName(reading).some(({ retry }) => retry)) return [];
  return possibleAssets(reading).filter((asset) => isRetrying(asset, reading.askedAt ?? 0));
}

type FilesOfSubmission = Pick<SubmissionReading, 'contents' | 'otherFiles' | 'assets'>;

/**
 * Finds the assets of each file. An asset belongs to the file whose sent name it has. If no asset has that name, the
 * service may have changed it, so the hex digits of the sent name decide.
 */
export function assetsOfFiles(submission: FilesOfSubmission) {
  const { contents, otherFiles } = submission;
  const readings = assetsByName(submission);
  const names = [...contents.map(({ name }) => name), ...(otherFiles?.names ?? [])];
  const files = new Map(names.map((name) => [name, fileKey(name)]));
  const keys = new Set(files.values());
  const withSentName = new Set(readings.map(({ own }) => files.get(own?.filename ?? '')));
  const fileOf = ({ filename }: NonNullable<AssetReading['own']>): string | undefined =>
    files.get(filename) ?? digitsIn(filename).find((digits) => keys.has(digits) && !withSentName.has(digits));
  const byFile = Map.groupBy(
    readings.filter(({ own }) => own),
    ({ own }) => own && fileOf(own),
  );
  const named = [...byFile].filter(([file]) => file !== undefined);
  const newest = new Map(named.map(([file, assets]) => [file, newestVersions(assets)]));
  const byGroup = Map.groupBy([...newest.values()].flat(), groupOf);
  const expected = [...contents.map(({ name }) => name), ...(otherFiles?.pending ?? [])].map(fileKey);
  return {
    /** All assets that may belong to a file of `contents`. */
    readings,
    /** The assets of the file with this content, usually one. */
    of: ({ name }: Content): readonly AssetReading[] => newest.get(fileKey(name)) ?? [],
    /** Assets whose name could not be read. Each may belong to any file. */
    unnamed: readings.filter((asset) => !asset.own && !isReplaced(asset, byGroup.get(groupOf(asset)) ?? [])),
    /** How many files of the submission have no asset, whether they are needed in this call or not. */
    withoutAsset: new Set(expected.filter((key) => !newest.has(key))).size,
    /** Assets that belong to none of the files that this gate has sent. */
    strays: byFile.get(undefined) ?? [],
  };
}

function fileKey(name: string): string {
  return digitsIn(name).at(-1) ?? name;
}

/** Of several assets of one file in a version group, only the newest counts: a retry may have added it. */
function newestVersions(assets: readonly AssetReading[]): readonly AssetReading[] {
  return assets.filter((asset) => !assets.some((other) => isNewerVersion(other, asset)));
}

/** Whether an asset without a name has failed, and the only file in its version group has a newer version. */
function isReplaced(asset: AssetReading, [named, ...others]: readonly AssetReading[]): boolean {
  const isAlone = named !== undefined && others.length === 0;
  return isAlone && failureText(asset.listed) !== '' && isNewerVersion(named, asset);
}
