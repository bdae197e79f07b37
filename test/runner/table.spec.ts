import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { ROOT } from './act.ts';
import { CASES, DAY_ONE, KILLED } from './cases.ts';
import { quickStart } from './quick-start.ts';

const PAGE = `${ROOT}/test/runner/README.md`;
const [BEGIN, END] = ['<!-- runner: npm run test:runner -- --update -->', '<!-- /runner -->'];

it('test/runner/README.md has the table of what these tests run', async () => {
  const page = await readFile(PAGE, 'utf8');
  const [before, rest] = page.split(`${BEGIN}\n`);
  const [, after] = (rest ?? '').split(`\n${END}`);
  expect(after, `${BEGIN} … ${END} is missing`).toBeDefined();
  await expect(`${before}${BEGIN}\n\n${await table()}\n\n${END}${after}`).toMatchFileSnapshot(PAGE);
});

async function table(): Promise<string> {
  const cases = [
    await quickStart(),
    ...CASES,
    { title: 'day-one.yml', runs: DAY_ONE },
    { title: 'pull-request.yml, killed', runs: KILLED },
  ];
  const rows = cases.flatMap(({ title, runs }) =>
    runs.map(({ event, jobs, gates, otherActions }, index) => [
      index === 0 ? title : '',
      event,
      // The verdict of a gate that is the only job is also the result of the job.
      [gates && !jobs.includes('; ') ? '' : jobs || 'no job', gates, otherActions].filter(Boolean).join('; '),
    ]),
  );
  const lines = [['workflow', 'event', 'jobs, verdict and files'], Array(3).fill('---'), ...rows];
  return lines.map((cells) => `| ${cells.map((cell) => cell.replaceAll('; ', '<br>')).join(' | ')} |`).join('\n');
}
