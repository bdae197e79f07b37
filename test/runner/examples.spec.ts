import { readFile } from 'node:fs/promises';
import { describe } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { ROOT } from './act.ts';
import { CASES } from './cases.ts';
import { expectCase } from './expect-case.ts';

// The cases run concurrently, because a run mostly waits for the service.
describe.concurrent('examples/workflows', () => {
  it.for(CASES)('$title', async (workflowCase, { emulator }) => {
    const [name = '', block] = workflowCase.title.split(', ');
    const workflow = await example(name);
    await expectCase(emulator, workflowCase, {
      workflow: block === undefined ? workflow : workflow.replaceAll(`#${block} `, ''),
      reusable: await example('organisation-gate.yml'),
    });
  });
});

async function example(name: string): Promise<string> {
  return await readFile(`${ROOT}/examples/workflows/${name}`, 'utf8');
}
