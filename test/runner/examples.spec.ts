import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import { ROOT } from './act.ts';
import { CASES } from './cases.ts';
import { expectCase } from './expect-case.ts';

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(async () => await emulator.close());

// Most of the time a run waits for the service.
describe.concurrent('examples/workflows', () => {
  it.each(CASES)('$title', async (workflowCase) => {
    await expectCase(emulator, workflowCase, {
      workflow: await exampleWith(workflowCase.title),
      reusable: await example('organisation-gate.yml'),
    });
  });
});

/** @param title the file, and after a comma the block of it that is turned on */
async function exampleWith(title: string): Promise<string> {
  const [name = '', block] = title.split(', ');
  const text = await example(name);
  return block === undefined ? text : text.replaceAll(`#${block} `, '');
}

async function example(name: string): Promise<string> {
  return await readFile(`${ROOT}/examples/workflows/${name}`, 'utf8');
}
