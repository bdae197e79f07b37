import type { Cause } from '../lib/cause.ts';
import type { MediaFile } from './file.ts';
import { covers } from './media-types.ts';

/** Of files with the same bytes, the one whose analysis says all that the others' would; undefined where none does. */
export function mostComprehensive(files: readonly MediaFile[]): MediaFile | undefined {
  return files.find(({ type }) => files.every((other) => covers(type.category, other.type.category)));
}

/** The same bytes are sent once. Where their names say two things, and bytes cannot tell, one analysis is not enough. */
export function kindProblems(files: readonly MediaFile[]): readonly Cause[] {
  return [...Map.groupBy(files, ({ sha256 }) => sha256).values()].flatMap((copies) => {
    const [first, ...others] = copies;
    const other = others.find(({ type }) => type.category !== first?.type.category);
    if (!first || !other || mostComprehensive(copies)) return [];
    return [
      {
        reason: 'pre-flight',
        path: other.path,
        message: `The same bytes are in ${first.path}, as another kind of file (${first.type.mime}; here ${other.type.mime}), and one analysis does not do for both.`,
        fix: 'Give both the same extension, or exclude one of them with a line that starts with `!` in the input `files`.',
      },
    ];
  });
}
