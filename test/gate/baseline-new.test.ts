import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { it as base, ONE_FILE } from '../harness/fixtures.ts';
import { startFront } from '../harness/front.ts';
import { git, makePullRequest } from '../harness/git.ts';
import { images, png } from '../harness/media.ts';
import { payload } from '../harness/payloads.ts';

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

const it = base
  /** A base branch that has a.png, with one CRITICAL issue of AD-17 and a MINOR one of AD-3. */
  .extend('onBase', async ({ startSeries }) => {
    const scenario = finding({ a: [issue('AD-17'), issue('AD-3', 'MINOR')] });
    const series = await startSeries(ONE_FILE, { scenario });
    await series.run({ inputs: NEW });
    return series;
  });

describe.concurrent('with fail-on-issues: new', () => {
  it('a pull request passes if the base has the same issues, and reports them as known', async ({ onBase: series }) => {
    const run = await series.run({ event: PULL, inputs: NEW });
    expect(run.outputs).toMatchObject({
      verdict: 'pass',
      'new-issue-count': '0',
      'issue-count': '0',
      'files-reused': '1',
    });
    expect(run.summary).toContain('AD-17');
    expect(run.sent).toEqual([]);
  });

  it('a merge queue fails on issues that are added', async ({ onBase: series }) => {
    series.service.load(finding({ b: [issue('AD-17')] }));
    await series.write({ 'b.png': png('b') });
    const run = await series.run({ event: QUEUE, inputs: NEW });
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'new-issue-count': '1', 'critical-count': '1' });
    expect(run.annotations.filter(({ level }) => level === 'error').map(({ file }) => file)).toContain('b.png');
  });
});

describe.concurrent('new issues in a changed file', () => {
  const cases: readonly (readonly [string, readonly { ruleCode: string; severity: string }[], string])[] = [
    ['the same issues', [issue('AD-17'), issue('AD-3', 'MINOR')], 'pass'],
    ['one more of the same rule', [issue('AD-17'), issue('AD-17')], 'fail'],
  ];
  it.for(cases)('%s', async ([, issues, verdict], { onBase: series }) => {
    series.service.load(finding({ a: issues }));
    await series.write({ 'a.png': png('a2') });
    const run = await series.run({ event: PULL, inputs: NEW });
    expect(run.sent).toEqual(['a.png']);
    expect(run.outputs).toMatchObject({ verdict });
  });

  it('an open issue is new if the base has dismissed the one of the old bytes', async ({ startSeries }) => {
    const dismissed = { ...issue('AD-17'), status: 'DISMISSED' };
    const series = await startSeries({ 'a.png': png('a') }, { scenario: finding({ a: [dismissed] }) });
    expect((await series.run({ inputs: NEW })).outputs).toMatchObject({ verdict: 'pass' });
    series.service.load(finding({ a: [issue('AD-17')] }));
    await series.write({ 'a.png': png('a2') });
    const run = await series.run({ event: PULL, inputs: NEW });
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'new-issue-count': '1' });
  });

  it('no issue is new if the file was only renamed', async ({ onBase: series }) => {
    await series.write({ 'a.png': undefined, 'moved/a.png': png('a') });
    expect((await series.run({ event: PULL, inputs: NEW })).outputs).toMatchObject({
      verdict: 'pass',
      'files-submitted': '0',
    });
  });
});

function withoutRule(body: string): string {
  return body.replaceAll('"ruleCode":"AD-17",', '');
}

describe.concurrent('an issue without a rule code', () => {
  it('is always new', async ({ startSeries, emulator, end }) => {
    const series = await startSeries({ 'a.png': png('a') }, { scenario: finding({ a: [issue('AD-17')] }) });
    const front = await end(
      startFront(emulator.baseUrl, {
        fault: (line) => (/^GET .*\/assets\//.test(line) ? withoutRule : undefined),
      }),
    );
    const base = await series.run({ baseUrl: front.url, inputs: NEW });
    expect(base.outputs).toMatchObject({ verdict: 'fail' });
    expect((await series.readState()).document.contents[0]?.issues).toMatchObject([{ ruleCode: '' }]);
    const run = await series.run({ baseUrl: front.url, event: PULL, inputs: NEW });
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'new-issue-count': '1', 'critical-count': '1' });
    expect(run.log).not.toContain('Every issue counts as new');
  });
});

describe.concurrent('issues that the base never had are new', () => {
  it('at a path that was clean, even if the pull request copies a file there that the base has elsewhere', async ({
    startSeries,
  }) => {
    const series = await startSeries(
      { 'a.png': png('bad'), 'b.png': png('clean') },
      { scenario: finding({ a: [issue('AD-17')] }) },
    );
    expect((await series.run({ inputs: NEW })).outputs).toMatchObject({ verdict: 'fail', 'critical-count': '1' });
    await series.write({ 'b.png': png('bad') });
    const run = await series.run({ event: PULL, inputs: NEW });
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'new-issue-count': '1', 'files-submitted': '0' });
    expect(run.exitCode).toBe(1);
  });

  it('even if another pull request failed with the file, and the run of the base could not judge its own version', async ({
    startSeries,
  }) => {
    const series = await startSeries({ 'a.png': png('bad') }, { scenario: finding({ a: [issue('AD-17')] }) });
    expect((await series.run({ event: PULL, inputs: NEW })).outputs).toMatchObject({ verdict: 'fail' });
    await series.write({ 'a.png': png('good') });
    series.service.load({ default: { fails: { isRetryable: false } } });
    expect((await series.run({ inputs: NEW })).outputs).toMatchObject({ verdict: 'error' });
    await series.write({ 'a.png': png('bad') });
    const run = await series.run({ event: PULL, inputs: NEW });
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'new-issue-count': '1', 'files-submitted': '0' });
  });
});

describe.concurrent('in artifacts', () => {
  const BAD = finding({ bad: [issue('AD-17')] });

  it('an issue that the base has is known, however often the pull request runs', async ({
    startRepository,
    makeFolder,
  }) => {
    const world = await startRepository({ scenario: BAD });
    const bad = await makeFolder({ 'bad.png': png('bad') });
    const before = await world.pull({ branch: 'feature', workspace: bad, inputs: NEW });
    expect(before.outputs).toMatchObject({ verdict: 'fail' });
    expect(before.notices).toContain('found no analysis of the base branch main');
    await world.push({ branch: 'main', commit: BASE, workspace: bad });
    for (const base of [BASE, 'b'.repeat(40)]) {
      const run = await world.pull({ branch: 'feature', base, workspace: bad, inputs: NEW });
      expect(run.outputs, run.log).toMatchObject({ verdict: 'pass', 'new-issue-count': '0', 'files-submitted': '0' });
      expect(run.asked.length).toBeLessThanOrEqual(4);
    }
  });

  it('a file that one pull request was rejected with is new in the next one, although the base has read that state', async ({
    startRepository,
    makeFolder,
  }) => {
    const world = await startRepository({ scenario: BAD });
    const bad = await makeFolder(images('bad', 'ok'));
    const good = await makeFolder({ 'ok.png': png('ok') });
    const rejected = await world.pull({ branch: 'one', workspace: bad, inputs: NEW });
    expect(rejected.outputs).toMatchObject({ verdict: 'fail' });
    const base = await world.push({ branch: 'main', commit: BASE, workspace: good });
    expect(base.outputs).toMatchObject({ verdict: 'pass', 'files-reused': '1' });
    const next = await world.pull({ branch: 'two', base: BASE, workspace: bad, inputs: NEW });
    expect(next.outputs, next.log).toMatchObject({ verdict: 'fail', 'new-issue-count': '1', 'files-submitted': '0' });
  });

  it.for([
    ['is a baseline with its own commit checked out', 'base'],
    ['is none with the pull request checked out', 'head'],
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

  it.for([
    ['was re-run after it', { runId: '41', attempt: 2 }],
    ['was queued before it and ended after it', { runId: '40' }],
  ] as const)(
    'an older run of the base branch is no baseline, even if it %s',
    async ([, run], { startRepository, makeFolder }) => {
      const [OLD, FIXED] = ['a'.repeat(40), 'd'.repeat(40)];
      const world = await startRepository({ scenario: BAD });
      const bad = await makeFolder(images('bad', 'ok'));
      const fixed = await makeFolder({ 'ok.png': png('ok') });
      await world.push({ branch: 'main', runId: '41', commit: OLD, workspace: bad });
      await world.push({ branch: 'main', runId: '50', commit: FIXED, workspace: fixed });
      await world.push({ branch: 'main', ...run, commit: OLD, workspace: bad });
      // The pull request restores the bad file. The second base commit has no run.
      for (const base of [FIXED, 'b'.repeat(40)]) {
        const pull = await world.pull({ branch: 'feature', runId: '60', base, workspace: bad, inputs: NEW });
        expect(pull.outputs, pull.log).toMatchObject({
          verdict: 'fail',
          'new-issue-count': '1',
          'files-submitted': '0',
        });
      }
    },
  );
});

describe.concurrent('an old state of the base branch that a pull request brings along', () => {
  it('is not used as the baseline: its commit is not the base commit', async ({ onBase: series }) => {
    // The base branch has removed a.png since. Its current state is not in the file of the pull request.
    const newer = payload('pull_request', {
      'pull_request.base.ref': 'main',
      'pull_request.base.sha': 'b'.repeat(40),
    });
    const run = await series.run({ event: { name: 'pull_request', payload: newer }, inputs: NEW });
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'new-issue-count': '2', 'files-submitted': '0' });
    expect(run.log).toContain('with `state-file`, restore the state of the base commit');
  });
});

describe.concurrent('without a baseline every issue is new, with a notice', () => {
  it('a push', async ({ onBase: series }) => {
    const run = await series.run({ inputs: NEW });
    expect(run.outputs).toMatchObject({ verdict: 'fail' });
    expect(run.log).toContain('this run has none. Every issue counts as new');
  });

  it('only the state of an earlier push or attempt of the pull request', async ({ startSeries }) => {
    const series = await startSeries({ 'a.png': png('a') }, { scenario: finding({ a: [issue('AD-17')] }) });
    await series.run({ inputs: NEW, event: PULL });
    const second = await series.run({ inputs: NEW, event: PULL });
    expect(second.outputs).toMatchObject({ verdict: 'fail', 'new-issue-count': '1', 'files-reused': '1' });
    expect(second.log).toContain('Every issue counts as new');
  });
});
