import * as fc from 'fast-check';
import { zipSync } from 'fflate';
import { expect } from 'vitest';
import { SLOTS } from '../../src/state/gate-id.ts';
import { filled, it } from '../gate/states.ts';
import { analyse } from '../harness/earlier-run.ts';
import { CRITICAL } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';
import { nameOf, type Repository, type RepositoryRun } from '../harness/repository.ts';
import { sharedEntries } from '../harness/zip-bomb.ts';

/** Generated lists of artifacts, with any number of others among the real states: nobody may notice them. */

const OWN_ID = 4711;
const BOMB = sharedEntries(300, new Uint8Array(64_000_000));
const BROKEN = zipSync({ 'state.json': Buffer.from('x'.repeat(500)) }).subarray(0, 90);
const NO_STATE = zipSync({ 'state.json': Buffer.from('{}') });

/** Artifacts that are downloaded before anybody can see that they are none of ours. A run downloads at most 20. */
const DOWNLOADED = ['no state', 'no archive', 'broken', 'bomb', 'signed by another', 'copied'] as const;
/** Artifacts that no run downloads, or that it downloads without harm. */
const OTHERS = ['of a fork', 'huge', 'expired', 'the same again'] as const;

const Artifacts = fc.record({
  kind: fc.constantFrom(...DOWNLOADED, ...DOWNLOADED, ...OTHERS),
  // Most stand where the real state is looked for.
  slot: fc.constantFrom('state', 'state', 'state', ...SLOTS),
  branch: fc.constantFrom('main', 'main', 'main', 'main', 'feature', 'other'),
});
type Artifact = typeof Artifacts extends fc.Arbitrary<infer Value> ? Value : never;

const Cases = fc.record({
  older: fc.array(Artifacts, { maxLength: 8 }),
  newer: fc.array(Artifacts, { minLength: 6, maxLength: 16 }),
  /** States with so many paths that no run could save two of them together. */
  filled: fc.constantFrom(0, 0, 2),
  order: fc.constantFrom('shuffled' as const, 'newest first' as const, 'oldest first' as const),
  event: fc.constantFrom('push' as const, 'pull' as const),
});

type Case = typeof Cases extends fc.Arbitrary<infer Value> ? Value : never;

/** @param real the archive of run 30, which holds the real state */
function plant(world: Repository, real: Uint8Array, { kind, slot, branch }: Artifact, runId: number): void {
  const { artifacts } = world;
  const run = { id: runId, head_repository_id: OWN_ID, head_branch: branch };
  const add = (archive: Uint8Array, by = run): void => artifacts.plant(nameOf(slot), archive, by);
  if (kind === 'no state') add(NO_STATE);
  else if (kind === 'no archive') add(Buffer.from('Please log in.'));
  else if (kind === 'broken') add(BROKEN);
  else if (kind === 'bomb') add(BOMB);
  else if (kind === 'signed by another') world.plantState({ branch, runId, slot, key: 'the key of a stranger' });
  else if (kind === 'copied') add(real);
  else if (kind === 'of a fork') add(NO_STATE, { ...run, head_repository_id: 99 });
  else if (kind === 'the same again') artifacts.plant(nameOf('state'), real, { ...run, id: 30, head_branch: 'main' });
  else {
    add(real);
    const [added] = artifacts.artifacts;
    const changes = kind === 'huge' ? { size_in_bytes: 2 ** 31 } : { expired: true };
    if (added) artifacts.artifacts[0] = { ...added, ...changes };
  }
}

function expectWithinLimits({ asked, log }: RepositoryRun): void {
  expect(asked.filter((line) => line.endsWith('/zip')).length, log).toBeLessThanOrEqual(20);
  expect(asked.filter((line) => line === 'GET actions/artifacts').length, log).toBeLessThanOrEqual(30);
}

it('other artifacts change neither the verdict nor the bill', { timeout: 1_800_000 }, async ({
  startRepository,
  workspaces: { two },
}) => {
  const play = async ({ older, newer, order, event, ...given }: Case): Promise<void> => {
    const world = await startRepository({ scenario: CRITICAL, model: { artifactOrder: order } });
    const known = await analyse(world.service, images('a'));
    for (const [index, artifact] of older.entries()) plant(world, NO_STATE, artifact, 10 + index);
    world.plantState({ branch: 'main', runId: 30, document: known });
    const real = world.artifacts.archives[world.artifacts.artifacts[0]?.id ?? 0] ?? Buffer.of();
    for (let index = 0; index < given.filled; index++)
      world.plantState({ branch: `filled-${index}`, runId: 31 + index, document: filled(known, `filled-${index}`) });
    for (const [index, artifact] of newer.entries()) plant(world, real, artifact, 50 + index);
    const start = async (runId: number): Promise<RepositoryRun> =>
      event === 'push'
        ? await world.push({ branch: 'main', runId, workspace: two })
        : await world.pull({ branch: 'feature', runId, workspace: two });
    for (const [runId, sent] of [
      [100, 1],
      [101, 0],
    ] as const) {
      const run = await start(runId);
      const outputs = { verdict: 'fail', 'files-submitted': `${sent}`, 'files-reused': `${2 - sent}` };
      expect(run.outputs, run.log).toMatchObject(outputs);
      expect(run.warnings).not.toContain('could not be saved');
      expectWithinLimits(run);
    }
  };
  await fc.assert(fc.asyncProperty(Cases, play), { numRuns: 6, endOnFailure: true });
});
