import { describe, expect } from 'vitest';
import type { Slot } from '../../src/state/gate-id.ts';
import { analyse } from '../harness/earlier-run.ts';
import type { ModelPull } from '../harness/github-model.ts';
import { images } from '../harness/media.ts';
import type { Repository, RepositoryRun } from '../harness/repository.ts';
import { expectReused, it, plantAnalysed } from './states.ts';

const [MERGE, ONTO] = ['d'.repeat(40), 'e'.repeat(40)];
const FIVE = ['1', '2', '3', '4', '5'];

/** A pull request that is merged. */
function pullOf(number: string): ModelPull {
  return { headSha: number.repeat(40), headRef: `pull-${number}`, mergedAt: '2026-01-01T00:00:00Z' };
}

/** Plants the state of a run that knows only these files, although other runs have ended before. */
async function plantRun(world: Repository, branch: string, runId: number, files: readonly string[], slot?: Slot) {
  const document = await analyse(world.service, images(...files));
  world.plantState({ branch, runId, document, ...(slot && { slot }) });
}

/** Plants what five pull requests leave that ran at the same time: each knows its own file. */
async function plantPulls(world: Repository): Promise<void> {
  await plantRun(world, 'main', 30, ['m']);
  for (const slot of ['open', 'pull'] as const)
    for (const number of FIVE) await plantRun(world, `pull-${number}`, 30 + Number(number), [number], slot);
}

type Scene = (world: Repository, workspace: string) => Promise<RepositoryRun>;

describe.concurrent('what overlapping runs have paid for is found again', () => {
  it.for<[string, readonly string[], Scene]>([
    [
      'by the push of the last of five squash merges',
      ['m', ...FIVE],
      async (world, workspace) => {
        await plantPulls(world);
        return await world.push({ branch: 'main', commit: MERGE, runId: 90, workspace });
      },
    ],
    [
      'by the last of five merge groups that start together',
      ['m', ...FIVE],
      async (world, workspace) => {
        await plantPulls(world);
        return await world.queue({ pull: 5, onto: ONTO, runId: 90, workspace });
      },
    ],
    [
      'by a release branch that takes five branches',
      FIVE,
      async (world, workspace) => {
        await plantPulls(world);
        return await world.push({ branch: 'release', runId: 90, workspace });
      },
    ],
    [
      'by the push after six pushes to one branch',
      ['m', ...FIVE],
      async (world, workspace) => {
        for (const slot of ['open', 'state'] as const)
          for (const [index, file] of ['m', ...FIVE].entries()) await plantRun(world, 'main', 30 + index, [file], slot);
        return await world.push({ branch: 'main', runId: 90, workspace });
      },
    ],
    [
      'by the push after re-runs of three old runs',
      FIVE,
      async (world, workspace) => {
        await plantRun(world, 'main', 34, FIVE);
        for (const runId of [31, 32, 33]) await plantRun(world, 'main', runId, ['1', '2', '3']);
        return await world.push({ branch: 'main', runId: 90, workspace });
      },
    ],
  ])('%s', async ([, files, play], { startRepository, makeFolder }) => {
    const world = await startRepository({ model: { pulls: { 5: pullOf('5') }, pullsOf: { [MERGE]: [5] } } });
    const run = await play(world, await makeFolder(images(...files)));
    expect(run.sent, run.log).toEqual([]);
    expectReused(run, files.length);
  });
});

describe.concurrent('a pull request that waited while 310 others ran', () => {
  it.for<[string, Scene]>([
    ['its next push', async (world, workspace) => await world.pull({ branch: 'pull-7', number: 7, workspace })],
    ['its merge', async (world, workspace) => await world.push({ branch: 'main', commit: MERGE, workspace })],
  ])('pays for nothing again at %s', async ([, play], { startRepository, makeFolder }) => {
    const model = { pulls: { 7: pullOf('7') }, pullsOf: { [MERGE]: [7] }, artifactOrder: 'newest first' } as const;
    const world = await startRepository({ model });
    await plantRun(world, 'pull-7', 30, FIVE, 'pull');
    for (let runId = 1_000; runId < 1_310; runId++) world.plantState({ branch: `other-${runId}`, runId, slot: 'pull' });
    expectReused(await play(world, await makeFolder(images(...FIVE))), FIVE.length);
  });
});

/** The main branch, two pull requests and many other branches, which have saved `pull` and, some, `open`. */
async function plantBusy(world: Repository, others: number): Promise<void> {
  await plantRun(world, 'pull-8', 30, ['m', '8'], 'pull');
  for (let runId = 1_000; runId < 1_000 + others; runId++)
    for (const slot of runId % 3 === 0 ? (['open', 'pull'] as const) : (['pull'] as const))
      world.plantState({ branch: `other-${runId}`, runId, slot });
  await plantRun(world, 'main', 2_000, ['m']);
  await plantRun(world, 'pull-7', 2_001, ['m', '7'], 'pull');
}

describe.concurrent('requests to GitHub', () => {
  it.for([3, 300])('are few with %i other branches', async (others, { startRepository, makeFolder }) => {
    const merged = { pulls: { 7: pullOf('7') }, pullsOf: { [MERGE]: [7] } };
    const world = await startRepository({ model: { ...merged, artifactOrder: 'newest first' } });
    await plantBusy(world, others);
    let runId = 3_000;
    const push: Scene = async (_, workspace) => await world.push({ branch: 'main', runId, workspace });
    const pushNew: Scene = async (_, workspace) =>
      await world.push({ branch: 'main', runId, workspace, inputs: { 'fail-on-issues': 'new' } });
    const merge: Scene = async (_, workspace) => await world.push({ branch: 'main', commit: MERGE, runId, workspace });
    const queue: Scene = async (_, workspace) => await world.queue({ pull: 7, onto: ONTO, runId, workspace });
    const pull =
      (number: number, inputs = {}): Scene =>
      async (_, workspace) =>
        await world.pull({ branch: `pull-${number}`, number, runId, workspace, inputs });
    const furtherPages = 3 * Math.floor(others / 100);
    const runs: readonly (readonly [title: string, play: Scene, limit: number, files: readonly string[]])[] = [
      ['push', push, 2, ['m']],
      ['push with `new`', pushNew, 4, ['m']],
      ['pull request', pull(7), 3, ['m', '7']],
      ['pull request that waited', pull(8), 12, ['m', '8']],
      ['pull request with `new`', pull(7, { 'fail-on-issues': 'new' }), 7, ['m', '7']],
      ['merge group', queue, 7, ['m', '7']],
      ['push of a merge', merge, 7, ['m', '7']],
      ['push with a new file', push, 17, ['m', 'new-1']],
      ['pull request with a new file', pull(7), 17, ['m', '7', 'new-2']],
      ['new pull request with a new file', pull(9), 17 + furtherPages, ['m', 'new-3']],
    ];
    for (const [title, play, limit, files] of runs) {
      runId += 1;
      const { asked, sent, log, warnings } = await play(world, await makeFolder(images(...files)));
      expect(sent, log).toEqual(files.filter((file) => file.startsWith('new')).map((file) => `${file}.png`));
      expect(warnings).toBe('');
      if (others === 300) expect(log.includes('saved states left unread')).toBe(sent.length > 0);
      expect(asked.length, [`${title}, ${others} other branches`, ...asked].join('\n')).toBeLessThanOrEqual(limit);
    }
  });
});

describe.concurrent('another key', () => {
  it('that is added as `state-key` opens what the API key has signed', async ({ startRepository, workspaces }) => {
    const world = await startRepository();
    const push = { branch: 'main', workspace: workspaces.one };
    const first = await world.push({ ...push, inputs: { 'state-key': '' } });
    expect(first.sent, first.log).toEqual(['a.png']);
    expectReused(await world.push(push));
  });

  it('that has signed the last state causes a warning if files are sent', async ({ startRepository, workspaces }) => {
    const world = await startRepository();
    await plantAnalysed(world, 'main');
    world.plantState({ branch: 'main', runId: 31, key: 'the state key of another time' });
    const reused = await world.push({ branch: 'main', runId: 90, workspace: workspaces.one });
    expectReused(reused);
    expect(reused.warnings).toBe('');
    expect(reused.notices).toContain('was signed with another key');
    world.plantState({ branch: 'main', runId: 91, key: 'the state key of another time' });
    const sent = await world.push({ branch: 'main', runId: 92, workspace: workspaces.two });
    expect(sent.sent, sent.log).toEqual(['b.png']);
    expect(sent.warnings).toMatch(/of run 91 was signed with another key.*billed again/);
  });
});
