import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { ROOT } from './act.ts';
import { pushMain, TWO_FILES } from './cases.ts';
import { formatRun } from './expect-case.ts';
import { startHostedRepository } from './hosted-repository.ts';

it('the post step saves what a killed main step has paid for, and the next run waits for it', async ({
  emulator,
  end,
}) => {
  const options = {
    workflow: await readFile(`${ROOT}/examples/workflows/pull-request.yml`, 'utf8'),
    files: TWO_FILES,
    // On GitHub, an upload that is broken off keeps its name: it can be neither finished nor deleted.
    trouble: (step: string, nth: number) => (step === 'CreateArtifact' && nth === 1 ? 'silence' : undefined),
  } as const;
  const repository = await end(startHostedRepository(emulator, options));
  const event = await pushMain(repository);
  const killed = await repository.run(event, {
    onStart: (cancel) => void repository.artifacts.begun('CreateArtifact').then(cancel),
  });
  expect(repository.live.submissions).toHaveLength(1);
  expect(killed.exitCode).toBe(1);
  const stages = killed.steps.filter(({ name }) => name.includes('media-compliance-gate'));
  expect(stages.map(({ stage, result }) => `${stage} ${result}`)).toEqual(['Main failure', 'Post success']);
  expect(repository.artifacts.artifacts.map(({ name }) => name)).toEqual([
    expect.stringMatching(/^media-compliance-state-/),
  ]);

  const next = await repository.run(event);
  expect(repository.live.submissions).toHaveLength(1);
  expect(formatRun(next), next.log).toEqual(['pass']);
  expect(next.exitCode).toBe(0);
});
