import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { pullRequestEvent } from '../harness/events.ts';
import { it } from '../harness/fixtures.ts';
import { ROOT } from './act.ts';
import { pdf } from './cases.ts';
import { formatRun } from './expect-case.ts';
import { startHostedRepository } from './hosted-repository.ts';

it('try-without-an-account.yml: red with invented findings, then green, without a secret', async ({
  emulator,
  end,
}) => {
  const film = readFileSync(path.join(ROOT, 'examples/media/campaign/hero.mp4'));
  const workflow = readFileSync(path.join(ROOT, 'examples/workflows/try-without-an-account.yml'), 'utf8');
  const repository = await end(startHostedRepository(emulator, { workflow, files: { 'media/old.mp4': film } }));
  const files = { 'media/film.mp4': film, 'media/poster.pdf': pdf('poster') };
  const opened = await repository.openPullRequest(files, 'dependabot');
  const red = await repository.run(pullRequestEvent(opened));
  expect(formatRun(red), red.log).toEqual(['fail (issues), 2 sent']);
  expect(red.summaries).toEqual([
    expect.stringMatching(/^> \[!CAUTION\]\n.* INVENTED /),
    expect.stringMatching(/FAIL: /),
  ]);
  const titles = red.annotations.flatMap(({ title = [] }) => title);
  expect(titles).toHaveLength(5);
  expect(titles.filter((title) => !title.includes('INVENTED'))).toEqual([]);
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
