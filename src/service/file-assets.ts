import { type Content, digitsIn } from '../media/content.ts';
import type { AssetReading } from './read-asset.ts';
import { failureText, idKey } from './responses.ts';
import type { AwaitedSubmission } from './submit.ts';

/** The assets of a submission, sorted by the file that they belong to. */
export interface FileAssets {
  /** The assets of the file with this content, usually one. */
  readonly of: (content: Content) => readonly AssetReading[];
  /** Assets whose name could not be read. Each may belong to any file. */
  readonly unnamed: readonly AssetReading[];
  /** Assets that belong to none of the files that this gate has sent. */
  readonly strays: readonly AssetReading[];
}

/**
 * Finds the assets of each file. An asset belongs to the file whose sent name it has. If no asset has that name, the
 * service may have changed it, so the hex digits of the sent name decide.
 */
export function assetsOfFiles(
  readings: readonly AssetReading[],
  { contents, otherFiles }: Pick<AwaitedSubmission, 'contents' | 'otherFiles'>,
): FileAssets {
  const names = [...contents.map(({ name }) => name), ...(otherFiles?.names ?? [])];
  const files = new Map(names.map((name) => [name, keyOf(name)]));
  const keys = new Set(files.values());
  const withSentName = new Set(readings.map(({ own }) => files.get(own?.filename ?? '')));
  const fileOf = ({ filename }: NonNullable<AssetReading['own']>): string | undefined =>
    files.get(filename) ?? digitsIn(filename).find((digits) => keys.has(digits) && !withSentName.has(digits));
  const byFile = Map.groupBy(
    readings.filter(({ own }) => own),
    ({ own }) => own && fileOf(own),
  );
  const strays = byFile.get(undefined) ?? [];
  byFile.delete(undefined);
  const newest = new Map([...byFile].map(([file, assets]) => [file, newestVersions(assets)]));
  const byGroup = Map.groupBy([...newest.values()].flat(), groupOf);
  return {
    of: ({ name }) => newest.get(keyOf(name)) ?? [],
    unnamed: readings.filter((asset) => !asset.own && !isReplaced(asset, byGroup.get(groupOf(asset)) ?? [])),
    strays,
  };
}

function keyOf(name: string): string {
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

export function isNewerVersion(asset: AssetReading, other: AssetReading): boolean {
  const group = groupOf(asset);
  return group !== undefined && group === groupOf(other) && versionOf(asset) > versionOf(other);
}

function groupOf({ listed, own }: AssetReading): string | undefined {
  const group = listed.versionGroupId ?? own?.versionGroupId ?? undefined;
  return group === undefined ? undefined : idKey(group);
}

function versionOf({ listed, own }: AssetReading): number {
  return listed.versionNumber ?? own?.versionNumber ?? 1;
}
