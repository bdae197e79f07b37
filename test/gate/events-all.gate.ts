import { describe, expect } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { png } from '../harness/media.ts';
import { HEAD, payload } from '../harness/payloads.ts';

const MERGE = '9'.repeat(40);
const OTHER = '8'.repeat(40);

const FILES = { '.git/HEAD': HEAD, 'media/a.png': png('a'), 'media/b.png': png('b') };

const PULL = payload('pull_request');
const PULLED = 'refs/pull/2/merge';
const MAIN = 'refs/heads/main';
const QUEUE = 'refs/heads/gh-readonly-queue/main/pr-104-929f8209';
const FOLLOWED = payload('workflow_run', { 'workflow_run.head_sha': OTHER, 'workflow_run.event': 'push' }, 3);
/** A comment on a pull request starts a run of the default branch. */
const COMMENTED = payload('issue_comment', { 'issue.pull_request': { url: '' }, 'issue.number': 7 });

interface Case {
  readonly event: string;
  readonly payload: unknown;
  /** GITHUB_REF of the run; GITHUB_SHA is always the same. */
  readonly ref: string;
  /** The commit that is checked out, or `nothing`. */
  readonly head: string;
  /** The ref that is named. */
  readonly named?: string;
  /** Whether code scanning may take the SARIF report. */
  readonly hasSarif: boolean;
}

describe.concurrent('the submission names the commit that is checked out', () => {
  it.for<Case>([
    { event: 'pull_request', payload: PULL, ref: PULLED, head: MERGE, named: PULLED, hasSarif: true },
    { event: 'pull_request', payload: PULL, ref: PULLED, head: HEAD, hasSarif: true },
    { event: 'pull_request_target', payload: PULL, ref: MAIN, head: HEAD, hasSarif: false },
    { event: 'workflow_run', payload: FOLLOWED, ref: MAIN, head: OTHER, hasSarif: false },
    { event: 'merge_group', payload: payload('merge_group'), ref: QUEUE, head: MERGE, named: QUEUE, hasSarif: true },
    { event: 'issue_comment', payload: COMMENTED, ref: MAIN, head: OTHER, hasSarif: false },
    { event: 'push', payload: {}, ref: MAIN, head: 'nothing', named: MAIN, hasSarif: false },
  ])(
    '$event on $ref with $head',
    async ({ event, payload: about, ref, head, named, hasSarif }, { gate, startGitHub }) => {
      const run = await gate({
        files: { ...FILES, '.git/HEAD': head },
        event: { name: event, payload: about },
        github: await startGitHub({
          commits: { [MERGE]: ['a', HEAD], [OTHER]: ['a', HEAD] },
        }),
        env: { GITHUB_REF: ref, GITHUB_SHA: MERGE },
      });
      expect(run.outputs, run.log).toMatchObject({ verdict: 'pass', reason: '' });
      expect(run.sent).toEqual(['media-a.png', 'media-b.png']);
      const creation = run.requests.find(({ endpoint }) => endpoint === 'submissions/create');
      const { metadata } = Object(creation?.json);
      const place = { repository: 'acme/campaigns', runUrl: 'https://github.com/acme/campaigns/actions/runs/42' };
      expect(metadata).toEqual({
        ...place,
        commit: head === 'nothing' ? MERGE : head,
        ...(named !== undefined && { ref: named }),
      });
      expect(run.outputs['sarif-file'] !== '').toBe(hasSarif);
    },
  );
});

/** GitHub lists a fork's pull request in no payload of `workflow_run`, so the number has to be looked up. */
const OF_FORK = { 'workflow_run.event': 'pull_request', 'workflow_run.head_sha': HEAD };
const AFTER_TARGET = { 'workflow_run.event': 'pull_request_target', 'workflow_run.head_sha': MERGE };

describe.concurrent('nothing is sent if something else is checked out, and the step says what to do', () => {
  it.for<[string, string, unknown, RegExp]>([
    ['the base', 'pull_request', PULL, /without `ref`/],
    [
      'the base',
      'pull_request_target',
      payload('pull_request', { 'pull_request.head.repo.id': 99 }),
      /ref: refs\/pull\/\$\{\{ .*number \}\}\/merge.*allow-unsafe-pr-checkout: true.*run nothing from that/,
    ],
    [
      'the base',
      'workflow_run',
      payload('workflow_run', OF_FORK, 2),
      /ref: refs\/pull\/NUMBER\/merge.*fork-safe-gate\.yml/,
    ],
    ['another commit', 'workflow_run', FOLLOWED, /ref: \$\{\{ github\.event\.workflow_run\.head_sha \}\}/],
    [
      'whatever it is',
      'workflow_run',
      payload('workflow_run', AFTER_TARGET, 2),
      /must not follow `pull_request_target`/,
    ],
  ])('%s under %s', async ([, event, about, says], { gate, startGitHub }) => {
    const run = await gate({
      files: { ...FILES, '.git/HEAD': MERGE },
      event: { name: event, payload: about },
      github: await startGitHub({ commits: { [MERGE]: ['a'.repeat(40)] } }),
      env: { GITHUB_REF: MAIN, GITHUB_SHA: MERGE },
    });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'error', reason: 'checkout' });
    expect(run.readableSummary).toMatch(says);
    expect(run.requests).toEqual([]);
  });
});
