import { describe, expect } from 'vitest';
import type { Slot } from '../../src/state/gate-id.ts';
import { analyse } from '../harness/earlier-run.ts';
import { images } from '../harness/media.ts';
import type { Repository, RepositoryRun } from '../harness/repository.ts';
import { expectReused, it, plantAnalysed } from './states.ts';

const [MERGE, ONTO] = ['d'.repeat(40), 'e'.repeat(40)];
/** Pull request 7 is merged. */
const MERGED = { headSha: '7'.repeat(40), headRef: 'pull-7', mergedAt: '2026-01-01T00:00:00Z' };
const NEW = { 'fail-on-issues': 'new' };
const OTHERS = 30;

/** The main branch, two pull requests and many other branches, which have saved `pull` and, some, `open`. */
async function plantBusy(world: Repository): Promise<void> {
  const plant = async (branch: string, runId: number, files: readonly string[], slot: Slot) =>
    world.plantState({ branch, runId, document: await analyse(world.service, images(...files)), slot });
  await plant('pull-8', 30, ['m', '8'], 'pull');
  for (let runId = 1_000; runId < 1_000 + OTHERS; runId++)
    for (const slot of runId % 3 === 0 ? (['open', 'pull'] as const) : (['pull'] as const))
      world.plantState({ branch: `other-${runId}`, runId, slot });
  await plant('main', 2_000, ['m'], 'state');
  await plant('pull-7', 2_001, ['m', '7'], 'pull');
}

type Play = (world: Repository, run: { workspace: string; runId: number }) => Promise<RepositoryRun>;

const push: Play = async (world, run) => await world.push({ branch: 'main', ...run });
function pull(number: number, inputs = {}): Play {
  return async (world, run) => await world.pull({ branch: `pull-${number}`, number, inputs, ...run });
}

it('requests to GitHub are few, however many branches there are', async ({ startRepository, makeFolder }) => {
  const model = { pulls: { 7: MERGED }, pullsOf: { [MERGE]: [7] }, artifactOrder: 'newest first' } as const;
  const world = await startRepository({ model });
  await plantBusy(world);
  const runs: readonly (readonly [title: string, play: Play, limit: number, files: readonly string[]])[] = [
    ['push', push, 2, ['m']],
    ['push with `new`', async (_, run) => await world.push({ branch: 'main', inputs: NEW, ...run }), 4, ['m']],
    ['pull request', pull(7), 3, ['m', '7']],
    ['pull request that waited', pull(8), 12, ['m', '8']],
    ['pull request with `new`', pull(7, NEW), 7, ['m', '7']],
    ['merge group', async (_, run) => await world.queue({ pull: 7, onto: ONTO, ...run }), 7, ['m', '7']],
    ['push of a merge', async (_, run) => await world.push({ branch: 'main', commit: MERGE, ...run }), 7, ['m', '7']],
    ['push with a new file', push, 17, ['m', 'new-1']],
    ['pull request with a new file', pull(7), 17, ['m', '7', 'new-2']],
    ['new pull request with a new file', pull(9), 17, ['m', 'new-3']],
  ];
  for (const [index, [title, play, limit, files]] of runs.entries()) {
    const run = { workspace: await makeFolder(images(...files)), runId: 3_000 + index };
    const { asked, sent, log, warnings } = await play(world, run);
    expect(sent, log).toEqual(files.filter((file) => file.startsWith('new')).map((file) => `${file}.png`));
    expect(warnings).toBe('');
    expect(log.includes('saved states left unread')).toBe(sent.length > 0);
    expect(asked.length, [title, ...asked].join('\n')).toBeLessThanOrEqual(limit);
  }
});

describe.concurrent('another key', () => {
  it('that is added as `state-key` opens what the API key has signed', async ({ startRepository, workspaces }) => {
    const world = await startRepository();
    const first = { branch: 'main', workspace: workspaces.one };
    expect((await world.push({ ...first, inputs: { 'state-key': '' } })).sent).toEqual(['a.png']);
    expectReused(await world.push(first));
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

it.for(['deleted', 'expired'])(
  'a run that sends a file says that a state is missing: %s',
  async (how, { startRepository, workspaces }) => {
    const world = await startRepository();
    await plantAnalysed(world, 'main');
    const { artifacts, archives } = world.artifacts;
    if (how === 'deleted') delete archives[artifacts[0]?.id ?? 0];
    else artifacts.splice(0, 1, ...artifacts.map((each) => ({ ...each, expired: true })));
    const run = await world.push({ branch: 'main', workspace: workspaces.one });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'pass', 'files-submitted': '1' });
    expect(run.notices).toMatch(/media-compliance-state-\w+ of run 30 was deleted or has expired\./);
    expect(run.notices).not.toContain('No state of an earlier run was found');
  },
);
