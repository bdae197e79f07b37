import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { it as base, CRITICAL } from '../harness/fixtures.ts';
import { images, png } from '../harness/media.ts';
import { HEAD, payload } from '../harness/payloads.ts';
import type { Repository, RepositoryRun } from '../harness/repository.ts';

const MERGE = 'd'.repeat(40);
const MERGED = { headSha: '7'.repeat(40), headRef: 'feature', mergedAt: '2026-01-01T00:00:00Z' };
const MODEL = { pulls: { 7: MERGED }, pullsOf: { [MERGE]: [7] } };
const PULL = { branch: 'feature', number: 7 };
/** Analyses every file again. */
const WEEKLY = { branch: 'main', event: 'schedule', inputs: { 'reuse-days': '0' } } as const;
const ENDPOINTS = ['submissions/read', 'assets/issues', 'uploads/direct'] as const;
const DOWN: Scenario = { faults: ENDPOINTS.map((on) => ({ on, status: 503 })) };

/** The verdict, and how many files were sent. */
function ended({ outputs }: RepositoryRun): string {
  return `${outputs['verdict']}, ${outputs['files-submitted']} sent`;
}

/** Another job, and so another gate. */
function job(name: string) {
  return { env: { GITHUB_JOB: name } };
}

const it = base
  .extend(
    'folder',
    ({ makeFolder }) =>
      async (...names: readonly string[]) =>
        await makeFolder(images(...names)),
  )
  /** Another key at the service. It knows what `earlier` has sent, as after a rotation, or nothing. */
  .extend('otherKey', ({ emulator }) => (earlier?: Repository, scenario: Scenario = {}) => {
    const account = emulator.workspace({ scenario });
    if (earlier) account.restore(structuredClone(earlier.service.submissions));
    return { 'api-key': account.key };
  });

describe.concurrent('histories of a repository in which each file is paid for once', () => {
  it('a gate for pull requests, and one for pushes with 25 runs of its own', async ({ startRepository, folder }) => {
    const world = await startRepository({ scenario: CRITICAL, model: MODEL });
    const workspace = await folder('a', 'b');
    expect(ended(await world.pull({ ...PULL, workspace, ...job('pulls') }))).toBe('fail, 2 sent');
    for (let runId = 100; runId < 125; runId++) world.plantState({ branch: 'main', runId });
    const pushed = await world.push({ branch: 'main', commit: MERGE, runId: 200, workspace });
    expect(ended(pushed), pushed.log).toBe('fail, 0 sent');
  });

  it('two gates with two API keys and one state key: each pays for itself, and an outage passes nothing', async ({
    startRepository,
    folder,
    otherKey,
  }) => {
    const world = await startRepository();
    const run = { branch: 'main', workspace: await folder('a') };
    expect(ended(await world.push(run))).toBe('pass, 1 sent');
    const down = await world.push({ ...run, ...job('other'), inputs: otherKey(undefined, DOWN) });
    expect(ended(down), down.log).toBe('error, 0 sent');
    const other = { ...run, ...job('other'), inputs: otherKey() };
    expect(ended(await world.push(other))).toBe('pass, 1 sent');
    for (const again of [run, other]) expect(ended(await world.push(again))).toBe('pass, 0 sent');
  });

  it('the gate twice in one run, without a `name`: a CRITICAL of one weekly run stays red for both', async ({
    startRepository,
    folder,
  }) => {
    const world = await startRepository();
    const workspace = await folder('a', 'b');
    const steps = [{ files: 'a.png' }, { files: '*.png' }];
    const twice = async (runId: number) => {
      const runs: RepositoryRun[] = [];
      for (const inputs of steps) runs.push(await world.push({ branch: 'main', runId, workspace, inputs }));
      return runs;
    };
    const [first, second] = await twice(71);
    expect([first, second].map((run) => run && ended(run))).toEqual(['pass, 1 sent', 'pass, 1 sent']);
    expect(second?.warnings).toContain('a `name` of its own');
    world.service.load(CRITICAL);
    expect(ended(await world.push({ ...WEEKLY, runId: 72, workspace }))).toBe('fail, 2 sent');
    expect((await twice(73)).map(ended)).toEqual(['fail, 0 sent', 'fail, 0 sent']);
  });

  it('a matrix of eight legs, whose job is renamed', async ({ startRepository, folder }) => {
    const world = await startRepository();
    const legs = await Promise.all(Array.from({ length: 8 }, async (_, leg) => await folder(`${leg}`)));
    for (const [name, result] of [
      ['checks', 'pass, 1 sent'],
      ['gate', 'pass, 0 sent'],
    ] as const)
      for (const [leg, workspace] of legs.entries()) {
        const inputs = { matrix: `{"leg":${leg}}` };
        const run = await world.push({ branch: 'main', commit: MERGE, workspace, inputs, ...job(name) });
        expect(ended(run), run.log).toBe(result);
      }
  });

  it('a re-run of an older run, after newer runs of the branch have saved and one found a CRITICAL', async ({
    startRepository,
    folder,
  }) => {
    const world = await startRepository();
    const [one, two] = [await folder('a'), await folder('a', 'b')];
    const old = { branch: 'main', commit: HEAD, runId: 51, workspace: one };
    expect(ended(await world.push(old))).toBe('pass, 1 sent');
    expect(ended(await world.push({ branch: 'main', runId: 52, workspace: two }))).toBe('pass, 1 sent');
    expect(ended(await world.push({ ...old, attempt: 2 }))).toBe('pass, 0 sent');
    world.service.load(CRITICAL);
    expect(ended(await world.push({ ...WEEKLY, runId: 53, workspace: two }))).toBe('fail, 2 sent');
    expect(ended(await world.push({ ...old, attempt: 3 }))).toBe('fail, 0 sent');
    expect(ended(await world.push({ branch: 'main', runId: 54, workspace: two }))).toBe('fail, 0 sent');
  });

  it('a re-run of a run with `reuse-days: 0` that timed out', async ({ startRepository, folder }) => {
    const scenario: Scenario = { files: [{ match: 'b-*', reads: 1_000_000 }] };
    const world = await startRepository({ scenario });
    const inputs = { ...WEEKLY.inputs, 'wait-timeout-minutes': '1' };
    const run = { ...WEEKLY, runId: 61, clockFactor: 60, workspace: await folder('a', 'b'), inputs };
    expect(ended(await world.push(run))).toBe('error, 2 sent');
    world.service.finishAnalyses();
    expect(ended(await world.push({ ...run, attempt: 2 }))).toBe('pass, 0 sent');
  });

  it('a pull request, a rotated key, and its merge, also while the service is down', async ({
    startRepository,
    folder,
    otherKey,
  }) => {
    const world = await startRepository({ scenario: CRITICAL, model: MODEL });
    const workspace = await folder('a', 'b');
    expect(ended(await world.pull({ ...PULL, workspace }))).toBe('fail, 2 sent');
    const merge = { branch: 'main', commit: MERGE, workspace };
    const down = await world.push({ ...merge, inputs: otherKey(world, DOWN) });
    expect(ended(down), down.log).toBe('error, 0 sent');
    const merged = await world.push({ ...merge, inputs: otherKey(world) });
    expect(ended(merged), merged.log).toBe('fail, 0 sent');
  });

  it('a file that is unclear in the state of this branch, and analysed in that of another', async ({
    startRepository,
    folder,
  }) => {
    const world = await startRepository();
    const run = { branch: 'main', workspace: await folder('a') };
    // The list of the first submission never has the asset.
    world.service.handler = async ({ path }, respond) => {
      const response = await respond();
      const { submissionId = '' } = world.service.submissions[0] ?? {};
      if (!path.endsWith(`/${submissionId}`)) return response;
      return { ...response, body: JSON.stringify({ ...JSON.parse(response.body), assets: [] }) };
    };
    expect(ended(await world.push(run))).toBe('error, 1 sent');
    expect(ended(await world.push(run))).toBe('error, 0 sent');
    expect(ended(await world.push({ ...run, ...WEEKLY, branch: 'other' }))).toBe('pass, 1 sent');
    const judged = await world.push(run);
    expect(ended(judged), judged.log).toBe('pass, 0 sent');
  });
});

describe.concurrent('with `fail-on-issues: new`, new bytes turn', () => {
  const RULE = { ruleCode: 'AD-17' };
  it.for<[string, { severity: 'MINOR' | 'CRITICAL'; status: 'OPEN' | 'DISMISSED' }]>([
    ['a known MINOR into a CRITICAL of the same rule', { severity: 'MINOR', status: 'OPEN' }],
    ['a dismissed issue into an open one', { severity: 'CRITICAL', status: 'DISMISSED' }],
  ])('%s: it is new', async ([, before], { startRepository, makeFolder }) => {
    const world = await startRepository({ scenario: { default: { issues: [{ ...RULE, ...before }] } } });
    const onMain = await world.push({
      branch: 'main',
      commit: HEAD,
      workspace: await makeFolder({ 'a.png': png('1') }),
    });
    expect(ended(onMain), onMain.log).toBe('pass, 1 sent');
    world.service.load(CRITICAL);
    const workspace = await makeFolder({ 'a.png': png('2') });
    const run = await world.pull({ branch: 'x', base: HEAD, workspace, inputs: { 'fail-on-issues': 'new' } });
    expect(ended(run), run.log).toBe('fail, 1 sent');
    expect(run.outputs['new-issue-count']).toBe('1');
  });
});

describe.concurrent('the pull request of a fork under workflow_run, with waivers', () => {
  const WAIVER = { rule: 'AD-17', path: 'a.png', owner: 'legal', reason: 'agreed', expires: '2999-12-31' };
  it.for([
    ['pull_request', { verdict: 'pass', 'files-submitted': '1' }],
    ['pull_request_target', { verdict: 'error', reason: 'checkout', 'files-submitted': '0' }],
  ] as const)('after %s', async ([event, outputs], { gate, startGitHub }) => {
    const followed = { 'workflow_run.event': event, 'workflow_run.head_sha': HEAD };
    const run = await gate({
      // Its own waivers do not count, and those of the default branch do.
      files: { ...images('a'), '.git/HEAD': HEAD, 'waivers.yml': '[]' },
      event: { name: 'workflow_run', payload: payload('workflow_run', followed, 2) },
      github: await startGitHub({ contents: { [`${MERGE}:waivers.yml`]: JSON.stringify([WAIVER]) } }),
      scenario: CRITICAL,
      inputs: { 'waivers-file': 'waivers.yml' },
      env: { GITHUB_SHA: MERGE },
    });
    expect(run.outputs, run.log).toMatchObject(outputs);
  });
});
