import type { Cause } from '../lib/cause.ts';
import type { MediaFile } from './file.ts';
import { includesAnalysisOf } from './media-types.ts';

/** The same bytes, in every place they have in the repository: one asset at the service. */
export interface Content {
  readonly sha256: string;
  readonly size: number;
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
  return files.find(({ type }) => files.every((other) => includesAnalysisOf(type.category, other.type.category)));
}

/** The same bytes are sent once, so their names must not ask for two different analyses. */
export function conflictingNameProblems(files: readonly MediaFile[]): readonly Cause[] {
  return [...Map.groupBy(files, ({ sha256 }) => sha256).values()].flatMap((copies) => {
    const [first, ...others] = copies;
    const other = others.find(({ type }) => type.category !== first?.type.category);
    if (!first || !other || representativeFile(copies)) return [];
    return [
      {
        reason: 'pre-flight',
        path: other.path,
        message: `The same bytes are in ${first.path}, as another kind of file (${first.type.mime}; here ${other.type.mime}). One analysis does not fit both.`,
        fix: 'Give both files the same extension, or exclude one of them with a line that starts with `!` in the input `files`.',
      },
    ];
  });
}
