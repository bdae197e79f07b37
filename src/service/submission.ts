import { type Content, digitsIn } from '../media/content.ts';
import { type AssetReading, countOf, type EarlierResult, issuesOf, withEntry } from './asset.ts';
import { idKey, type SubmissionResponse } from './responses.ts';
import { ServiceError } from './service-error.ts';

/** A file that a run needs of a submission. */
export interface NeededFile {
  readonly content: Content;
  /** Set if an earlier run has read its result: then its asset is found by id, otherwise by name. */
  readonly earlier?: EarlierResult | undefined;
}

/** What a run needs of a submission of this run or an earlier one. */
export interface NeededSubmission {
  readonly submissionId: string;
  readonly files: readonly NeededFile[];
  /** The `idKey`s of the assets whose results an earlier run has read. They are left out when a file is found by name. */
  readonly knownAssets: ReadonlySet<string>;
}

/** Everything that this run has read about a submission. What was found stays found if a later request fails. */
export interface SubmissionReading {
  /** The newest response. Undefined if every request failed. */
  readonly response?: SubmissionResponse | undefined;
  /** Why the last request failed. */
  readonly error?: ServiceError | undefined;
  /** By `idKey`: the assets of the newest list. An entry changes when its asset is read. */
  readonly assets: Map<string, AssetReading>;
}

/** Adds what came of a request for the submission. Without a list, its assets stay as they are. */
export function withReply(before: SubmissionReading, reply: SubmissionResponse | ServiceError): SubmissionReading {
  if (reply instanceof ServiceError) return { ...before, error: reply };
  const relisted = reply.assets?.map((entry): [string, AssetReading] => {
    const key = idKey(entry.assetId);
    return [key, withEntry(before.assets.get(key), entry, reply.status.phase === 'running')];
  });
  const assets = relisted ? new Map(relisted) : before.assets;
  return { response: reply, assets };
}

/** The assets of a submission, as a run sees them that needs some files of it. */
export interface FoundAssets {
  /** All that no earlier run has read. None, if an earlier run has read each file. */
  readonly all: readonly AssetReading[];
  /** Of these, those whose name was not read: they may be any of the files. */
  readonly unnamed: readonly AssetReading[];
  /** Of these, those that have or may have an issue and are none of the files: they may belong to any. */
  readonly foreign: readonly AssetReading[];
  /** The assets of one file, usually one: by id if an earlier run has read it, else by name, of the highest version. */
  readonly ofFile: (file: NeededFile) => readonly AssetReading[];
  /** The assets that are files without a result, and those without a name, which may be. */
  readonly possible: readonly { readonly asset: AssetReading; readonly file: NeededFile | undefined }[];
}

/** Finds the files of a submission among its assets. */
export function findAssets(
  { assets }: SubmissionReading,
  { files, knownAssets }: Pick<NeededSubmission, 'files' | 'knownAssets'>,
): FoundAssets {
  const open = files.filter(({ earlier }) => !earlier);
  const others = [...assets].filter(([key]) => !knownAssets.has(key)).map(([, asset]) => asset);
  const all = open.length > 0 ? others : [];
  const byDigits = new Map<string, AssetReading[]>();
  for (const asset of all) {
    for (const digits of new Set(digitsIn(asset.filename ?? '')))
      byDigits.set(digits, [...(byDigits.get(digits) ?? []), asset]);
  }
  const namedLike = ({ content }: NeededFile): readonly AssetReading[] =>
    byDigits.get(digitsIn(content.name).at(-1) ?? '') ?? [];
  const unnamed = all.filter(({ filename }) => filename === undefined);
  // If each file has its asset, one that could not be read is of no file, or a second one of a file.
  const isEachFound = open.every((file) => namedLike(file).length > 0);
  const unexplained = isEachFound ? unnamed.filter((asset) => countOf(asset) !== 0) : [];
  const ofFile = (file: NeededFile): readonly AssetReading[] => {
    const { earlier } = file;
    const known = earlier && assets.get(idKey(earlier.assetId));
    if (earlier) return known ? [{ ...known, earlier }] : [];
    const versions = namedLike(file);
    const highest = Math.max(...versions.map(({ listed }) => listed.versionNumber ?? 1));
    return versions.filter(({ listed }) => (listed.versionNumber ?? 1) === highest);
  };
  const named = open.flatMap((file) => ofFile(file).map((asset) => ({ asset, file })));
  const possible = [...named, ...unnamed.map((asset) => ({ asset, file: undefined }))];
  return { all, unnamed, foreign: [...all.filter(isForeign), ...unexplained], ofFile, possible };
}

/** Whether an asset has an issue, and a name without the digits of any file. */
function isForeign(asset: AssetReading): boolean {
  const isNameless = asset.filename !== undefined && digitsIn(asset.filename).length === 0;
  return isNameless && ((countOf(asset) ?? 0) > 0 || issuesOf(asset).length > 0);
}
