import { describe, expect } from 'vitest';
import type { Scenario, Workspace } from '../../emulator/emulator.ts';
import type { Endpoint } from '../../emulator/http.ts';
import { finishAnalyses } from '../harness/earlier-run.ts';
import { it as base, ONE_FILE } from '../harness/fixtures.ts';
import { expectInvariants, runWithSecrets } from '../harness/invariants.ts';

const CRITICAL: Scenario = { default: { issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] } };
/** Analyses that end when `finishAnalyses` is called. */
const ENDLESS: Scenario = { default: { reads: 1_000_000, issues: [{ severity: 'CRITICAL' }] } };

const it = base.extend('media', async ({ makeFolder }) => await makeFolder(ONE_FILE));

function countOf({ requests }: Workspace, wanted: Endpoint): number {
  return requests.filter(({ endpoint }) => endpoint === wanted).length;
}

describe('two runs at once', () => {
  it('on one branch, the second while the first one waits: one submission, and both wait for it', async ({
    startRepository,
    media,
  }) => {
    const world = await startRepository({ scenario: ENDLESS });
    const first = world.push({ branch: 'main', workspace: media });
    await world.service.waitFor(() => countOf(world.service, 'submissions/read') >= 1);
    const second = world.push({
      branch: 'main',
      workspace: media,
      onLine: (line) => {
        if (line.includes('Waiting for the analysis')) finishAnalyses(world.service);
      },
    });
    for (const run of await Promise.all([first, second])) {
      expect(run.outputs, run.log).toMatchObject({ verdict: 'fail', 'critical-count': '1' });
      expectInvariants(run);
    }
    expect((await second).outputs).toMatchObject({ 'files-submitted': '0' });
    expect(world.service.submissions).toHaveLength(1);
  });

  it('in two repositories with one service workspace: each sends its files under names of its own', async ({
    emulator,
    media: workspace,
  }) => {
    const service = emulator.workspace({ scenario: CRITICAL });
    for (const id of ['4711', '4712']) {
      const run = await runWithSecrets({ workspace, service, env: { GITHUB_REPOSITORY_ID: id } });
      expect(run.outputs).toMatchObject({ verdict: 'fail', 'files-submitted': '1' });
    }
    const names = service.submissions.flatMap(({ assets }) => assets.map(({ filename }) => filename));
    expect(new Set(names).size).toBe(2);
  });
});
