import { createHash } from 'node:crypto';
import type { MediaFile } from './file.ts';
import { type Category, safeExtension } from './media-types.ts';
import type { LfsPointer } from './sniff.ts';

/** The bytes of one or more files. Files with the same bytes are one content, and one asset at the service. */
export interface Content {
  readonly sha256: string;
  readonly size: number;
  /** The category under which an earlier run sent the content, otherwise that of `file`, which may be undefined. */
  readonly category: Category | undefined;
  /** The paths of all files with these bytes, sorted. */
  readonly paths: readonly [string, ...string[]];
  /** Undefined if the workspace has only Git LFS pointers to the content: it can then be reused, but not sent. */
  readonly file: MediaFile | undefined;
  /**
   * The file name at the service: that of an earlier run if its analysis is used, otherwise that of an upload by this
   * run. Empty if the content can be neither reused nor sent.
   */
  readonly name: string;
}

export interface SendableContent extends Content {
  readonly file: MediaFile;
}

/** A content, with the files of the workspace that hold its bytes, and the Git LFS pointers to them. */
interface Copies {
  readonly content: Content;
  readonly files: readonly MediaFile[];
  readonly pointers: readonly LfsPointer[];
}

export function contentsOf(
  allFiles: readonly MediaFile[],
  allPointers: readonly LfsPointer[],
  repositoryId: string,
): readonly Copies[] {
  const filesBySha = Map.groupBy(allFiles, ({ sha256 }) => sha256);
  const pointersBySha = Map.groupBy(allPointers, ({ sha256 }) => sha256);
  return [...new Set([...filesBySha.keys(), ...pointersBySha.keys()])].flatMap((sha256) => {
    const [files, pointers] = [filesBySha.get(sha256) ?? [], pointersBySha.get(sha256) ?? []];
    const [path, ...others] = [...files, ...pointers].map((each) => each.path).toSorted();
    if (path === undefined) return [];
    const [file] = files;
    const content = {
      sha256,
      size: file?.size ?? pointers[0]?.size ?? 0,
      category: file?.type.category,
      paths: [path, ...others] as const,
      file,
      name: file ? uploadName(file.path, { sha256, repositoryId, extension: file.type.extension }) : '',
    };
    return { content, files, pointers };
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
  const ending = `-${digits}.${safeExtension(extension)}`;
  const stem = path
    .replace(/(?<=[^/])\.[^./]*$/, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .slice(ending.length - MAX_NAME_LENGTH)
    .replace(/^-|-$/g, '');
  return `${stem || 'file'}${ending}`;
}

const MAX_SEARCHED = 1_000;
/** Matches at every position: if the service drops the separator before the digits, the stem may end in hex digits. */
const DIGITS = new RegExp(`(?=([\\da-f]{${HEX_DIGITS}}))`, 'g');

/** All parts of a name that may be the digits of an upload name. They are at its end, so only the end is searched. */
export function digitsIn(name: string): readonly string[] {
  return [...name.slice(-MAX_SEARCHED).toLowerCase().matchAll(DIGITS)].map(([, digits = '']) => digits);
}
