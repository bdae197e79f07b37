import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { analyse, COMMIT } from '../harness/earlier-run.ts';
import { it } from '../harness/fixtures.ts';
import { git, makePullRequest } from '../harness/git.ts';
import { images, png } from '../harness/media.ts';

const NEW = { 'fail-on-issues': 'new' };
const BAD: Scenario = { files: [{ match: '*bad-*', issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] }] };

describe.concurrent('with states in artifacts', () => {
  it('a rejected file is new until a branch run has it', async ({ startRepository, makeFolder }) => {
    const world = await startRepository({ scenario: BAD });
    const bad = images('bad', 'ok');
    const document = await analyse(world.service, bad);
    world.plantState({ branch: 'one', runId: 30, document, sealed: { event: 'pull_request' } });
    const [good, workspace] = [await makeFolder(images('ok')), await makeFolder(bad)];
    const base = await world.push({ branch: 'main', commit: COMMIT, workspace: good });
    expect(base.outputs).toMatchObject({ verdict: 'pass', 'files-reused': '1' });
    const second = await world.pull({ branch: 'two', base: COMMIT, workspace, inputs: NEW });
    expect(second.outputs, second.log).toMatchObject({ verdict: 'fail', 'new-issue-count': '1' });
    await world.push({ branch: 'main', workspace });
    const third = await world.pull({ branch: 'three', base: 'b'.repeat(40), workspace, inputs: NEW });
    expect(third.outputs, third.log).toMatchObject({ verdict: 'pass', 'new-issue-count': '0' });
    expect(third.asked.length).toBeLessThanOrEqual(7);
    expect(world.service.submissions).toHaveLength(1);
  });

  it.for([
    ['is a baseline with its own commit checked out', 'base'],
    ['is no baseline with the pull request checked out', 'head'],
  ] as const)('a workflow_dispatch on main %s', async ([, place], { startRepository, makeFolder }) => {
    const folder = await makeFolder();
    const commits = await makePullRequest(folder, { 'ok.png': png('ok') }, { 'bad.png': png('bad') });
    const world = await startRepository({ scenario: BAD });
    await git(folder, 'checkout', '--quiet', commits[place]);
    await world.push({ branch: 'main', commit: commits.base, event: 'workflow_dispatch', workspace: folder });
    await git(folder, 'checkout', '--quiet', commits.merge);
    const pull = { branch: 'changes', base: commits.base, commit: commits.head, workspace: folder };
    const run = await world.pull({ ...pull, inputs: NEW });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'fail', 'new-issue-count': '1' });
    expect(run.notices.includes('Every issue counts as new')).toBe(place === 'head');
  });
});
