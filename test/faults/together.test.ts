import path from 'node:path';
import { describe, expect } from 'vitest';
import type { Scenario, Workspace } from '../../emulator/emulator.ts';
import { it as base, ONE_FILE } from '../harness/fixtures.ts';
import { expectInvariants, runWithSecrets } from '../harness/invariants.ts';
import { png } from '../harness/media.ts';
import type { Repository } from '../harness/repository.ts';
import type { ServiceRun } from '../harness/run-action.ts';

const CRITICAL: Scenario = { default: { issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] } };
/** Analyses that end when `finish` is called. */
const ENDLESS: Scenario = { default: { reads: 1_000_000, issues: [{ severity: 'CRITICAL' }] } };

function finish({ submissions }: Workspace): void {
  for (const { pending } of submissions.flatMap(({ assets }) => assets)) if (pending) pending.readsLeft = 0;
}

const it = base.extend('media', async ({ makeFolder }) => await makeFolder(ONE_FILE));

function expectFailing(...runs: readonly ServiceRun[]): void {
  for (const run of runs) {
    expect(run.outputs, run.log).toMatchObject({ verdict: 'fail', 'critical-count': '1' });
    expectInvariants(run);
  }
}

/** Both have uploaded the file before either creates its submission, so neither can find the other. */
async function pushTogether(
  workspace: string,
  ...pushes: readonly (readonly [Repository, string])[]
): Promise<ServiceRun[]> {
  const service = pushes[0]?.[0].service;
  if (!service) throw new Error('No run has started.');
  service.load({ faults: [{ on: 'submissions/create', status: 429, headers: { 'retry-after': '1' } }] });
  const runs = pushes.map(async ([world, branch]) => await world.push({ branch, workspace }));
  const uploads = (): number => service.requests.filter(({ endpoint }) => endpoint === 'uploads/direct').length;
  await service.waitFor(() => uploads() === pushes.length);
  service.load(CRITICAL);
  return await Promise.all(runs);
}

describe('two runs at once', () => {
  it('on one branch, started together: both are billed, both are right, and a third one reuses', async ({
    startRepository,
    media,
  }) => {
    const world = await startRepository({ scenario: CRITICAL });
    expectFailing(...(await pushTogether(media, [world, 'main'], [world, 'main'])));
    expect(world.service.submissions).toHaveLength(2);

    const next = await world.push({ branch: 'main', workspace: media });
    expectFailing(next);
    expect(next.outputs).toMatchObject({ 'files-reused': '1', 'files-submitted': '0' });
    expect(world.service.submissions).toHaveLength(2);
  });

  it('on one branch, the second while the first one waits: one submission, and both wait for it', async ({
    startRepository,
    media,
  }) => {
    const world = await startRepository({ scenario: ENDLESS });
    const looks = (): number => world.service.requests.filter(({ endpoint }) => endpoint === 'submissions/read').length;
    const first = world.push({ branch: 'main', workspace: media });
    await world.service.waitFor(() => looks() >= 1);
    const second = world.push({
      branch: 'main',
      workspace: media,
      onLine: (line) => {
        if (line.includes('Waiting for the analysis')) finish(world.service);
      },
    });
    expectFailing(await first, await second);
    expect((await second).outputs).toMatchObject({ 'files-submitted': '0' });
    expect(world.service.submissions).toHaveLength(1);
  });

  it('in two repositories with one service workspace: each sends its own files under its own names', async ({
    startRepository,
    media,
  }) => {
    const one = await startRepository({ scenario: CRITICAL });
    const two = await startRepository({ service: one.service, repositoryId: 4712 });
    expectFailing(...(await pushTogether(media, [one, 'main'], [two, 'main'])));
    const names = one.service.submissions.flatMap(({ assets }) => assets.map(({ filename }) => filename));
    expect(new Set(names).size).toBe(2);
    // Neither uses the state of the other.
    for (const world of [one, two]) {
      const again = await world.push({ branch: 'main', workspace: media });
      expect(again.outputs).toMatchObject({ verdict: 'fail', 'files-reused': '1' });
    }
    expect(one.service.submissions).toHaveLength(2);
  });

  it('with one state file: it is always complete, and the last one wins', async ({ makeFolder, emulator, media }) => {
    const inputs = { 'state-file': path.join(await makeFolder(), 'state.json') };
    const service = emulator.workspace({ scenario: CRITICAL });
    const start = async (workspace: string): Promise<ServiceRun> =>
      await runWithSecrets({ workspace, service, baseUrl: emulator.baseUrl, inputs });
    const runs = await Promise.all([start(media), start(await makeFolder({ 'a.png': png('other') })), start(media)]);
    // The state of the others is overwritten, so it need not be in the file.
    expect(runs.map(({ outputs }) => outputs['verdict'])).toEqual(['fail', 'fail', 'fail']);
    const paid = service.submissions.length;
    const next = await start(media);
    expectFailing(next);
    expect(next.log).not.toMatch(/damaged|cannot be read|not ours/);
    expect(service.submissions.length - paid).toBeLessThanOrEqual(1);
  });
});
