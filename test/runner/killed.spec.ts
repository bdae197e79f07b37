import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import { ROOT } from './act.ts';
import { KILLED } from './cases.ts';
import { pushEvent } from './events.ts';
import { startHostedRepository } from './hosted-repository.ts';
import { formatGates, formatJobs } from './observe.ts';
import { TWO_FILES } from './starts.ts';

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(async () => await emulator.close());

describe('the post step saves what a killed main step has paid for, and the next run waits for it', () => {
  // On GitHub, an upload that is broken off keeps its name: it can be neither finished nor deleted.
  it.each([
    { when: 'before', isNameTaken: false },
    { when: 'after', isNameTaken: true },
  ])('killed $when the artifact has got its name', async ({ isNameTaken }) => {
    const workflow = await readFile(`${ROOT}/examples/workflows/pull-request.yml`, 'utf8');
    await using repository = await startHostedRepository(emulator, { workflow, files: TWO_FILES });
    const { github } = repository;
    const event = pushEvent(await repository.head());
    const killed = await repository.run(event, {
      onStart: ({ cancel }) => {
        github.onCreateArtifact = async (_name, free) => {
          github.onCreateArtifact = undefined;
          if (!isNameTaken) free();
          cancel();
          // The answer never comes.
          await new Promise(() => {});
        };
      },
    });
    expect(repository.live.submissions).toHaveLength(1);
    expect(killed.exitCode).toBe(1);
    const stages = killed.steps.filter(({ name }) => name.includes('media-compliance-gate'));
    expect(stages.map(({ stage, result }) => `${stage} ${result}`)).toEqual(['Main failure', 'Post success']);
    expect(github.artifacts.map(({ name }) => name)).toEqual([
      expect.stringMatching(/^media-compliance-(open|rescue)-/),
    ]);

    const next = await repository.run(event);
    expect(repository.live.submissions).toHaveLength(1);
    expect(
      [killed, next].map((run) => ({ jobs: formatJobs(run), gates: formatGates(run) })),
      next.log,
    ).toEqual(KILLED.map(({ jobs, gates }) => ({ jobs, gates })));
    expect(next.exitCode).toBe(0);
  });
});
