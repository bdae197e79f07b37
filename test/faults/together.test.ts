import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, type Scenario, startEmulator, type Workspace } from '../../emulator/emulator.ts';
import { expectInvariants, runWithSecrets } from '../harness/invariants.ts';
import { png } from '../harness/media.ts';
import { type Repository, startRepository } from '../harness/repository.ts';
import type { ServiceRun } from '../harness/run-action.ts';
import { makeWorkspace } from '../harness/workspace.ts';

const CRITICAL: Scenario = { default: { issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] } };
/** Analyses that end when `finish` is called. */
const ENDLESS: Scenario = { default: { reads: 1_000_000, issues: [{ severity: 'CRITICAL' }] } };

function finish({ submissions }: Workspace): void {
  for (const { pending } of submissions.flatMap(({ assets }) => assets)) if (pending) pending.readsLeft = 0;
}

let emulator: Emulator;
let media: Awaited<ReturnType<typeof makeWorkspace>>;
let others: Awaited<ReturnType<typeof makeWorkspace>>;
beforeAll(async () => {
  emulator = await startEmulator();
  media = await makeWorkspace({ 'a.png': png('a') });
  others = await makeWorkspace({ 'a.png': png('other') });
});
afterAll(async () => {
  await Promise.all([emulator.close(), media.remove(), others.remove()]);
});

function expectFailing(...runs: readonly ServiceRun[]): void {
  for (const run of runs) {
    expect(run.outputs, run.log).toMatchObject({ verdict: 'fail', 'critical-count': '1' });
    expectInvariants(run);
  }
}

/** Both have uploaded the file before either creates its submission, so neither can find the other. */
async function pushTogether(...pushes: readonly (readonly [Repository, string])[]): Promise<ServiceRun[]> {
  const service = pushes[0]?.[0].service;
  if (!service) throw new Error('No run has started.');
  service.load({ faults: [{ on: 'submissions/create', status: 429, headers: { 'retry-after': '1' } }] });
  const runs = pushes.map(async ([world, branch]) => await world.push({ branch, workspace: media.path }));
  const uploads = (): number => service.requests.filter(({ endpoint }) => endpoint === 'uploads/direct').length;
  await service.waitFor(() => uploads() === pushes.length);
  service.load(CRITICAL);
  return await Promise.all(runs);
}

describe('two runs at once', () => {
  it('on one branch, started together: both are billed, both are right, and a third one reuses', async () => {
    await using world = await startRepository(emulator, { scenario: CRITICAL });
    expectFailing(...(await pushTogether([world, 'main'], [world, 'main'])));
    expect(world.service.submissions).toHaveLength(2);

    const next = await world.push({ branch: 'main', workspace: media.path });
    expectFailing(next);
    expect(next.outputs).toMatchObject({ 'files-reused': '1', 'files-submitted': '0' });
    expect(world.service.submissions).toHaveLength(2);
  });

  it('on one branch, the second while the first one waits: one submission, and both wait for it', async () => {
    await using world = await startRepository(emulator, { scenario: ENDLESS });
    const looks = (): number => world.service.requests.filter(({ endpoint }) => endpoint === 'submissions/read').length;
    const first = world.push({ branch: 'main', workspace: media.path });
    await world.service.waitFor(() => looks() >= 1);
    const second = world.push({
      branch: 'main',
      workspace: media.path,
      onLine: (line) => {
        if (line.includes('Waiting for the analysis')) finish(world.service);
      },
    });
    expectFailing(await first, await second);
    expect((await second).outputs).toMatchObject({ 'files-submitted': '0' });
    expect(world.service.submissions).toHaveLength(1);
  });

  it('on two branches, with the same new file: both are billed, and both are right', async () => {
    await using world = await startRepository(emulator, { scenario: CRITICAL });
    expectFailing(...(await pushTogether([world, 'first'], [world, 'second'])));
    expect(world.service.submissions).toHaveLength(2);
  });

  it('in two repositories with one service workspace: each sends its own files under its own names', async () => {
    await using one = await startRepository(emulator, { scenario: CRITICAL });
    await using two = await startRepository(emulator, { service: one.service, repositoryId: 4712 });
    expectFailing(...(await pushTogether([one, 'main'], [two, 'main'])));
    const names = one.service.submissions.flatMap(({ assets }) => assets.map(({ filename }) => filename));
    expect(new Set(names).size).toBe(2);
    // Neither uses the state of the other.
    for (const world of [one, two]) {
      const again = await world.push({ branch: 'main', workspace: media.path });
      expect(again.outputs).toMatchObject({ verdict: 'fail', 'files-reused': '1' });
    }
    expect(one.service.submissions).toHaveLength(2);
  });

  it('with different bytes at one path: each gets the issues of its own bytes', async () => {
    await using world = await startRepository(emulator);
    const [clean, dirty] = await Promise.all([
      world.push({ branch: 'first', workspace: media.path }),
      world.push({ branch: 'second', workspace: others.path }),
    ]);
    expect([clean.outputs['verdict'], dirty.outputs['verdict']]).toEqual(['pass', 'pass']);
    const stored = await world.service.blobs();
    expect(new Set(stored.map(({ blobPath }) => blobPath)).size).toBe(2);
    expect(new Set(stored.map(({ sha256 }) => sha256)).size).toBe(2);
  });

  it('with one state file: it is always complete, and the last one wins', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'gate-shared-'));
    const inputs = { 'state-file': path.join(folder, 'state.json') };
    const service = emulator.workspace({ scenario: CRITICAL });
    const start = async (workspace: string): Promise<ServiceRun> =>
      await runWithSecrets({ workspace, service, baseUrl: emulator.baseUrl, inputs });
    const runs = await Promise.all([start(media.path), start(others.path), start(media.path)]);
    // The state of the others is overwritten, so it need not be in the file.
    expect(runs.map(({ outputs }) => outputs['verdict'])).toEqual(['fail', 'fail', 'fail']);
    const paid = service.submissions.length;
    const next = await start(media.path);
    await rm(folder, { recursive: true });
    expectFailing(next);
    expect(next.log).not.toMatch(/damaged|cannot be read|not ours/);
    expect(service.submissions.length - paid).toBeLessThanOrEqual(1);
  });
});
