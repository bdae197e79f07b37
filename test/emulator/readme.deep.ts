import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { READY_SCENARIOS } from '../../emulator/ready-scenarios.ts';
import { parseScenario, readScenario } from '../../emulator/scenario.ts';
import { it } from '../harness/fixtures.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const page = await readFile(`${ROOT}emulator/README.md`, 'utf8');
/** The name, verdict and reason of each row, whose middle cell is prose. */
const READY = rowsUnder('Ready scenarios').map((row) => row.match(/`[^`]+`/g)?.map((span) => span.slice(1, -1)) ?? []);

it('every ready scenario is a file of the examples, and a row of the README', async () => {
  expect(READY.map(([name]) => name)).toEqual(Object.keys(READY_SCENARIOS));
  const files = (await readdir(`${ROOT}examples/scenarios`)).toSorted();
  expect(files).toEqual(Object.keys(READY_SCENARIOS).map((name) => `${name}.json`));
});

describe.concurrent('a ready scenario ends as the README says', () => {
  it.for(READY)('%s', async (row, { gate }) => {
    const [name = '', verdict, reason] = [row[0], row.at(-2), row.at(-1)];
    const inputs = { 'wait-timeout-minutes': '1' };
    const run = await gate({ workspace: `${ROOT}examples/media`, scenario: await readScenario(name), inputs });
    expect(run.outputs, run.log).toMatchObject({ verdict, reason });
  });
});

it('the examples of the README are valid, and of an invalid scenario each wrong field is named', () => {
  const examples = rowsUnder('Making your own').map((row) => /`([^`]+)`/.exec(row)?.[1] ?? '');
  expect(() => examples.map((example) => parseScenario(JSON.parse(example)))).not.toThrow();
  expect(() => parseScenario({ fault: [], default: { ms: '1' } })).toThrow(
    'default.ms: Expected number, got "1".\nfault: There is no such field.',
  );
});

/** The rows of the table under a heading. */
function rowsUnder(heading: string): readonly string[] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2);
}
