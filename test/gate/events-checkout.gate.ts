import { describe, expect } from 'vitest';
import { it as base } from '../harness/fixtures.ts';
import { git, makePullRequest, type PullRequestCommits } from '../harness/git.ts';
import type { GitHubModel } from '../harness/github-model.ts';
import { png } from '../harness/media.ts';
import { payload } from '../harness/payloads.ts';
import { makeWorkspace } from '../harness/workspace.ts';

const it = base.extend('repository', { scope: 'file' }, async ({}, { onCleanup }) => {
  const folder = await makeWorkspace({});
  onCleanup(folder.remove);
  const commits = await makePullRequest(folder.path, { 'media/a.png': png('a') }, { 'media/b.png': png('b') });
  return { root: folder.path, commits };
});

type Event = 'pull_request' | 'pull_request_review' | 'pull_request_target' | `workflow_run after ${string}`;

function eventOf(event: Event, { base: onBase, head }: PullRequestCommits) {
  const [name = '', followed = ''] = event.split(' after ');
  if (name !== 'workflow_run')
    return {
      name,
      payload: payload('pull_request', { 'pull_request.head.sha': head, 'pull_request.head.repo.id': 99 }),
    };
  // After pull_request_target the event names the commit of the default branch.
  const commit = followed === 'pull_request_target' ? onBase : head;
  const about = { 'workflow_run.event': followed, 'workflow_run.head_sha': commit };
  return { name, payload: payload('workflow_run', about, followed === 'push' ? 3 : 2) };
}

const DOWN: GitHubModel = { faults: [{ on: 'git/commits', status: 503 }] };
/** The merge ref is still the merge of the previous push. */
const LATE = 'late';
const RERUN = /GitHub had not merged the newest commit.*Re-run this job/s;
const OUTAGE = /Could not read the commit.*responded with 503.*Re-run the job/s;
/** For a fork, the message names the input that version 7 of actions/checkout needs. */
const FORK_FIX = /ref: refs\/pull\/\$\{\{ .*number \}\}\/merge.*allow-unsafe-pr-checkout: true.*run nothing from that/;
/** The event of a fork names no pull request, so the number has to be looked up. */
const MERGE_REF = /ref: refs\/pull\/NUMBER\/merge.*fork-safe-gate\.yml/;
const RUN_REF = /ref: \$\{\{ github\.event\.workflow_run\.head_sha \}\}/;

describe('the checkout must be what the event is about', () => {
  /** A case without a message passes. */
  it.for<[Event, keyof PullRequestCommits, (RegExp | undefined)?, (GitHubModel | 'late')?]>([
    ['pull_request_target', 'base', FORK_FIX],
    ['pull_request_target', 'merge'],
    ['pull_request_target', 'merge', RERUN, LATE],
    ['workflow_run after pull_request', 'base', MERGE_REF],
    ['workflow_run after pull_request', 'merge'],
    ['workflow_run after pull_request_target', 'base', /must not follow `pull_request_target`/],
    ['workflow_run after push', 'merge', RUN_REF],
    ['pull_request', 'merge'],
    ['pull_request', 'merge', RERUN, LATE],
    ['pull_request', 'merge', OUTAGE, DOWN],
    ['pull_request_review', 'merge', RERUN, LATE],
  ])('%s with the %s checked out: %s', async ([event, place, message, model], { gate, repository, startGitHub }) => {
    const verdict = message ? 'error' : 'pass';
    const { root, commits } = repository;
    await git(root, 'checkout', '--quiet', commits[place]);
    const merged = model === LATE ? 'f'.repeat(40) : commits.head;
    const github = await startGitHub({ commits: { [commits.merge]: [commits.base, merged] }, ...Object(model) });
    const run = await gate({
      event: eventOf(event, commits),
      workspace: root,
      github,
      inputs: { 'reuse-days': '0' },
      env: { GITHUB_SHA: commits.base, GITHUB_REF: 'refs/heads/main' },
    });
    const files = place === 'base' ? ['media-a.png'] : ['media-a.png', 'media-b.png'];
    const reason = message === OUTAGE ? 'github' : 'checkout';
    expect(run.outputs, run.log).toMatchObject({ verdict, reason: verdict === 'pass' ? '' : reason });
    expect(run.sent).toEqual(verdict === 'pass' ? files : []);
    expect(run.readableSummary).toMatch(message ?? /./);
  });
});
