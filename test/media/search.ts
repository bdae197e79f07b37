import { type DiscoverOptions, discover } from '../../src/media/discover.ts';
import type { Discovery } from '../../src/media/file.ts';
import { type FilePattern, type PatternPlace, parsePattern } from '../../src/media/patterns.ts';

/** Patterns that are known to be right. */
export function patternsOf(texts: readonly string[], place: PatternPlace): readonly FilePattern[] {
  return texts.map((text) => {
    const line = parsePattern(text, place);
    if (typeof line === 'string') throw new RangeError(`"${text}", ${line}`);
    return line;
  });
}

/** `discover` with patterns as a user writes them. */
export async function search(texts: readonly string[], root: string, options?: DiscoverOptions): Promise<Discovery> {
  const windows = process.platform === 'win32';
  return await discover(patternsOf(texts, { workspace: root, windows }), root, options);
}
