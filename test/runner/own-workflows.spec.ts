import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { pullRequestEvent, workflowRunEvent } from '../harness/events.ts';
import { it as base } from '../harness/fixtures.ts';
import type { Files } from '../harness/workspace.ts';
import { ROOT } from './act.ts';
import { pdf, pushMain, type Start } from './cases.ts';
import { formatRun } from './expect-case.ts';
import { startHostedRepository } from './hosted-repository.ts';

const it = base.extend('start', ({ emulator, end }) => async (file: string, files: Files = {}) => {
  const workflow = readFileSync(path.join(ROOT, file), 'utf8');
  const place = file.startsWith('.github/') ? { workflowPath: file } : {};
  return await end(startHostedRepository(emulator, { workflow, files, ...place }));
});

it('try-without-an-account.yml: red with invented findings, then green, without a secret', async ({ start }) => {
  const film = readFileSync(path.join(ROOT, 'examples/media/campaign/hero.mp4'));
  const repository = await start('examples/workflows/try-without-an-account.yml', { 'media/old.mp4': film });
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
])('day-one-events.yml: GitHub lists the run of %s as the tests assume', async ([, begin], { start }) => {
  const repository = await start('.github/workflows/day-one-events.yml');
  const run = await repository.run(await begin(repository));
  expect(formatRun(run), run.log).toEqual(['listed success']);
  expect(run.annotations.map(({ level }) => level)).toEqual(['notice']);
});
