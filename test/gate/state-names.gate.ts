import { describe, expect } from 'vitest';
import type { Trouble } from '../harness/artifact-service.ts';
import { CRITICAL } from '../harness/fixtures.ts';
import { it, storedNames } from './states.ts';

const MAIN = '1'.repeat(40);

describe.concurrent('an artifact name that is taken', () => {
  it.for([
    ['at the end', 2, ['open']],
    ['after creation', 1, ['state']],
  ] as const)(
    'by an unfinished upload %s costs a warning, and no second bill',
    async ([, unfinished, names], { startRepository, workspaces: { one } }) => {
      const world = await startRepository({
        scenario: CRITICAL,
        trouble: (step, nth) => (step === 'FinalizeArtifact' && nth === unfinished ? 400 : undefined),
      });
      const first = await world.push({ branch: 'main', commit: MAIN, workspace: one });
      expect(first.warnings).toContain('could not be saved');
      expect(storedNames(world)).toEqual(names);
      const next = await world.push({ branch: 'main', workspace: one });
      expect(next.outputs, next.log).toMatchObject({ verdict: 'fail', 'files-submitted': '0' });
    },
  );

  it.for<[string, Trouble]>([
    // An upload is two requests to the storage.
    ['the storage fails after that', (step, nth) => (step === 'put' && nth > 2 ? 403 : undefined)],
    ['no other name can be created', (step, nth) => (step === 'CreateArtifact' && nth > 1 ? 400 : undefined)],
  ])(
    'by what the run itself has saved after creation is kept: %s',
    async ([, trouble], { startRepository, workspaces: { one } }) => {
      const world = await startRepository({ scenario: CRITICAL, trouble });
      const run = await world.push({ branch: 'main', workspace: one });
      expect(run.warnings).toContain('The state could not be saved');
      expect(storedNames(world)).toEqual(['open']);
      const next = await world.push({ branch: 'main', workspace: one });
      expect(next.outputs, next.log).toMatchObject({ verdict: 'fail', 'files-submitted': '0' });
    },
  );
});
