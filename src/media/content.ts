import { createHash } from 'node:crypto';
import { type Cause, FILE, preFlight } from '../lib/cause.ts';
import type { MediaFile } from './file.ts';
import { type Category, includesAnalysisOf } from './media-types.ts';

/** The same bytes, in every place they have in the repository: one asset at the service. */
export interface Content {
  readonly sha256: string;
  readonly size: number;
  /** What it is analysed as. Undefined without a file, or for a type that is not in our table. */
  readonly category: Category | undefined;
  /** Sorted; at least one. */
  readonly paths: readonly string[];
  /** Undefined if there are only Git LFS pointers to it: then it can be reused, but not sent. */
  readonly file: MediaFile | undefined;
  /** The file name at the service: one name means one content. */
  readonly name: string;
}

/** A content with the file that is sent for it. */
export interface SendableContent extends Content {
  readonly file: MediaFile;
}

/** Of files with the same bytes, one whose analysis includes that of all the others; undefined if there is none. */
export function representativeFile(files: readonly MediaFile[]): MediaFile | undefined {
  return files.find(({ type }) => files.every((other) => includesAnalysisOf(type, other.type)));
}

/** The same bytes are sent once, so their names must not ask for two different analyses. */
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
/** 128 bits: with 64, two different files of one name can be made in seconds. */
const HEX_DIGITS = 32;

interface NamedContent {
  readonly sha256: string;
  readonly repositoryId: string;
  /** The detected one, without the dot. */
  readonly extension: string;
}

/**
 * The name that a file is uploaded under. A workspace of the service may serve many repositories, and a name that is
 * used twice may mean the same storage, so the hex digits make one name mean one content. The stem is for people.
 *
 * @param path where the content is; the first place if there are several
 */
export function uploadName(path: string, { sha256, repositoryId, extension }: NamedContent): string {
  const digits = createHash('sha256').update(`${repositoryId}\n${sha256}`).digest('hex').slice(0, HEX_DIGITS);
  const ending = `-${digits}.${extension.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 20) || 'bin'}`;
  const stem = stemOf(path)
    .slice(0, MAX_NAME_LENGTH - ending.length)
    .replace(/[._-]+$/, '');
  return `${stem || 'file'}${ending}`;
}

/** Made from the whole path, so that a person can distinguish `en/hero.mp4` from `de/hero.mp4`. */
function stemOf(path: string): string {
  return path
    .replace(/(?<=[^/])\.[^./]*$/, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/[._-]*([._-])[._-]*/g, '$1')
    .replace(/^[._-]+/, '');
}
