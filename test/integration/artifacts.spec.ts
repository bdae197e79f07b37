import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, type Scenario, startEmulator, type Workspace } from '../../emulator/emulator.ts';
import type { GitHubModel } from '../harness/github-server.ts';
import { png } from '../harness/media.ts';
import { payload } from '../harness/payloads.ts';
import type { Kill } from '../harness/run-action.ts';
import { startSeries } from '../harness/series.ts';
import { type ArtifactService, startArtifactService } from './artifact-service.ts';

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(async () => await emulator.close());

const HERO: Scenario = { files: [{ match: 'hero-*', issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] }] };
const PUSH = { name: 'push', payload: { repository: { id: 4711, default_branch: 'main' } } };
const PULL = {
  name: 'pull_request',
  payload: payload('pull_request', {
    'pull_request.head.ref': 'changes',
    'pull_request.head.repo.id': 4711,
    'pull_request.base.ref': 'main',
    'pull_request.base.repo.id': 4711,
    'repository.default_branch': 'main',
  }),
};
const QUEUE = {
  name: 'merge_group',
  payload: payload('merge_group', {
    'merge_group.head_ref': 'refs/heads/gh-readonly-queue/main/pr-2-0123456789abcdef0123456789abcdef01234567',
    'merge_group.base_ref': 'refs/heads/main',
    'repository.default_branch': 'main',
  }),
};
const MERGE = 'c'.repeat(40);
/** Pull request 2 comes from the branch `changes`, and MERGE is what it was merged with. */
const MODEL: GitHubModel = {
  pulls: { 2: { headSha: 'a'.repeat(40), headRef: 'changes', mergedAt: '2026-11-01T00:00:00Z' } },
  pullsOf: { [MERGE]: [2] },
};

function finish({ submissions }: Workspace): void {
  for (const { pending } of submissions.flatMap(({ assets }) => assets)) if (pending) pending.readsLeft = 0;
}

/** The artifacts of this kind, newest first. */
function statesIn({ artifacts }: ArtifactService, kind: 'open' | 'state' | 'rescue') {
  return artifacts.filter(({ name }) => name.includes(`-${kind}-`));
}

describe('a repository over time', () => {
  it('sends each content once: push, pull request, dismissal, queue, squash merge', async () => {
    await using artifacts = await startArtifactService(MODEL);
    await using repository = await startSeries(
      emulator,
      { 'hero.png': png('h'), 'logo.png': png('l') },
      { scenario: HERO, artifacts },
    );
    const first = await repository.run({ event: PUSH });
    expect(first.sent).toEqual(['hero.png', 'logo.png']);
    expect(first.outputs).toMatchObject({ verdict: 'fail' });
    expect(first.log).toContain('No state of an earlier run was found');

    await repository.write({ 'logo.png': png('l2') });
    const second = await repository.run({ event: PULL });
    expect(second.sent).toEqual(['logo.png']);
    expect(second.requests.find(({ endpoint }) => endpoint === 'submissions/create')?.json).toMatchObject({
      assets: [{ previousSubmissionId: repository.service.submissions[0]?.submissionId }],
    });
    expect(second.outputs).toMatchObject({ verdict: 'fail', 'files-reused': '1' });

    repository.service.setIssueStatus({ ruleCode: 'AD-17' }, 'DISMISSED');
    for (const [event, env] of [
      [PULL, {}],
      [QUEUE, {}],
      [PUSH, { GITHUB_SHA: MERGE }],
      [PUSH, {}],
    ] as const) {
      const run = await repository.run({ event, env });
      expect(run.outputs).toMatchObject({ verdict: 'pass', 'files-submitted': '0', 'files-reused': '2' });
      expect(run.asked.filter((line) => !line.includes('/storage/')).length).toBeLessThanOrEqual(10);
      expect(run.annotations.filter(({ level }) => level === 'warning')).toEqual([]);
    }
    expect(repository.service.submissions).toHaveLength(2);
  });

  it('compares a pull request with the base branch, however often it runs', async () => {
    await using artifacts = await startArtifactService(MODEL);
    await using repository = await startSeries(emulator, { 'hero.png': png('h') }, { scenario: HERO, artifacts });
    const inputs = { 'fail-on-issues': 'new' };
    const before = await repository.run({ event: PULL, inputs });
    expect(before.outputs).toMatchObject({ verdict: 'fail' });
    expect(before.log).toContain('found no analysis of the base branch main');
    await repository.run({ event: PUSH, inputs, env: { GITHUB_SHA: MERGE } });
    for (const _ of [1, 2]) {
      const run = await repository.run({ event: PULL, inputs });
      expect(run.outputs).toMatchObject({ verdict: 'pass', 'new-issue-count': '0' });
      expect(run.log).not.toContain('found no analysis');
    }
    expect(repository.service.submissions).toHaveLength(1);
  });
});

function killOnFirstRead(service: Workspace): (kill: Kill) => void {
  return (kill) => void service.waitFor(({ endpoint }) => endpoint === 'submissions/read').then(() => kill('SIGKILL'));
}

describe('a run that is interrupted', () => {
  const ENDLESS: Scenario = { default: { reads: 1_000_000 } };
  it('while it waits: its next attempt waits for the same submission', async () => {
    await using artifacts = await startArtifactService();
    await using repository = await startSeries(emulator, { 'a.png': png('a') }, { scenario: ENDLESS, artifacts });
    await repository.run({ event: PUSH, runId: 7, onStart: killOnFirstRead(repository.service) });
    expect(statesIn(artifacts, 'open')).toHaveLength(1);
    expect(statesIn(artifacts, 'state')).toHaveLength(0);

    finish(repository.service);
    const again = await repository.run({ event: PUSH, runId: 7, attempt: 2 });
    expect(again.outputs).toMatchObject({
      verdict: 'pass',
      'submission-id': repository.service.submissions[0]?.submissionId,
    });
    expect(again.requests.filter(({ method }) => method === 'POST')).toEqual([]);
    expect(repository.service.submissions).toHaveLength(1);
  });

  it('while it saves: the post step saves under another name, because what broke off blocks its own', async () => {
    await using artifacts = await startArtifactService();
    await using repository = await startSeries(emulator, { 'a.png': png('a') }, { scenario: ENDLESS, artifacts });
    artifacts.onCreate = () => void (artifacts.isUp = false);
    const first = await repository.run({ event: PUSH, runId: 7, onStart: killOnFirstRead(repository.service) });
    expect(first.log).toContain('The state could not be saved');
    expect(artifacts.artifacts).toEqual([]);

    artifacts.isUp = true;
    artifacts.onCreate = undefined;
    const post = await first.post();
    expect(post.exitCode).toBe(0);
    expect(statesIn(artifacts, 'rescue')).toHaveLength(1);

    finish(repository.service);
    const again = await repository.run({ event: PUSH, runId: 7, attempt: 2 });
    expect(again.outputs).toMatchObject({ verdict: 'pass', 'files-submitted': '0' });
    expect(repository.service.submissions).toHaveLength(1);
  });
});

it('the post step of the first does not save what the second left on the same machine', async () => {
  await using artifacts = await startArtifactService();
  await using repository = await startSeries(emulator, { 'a.png': png('a') }, { artifacts });
  artifacts.isUp = false;
  const first = await repository.run({ event: PUSH, runId: 7 });
  artifacts.isUp = true;
  await repository.run({ event: PUSH, runId: 7, env: { GITHUB_ACTION: '__self_2' }, temp: first.temp });
  await first.post();
  const again = await repository.run({ event: PUSH, runId: 7, attempt: 2 });
  expect(again.sent).toEqual([]);
  expect(again.log).not.toContain('invalid signature');
});

it('the report is an artifact, and its page is another one', async () => {
  await using artifacts = await startArtifactService();
  await using repository = await startSeries(emulator, { 'hero.png': png('h') }, { scenario: HERO, artifacts });
  const run = await repository.run({ event: PUSH, inputs: { 'report-artifact': 'true' } });
  const stored = artifacts.artifacts.filter(({ name }) => name.includes('report'));
  const [report, page] = stored.toSorted((a, b) => a.name.length - b.name.length);
  expect(page?.name).toBe(`${report?.name}.html`);
  expect(Buffer.from(artifacts.archives[page?.id ?? 0] ?? []).toString()).toMatch(/^<!doctype html>/i);
  const files = Object.keys(unzipSync(artifacts.archives[report?.id ?? 0] ?? new Uint8Array()));
  expect(files).toEqual(expect.arrayContaining(['junit.xml', 'report.json', 'report.sarif']));
  expect(files).not.toContain('report.html');
  expect(run.summary).toMatch(/\/artifacts\/\d+">Open the report<\/a>/);
});
