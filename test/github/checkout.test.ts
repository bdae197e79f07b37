import { expect, it } from 'vitest';
import { assertHeadCheckedOut, checkedCommit, isScannedCommit } from '../../src/github/checkout.ts';
import { GitHubError } from '../../src/github/connect.ts';
import type { GateError } from '../../src/lib/cause.ts';

const BASE = 'b'.repeat(40);
const HEAD = 'a'.repeat(40);
const OTHER = 'c'.repeat(40);
/** The commit of the run: of the default branch, or under `pull_request` the merge commit. */
const OWN = 'd'.repeat(40);

type Trouble = GitHubError['trouble'];

interface Case {
  readonly event?: string;
  readonly isPayloadIncomplete?: true;
  readonly head?: string | undefined;
  /** The parents of HEAD, or why GitHub does not name them. */
  readonly parents?: readonly string[] | Trouble;
}

/** Returns the message and the step of the check, or "fine". By default, the pull request is from a fork. */
async function verdictOf({ parents = [], ...changes }: Case): Promise<string> {
  const run = {
    event: 'pull_request_target',
    eventCommit: HEAD,
    commit: OWN,
    head: OTHER,
    pullRequest: { number: 7, isFork: true, headSha: HEAD },
    ...changes,
  };
  const parentsOf = async (): Promise<readonly string[]> => {
    if (typeof parents === 'string')
      throw new GitHubError('read the commit', { trouble: parents, problem: 'no', fix: 'Permit it.' });
    return parents;
  };
  return await assertHeadCheckedOut(run, { parentsOf }).then(
    () => 'fine',
    (error: GateError | GitHubError) => {
      const [step] = error instanceof GitHubError ? [] : (error.causes[0]?.steps ?? []);
      return `${error.message} → ${step?.text ?? error.name}`;
    },
  );
}

const NO_MERGE = /neither the head of the pull request.* → Before this step, run `actions\/checkout`/;
const LATE = /neither the head of the pull request.*not merged the newest commit.* → Re-run this job\./;
const FINE = /^fine$/;
const UNREAD = / → GitHubError$/;

it.for<[string, Case, RegExp]>([
  ['an incomplete payload', { isPayloadIncomplete: true, head: HEAD }, /does not name the commit to check/],
  ['the head', { head: HEAD }, FINE],
  ['an unknown commit', { head: undefined }, /not in a Git checkout.* → Before/],
  ['a commit that is no merge', { parents: [BASE] }, NO_MERGE],
  ['the merge of base and head', { parents: [BASE, HEAD] }, FINE],
  ['the merge of base and another head', { parents: [BASE, OTHER] }, LATE],
  ['a merge of head and base', { parents: [HEAD, BASE] }, LATE],
  ['the default branch, which is a merge', { head: OWN, parents: [BASE, OTHER] }, NO_MERGE],
  ['three parents', { parents: [BASE, HEAD, OTHER] }, NO_MERGE],
  ['a commit that GitHub does not know', { parents: [] }, NO_MERGE],
  ['a missing permission', { parents: 'permission' }, UNREAD],
  ['an outage', { parents: 'unavailable' }, UNREAD],
])('pull_request_target: %s', async ([, given, expected]) => {
  expect(await verdictOf(given)).toMatch(expected);
});

const ADDED = ['pull_request', 'pull_request_review', 'pull_request_review_comment'];
it.for<[string, Case, RegExp]>([
  ['an unknown commit', { head: undefined }, FINE],
  ['a commit that is no merge', { parents: [BASE] }, FINE],
  ['the merge of base and head', { head: OWN, parents: [BASE, HEAD] }, FINE],
  ['the merge of base and another head', { head: OWN, parents: [BASE, OTHER] }, LATE],
  ['three parents', { parents: [BASE, HEAD, OTHER] }, FINE],
  ['a commit that GitHub does not know', { parents: [] }, FINE],
  ['a missing permission', { parents: 'permission' }, UNREAD],
  ['an outage', { parents: 'unavailable' }, UNREAD],
])('pull_request and its reviews: %s', async ([, given, expected]) => {
  for (const event of ADDED) expect(await verdictOf({ event, ...given })).toMatch(expected);
});

it.for<[string, string, string | undefined, string]>([
  ['the commit of the run', 'pull_request', OWN, 'refs/pull/7/merge'],
  ['the head', 'pull_request', HEAD, 'refs/pull/7/head'],
  ['another commit, which the workflow has chosen', 'pull_request', OTHER, ''],
  ['the merge commit', 'pull_request_target', OTHER, 'refs/pull/7/merge'],
])('the ref of %s under %s', ([, event, head, expected]) => {
  const pullRequest = { number: 7, isFork: false, headSha: HEAD };
  const run = { event, head, eventCommit: HEAD, commit: OWN, ref: 'refs/pull/7/merge', pullRequest };
  expect(checkedCommit(run)).toEqual({ commit: head, isCommitKnown: true, ref: expected });
});

it.for<[string, string | undefined, boolean]>([
  ['push', OWN, true],
  ['push', OTHER, false],
  ['pull_request', HEAD, true],
  ['pull_request', OTHER, false],
  ['pull_request_target', HEAD, false],
  ['pull_request', undefined, false],
])('whether code scanning shows results under %s of %s', ([event, head, expected]) => {
  const pullRequest = { number: 7, isFork: false, headSha: HEAD };
  const run = { event, head, eventCommit: HEAD, commit: OWN, ref: 'refs/pull/7/merge', pullRequest };
  expect(isScannedCommit(run)).toBe(expected);
});
