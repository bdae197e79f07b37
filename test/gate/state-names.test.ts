import { describe, expect } from 'vitest';
import type { Trouble } from '../harness/artifact-service.ts';
import { CRITICAL } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';
import { expectReused, it, storedNames } from './states.ts';

const MAIN = '1'.repeat(40);

describe.concurrent('an artifact name that is taken', () => {
  it.for([
    ['at the end', 2, ['open', 'pull']],
    ['after creation', 1, ['pull', 'state']],
  ] as const)(
    'by an unfinished upload %s makes the run save everything under another name, and delete nothing',
    async ([, unfinished, names], { startRepository, workspaces: { one } }) => {
      const world = await startRepository({
        scenario: CRITICAL,
        trouble: (step, nth) => (step === 'FinalizeArtifact' && nth === unfinished ? 400 : undefined),
      });
      const first = await world.push({ branch: 'main', commit: MAIN, workspace: one });
      expect(first.warnings).toBe('');
      expect(storedNames(world)).toEqual(names);
      expect(world.artifacts.steps).not.toContain('DeleteArtifact');
      // The artifact counts as the state of the branch under any name.
      const inputs = { 'fail-on-issues': 'new' };
      const next = await world.pull({ branch: 'feature', base: MAIN, workspace: one, inputs });
      expectReused(next);
      expect(next.outputs).toMatchObject({ verdict: 'pass', 'new-issue-count': '0' });
    },
  );

  it('by another gate in this run: a warning asks for a `name`', async ({ startRepository, workspaces: { two } }) => {
    const world = await startRepository({ scenario: CRITICAL });
    const job = { branch: 'main', commit: MAIN, runId: '71', workspace: two };
    // Two jobs of one run, as of a reusable workflow that is called twice.
    const [first, second] = await Promise.all([
      world.push({ ...job, inputs: { files: 'a.png' } }),
      world.push({ ...job, inputs: { files: 'b.png' } }),
    ]);
    for (const { outputs, log } of [first, second]) expect(outputs, log).toMatchObject({ verdict: 'fail' });
    expect(`${first.warnings}\n${second.warnings}`).toMatch(/give each (?:gate )?a `name`/i);
    const next = await world.push({ branch: 'main', workspace: two });
    expect(next.outputs, next.log).toMatchObject({ verdict: 'fail', 'files-submitted': '0' });
  });

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

  it('by earlier attempts is replaced, however often', async ({ startRepository, workspaces: { one } }) => {
    const world = await startRepository({ scenario: { default: { fails: { isRetryable: false } } } });
    for (const attempt of [1, 2, 3, 4]) {
      const run = await world.push({ branch: 'main', commit: MAIN, runId: '71', workspace: one, attempt });
      expect(run.sent, run.log).toEqual(['a.png']);
      expect(run.warnings, run.log).not.toContain('could not be saved');
    }
  });

  it.for<[string, readonly string[], Trouble]>([
    ['it can be replaced', ['a', 'b', 'c'], () => undefined],
    ['a deleted name stays taken', ['a', 'b'], (step) => (step === 'DeleteArtifact' ? 'lingers' : undefined)],
  ])('by earlier attempts loses nothing: %s', async ([, files, trouble], { startRepository, makeFolder }) => {
    const world = await startRepository({ scenario: CRITICAL, trouble });
    for (const [index, file] of files.entries()) {
      const workspace = await makeFolder(images(...files.slice(0, index + 1)));
      const run = await world.push({ branch: 'main', commit: MAIN, runId: '71', attempt: index + 1, workspace });
      expect(run.sent, run.log).toEqual([`${file}.png`]);
    }
    const next = await world.push({ branch: 'main', workspace: await makeFolder(images(...files)) });
    const outputs = { verdict: 'fail', 'critical-count': `${files.length}`, 'files-submitted': '0' };
    expect(next.outputs, next.log).toMatchObject(outputs);
  });
});
