import { expect, it } from 'vitest';
import type { GateError } from '../../src/causes/cause.ts';
import { assertHeadCheckedOut, checkedCommit, isScannedCommit } from '../../src/github/checkout.ts';
import { GitHubError } from '../../src/github/connect.ts';

const BASE = 'b'.repeat(40);
const HEAD = 'a'.repeat(40);
const OTHER = 'c'.repeat(40);
/** The commit of the run: of the default branch, or under `pull_request` the merge commit. */
const OWN = 'd'.repeat(40);

const PULL = { number: 7, isFork: false, headSha: HEAD };

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
    pullRequest: { ...PULL, isFork: true },
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
const INCOMPLETE = /does not name the commit to check/;

const REVIEWS = ['pull_request', 'pull_request_review', 'pull_request_review_comment'];

// biome-ignore format: a table
it.for<[string, Case, ofTarget: RegExp, ofPullRequest: RegExp]>([
  ['an incomplete payload', { isPayloadIncomplete: true, head: HEAD }, INCOMPLETE, INCOMPLETE],
  ['the head', { head: HEAD }, FINE, FINE],
  ['an unknown commit', { head: undefined }, /not in a Git checkout.* → Before/, FINE],
  ['a commit that is no merge', { parents: [BASE] }, NO_MERGE, FINE],
  ['the merge of base and head', { parents: [BASE, HEAD] }, FINE, FINE],
  ['the merge of base and another head', { parents: [BASE, OTHER] }, LATE, LATE],
  ['a merge of head and base', { parents: [HEAD, BASE] }, LATE, LATE],
  ['the commit of the run, which is a merge', { head: OWN, parents: [BASE, OTHER] }, NO_MERGE, LATE],
  ['three parents', { parents: [BASE, HEAD, OTHER] }, NO_MERGE, FINE],
  ['a commit that GitHub does not know', { parents: [] }, NO_MERGE, FINE],
  ['a missing permission', { parents: 'permission' }, UNREAD, UNREAD],
  ['an outage', { parents: 'unavailable' }, UNREAD, UNREAD],
  ['a rate limit', { parents: 'rate-limit' }, UNREAD, UNREAD],
])('what is checked out under pull_request_target, or pull_request and reviews: %s', async ([, given, ...expected]) => {
  const [ofTarget, ofPullRequest] = expected;
  expect(await verdictOf(given)).toMatch(ofTarget);
  for (const event of REVIEWS) expect(await verdictOf({ event, ...given })).toMatch(ofPullRequest);
});

it.for<[string, string, string | undefined, string]>([
  ['the commit of the run', 'pull_request', OWN, 'refs/pull/7/merge'],
  ['the head', 'pull_request', HEAD, 'refs/pull/7/head'],
  ['another commit, which the workflow has chosen', 'pull_request', OTHER, ''],
  ['the merge commit', 'pull_request_target', OTHER, 'refs/pull/7/merge'],
])('the ref of %s under %s', ([, event, head, expected]) => {
  const run = { event, head, eventCommit: HEAD, commit: OWN, ref: 'refs/pull/7/merge', pullRequest: PULL };
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
  const run = { event, head, eventCommit: HEAD, commit: OWN, ref: 'refs/pull/7/merge', pullRequest: PULL };
  expect(isScannedCommit(run)).toBe(expected);
});
