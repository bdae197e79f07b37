import { type Discovery, discover } from '../../src/media/discover.ts';
import { FilePatterns, parsePattern } from '../../src/media/patterns.ts';

export function patternsOf(texts: readonly string[], options = { windows: false }): FilePatterns {
  return new FilePatterns(texts.map((text) => parsePattern(text, options)));
}

export async function search(texts: readonly string[], root: string, isDryRun = false): Promise<Discovery> {
  const patterns = patternsOf(texts, { windows: process.platform === 'win32' });
  return await withoutDebugLines(async () => await discover(patterns, root, isDryRun));
}

/** Hides the debug commands that `@actions/glob` prints. */
export async function withoutDebugLines<T>(work: () => Promise<T>): Promise<T> {
  const { stdout } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = (text: string | Uint8Array, ...rest: never[]) =>
    String(text).startsWith('::debug::') || write(text, ...rest);
  try {
    return await work();
  } finally {
    stdout.write = write;
  }
}
