import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { READY_SCENARIOS } from '../../emulator/ready-scenarios.ts';
import { parseScenario, readScenario } from '../../emulator/scenario.ts';
import { it } from '../harness/fixtures.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const page = await readFile(`${ROOT}emulator/README.md`, 'utf8');

describe.concurrent('a ready scenario', () => {
  const ready = rowsUnder('Ready scenarios').map(([name = '', , end = '']) => [...spansOf(name), ...spansOf(end)]);
  const command = /npm run try -- (\S+) --scenario \S+ --wait-timeout-minutes (\d+)/.exec(page);

  it('is valid, and has a row in the README', async () => {
    const names = ready.map(([name]) => name);
    expect(names).toEqual(Object.keys(READY_SCENARIOS));
    expect(names.map((name) => `${name}.json`)).toEqual((await readdir(`${ROOT}examples/scenarios`)).toSorted());
    for (const [name = ''] of ready) {
      const text = await readFile(`${ROOT}examples/scenarios/${name}.json`, 'utf8');
      expect(await readScenario(name)).toEqual(await readScenario(text));
    }
  });

  it.for(ready)('%s ends as the README says', async ([name = '', verdict, reason = ''], { gate }) => {
    const run = await gate({
      workspace: `${ROOT}${command?.[1]}`,
      scenario: await readScenario(name),
      inputs: { 'wait-timeout-minutes': command?.[2] ?? '' },
    });
    expect(run.outputs, run.log).toMatchObject({ verdict, reason });
  });
});

it('a wrong field of a scenario is named', () => {
  expect(() => parseScenario({ fault: [], default: { ms: '1' } })).toThrow(
    'default.ms: Expected number, got "1".\nfault: There is no such field.',
  );
});

it.for(rowsUnder('Making your own'))('the example %s is valid', ([, example = '']) => {
  expect(() => parseScenario(JSON.parse(spansOf(example)[0] ?? ''))).not.toThrow();
});

/** The cells of the table under a heading. */
function rowsUnder(heading: string): readonly (readonly string[])[] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const [, , ...rows] = section.split('\n').filter((line) => line.startsWith('| '));
  return rows.map((row) => row.slice(2, -2).split(' | '));
}

function spansOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
}
