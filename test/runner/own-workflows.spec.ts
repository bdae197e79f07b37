import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { it as base } from '../harness/fixtures.ts';
import type { Files } from '../harness/workspace.ts';
import { type ActRun, ROOT } from './act.ts';
import { pushMain, type Start } from './cases.ts';
import { pullRequestEvent, workflowRunEvent } from './events.ts';
import { formatRun } from './expect-case.ts';
import { bundleFolder, startHostedRepository } from './hosted-repository.ts';

const it = base.extend('startOwn', ({ emulator, end }) => async (name: string, files: Files) => {
  const workflowPath = `.github/workflows/${name}`;
  const workflow = readFileSync(path.join(ROOT, workflowPath), 'utf8');
  return await end(startHostedRepository(emulator, { workflow, workflowPath, files }));
});

it.for([
  [
    'ci.yml',
    'action',
    'action success; error (auth); fail (issues), 1 sent; pass, 2 sent; pass, 2 sent; skipped (no-files)',
  ],
  ['day-one.yml', 'state', 'pass, 1 sent'],
  ['day-one.yml', 'limits', 'limits success; fail (issues), 40 sent'],
] as const)('%s: later steps of the job %s read what the action says', async ([name, job, seen], { startOwn }) => {
  const repository = await startOwn(name, await ownFiles());
  const run = await repository.run(await pushMain(repository), { args: ['--job', job] });
  endEmulators(run);
  expect(formatRun(run).join('; '), run.log).toBe(seen);
});

// The model of GitHub's list is the one that all tests of the state use.
it.for<[string, Start]>([
  ['push', pushMain],
  ['pull_request', async (repository) => pullRequestEvent(await repository.openPullRequest({ a: 'a' }))],
  [
    'workflow_run',
    async (repository) => workflowRunEvent(await repository.head(), await repository.openPullRequest({ a: 'a' })),
  ],
])('day-one-events.yml: GitHub lists the run of %s as the tests believe', async ([, start], { startOwn }) => {
  const repository = await startOwn('day-one-events.yml', {});
  const run = await repository.run(await start(repository));
  expect(formatRun(run), run.log).toEqual(['listed success']);
  expect(run.annotations.map(({ level }) => level)).toEqual(['notice']);
});

/** What these workflows check out: this repository, with a build of the sources as they are. */
async function ownFiles(): Promise<Files> {
  const parts = ['action.yml', 'package.json', 'emulator', 'examples', 'src', '.github/actions'];
  const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...parts], { cwd: ROOT });
  const names = list.toString().trim().split('\n');
  const folder = await bundleFolder();
  const bundle = readdirSync(folder).map((name) => [`dist/${name}`, path.join(folder, name)] as const);
  const sources = names.map((name) => [name, path.join(ROOT, name)] as const);
  return Object.fromEntries([...sources, ...bundle].map(([name, file]) => [name, readFileSync(file)]));
}

/** GitHub's runner ends what a job has left running, act does not. */
function endEmulators({ outputs }: ActRun): void {
  const pids = outputs.map(({ values: { pid } }) => Number(pid));
  // Zero would stand for every process of this test.
  for (const pid of pids.filter((each) => each > 1)) process.kill(pid);
}
