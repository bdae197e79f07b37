import { type DiscoverOptions, type Discovery, discover } from '../../src/media/discover.ts';
import { type FilePattern, parsePattern } from '../../src/media/patterns.ts';

/** The lines as a user writes them. */
export function patternsOf(texts: readonly string[], options: { windows: boolean }): readonly FilePattern[] {
  return texts.map((text) => parsePattern(text, options));
}

/** `discover` with patterns as a user writes them. */
export async function search(texts: readonly string[], root: string, options?: DiscoverOptions): Promise<Discovery> {
  const lines = patternsOf(texts, { windows: process.platform === 'win32' });
  return await withoutDebugLines(async () => await discover(lines, root, options));
}

/** `@actions/glob` prints debug commands. The runner hides them, a terminal does not. */
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
