import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

/** Plays a machine in a process of its own, because it replaces the clock. Returns what was broken. */
export async function play(...words: readonly string[]): Promise<string> {
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', MAIN, ...words],
    {
      maxBuffer: 1e9,
      env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'] },
    },
  );
  return stderr;
}
