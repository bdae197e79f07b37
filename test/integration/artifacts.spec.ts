import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, type Scenario, startEmulator, type Workspace } from '../../emulator/emulator.ts';
import type { GitHubModel } from '../harness/github-server.ts';
import { png } from '../harness/media.ts';
import { payload } from '../harness/payloads.ts';
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

function namesIn(archive: Uint8Array = new Uint8Array()): readonly string[] {
  return Object.keys(unzipSync(archive)).toSorted();
}

function downloads(asked: readonly string[]): readonly string[] {
  return asked.filter((line) => line.endsWith('/zip'));
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

type Kill = (signal: NodeJS.Signals) => void;

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

  it.each([
    ['could not be reached', false],
    ['broke off in the middle', true],
  ])('after an artifact service that %s: the post step saves what it left on disk', async (_, isHalf) => {
    await using artifacts = await startArtifactService();
    await using repository = await startSeries(emulator, { 'a.png': png('a') }, { scenario: ENDLESS, artifacts });
    if (isHalf) artifacts.onCreate = () => void (artifacts.isUp = false);
    else artifacts.isUp = false;
    const first = await repository.run({ event: PUSH, runId: 7, onStart: killOnFirstRead(repository.service) });
    expect(first.log).toContain('The state could not be saved');
    expect(artifacts.artifacts).toEqual([]);

    artifacts.isUp = true;
    artifacts.onCreate = undefined;
    const post = await first.post();
    expect(post.exitCode).toBe(0);
    expect(post.log).toContain('it is saved now');
    // What broke off blocks its own name.
    expect(statesIn(artifacts, isHalf ? 'rescue' : 'open')).toHaveLength(1);

    finish(repository.service);
    expect((await repository.run({ event: PUSH, runId: 7, attempt: 2 })).outputs).toMatchObject({
      verdict: 'pass',
      'files-submitted': '0',
    });
    expect(repository.service.submissions).toHaveLength(1);
  });

  it('is stopped while the artifact service does not answer: it reports its verdict, and the post step saves', async () => {
    await using artifacts = await startArtifactService();
    await using repository = await startSeries(emulator, { 'a.png': png('a') }, { scenario: ENDLESS, artifacts });
    let kill: Kill | undefined;
    artifacts.onCreate = async () => {
      kill?.('SIGTERM');
      await new Promise(() => undefined);
    };
    const first = await repository.run({
      event: PUSH,
      runId: 7,
      onStart: (send) => (kill = send),
      // The runner's last resort, once there is nothing more to be said.
      onLine: (line) => line.includes('verdict error') && kill?.('SIGKILL'),
    });
    expect(first.outputs).toMatchObject({ verdict: 'error', reason: 'cancelled' });
    expect(first.summary).toContain(repository.service.submissions[0]?.submissionId);
    artifacts.onCreate = undefined;
    expect((await first.post()).log).toContain('it is saved now');
    finish(repository.service);
    expect((await repository.run({ event: PUSH, runId: 7, attempt: 2 })).outputs).toMatchObject({
      verdict: 'pass',
      'files-submitted': '0',
    });
  });

  it('does not change the verdict if even the post step cannot save', async () => {
    await using artifacts = await startArtifactService();
    await using repository = await startSeries(emulator, { 'a.png': png('a') }, { artifacts });
    artifacts.isUp = false;
    const first = await repository.run({ event: PUSH });
    expect(first.outputs).toMatchObject({ verdict: 'pass' });
    const post = await first.post();
    expect(post.exitCode).toBe(0);
    expect(post.annotations).toEqual([
      expect.objectContaining({ level: 'warning', message: expect.stringContaining('cannot be saved now') }),
    ]);
  });

  it('leaves the post step nothing to do if everything was saved', async () => {
    await using artifacts = await startArtifactService();
    await using repository = await startSeries(emulator, { 'a.png': png('a') }, { artifacts });
    const first = await repository.run({ event: PUSH });
    const count = artifacts.artifacts.length;
    const post = await first.post();
    expect(post).toMatchObject({ exitCode: 0, outputs: {}, annotations: [] });
    expect(artifacts.artifacts).toHaveLength(count);
  });
});

describe('an artifact that is not ours', () => {
  it('newer and from a fork, under the same name: it is never downloaded', async () => {
    await using artifacts = await startArtifactService();
    await using repository = await startSeries(emulator, { 'hero.png': png('h') }, { scenario: HERO, artifacts });
    await repository.run({ event: PUSH });
    const [ours] = statesIn(artifacts, 'state');
    const forged = artifacts.plant(ours?.name ?? '', artifacts.archives[ours?.id ?? 0] ?? new Uint8Array(), {
      id: 99,
      head_repository_id: 1,
    });
    const run = await repository.run({ event: PUSH });
    expect(run.sent).toEqual([]);
    expect(downloads(run.asked)).toEqual([`GET /actions/artifacts/${ours?.id}/zip`]);
    expect(run.asked).not.toContain(`GET /actions/artifacts/${forged.id}/zip`);
  });

  it('copied to another run: it does not keep the right one from being used', async () => {
    await using artifacts = await startArtifactService();
    await using repository = await startSeries(emulator, { 'hero.png': png('h') }, { scenario: HERO, artifacts });
    await repository.run({ event: PUSH });
    const [ours] = statesIn(artifacts, 'state');
    artifacts.plant(ours?.name ?? '', artifacts.archives[ours?.id ?? 0] ?? new Uint8Array(), { id: 99 });
    const run = await repository.run({ event: PUSH });
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'files-submitted': '0', 'files-reused': '1' });
  });

  it('of a sandbox, for a gate that is live', async () => {
    await using artifacts = await startArtifactService();
    await using repository = await startSeries(emulator, { 'hero.png': png('h') }, { artifacts });
    const sandbox = emulator.workspace({ mode: 'sandbox' });
    const inputs = { 'state-key': 'one secret for both' };
    await repository.run({ event: PUSH, inputs: { ...inputs, 'api-key': sandbox.key } });
    const live = await repository.run({ event: PUSH, inputs });
    expect(live.sent).toEqual(['hero.png']);
    expect(downloads(live.asked)).toEqual([]);
  });
});

describe('gates side by side', () => {
  it('with other names, or in the legs of a matrix, do not share state', async () => {
    await using artifacts = await startArtifactService();
    await using repository = await startSeries(emulator, { 'a.png': png('a') }, { artifacts });
    const gates = [{}, { inputs: { matrix: '{"market":"DE"}' } }, { inputs: { name: 'other' } }];
    for (const gate of gates)
      expect((await repository.run({ event: PUSH, runId: 7, ...gate })).sent).toEqual(['a.png']);
    expect(new Set(artifacts.artifacts.map(({ name }) => name)).size).toBe(6);
    for (const gate of gates) expect((await repository.run({ event: PUSH, runId: 8, ...gate })).sent).toEqual([]);
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
});

describe('the report', () => {
  const REPORT_FILES = ['cleared.sha256', 'junit.xml', 'predicate.json', 'report.json', 'report.sarif', 'summary.md'];

  it('is an artifact, and its page is another one that is stored once', async () => {
    await using artifacts = await startArtifactService();
    await using repository = await startSeries(emulator, { 'hero.png': png('h') }, { scenario: HERO, artifacts });
    const run = await repository.run({ event: PUSH, inputs: { 'report-artifact': 'true' } });
    const stored = artifacts.artifacts.filter(({ name }) => name.includes('report'));
    const [report, page] = stored.toSorted((a, b) => a.name.length - b.name.length);
    expect(report?.name).toMatch(/^media-compliance-report-/);
    expect(page?.name).toBe(`${report?.name}.html`);
    expect(Buffer.from(artifacts.archives[page?.id ?? 0] ?? []).toString()).toMatch(/^<!doctype html>/i);
    expect(namesIn(artifacts.archives[report?.id ?? 0])).toEqual(REPORT_FILES);
    expect(run.summary).toMatch(/\/artifacts\/\d+">Open the report<\/a>/);
  });

  it('has the page in its archive if the service refuses the page, without a warning', async () => {
    await using artifacts = await startArtifactService();
    artifacts.refusesFiles = true;
    await using repository = await startSeries(emulator, { 'hero.png': png('h') }, { artifacts });
    const run = await repository.run({ event: PUSH, inputs: { 'report-artifact': 'true' } });
    expect(run.outputs).toMatchObject({ verdict: 'pass' });
    expect(run.exitCode).toBe(0);
    expect(run.annotations).toEqual([]);
    const reports = artifacts.artifacts.filter(({ name }) => name.includes('report'));
    expect(reports.map(({ id }) => namesIn(artifacts.archives[id]))).toEqual([
      [...REPORT_FILES, 'report.html'].toSorted(),
    ]);
  });

  it('does not change the verdict if nothing can be uploaded', async () => {
    await using artifacts = await startArtifactService();
    artifacts.isUp = false;
    await using repository = await startSeries(emulator, { 'hero.png': png('h') }, { artifacts });
    const run = await repository.run({ event: PUSH, inputs: { 'report-artifact': 'true' } });
    expect(run.outputs).toMatchObject({ verdict: 'pass' });
    expect(run.exitCode).toBe(0);
    expect(run.annotations.map(({ level }) => level)).toEqual(['warning', 'warning', 'warning']);
  });
});
