import { describe, expect } from 'vitest';
import { it as base } from '../harness/fixtures.ts';
import { git, makePullRequest, type PullRequestCommits } from '../harness/git.ts';
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

/** For a fork, the message names the input that version 7 of actions/checkout needs. */
const FORK_FIX = /ref: refs\/pull\/\$\{\{ .*number \}\}\/merge.*allow-unsafe-pr-checkout: true.*run nothing from that/;

/** What the summary says, by what is wrong. */
const SAYS = {
  nothing: /./,
  'not the head': FORK_FIX,
  // The event of a fork names no pull request, so the number has to be looked up.
  'not the head of a fork': /ref: refs\/pull\/NUMBER\/merge.*fork-safe-gate\.yml/,
  'not the commit of the followed run': /ref: \$\{\{ github\.event\.workflow_run\.head_sha \}\}/,
  'the followed event': /must not follow `pull_request_target`/,
  'an old merge': /GitHub had not merged the newest commit.*Re-run this job/s,
  'an outage': /Could not read the commit.*responded with 503.*Re-run the job/s,
};

describe('the checkout must be what the event is about', () => {
  it.for<[Event, keyof PullRequestCommits, keyof typeof SAYS]>([
    ['pull_request_target', 'base', 'not the head'],
    ['pull_request_target', 'merge', 'nothing'],
    ['pull_request_target', 'merge', 'an old merge'],
    ['workflow_run after pull_request', 'base', 'not the head of a fork'],
    ['workflow_run after pull_request', 'merge', 'nothing'],
    ['workflow_run after pull_request_target', 'base', 'the followed event'],
    ['workflow_run after push', 'merge', 'not the commit of the followed run'],
    ['pull_request', 'merge', 'nothing'],
    ['pull_request', 'merge', 'an old merge'],
    ['pull_request', 'merge', 'an outage'],
    ['pull_request_review', 'merge', 'an old merge'],
  ])('%s with the %s checked out: %s is wrong', async ([event, place, wrong], { gate, repository, startGitHub }) => {
    const verdict = wrong === 'nothing' ? 'pass' : 'error';
    const { root, commits } = repository;
    await git(root, 'checkout', '--quiet', commits[place]);
    const merged = wrong === 'an old merge' ? 'f'.repeat(40) : commits.head;
    const github = await startGitHub({
      commits: { [commits.merge]: [commits.base, merged] },
      faults: wrong === 'an outage' ? [{ on: 'git/commits', status: 503 }] : [],
    });
    const run = await gate({
      event: eventOf(event, commits),
      workspace: root,
      github,
      inputs: { 'reuse-days': '0' },
      env: { GITHUB_SHA: commits.base, GITHUB_REF: 'refs/heads/main' },
    });
    const files = place === 'base' ? ['media-a.png'] : ['media-a.png', 'media-b.png'];
    const reason = wrong === 'an outage' ? 'github' : 'checkout';
    expect(run.outputs, run.log).toMatchObject({ verdict, reason: verdict === 'pass' ? '' : reason });
    expect(run.sent).toEqual(verdict === 'pass' ? files : []);
    expect(run.readableSummary).toMatch(SAYS[wrong]);
  });
});
