import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import { parseScenario, readScenario } from '../../emulator/scenario.ts';
import { runAction } from '../harness/run-action.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const page = await readFile(`${ROOT}emulator/README.md`, 'utf8');

describe.concurrent('a ready scenario', () => {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator();
  });
  afterAll(async () => await emulator.close());

  const ready = rowsUnder('Ready scenarios').map((row) => row.map((cell) => spansOf(cell)[0] ?? ''));
  const command = /npm run try -- (\S+) --scenario \S+ --wait-timeout-minutes (\d+)/.exec(page);

  it('has a row in the page', async () => {
    expect(ready.map(([file]) => file)).toEqual((await readdir(`${ROOT}examples/scenarios`)).toSorted());
  });

  it.each(ready)('%s ends as the page says', async (file = '', _happens, verdict, reason, message = '') => {
    const run = await runAction({
      emulator,
      workspace: `${ROOT}${command?.[1]}`,
      scenario: await readScenario(file.replace('.json', '')),
      inputs: { 'wait-timeout-minutes': command?.[2] ?? '' },
    });
    expect(run.outputs, run.log).toMatchObject({ verdict, reason });
    expect(run.log).toContain(message);
  });
});

it.each(rowsUnder('Making your own'))('the example %s is valid', (_happens, example = '') => {
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
