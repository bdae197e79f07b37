import { describe, expect } from 'vitest';
import { COMMIT } from '../harness/earlier-run.ts';
import { it as base, CRITICAL, ONE_FILE } from '../harness/fixtures.ts';
import type { GitHubModel } from '../harness/github-model.ts';
import { images } from '../harness/media.ts';
import { HEAD, pullRequest } from '../harness/payloads.ts';

const BASE = 'b'.repeat(40);
const WAIVER = { rule: 'AD-17', path: 'a.png', owner: 'legal', reason: 'agreed', expires: '2999-12-31' };
const WAIVERS = { 'waivers-file': 'waivers.yml' };
const PULL = pullRequest({ 'pull_request.base.ref': 'staging', 'pull_request.base.sha': BASE });
const STAGING = { headSha: HEAD, baseRef: 'staging' };
const MAIN = { headSha: HEAD, baseRef: 'main' };
const CHANGED = /base branch of the pull request was changed from staging to main/;

/** A run for a pull request into staging, whose waivers cover the issue in a.png. */
const it = base.extend(
  'run',
  ({ gate, startGitHub }) =>
    async (model: GitHubModel, inputs: Readonly<Record<string, string>> = WAIVERS, scenario = CRITICAL) => {
      const contents = { [`${BASE}:waivers.yml`]: JSON.stringify([WAIVER]) };
      const github = await startGitHub({ contents, ...model });
      const run = await gate({ files: ONE_FILE, scenario, event: PULL, github, inputs });
      return { ...run, github };
    },
);

describe.concurrent('the base branch of a pull request is changed after its run was started', () => {
  it('no waiver counts, and the issue says that only a new run helps', async ({ run }) => {
    expect((await run({ pulls: { 2: STAGING } })).outputs).toMatchObject({ verdict: 'pass' });
    const { outputs, log, readableSummary, github } = await run({ pulls: { 2: MAIN } });
    expect(outputs, log).toMatchObject({ verdict: 'fail', 'critical-count': '1' });
    expect(readableSummary).toMatch(CHANGED);
    expect(readableSummary).toContain('A re-run keeps the old base. Push a commit, or close and reopen');
    expect(github.asked.filter((line) => line.includes('/contents/'))).toEqual([]);
  });

  it('no baseline counts', async ({ startRepository, makeFolder }) => {
    const world = await startRepository({ scenario: CRITICAL, model: { pulls: { 2: MAIN, 3: STAGING } } });
    const workspace = await makeFolder(images('a'));
    await world.push({ branch: 'main', commit: COMMIT, workspace });
    const inputs = { 'fail-on-issues': 'new' };
    const kept = await world.pull({ branch: 'one', number: 2, base: COMMIT, workspace, inputs });
    expect(kept.outputs, kept.log).toMatchObject({ verdict: 'pass', 'new-issue-count': '0' });
    const changed = await world.pull({ branch: 'two', number: 3, base: COMMIT, workspace, inputs });
    expect(changed.outputs, changed.log).toMatchObject({ verdict: 'fail', 'new-issue-count': '' });
    expect(changed.readableSummary).toMatch(/changed from main to staging.*close and reopen/s);
  });

  it('if GitHub does not find the pull request, the waivers count, with a notice', async ({ run }) => {
    const { outputs, log, notices } = await run({});
    expect(outputs, log).toMatchObject({ verdict: 'pass' });
    expect(notices).toMatch(/whether the base branch is still staging.*pull-requests: read/);
  });

  it('a comment never says PASS, and the pull request is read for nothing else', async ({ run }) => {
    const comment = { comment: 'always' };
    const passed = await run({ pulls: { 2: MAIN } }, comment, {});
    expect(passed.outputs, passed.log).toMatchObject({ verdict: 'pass' });
    expect(passed.github.comments).toEqual([]);
    const reads = passed.github.asked.filter((line) => line.endsWith('/pulls/2'));
    expect(reads).toHaveLength(1);
    const failed = await run({ pulls: { 2: MAIN } }, comment);
    expect(failed.github.comments).toEqual([expect.objectContaining({ body: expect.stringContaining('FAIL') })]);
  });
});

describe.concurrent('requests to GitHub besides those for state and comment', () => {
  const RUNS = [
    ['a push', 'push', {}, []],
    ['a pull request', 'pull', {}, ['GET git/commits']],
    ['with fail-on-issues: new', 'pull', { 'fail-on-issues': 'new' }, ['GET git/commits', 'GET pulls/2']],
    ['with a comment', 'pull', { comment: 'always' }, ['GET git/commits', 'GET pulls/2']],
  ] as const;
  it.for(RUNS)('%s', async ([, kind, inputs, expected], { startRepository, makeFolder }) => {
    const commit = HEAD;
    const world = await startRepository({ model: { pulls: { 2: { headSha: commit, baseRef: 'main' } } } });
    const run = await world[kind]({ branch: 'main', commit, workspace: await makeFolder(ONE_FILE), inputs });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'pass' });
    const others = run.asked.filter(
      (line) => /git\/commits|pulls\/|contents/.test(line) && !line.startsWith('GET commits'),
    );
    expect(others.map((line) => line.replace(/(commits)\/\w+$/, '$1'))).toEqual(expected);
  });
});
