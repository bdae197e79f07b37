import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs Git without any configuration of the user or the machine. */
export async function git(directory: string, ...parameters: readonly string[]): Promise<string> {
  const { stdout } = await run('git', ['-C', directory, ...parameters], {
    env: {
      PATH: process.env['PATH'],
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'Ann',
      GIT_AUTHOR_EMAIL: 'ann@example.com',
      GIT_COMMITTER_NAME: 'Ann',
      GIT_COMMITTER_EMAIL: 'ann@example.com',
      GIT_ALLOW_PROTOCOL: 'file',
    },
  });
  return stdout.trim();
}
