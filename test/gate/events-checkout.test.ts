import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import { git, makePullRequest, type PullRequestCommits } from '../harness/git.ts';
import { type GitHubModel, startGitHub } from '../harness/github-server.ts';
import { png } from '../harness/media.ts';
import { payload } from '../harness/payloads.ts';
import { runAction, type ServiceRun } from '../harness/run-action.ts';
import { makeWorkspace } from '../harness/workspace.ts';

let emulator: Emulator;
let root: string;
let commits: PullRequestCommits;
beforeAll(async () => {
  emulator = await startEmulator();
  root = await mkdtemp(path.join(tmpdir(), 'gate-checkout-'));
  commits = await makePullRequest(root, { 'media/a.png': png('a') }, { 'media/b.png': png('b') });
});
afterAll(async () => {
  await rm(root, { recursive: true });
  await emulator.close();
});

async function runAt(
  commit: string,
  event: string,
  model: GitHubModel = {},
): Promise<Omit<ServiceRun, 'service'> & { service: string[]; github: readonly string[] }> {
  await git(root, 'checkout', '--quiet', commit);
  const service = emulator.workspace();
  await using github = await startGitHub({ commits: { [commits.merge]: [commits.base, commits.head] }, ...model });
  const about =
    event === 'workflow_run'
      ? payload(
          'workflow_run',
          {
            'workflow_run.event': 'pull_request',
            'workflow_run.head_sha': commits.head,
            'workflow_run.head_repository.id': 99,
          },
          2,
        )
      : payload('pull_request', { 'pull_request.head.sha': commits.head, 'pull_request.head.repo.id': 99 });
  const run = await runAction({
    event: { name: event, payload: about },
    workspace: root,
    service,
    github,
    baseUrl: emulator.baseUrl,
    env: { GITHUB_SHA: commits.base, GITHUB_REF: 'refs/heads/main' },
  });
  return { ...run, service: service.requests.map(({ endpoint }) => endpoint), github: github.asked };
}

describe.each([
  ['pull_request_target', '${{ github.event.pull_request.head.sha }}'],
  ['workflow_run', '${{ github.event.workflow_run.head_sha }}'],
])('%s, with the secrets of the base', (event, ref) => {
  it('is an error with the base checked out, and nothing is sent to the service', async () => {
    const run = await runAt(commits.base, event);
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'checkout' });
    expect(run.exitCode).toBe(1);
    expect(run.readableSummary).toContain(commits.base.slice(0, 7));
    expect(run.readableSummary).toContain(`ref: ${ref}`);
    // Version 7 of actions/checkout refuses the head of a fork without it.
    expect(run.readableSummary).toContain('allow-unsafe-pr-checkout: true');
    expect(run.readableSummary).toContain('run nothing from that checkout');
    expect(run.service).toEqual([]);
  });

  it('works at the head, without a request to GitHub', async () => {
    const run = await runAt(commits.head, event);
    expect(run.outputs).toMatchObject({ verdict: 'pass' });
    expect(run.sent).toEqual(['media-a.png', 'media-b.png']);
    expect(run.github.filter((line) => line.includes('git/commits'))).toEqual([]);
  });

  it('works at the merge with the base', async () => {
    const run = await runAt(commits.merge, event);
    expect(run.outputs).toMatchObject({ verdict: 'pass' });
    expect(run.github).toContain(`GET /repos/acme/campaigns/git/commits/${commits.merge}`);
  });

  it('is an error at the merge commit if GitHub does not answer', async () => {
    const run = await runAt(commits.merge, event, {
      faults: [{ on: 'git/commits', status: 403, body: { message: 'No' } }],
    });
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'checkout' });
    expect(run.service).toEqual([]);
  });
});

describe('workflow_run after pull_request_target', () => {
  it("is an error: the event names the default branch's commit, which would be checked instead", async () => {
    await git(root, 'checkout', '--quiet', commits.base);
    const service = emulator.workspace();
    const changes = { 'workflow_run.event': 'pull_request_target', 'workflow_run.head_sha': commits.base };
    const run = await runAction({
      event: { name: 'workflow_run', payload: payload('workflow_run', changes, 2) },
      workspace: root,
      service,
      env: { GITHUB_SHA: commits.base, GITHUB_REF: 'refs/heads/main' },
    });
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'checkout' });
    expect(run.exitCode).toBe(1);
    expect(run.readableSummary).toContain('follows a run of `pull_request_target`');
    expect(service.requests).toEqual([]);
  });
});

describe('workflow_run after a push', () => {
  it.each([
    ['the commit that was pushed', 'head', { verdict: 'pass' }],
    ['the default branch, as without a ref', 'base', { verdict: 'error', reason: 'checkout' }],
    ['a merge of that commit, which no pull request names', 'merge', { verdict: 'error', reason: 'checkout' }],
  ] as const)('with %s checked out', async (_, place, outputs) => {
    await git(root, 'checkout', '--quiet', commits[place]);
    const changes = { 'workflow_run.event': 'push', 'workflow_run.head_sha': commits.head };
    await using github = await startGitHub({ commits: { [commits.merge]: [commits.base, commits.head] } });
    const run = await runAction({
      event: { name: 'workflow_run', payload: payload('workflow_run', changes, 3) },
      workspace: root,
      emulator,
      github,
      env: { GITHUB_SHA: commits.base, GITHUB_REF: 'refs/heads/main' },
    });
    expect(run.outputs, run.log).toMatchObject(outputs);
    expect(run.sent).toEqual(place === 'head' ? ['media-a.png', 'media-b.png'] : []);
    if (place === 'base') {
      expect(run.readableSummary).toContain(commits.base.slice(0, 7));
      expect(run.readableSummary).toContain('ref: ${{ github.event.workflow_run.head_sha }}');
    }
  });
});

describe('a checkout in a folder of the workspace', () => {
  it('is an error that names `working-directory`, and works with it', async () => {
    await using workspace = await makeWorkspace({ 'notes.txt': 'x' });
    await git(root, 'clone', '--quiet', root, path.join(workspace.path, 'code'));
    await git(path.join(workspace.path, 'code'), 'checkout', '--quiet', commits.head);
    const about = payload('pull_request', { 'pull_request.head.sha': commits.head });
    const event = { name: 'pull_request_target', payload: about };
    const outside = await runAction({ event, workspace: workspace.path, emulator });
    expect(outside.outputs, outside.log).toMatchObject({ verdict: 'error', reason: 'checkout' });
    expect(outside.readableSummary).toContain('`working-directory`');
    expect(outside.requests).toEqual([]);
    const inputs = { 'working-directory': 'code' };
    const inside = await runAction({ event, workspace: workspace.path, emulator, inputs });
    expect(inside.outputs, inside.log).toMatchObject({ verdict: 'pass', 'files-submitted': '2' });
  });
});

describe('a payload that cannot be read', () => {
  it.each(['pull_request_target', 'workflow_run'])('is an error under %s: the commit is unknown', async (name) => {
    await git(root, 'checkout', '--quiet', commits.head);
    const service = emulator.workspace();
    const run = await runAction({
      event: { name, payload: 'not JSON' },
      workspace: root,
      service,
      baseUrl: emulator.baseUrl,
    });
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'checkout' });
    expect(service.requests).toEqual([]);
  });
});

describe('pull_request', () => {
  it('accepts any checkout, because the run has no secrets', async () => {
    const run = await runAt(commits.base, 'pull_request');
    expect(run.outputs).toMatchObject({ verdict: 'pass' });
    expect(run.sent).toEqual(['media-a.png']);
  });
});
