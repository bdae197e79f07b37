import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

/** Plays lives in a process of its own, because the clock is replaced. Returns what was broken. */
export async function play(first: string, count: string): Promise<string> {
  const { PATH, TMPDIR } = process.env;
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', MAIN, '--first', first, '--count', count],
    { maxBuffer: 1e9, env: { PATH, TMPDIR } },
  );
  return stderr;
}
