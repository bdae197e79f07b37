import { createHash } from 'node:crypto';
import { type Cause, FILE, preFlight } from '../lib/cause.ts';
import type { MediaFile } from './file.ts';
import { type Category, includesAnalysisOf } from './media-types.ts';

/** The same bytes at every path that has them: one asset at the service. */
export interface Content {
  readonly sha256: string;
  readonly size: number;
  /** Undefined without a file, or for a type that is not in our table. */
  readonly category: Category | undefined;
  /** Sorted; at least one. */
  readonly paths: readonly string[];
  /** Undefined if there are only Git LFS pointers to it, so that it can be reused but not sent. */
  readonly file: MediaFile | undefined;
  /** The file name at the service, which no other content has. */
  readonly name: string;
}

export interface SendableContent extends Content {
  readonly file: MediaFile;
}

/** Of files with the same bytes, one whose analysis includes that of all the others; undefined if there is none. */
export function representativeFile(files: readonly MediaFile[]): MediaFile | undefined {
  return files.find(({ type }) => files.every((other) => includesAnalysisOf(type, other.type)));
}

/** The same bytes are sent once, so their names must not need two different analyses. */
export function conflictingNameProblems(files: readonly MediaFile[]): readonly Cause[] {
  return [...Map.groupBy(files, ({ sha256 }) => sha256).values()].flatMap((copies) => {
    const [first, ...others] = copies;
    const other = others.find(({ type }) => first && !includesAnalysisOf(first.type, type));
    if (!first || !other || representativeFile(copies)) return [];
    const message = `The same bytes are in ${first.path}, as another kind of file (${first.type.mime}; here ${other.type.mime}). One analysis does not fit both.`;
    return [preFlight(other.path, message, `Give ${FILE} and \`${first.path}\` the same extension`)];
  });
}

const MAX_NAME_LENGTH = 200;
/** 128 bits. With 64 bits, two files with the same name could be found in seconds. */
const HEX_DIGITS = 32;

/**
 * The name that a file is uploaded under. Many repositories may share a workspace of the service, where a second file of
 * the same name may replace the first. The hex digits prevent that; the stem is for people.
 *
 * @param path the first path of the content
 * @param extension the detected one, without the dot
 */
export function uploadName(
  path: string,
  { sha256, repositoryId, extension }: Readonly<Record<'sha256' | 'repositoryId' | 'extension', string>>,
): string {
  const digits = createHash('sha256').update(`${repositoryId}\n${sha256}`).digest('hex').slice(0, HEX_DIGITS);
  const ending = `-${digits}.${extension.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 20) || 'bin'}`;
  const stem = stemOf(path)
    .slice(0, MAX_NAME_LENGTH - ending.length)
    .replace(/[._-]+$/, '');
  return `${stem || 'file'}${ending}`;
}

/** Contains the whole path, so that a person can tell `en/hero.mp4` from `de/hero.mp4`. */
function stemOf(path: string): string {
  return path
    .replace(/(?<=[^/])\.[^./]*$/, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/[._-]*([._-])[._-]*/g, '$1')
    .replace(/^[._-]+/, '');
}
