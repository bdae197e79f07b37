import { execFileSync } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeWorkspace } from '../harness/workspace.ts';

/** A repository with one commit, and a fake `gh` that records its arguments. */
export interface Repository extends AsyncDisposable {
  readonly path: string;
  readonly bin: string;
  /** @returns what git prints */
  git(...args: readonly string[]): string;
  /** The commands that `gh` was given, in order. */
  gh(): Promise<readonly string[]>;
}

/** @param answers what `gh` does: lines of a shell `case`, matched against its arguments */
export async function makeRepository(files: Readonly<Record<string, string>>, answers = ''): Promise<Repository> {
  const work = await makeWorkspace(files);
  const tools = await makeWorkspace({ log: '' });
  const log = path.join(tools.path, 'log');
  const gh = path.join(tools.path, 'gh');
  await writeFile(gh, `#!/bin/sh\necho "$*" >> '${log}'\ncase "$*" in\n${answers}\n*) ;;\nesac\n`);
  await chmod(gh, 0o755);
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=me', '-c', 'user.email=me@example.com', ...args], {
      cwd: work.path,
      stdio: 'pipe',
      encoding: 'utf8',
    }).trim();
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '--message', 'all');
  return {
    path: work.path,
    bin: tools.path,
    git,
    gh: async () => (await readFile(log, 'utf8')).split('\n').filter((line) => line !== ''),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([work.remove(), tools.remove()]);
    },
  };
}
