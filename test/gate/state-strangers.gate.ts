import { zipSync } from 'fflate';
import { describe, expect } from 'vitest';
import { CRITICAL } from '../harness/fixtures.ts';
import type { Fault } from '../harness/github-model.ts';
import { nameOf, type Repository } from '../harness/repository.ts';
import { sharedEntries } from '../harness/zip-bomb.ts';
import { expectReused, it, plantAnalysed } from './states.ts';

/** What a stranger can upload under the name of a state, in a run of this repository. */
const JUNK: readonly (readonly [string, Uint8Array])[] = [
  ['no state', zipSync({ 'state.json': Buffer.from('{}') })],
  ['no archive', Buffer.from('Please log in.')],
  ['300 states in 82 kB', sharedEntries(300, new Uint8Array(64_000_000))],
];

/** Uploads an artifact in a run of this repository on main. */
function plantJunk({ artifacts }: Repository, archive: Uint8Array, runId: number): void {
  artifacts.plant(nameOf('state'), archive, { id: runId });
}

describe.concurrent('what a stranger has left under the name of a state', () => {
  it.for(JUNK)('takes up no place, and a notice names it: %s', async ([, archive], { startRepository, workspaces }) => {
    const world = await startRepository({ scenario: CRITICAL });
    await plantAnalysed(world, 'main');
    for (const runId of [31, 32, 33, 34, 35]) plantJunk(world, archive, runId);
    const run = await world.push({ branch: 'main', workspace: workspaces.one });
    expectReused(run);
    expect(run.notices).toMatch(/The state in the artifact media-compliance-state-\w+ of run 3[1-5] cannot be read/);
  });

  it('is read 20 times; then files are sent, with a warning', async ({ startRepository, workspaces: { one } }) => {
    const world = await startRepository({ scenario: CRITICAL });
    await plantAnalysed(world, 'main');
    for (let runId = 50; runId < 75; runId++) plantJunk(world, Buffer.from('x'), runId);
    const run = await world.push({ branch: 'main', runId: 90, workspace: one });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'fail', 'files-submitted': '1' });
    expect(run.asked.filter((line) => line.endsWith('/zip'))).toHaveLength(20);
    expect(run.warnings).toContain('The artifacts of the runs 74, 73, 72, 71, 70 and 15 more have used that up.');
  });
});

describe.concurrent('a state that is not downloaded as it was uploaded', () => {
  const PAGE = { body: '<h1>Not here</h1>', headers: { 'content-type': 'text/html' } };
  const WAYS: readonly (readonly [string, (archive: Buffer) => Fault])[] = [
    ['one other byte', (archive) => ({ on: '/storage/', status: 200, body: archive.with(archive.length / 2, 0) })],
    ['not found in the storage', () => ({ on: '/storage/', status: 404, ...PAGE })],
    ['not found by a gateway', () => ({ on: '/zip', status: 404, ...PAGE })],
    ['gone, says a gateway', () => ({ on: '/zip', status: 410, ...PAGE })],
  ];

  it.for(WAYS)(
    'is downloaded again, and nothing is sent if that fails: %s',
    async ([, way], { startRepository, workspaces: { one } }) => {
      const faults: Fault[] = [];
      const world = await startRepository({ scenario: CRITICAL, model: { faults } });
      await plantAnalysed(world, 'main');
      const [archive] = Object.values(world.artifacts.archives);
      const fault = way(Buffer.from(archive ?? []));
      faults.push({ ...fault, times: 1 });
      expectReused(await world.push({ branch: 'main', workspace: one }));
      faults.push(fault);
      const run = await world.push({ branch: 'main', workspace: one });
      expect(run.outputs, run.log).toMatchObject({ verdict: 'error', reason: 'github', 'files-submitted': '0' });
      expect(run.requests).toEqual([]);
      expect(run.readableSummary).toMatch(/the artifact media-compliance-state-\w+ of run \d+.*delete the artifact/s);
    },
  );
});

it.for(['deleted', 'expired'])(
  'a run that sends a file says that a state is missing: %s',
  async (how, { startRepository, workspaces }) => {
    const world = await startRepository();
    await plantAnalysed(world, 'main');
    const [state] = world.artifacts.artifacts;
    if (how === 'deleted') delete world.artifacts.archives[state?.id ?? 0];
    else
      world.artifacts.artifacts.splice(0, 1, ...world.artifacts.artifacts.map((each) => ({ ...each, expired: true })));
    const run = await world.push({ branch: 'main', workspace: workspaces.one });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'pass', 'files-submitted': '1' });
    expect(run.notices).toMatch(/media-compliance-state-\w+ of run 30 was deleted or has expired\./);
    expect(run.notices).not.toContain('No state of an earlier run was found');
  },
);
