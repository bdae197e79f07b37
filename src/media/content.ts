import { createHash } from 'node:crypto';
import type { MediaFile } from './file.ts';
import type { MediaType } from './media-types.ts';
import type { LfsPointer } from './sniff.ts';

/** The bytes of one or more files. Files with the same bytes are one content, and one asset at the service. */
export interface Content {
  readonly sha256: string;
  readonly size: number;
  /** The type of its files; of Git LFS pointers, that of their names. Undefined if these do not show it. */
  readonly type: MediaType | undefined;
  /** The paths of all files with these bytes, sorted. */
  readonly paths: readonly [string, ...string[]];
  /** Undefined if the workspace has only Git LFS pointers to the content: it can then be reused, but not sent. */
  readonly file: MediaFile | undefined;
  /** The file name at the service: that of an upload by this run or, of an asset, by an earlier one. Empty without a type. */
  readonly name: string;
}

export interface SendableContent extends Content {
  readonly file: MediaFile;
}

export function contentsOf(
  files: readonly MediaFile[],
  pointers: readonly LfsPointer[],
  repositoryId: string,
): readonly Content[] {
  const fileOf = new Map(files.toReversed().map((file) => [file.sha256, file]));
  return [...Map.groupBy([...files, ...pointers], ({ sha256 }) => sha256)].flatMap(([sha256, copies]) => {
    const [path, ...others] = copies.map((each) => each.path).toSorted();
    if (path === undefined) return [];
    const file = fileOf.get(sha256);
    const type = copies.map((each) => each.type).find((each) => each !== undefined);
    const name = type ? uploadName(file?.path ?? path, { sha256, repositoryId, extension: type.extension }) : '';
    return { sha256, size: copies[0]?.size ?? 0, type, paths: [path, ...others] as const, file, name };
  });
}

/** The service may cut a longer name. */
const MAX_NAME_LENGTH = 64;
/** 32 digits are 128 bits. With 64 bits, an attacker could find two files with the same digits in seconds. */
const HEX_DIGITS = 32;

/**
 * The name under which a file is uploaded. If two repositories share a workspace of the service, a file may replace
 * another with the same name. So hex digits make the name unique. The rest, the end of the path, is for people: they can
 * tell `en/hero.mp4` from `de/hero.mp4`.
 */
export function uploadName(
  path: string,
  { sha256, repositoryId, extension }: Readonly<Record<'sha256' | 'repositoryId' | 'extension', string>>,
): string {
  const digits = createHash('sha256').update(`${repositoryId}\n${sha256}`).digest('hex').slice(0, HEX_DIGITS);
  const ending = `-${digits}.${extension.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 20) || 'bin'}`;
  const stem = path
    .replace(/(?<=[^/])\.[^./]*$/, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .slice(ending.length - MAX_NAME_LENGTH)
    .replace(/^-|-$/g, '');
  return `${stem || 'file'}${ending}`;
}

/** Matches at every position: if the service drops the separator before the digits, the stem may end in hex digits. */
const DIGITS = new RegExp(`(?=([\\da-f]{${HEX_DIGITS}}))`, 'g');

/** All parts of a name that may be the digits of an upload name. */
export function digitsIn(name: string): readonly string[] {
  return [...name.toLowerCase().matchAll(DIGITS)].map(([, digits = '']) => digits);
}
