import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { analyse, COMMIT } from '../harness/earlier-run.ts';
import { it as base } from '../harness/fixtures.ts';
import { git, makePullRequest } from '../harness/git.ts';
import { images, png } from '../harness/media.ts';
import { payload, pullRequest } from '../harness/payloads.ts';

function pullOnto(commit: string) {
  return pullRequest({ 'pull_request.base.ref': 'main', 'pull_request.base.sha': commit });
}

const QUEUE = {
  name: 'merge_group',
  payload: payload('merge_group', { 'merge_group.base_ref': 'refs/heads/main', 'merge_group.base_sha': COMMIT }),
};
const NEW = { 'fail-on-issues': 'new' };
const issue = (ruleCode: string, severity = 'CRITICAL') => ({ ruleCode, severity });

/** The issues that the service finds in each file, by the beginning of its name. */
function finding(issues: Readonly<Record<string, readonly { ruleCode: string; severity: string }[]>>): Scenario {
  return { files: Object.entries(issues).map(([name, found]) => ({ match: `${name}-*`, issues: [...found] })) };
}

const it = base
  /** A base branch that has a.png, with one CRITICAL issue of AD-17 and a MINOR one of AD-3. */
  .extend('onBase', async ({ startSeries }) => {
    const series = await startSeries({}, { scenario: finding({ a: [issue('AD-17'), issue('AD-3', 'MINOR')] }) });
    await series.addAnalysed(images('a'));
    return series;
  });

describe.concurrent('with fail-on-issues: new', () => {
  it('a pull request passes if the base has the same issues, and reports them as known', async ({ onBase: series }) => {
    const run = await series.run({ event: pullOnto(COMMIT), inputs: NEW });
    expect(run.outputs).toMatchObject({ verdict: 'pass', 'new-issue-count': '0', 'issue-count': '0' });
    expect(run.summary).toContain('AD-17');
    expect(run.sent).toEqual([]);
  });

  it('a state file of the base branch is no baseline if it is not of the base commit', async ({ onBase: series }) => {
    const run = await series.run({ event: pullOnto('b'.repeat(40)), inputs: NEW });
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'new-issue-count': '2', 'files-submitted': '0' });
    expect(run.log).toContain('with `state-file`, restore the state of the base commit');
  });

  it('a merge queue fails on issues that are added', async ({ onBase: series }) => {
    series.service.load(finding({ b: [issue('AD-17')] }));
    await series.write({ 'b.png': png('b') });
    const run = await series.run({ event: QUEUE, inputs: NEW });
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'new-issue-count': '1', 'critical-count': '1' });
    expect(run.annotations.filter(({ level }) => level === 'error').map(({ file }) => file)).toContain('b.png');
  });
});

describe.concurrent('with states in artifacts', () => {
  const BAD = finding({ '*bad': [issue('AD-17')] });

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
