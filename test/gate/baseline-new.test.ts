import { copyFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, type Scenario, startEmulator } from '../../emulator/emulator.ts';
import { startFront } from '../harness/front.ts';
import { git, makePullRequest } from '../harness/git.ts';
import { images, png } from '../harness/media.ts';
import { payload } from '../harness/payloads.ts';
import { startRepository } from '../harness/repository.ts';
import { type Series, type SeriesRun, startSeries } from '../harness/series.ts';
import { makeWorkspace } from '../harness/workspace.ts';

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(async () => await emulator.close());

/** The commit of every run of a series that names no other. */
const BASE = '0123456789abcdef0123456789abcdef01234567';
const PULL = {
  name: 'pull_request',
  payload: payload('pull_request', { 'pull_request.base.ref': 'main', 'pull_request.base.sha': BASE }),
};
const QUEUE = {
  name: 'merge_group',
  payload: payload('merge_group', { 'merge_group.base_ref': 'refs/heads/main', 'merge_group.base_sha': BASE }),
};
const NEW = { 'fail-on-issues': 'new' };
const issue = (ruleCode: string, severity = 'CRITICAL') => ({ ruleCode, severity });

/** By the beginning of the file's name. */
function finding(issues: Readonly<Record<string, readonly { ruleCode: string; severity: string }[]>>): Scenario {
  return { files: Object.entries(issues).map(([name, found]) => ({ match: `${name}-*`, issues: [...found] })) };
}

/** A base branch that has a.png, with one CRITICAL issue of AD-17 and a MINOR one of AD-3. */
async function startBase(): Promise<Series> {
  const scenario = finding({ a: [issue('AD-17'), issue('AD-3', 'MINOR')] });
  const series = await startSeries(emulator, { 'a.png': png('a') }, { scenario });
  const base = await series.run({ inputs: NEW });
  expect(base.outputs).toMatchObject({ verdict: 'fail' });
  await copyFile(series.stateFile, `${series.stateFile}.base`);
  return series;
}

/** A pull request's run, which is given the state of the base. */
async function runPull(series: Series, event = PULL): Promise<SeriesRun> {
  await copyFile(`${series.stateFile}.base`, series.stateFile);
  return await series.run({ event, inputs: NEW });
}

describe.each([
  ['a pull request', PULL],
  ['a merge queue', QUEUE],
])('%s, with fail-on-issues: new', (_, event) => {
  it('passes if the base has the same issues, and reports them as known', async () => {
    await using series = await startBase();
    const run = await runPull(series, event);
    expect(run.outputs).toMatchObject({
      verdict: 'pass',
      'new-issue-count': '0',
      'issue-count': '0',
      'files-reused': '1',
    });
    expect(run.summary).toContain('AD-17');
    expect(run.sent).toEqual([]);
  });

  it('fails on issues that the pull request adds', async () => {
    await using series = await startBase();
    series.service.load(finding({ b: [issue('AD-17')] }));
    await series.write({ 'b.png': png('b') });
    const run = await runPull(series, event);
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'new-issue-count': '1', 'critical-count': '1' });
    expect(run.annotations.filter(({ level }) => level === 'error').map(({ file }) => file)).toContain('b.png');
  });
});

describe('new issues in a changed file', () => {
  const cases: readonly (readonly [string, readonly { ruleCode: string; severity: string }[], string])[] = [
    ['the same issues', [issue('AD-17'), issue('AD-3', 'MINOR')], 'pass'],
    ['fewer', [issue('AD-17')], 'pass'],
    ['milder', [issue('AD-17', 'MAJOR')], 'pass'],
    ['one more of the same rule', [issue('AD-17'), issue('AD-17')], 'fail'],
    ['another rule', [issue('AD-18')], 'fail'],
    ['more severe', [issue('AD-3')], 'fail'],
  ];
  it.each(cases)('%s', async (_, issues, verdict) => {
    await using series = await startBase();
    series.service.load(finding({ a: issues }));
    await series.write({ 'a.png': png('a2') });
    const run = await runPull(series);
    expect(run.sent).toEqual(['a.png']);
    expect(run.outputs).toMatchObject({ verdict });
  });

  it('an open issue is new if the base has dismissed the one of the old bytes', async () => {
    const dismissed = { ...issue('AD-17'), status: 'DISMISSED' };
    await using series = await startSeries(emulator, { 'a.png': png('a') }, { scenario: finding({ a: [dismissed] }) });
    expect((await series.run({ inputs: NEW })).outputs).toMatchObject({ verdict: 'pass' });
    series.service.load(finding({ a: [issue('AD-17')] }));
    await series.write({ 'a.png': png('a2') });
    const run = await series.run({ event: PULL, inputs: NEW });
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'new-issue-count': '1' });
  });

  it('every issue is new if the base has not judged its own version', async () => {
    await using series = await startBase();
    series.service.load({ default: { fails: { isRetryable: false } } });
    await series.write({ 'a.png': png('a2') });
    expect((await series.run({ inputs: NEW })).outputs).toMatchObject({ verdict: 'error' });
    await copyFile(series.stateFile, `${series.stateFile}.base`);
    series.service.load(finding({ a: [issue('AD-17')] }));
    expect((await runPull(series)).outputs).toMatchObject({ verdict: 'fail', 'new-issue-count': '1' });
  });

  it('no issue is new if the file was only renamed', async () => {
    await using series = await startBase();
    await series.write({ 'a.png': undefined, 'moved/a.png': png('a') });
    expect((await runPull(series)).outputs).toMatchObject({ verdict: 'pass', 'files-submitted': '0' });
  });
});

function withoutRule(body: string): string {
  return body.replaceAll('"ruleCode":"AD-17",', '');
}

describe('an issue without a rule code', () => {
  it.each([
    ['in a file that was changed', png('a2')],
    ['in a file that was not changed', png('a')],
  ])('is always new: %s', async (_, bytes) => {
    await using series = await startSeries(
      emulator,
      { 'a.png': png('a') },
      { scenario: finding({ a: [issue('AD-17')] }) },
    );
    await using front = await startFront(emulator.baseUrl, {
      fault: (line) => (/^GET .*\/assets\//.test(line) ? withoutRule : undefined),
    });
    const base = await series.run({ baseUrl: front.url, inputs: NEW });
    expect(base.outputs).toMatchObject({ verdict: 'fail' });
    expect((await series.readState()).document.contents[0]?.issues).toMatchObject([{ ruleCode: '' }]);
    await series.write({ 'a.png': bytes });
    const run = await series.run({ baseUrl: front.url, event: PULL, inputs: NEW });
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'new-issue-count': '1', 'critical-count': '1' });
    expect(run.log).not.toContain('Every issue counts as new');
  });
});

describe('issues that the base never had are new', () => {
  it('at a path that was clean, even if the pull request copies a file there that the base has elsewhere', async () => {
    await using series = await startSeries(
      emulator,
      { 'a.png': png('bad'), 'b.png': png('clean') },
      { scenario: finding({ a: [issue('AD-17')] }) },
    );
    expect((await series.run({ inputs: NEW })).outputs).toMatchObject({ verdict: 'fail', 'critical-count': '1' });
    await series.write({ 'b.png': png('bad') });
    const run = await series.run({ event: PULL, inputs: NEW });
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'new-issue-count': '1', 'files-submitted': '0' });
    expect(run.exitCode).toBe(1);
  });

  it('even if a run for a comment had a pull request checked out under the name of the base', async () => {
    await using series = await startBase();
    const comment = { name: 'issue_comment', payload: payload('issue_comment') };
    expect((await series.run({ event: comment, env: { GITHUB_REF: 'refs/heads/main' } })).sent).toEqual([]);
    const run = await series.run({ event: PULL, inputs: NEW });
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'files-submitted': '0' });
  });

  it('even if another pull request failed with the file, and the run of the base could not judge its own version', async () => {
    await using series = await startSeries(
      emulator,
      { 'a.png': png('bad') },
      { scenario: finding({ a: [issue('AD-17')] }) },
    );
    expect((await series.run({ event: PULL, inputs: NEW })).outputs).toMatchObject({ verdict: 'fail' });
    await series.write({ 'a.png': png('good') });
    series.service.load({ default: { fails: { isRetryable: false } } });
    expect((await series.run({ inputs: NEW })).outputs).toMatchObject({ verdict: 'error' });
    await series.write({ 'a.png': png('bad') });
    const run = await series.run({ event: PULL, inputs: NEW });
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'new-issue-count': '1', 'files-submitted': '0' });
  });

  it('even if another pull request failed with the file, and the run of the base read that state', async () => {
    await using series = await startBase();
    series.service.load(finding({ bad: [issue('AD-99')] }));
    await series.write({ 'bad.png': png('bad') });
    expect((await runPull(series)).outputs).toMatchObject({ verdict: 'fail' });
    // That pull request removes the file and is merged: the base continues with the state it had.
    await series.write({ 'bad.png': undefined });
    await series.run({ inputs: NEW });
    await copyFile(series.stateFile, `${series.stateFile}.base`);
    for (const name of ['bad.png', 'other.png']) {
      await series.write({ [name]: png('bad') });
      const run = await runPull(series);
      expect(run.outputs).toMatchObject({ verdict: 'fail', 'new-issue-count': '1', 'files-submitted': '0' });
      await series.write({ [name]: undefined });
    }
  });
});

describe('in artifacts', () => {
  const BAD = finding({ bad: [issue('AD-17')] });

  it('an issue that the base has is known, however often the pull request runs', async () => {
    await using world = await startRepository(emulator, { scenario: BAD });
    await using bad = await makeWorkspace({ 'bad.png': png('bad') });
    const before = await world.pull({ branch: 'feature', workspace: bad.path, inputs: NEW });
    expect(before.outputs).toMatchObject({ verdict: 'fail' });
    expect(before.notices).toContain('found no analysis of the base branch main');
    await world.push({ branch: 'main', commit: BASE, workspace: bad.path });
    for (const base of [BASE, 'b'.repeat(40)]) {
      const run = await world.pull({ branch: 'feature', base, workspace: bad.path, inputs: NEW });
      expect(run.outputs, run.log).toMatchObject({ verdict: 'pass', 'new-issue-count': '0', 'files-submitted': '0' });
      expect(run.asked.length).toBeLessThanOrEqual(4);
    }
  });

  it('a file that one pull request was rejected with is new in the next one, although the base has read that state', async () => {
    await using world = await startRepository(emulator, { scenario: BAD });
    await using bad = await makeWorkspace(images('bad', 'ok'));
    await using good = await makeWorkspace({ 'ok.png': png('ok') });
    const rejected = await world.pull({ branch: 'one', workspace: bad.path, inputs: NEW });
    expect(rejected.outputs).toMatchObject({ verdict: 'fail' });
    const base = await world.push({ branch: 'main', commit: BASE, workspace: good.path });
    expect(base.outputs).toMatchObject({ verdict: 'pass', 'files-reused': '1' });
    const next = await world.pull({ branch: 'two', base: BASE, workspace: bad.path, inputs: NEW });
    expect(next.outputs, next.log).toMatchObject({ verdict: 'fail', 'new-issue-count': '1', 'files-submitted': '0' });
  });

  it.each([
    ['is a baseline with its own commit checked out', 'base'],
    ['is none with the pull request checked out', 'head'],
  ] as const)('a workflow_dispatch on main %s', async (_, place) => {
    await using folder = await makeWorkspace({});
    const commits = await makePullRequest(folder.path, { 'ok.png': png('ok') }, { 'bad.png': png('bad') });
    await using world = await startRepository(emulator, { scenario: BAD });
    await git(folder.path, 'checkout', '--quiet', commits[place]);
    await world.push({ branch: 'main', commit: commits.base, event: 'workflow_dispatch', workspace: folder.path });
    await git(folder.path, 'checkout', '--quiet', commits.merge);
    const pull = { branch: 'changes', base: commits.base, commit: commits.head, workspace: folder.path };
    const run = await world.pull({ ...pull, inputs: NEW });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'fail', 'new-issue-count': '1' });
    expect(run.notices.includes('Every issue counts as new')).toBe(place === 'head');
  });

  it.each([
    ['was re-run after it', { runId: '41', attempt: 2 }],
    ['was queued before it and ended after it', { runId: '40' }],
  ])('an older run of the base branch is no baseline, even if it %s', async (_, run) => {
    const [OLD, FIXED] = ['a'.repeat(40), 'd'.repeat(40)];
    await using world = await startRepository(emulator, { scenario: BAD });
    await using bad = await makeWorkspace(images('bad', 'ok'));
    await using fixed = await makeWorkspace({ 'ok.png': png('ok') });
    await world.push({ branch: 'main', runId: '41', commit: OLD, workspace: bad.path });
    await world.push({ branch: 'main', runId: '50', commit: FIXED, workspace: fixed.path });
    await world.push({ branch: 'main', ...run, commit: OLD, workspace: bad.path });
    // The pull request restores the bad file. The second base commit has no run.
    for (const base of [FIXED, 'b'.repeat(40)]) {
      const pull = await world.pull({ branch: 'feature', runId: '60', base, workspace: bad.path, inputs: NEW });
      expect(pull.outputs, pull.log).toMatchObject({ verdict: 'fail', 'new-issue-count': '1', 'files-submitted': '0' });
    }
  });
});

describe('an old state of the base branch that a pull request brings along', () => {
  it('is not used as the baseline: its commit is not the base commit', async () => {
    await using series = await startBase();
    // The base branch has removed a.png since. Its current state is not in the file of the pull request.
    const newer = payload('pull_request', {
      'pull_request.base.ref': 'main',
      'pull_request.base.sha': 'b'.repeat(40),
    });
    const run = await runPull(series, { name: 'pull_request', payload: newer });
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'new-issue-count': '2', 'files-submitted': '0' });
    expect(run.log).toContain('with `state-file`, restore the state of the base commit');
  });
});

describe('without a baseline every issue is new, with a notice', () => {
  it('a push', async () => {
    await using series = await startBase();
    const run = await series.run({ inputs: NEW });
    expect(run.outputs).toMatchObject({ verdict: 'fail' });
    expect(run.log).toContain('this run has none. Every issue counts as new');
  });

  it('no state at all', async () => {
    await using series = await startSeries(
      emulator,
      { 'a.png': png('a') },
      { scenario: finding({ a: [issue('AD-17')] }) },
    );
    const run = await series.run({ inputs: NEW, event: PULL });
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'new-issue-count': '1' });
    expect(run.log).toContain('found no analysis of the base branch main. Every issue counts as new');
  });

  it('only the state of an earlier push or attempt of the pull request', async () => {
    await using series = await startSeries(
      emulator,
      { 'a.png': png('a') },
      { scenario: finding({ a: [issue('AD-17')] }) },
    );
    await series.run({ inputs: NEW, event: PULL });
    const second = await series.run({ inputs: NEW, event: PULL });
    expect(second.outputs).toMatchObject({ verdict: 'fail', 'new-issue-count': '1', 'files-reused': '1' });
    expect(second.log).toContain('Every issue counts as new');
  });
});
