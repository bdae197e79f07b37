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

  it('of one gate in one run, from two calls of a reusable workflow: the analyses of both are kept', async () => {
    await using world = await startRepository(emulator, { scenario: ENDLESS });
    const looks = (): number => world.service.requests.filter(({ endpoint }) => endpoint === 'submissions/read').length;
    const job = { branch: 'main', runId: '71' };
    const slow = world.push({ ...job, workspace: media.path });
    await world.service.waitFor(() => looks() >= 1);
    world.service.load(CRITICAL);
    expectFailing(await world.push({ ...job, workspace: others.path }));
    // The slow one has not read what the quick one has saved under the same name.
    finish(world.service);
    expectFailing(await slow);
    for (const { path: workspace } of [media, others]) {
      const next = await world.push({ branch: 'main', workspace });
      expect(next.outputs).toMatchObject({ verdict: 'fail', 'files-reused': '1', 'files-submitted': '0' });
    }
    expect(world.service.submissions).toHaveLength(2);
  });

  it('of one gate in one run, from a matrix of calls of a reusable workflow: all analyses are kept', async () => {
    await using world = await startRepository(emulator, { scenario: CRITICAL });
    const seeds = ['p', 'q', 'r', 's'];
    const legs = await Promise.all(seeds.map(async (seed) => await makeWorkspace({ [`${seed}.png`]: png(seed) })));
    const runs = await Promise.all(
      legs.map(
        async ({ path: workspace }) => await world.push({ branch: 'main', runId: '71', workspace, clockFactor: 4 }),
      ),
    );
    expectFailing(...runs);
    for (const run of runs) expect(run.log).not.toContain('The state could not be saved');
    expect(world.service.submissions).toHaveLength(seeds.length);
    for (const { path: workspace } of legs) {
      const next = await world.push({ branch: 'main', workspace });
      expect(next.outputs, next.log).toMatchObject({ verdict: 'fail', 'files-reused': '1', 'files-submitted': '0' });
    }
    await Promise.all(legs.map(async ({ remove }) => await remove()));
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

describe('one run after the other', () => {
  const MERGE = 'd'.repeat(40);
  const MERGED = {
    pulls: { 7: { headSha: 'e'.repeat(40), headRef: 'first', mergedAt: '2026-01-01T00:00:00Z' } },
    pullsOf: { [MERGE]: [7] },
  };

  it('on two independent branches: both are billed; after one is merged, its files are reused', async () => {
    await using world = await startRepository(emulator, { scenario: CRITICAL, model: MERGED });
    expectFailing(await world.push({ branch: 'first', workspace: media.path }));
    expectFailing(await world.push({ branch: 'second', workspace: media.path }));
    expect(world.service.submissions).toHaveLength(2);

    // The gate never ran for the pull request, so the state of its branch is used.
    expectFailing(await world.push({ branch: 'main', commit: MERGE, workspace: media.path }));
    expectFailing(await world.push({ branch: 'third', workspace: media.path }));
    expectFailing(await world.push({ branch: 'main', workspace: media.path }));
    expect(world.service.submissions).toHaveLength(2);
  });

  it('in a merge queue, in the rebuilt queue, and after the merge: only the first is billed', async () => {
    await using world = await startRepository(emulator, { scenario: CRITICAL, model: MERGED });
    expectFailing(await world.queue({ pull: 7, onto: '1'.repeat(40), workspace: media.path }));
    expectFailing(await world.queue({ pull: 7, onto: '2'.repeat(40), workspace: media.path }));
    expectFailing(await world.push({ branch: 'main', commit: MERGE, workspace: media.path }));
    expect(world.service.submissions).toHaveLength(1);
  });

  it('a stack of three pull requests in a merge queue: each file is billed once', async () => {
    const numbers = [1, 2, 3];
    const pulls = Object.fromEntries(numbers.map((each) => [each, { headSha: String(each), headRef: `pull-${each}` }]));
    await using world = await startRepository(emulator, { model: { pulls } });
    for (const number of numbers) {
      await using workspace = await makeWorkspace({ [`${number}.png`]: png(`stack-${number}`) });
      await world.pull({ branch: `pull-${number}`, workspace: workspace.path });
    }
    expect(world.service.submissions).toHaveLength(numbers.length);
    // A group holds its own pull request and those in front of it, and is built on the head of the group in front.
    for (const number of numbers) {
      const files = numbers.slice(0, number).map((each) => [`${each}.png`, png(`stack-${each}`)]);
      await using workspace = await makeWorkspace(Object.fromEntries(files));
      const run = await world.queue({
        pull: number,
        onto: groupHead(number - 1),
        commit: groupHead(number),
        workspace: workspace.path,
      });
      expect(run.outputs, run.log).toMatchObject({ 'files-submitted': '0', 'files-reused': String(number) });
      expect(run.log).toContain(`0 analysed, ${number} reused, 0 paid twice, verdict pass`);
      expectInvariants(run);
    }
    expect(world.service.submissions).toHaveLength(numbers.length);
  });
});

function groupHead(number: number): string {
  return String(number).repeat(40);
}

describe('fail-on-issues: new, with the state in artifacts', () => {
  const [OLD, FIXED] = ['a'.repeat(40), 'd'.repeat(40)];
  const inputs = { 'fail-on-issues': 'new' };
  /** By the bytes: the old ones have a CRITICAL issue, the fixed ones have none. */
  const scenario: Scenario = { files: [{ match: 'bad-*', issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] }] };

  it.each([
    ['was re-run after it', { runId: '41' }],
    ['was queued before it and ended after it', { runId: '40' }],
  ])('an older run of the base branch is no baseline, even if it %s', async (_, { runId }) => {
    await using world = await startRepository(emulator, { scenario });
    await using bad = await makeWorkspace({ 'bad.png': png('bad'), 'ok.png': png('ok') });
    await using fixed = await makeWorkspace({ 'ok.png': png('ok') });
    await world.push({ branch: 'main', runId: '41', commit: OLD, workspace: bad.path });
    await world.push({ branch: 'main', runId: '50', commit: FIXED, workspace: fixed.path });
    await world.push({ branch: 'main', runId, commit: OLD, workspace: bad.path });
    // The pull request restores the bad file. Its base commit has no run.
    for (const base of [FIXED, 'b'.repeat(40)]) {
      const run = await world.pull({ branch: 'feature', runId: '60', base, workspace: bad.path, inputs });
      expect(run.outputs, run.log).toMatchObject({ verdict: 'fail', 'new-issue-count': '1', 'files-submitted': '0' });
    }
  });
});
