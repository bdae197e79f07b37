import { type Discovery, discover } from '../../src/media/discover.ts';
import { FilePatterns } from '../../src/media/patterns.ts';

export async function search(texts: readonly string[], root: string, isDryRun = false): Promise<Discovery> {
  return await withoutDebugLines(async () => await discover(new FilePatterns(texts), root, isDryRun));
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
