import { expect } from 'vitest';
import type { GitHubModel } from '../harness/github-model.ts';
import { nameOf } from '../harness/repository.ts';
import { expectReused, it } from './states.ts';

const [MERGE, HEAD] = ['d'.repeat(40), '8'.repeat(40)];
const MERGED: Pick<GitHubModel, 'pulls' | 'pullsOf'> = {
  pulls: { 7: { headSha: 'e'.repeat(40), headRef: 'feature', mergedAt: '2026-01-01T00:00:00Z' } },
  pullsOf: { [MERGE]: [7] },
};

it('an analysis is reused by the runs of pull_request_target for a fork', async ({
  startRepository,
  workspaces: { one, two },
}) => {
  const mergedAt = '2026-01-01T00:00:00Z';
  const merged = { headSha: HEAD, headRef: 'main', headLabel: 'mallory:main', headRepositoryId: 99, mergedAt };
  const world = await startRepository({ model: { pulls: { 2: merged }, pullsOf: { [MERGE]: [2] } } });
  // States that the gate did not sign are not read, or are refused.
  world.artifacts.plant(nameOf('pull'), Buffer.from('x'), { id: 20, head_repository_id: 98, head_branch: 'main' });
  world.artifacts.plant(nameOf('pull'), Buffer.from('x'), { id: 21, head_repository_id: 99, head_branch: 'main' });
  const pull = { branch: 'main', commit: HEAD, isFork: true };
  const opened = await world.pull({ ...pull, runId: '71', workspace: one });
  expect(opened.outputs, opened.log).toMatchObject({ verdict: 'pass', 'files-submitted': '1' });
  const listed = { workflow_run: { head_repository_id: 99, head_branch: 'main' } };
  expect(world.artifacts.artifacts[0]).toMatchObject(listed);
  expectReused(await world.pull({ ...pull, runId: '71', attempt: 2, workspace: one }));
  expectReused(await world.pull({ ...pull, workspace: one }));
  const push = await world.push({ branch: 'main', commit: MERGE, workspace: two });
  expect(push.outputs, push.log).toMatchObject({ 'files-submitted': '1', 'files-reused': '1' });
  expect(world.service.submissions).toHaveLength(2);
});

it('without permission to read artifacts nothing is sent, unless `reuse-days` is 0', async ({
  startRepository,
  workspaces: { one },
}) => {
  const world = await startRepository({ model: { permissions: { actions: 'none' } } });
  const run = await world.push({ branch: 'main', workspace: one, inputs: { comment: 'always' } });
  expect(run.outputs, run.log).toMatchObject({ verdict: 'error', reason: 'github' });
  expect(run.requests).toEqual([]);
  expect(run.readableSummary).toMatch(/`actions: read` and `pull-requests: read`, or set `reuse-days: 0`/);
  expect(run.readableSummary).toContain('Nothing was sent and nothing was billed.');
  for (const [inputs, outputs] of [
    [{ 'dry-run': 'true' }, { verdict: 'skipped', reason: 'dry-run' }],
    [{ 'reuse-days': '0' }, { verdict: 'pass', 'files-submitted': '1' }],
  ] as const) {
    const other = await world.push({ branch: 'main', workspace: one, inputs });
    expect(other.outputs, other.log).toMatchObject(outputs);
    expect(other.notices).toContain('could not all be read');
  }
});

it.for<[string, GitHubModel, object, string]>([
  [
    'the permission is missing, a notice says so',
    { permissions: { 'pull-requests': 'none' } },
    { verdict: 'pass', 'files-submitted': '1', 'files-reused': '1' },
    'Could not find the pull request of a commit',
  ],
  [
    'GitHub is down, nothing is sent',
    { faults: [{ on: `/commits/${MERGE}/pulls`, status: 500 }] },
    { verdict: 'error', reason: 'github', 'files-submitted': '0' },
    'Nothing was sent and nothing was billed.',
  ],
])(
  'if the pull requests of a commit are hidden because %s',
  async (row, { startRepository, workspaces: { one, two } }) => {
    const [, model, outputs, says] = row;
    const world = await startRepository({ model: { ...MERGED, ...model } });
    await world.push({ branch: 'feature', workspace: one });
    const run = await world.push({ branch: 'main', commit: MERGE, workspace: two });
    expect(run.outputs, run.log).toMatchObject(outputs);
    expect(run.notices + run.readableSummary).toContain(says);
  },
);
