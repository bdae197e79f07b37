import { type Discovery, discover } from '../../src/media/discover.ts';
import { FilePatterns, parsePattern } from '../../src/media/patterns.ts';

export function patternsOf(texts: readonly string[]): FilePatterns {
  return new FilePatterns(texts.map(parsePattern));
}

export async function search(texts: readonly string[], root: string, isDryRun = false): Promise<Discovery> {
  return await withoutDebugLines(async () => await discover(patternsOf(texts), root, isDryRun));
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
