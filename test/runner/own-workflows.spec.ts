import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { EMULATOR, freshBuild, GATE } from '../../scripts/build.ts';
import { pullRequestEvent, workflowRunEvent } from '../harness/events.ts';
import { it as base } from '../harness/fixtures.ts';
import type { Files } from '../harness/workspace.ts';
import { ROOT } from './act.ts';
import { pdf, pushMain, type Start } from './cases.ts';
import { formatRun } from './expect-case.ts';
import { startHostedRepository } from './hosted-repository.ts';

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
  const run = await repository.run(await pushMain(repository), ['--job', job]);
  expect(formatRun(run).join('; '), run.log).toBe(seen);
});

it('try-without-an-account.yml: red with invented findings, then green, without a secret', async ({
  emulator,
  end,
}) => {
  const workflow = readFileSync(path.join(ROOT, 'examples/workflows/try-without-an-account.yml'), 'utf8');
  const film = readFileSync(path.join(ROOT, 'examples/media/campaign/hero.mp4'));
  const repository = await end(startHostedRepository(emulator, { workflow, files: { 'media/old.mp4': film } }));
  const files = { 'media/film.mp4': film, 'media/poster.pdf': pdf('poster') };
  const opened = await repository.openPullRequest(files, 'dependabot');
  const red = await repository.run(pullRequestEvent(opened));
  expect(formatRun(red), red.log).toEqual(['fail (issues), 2 sent']);
  expect(red.summaries).toEqual([
    expect.stringMatching(/^> \[!CAUTION\]\n.* INVENTED /),
    expect.stringMatching(/FAIL: /),
  ]);
  const titled = red.annotations.filter(({ title }) => title !== undefined);
  expect(titled.map(({ level, file, title }) => [level, file, title?.includes('INVENTED')])).toEqual([
    ['warning', undefined, true],
    ['error', 'media/film.mp4', true],
    ['error', 'media/poster.pdf', true],
    ['warning', 'media/film.mp4', true],
    ['warning', 'media/poster.pdf', true],
  ]);
  const names = repository.github.artifacts.artifacts.map(({ name }) => name);
  expect(names).toContainEqual(expect.stringMatching(/^INVENTED-FINDINGS-report-.*\.html$/));

  const { comments } = repository.github;
  expect(comments.map(({ body }) => body)).toEqual([
    expect.stringMatching(/^<!-- .* -->\n\n> \[!CAUTION\]\n.* INVENTED .*\n\n## .*FAIL/),
  ]);
  const replaced = { 'media/film-approved.mp4': film };
  const changed = await repository.openPullRequest(replaced, 'dependabot', opened.number);
  const green = await repository.run(pullRequestEvent(changed));
  expect(formatRun(green), green.log).toEqual(['pass, 1 sent']);
  expect(comments.map(({ body }) => body)).toEqual([expect.stringMatching(/ INVENTED .*\n\n## .*PASS/)]);
});

// All tests of the state rely on this model of GitHub's list.
it.for<[string, Start]>([
  ['push', pushMain],
  ['pull_request', async (repository) => pullRequestEvent(await repository.openPullRequest({ a: 'a' }))],
  [
    'workflow_run',
    async (repository) => workflowRunEvent(await repository.head(), await repository.openPullRequest({ a: 'a' })),
  ],
])('day-one-events.yml: GitHub lists the run of %s as the tests assume', async ([, start], { startOwn }) => {
  const repository = await startOwn('day-one-events.yml', {});
  const run = await repository.run(await start(repository));
  expect(formatRun(run), run.log).toEqual(['listed success']);
  expect(run.annotations.map(({ level }) => level)).toEqual(['notice']);
});

/** The files of this repository that the workflows check out, with a fresh build. */
async function ownFiles(): Promise<Files> {
  return {
    ...filesIn(path.join(ROOT, 'examples/media'), 'examples/media'),
    ...filesIn(await freshBuild(GATE), GATE.dist),
    ...filesIn(await freshBuild(EMULATOR), EMULATOR.dist),
    'action.yml': readFileSync(path.join(ROOT, 'action.yml')),
    'emulator/action.yml': readFileSync(path.join(ROOT, 'emulator/action.yml')),
  };
}

function filesIn(folder: string, target: string): Files {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => path.join(parentPath, name));
  return Object.fromEntries(paths.map((file) => [file.replace(folder, target), readFileSync(file)]));
}
