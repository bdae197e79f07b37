import { createHash } from 'node:crypto';
import { type Cause, FILE, preFlight } from '../lib/cause.ts';
import type { MediaFile } from './file.ts';
import { type Category, includesAnalysisOf, safeExtension } from './media-types.ts';

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

/** Of files with the same bytes, one whose analysis includes those of all others. Undefined if there is none. */
export function representativeFile(files: readonly MediaFile[]): MediaFile | undefined {
  return files.find(({ type }) => files.every((other) => includesAnalysisOf(type, other.type)));
}

/** Reports files that have the same bytes but need different analyses: the same bytes are sent only once. */
export function conflictingNameProblems(files: readonly MediaFile[]): readonly Cause[] {
  return [...Map.groupBy(files, ({ sha256 }) => sha256).values()].flatMap((copies) => {
    const [first, ...others] = copies;
    const other = others.find(({ type }) => first && !includesAnalysisOf(first.type, type));
    if (!first || !other || representativeFile(copies)) return [];
    const message = `The same bytes are in ${first.path}, as another kind of file (${first.type.mime}; here ${other.type.mime}). One analysis does not fit both.`;
    return [preFlight(other.path, message, `Give ${FILE} and \`${first.path}\` the same extension`)];
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
