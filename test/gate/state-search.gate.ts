import { expect } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';
import type { Repository, RepositoryRun } from '../harness/repository.ts';

const MERGE = 'd'.repeat(40);

it.for<
  [string, (world: Repository, run: { readonly workspace: string; readonly runId: number }) => Promise<RepositoryRun>]
>([
  ['a later run', async (world, run) => await world.pull({ branch: 'feature', number: 7, ...run })],
  ['a merge group', async (world, run) => await world.queue({ pull: 7, onto: 'e'.repeat(40), ...run })],
  ['the push of its merge', async (world, run) => await world.push({ branch: 'main', commit: MERGE, ...run })],
])(
  'of many branches, the state of a pull request is found by %s, in the second round',
  async (row, { startRepository, makeFolder }) => {
    const [, play] = row;
    const merged = { headSha: '7'.repeat(40), headRef: 'feature', mergedAt: '2026-01-01T00:00:00Z' };
    const world = await startRepository({ model: { pulls: { 7: merged }, pullsOf: { [MERGE]: [7] } } });
    await world.push({ branch: 'main', workspace: await makeFolder(images('m')) });
    await world.pull({ branch: 'feature', number: 7, workspace: await makeFolder(images('m', '7')) });
    for (let runId = 130; runId < 160; runId++) world.plantState({ branch: `other-${runId}`, runId, slot: 'pull' });
    const { asked, sent, log } = await play(world, { runId: 200, workspace: await makeFolder(images('m', '7')) });
    expect(sent, log).toEqual([]);
    expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(28);
  },
);

it('a last state that another key has signed causes a warning if files are sent', async ({
  startRepository,
  makeFolder,
}) => {
  const world = await startRepository();
  const workspace = await makeFolder(images('a'));
  await world.push({ branch: 'main', workspace });
  world.plantState({ branch: 'main', runId: 61, key: 'the state key of another time' });
  const reused = await world.push({ branch: 'main', runId: 90, workspace });
  expect(reused.outputs, reused.log).toMatchObject({ 'files-submitted': '0', 'files-reused': '1' });
  expect(reused.warnings).toBe('');
  expect(reused.notices).toContain('was signed with another key');
  world.plantState({ branch: 'main', runId: 91, key: 'the state key of another time' });
  const sent = await world.push({ branch: 'main', runId: 92, workspace: await makeFolder(images('a', 'b')) });
  expect(sent.sent, sent.log).toEqual(['b.png']);
  expect(sent.warnings).toMatch(/of run 91 was signed with another key.*billed again/);
});
