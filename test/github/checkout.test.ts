import { expect, it } from 'vitest';
import {
  assertHeadCheckedOut,
  checkedCommit,
  describeOtherSubject,
  findBaseChange,
  isScannedCommit,
} from '../../src/github/checkout.ts';
import { GitHubError } from '../../src/github/connect.ts';
import type { GateError } from '../../src/lib/cause.ts';
import { pull } from '../builders/github.ts';

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
const UNKNOWN = /does not say whether that is the merge of the pull request.*: no\. → Permit it\. Before/;
const LATE = /neither the head of the pull request.*not merged the newest commit.* → Re-run this job\./;
const FINE = /^fine$/;
const OUTAGE = / → GitHubError$/;
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
  ['a commit that GitHub does not know', { parents: 'not-found' }, UNKNOWN, FINE],
  ['a missing permission', { parents: 'permission' }, UNKNOWN, FINE],
  ['an outage', { parents: 'unavailable' }, OUTAGE, OUTAGE],
  ['a rate limit', { parents: 'rate-limit' }, OUTAGE, OUTAGE],
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

it.for<[string, head: string | undefined, number: number | undefined, boolean]>([
  ['the default branch is checked out', OWN, 7, true],
  ['an unknown commit is checked out', undefined, 7, true],
  ['the pull request is checked out', HEAD, 7, false],
  ['the comment is on an issue', OWN, undefined, false],
])('whether a run by a comment warns about its subject: %s', ([, head, commentedPullRequest, warns]) => {
  const run = { head, commit: OWN, branch: 'main', commentedPullRequest };
  expect(describeOtherSubject(run)?.includes('about main, not about pull request 7') ?? false).toBe(warns);
});

it.for<[string, now: 'main' | 'release' | Trouble, string]>([
  ['into main', 'main', 'is fine'],
  ['that now goes into release', 'release', 'from main to release'],
  ['during an outage', 'unavailable', 'ends the run'],
  ['during a rate limit', 'rate-limit', 'ends the run'],
  ['without a permission', 'permission', 'is a notice'],
  ['that GitHub does not know', 'not-found', 'is a notice'],
])('the base of a pull request %s', async ([, now, expected]) => {
  const pullRequest = async () => {
    if (now === 'main' || now === 'release') return pull({ baseBranch: now });
    throw new GitHubError('read the pull request', { trouble: now, problem: 'no', fix: 'Permit it.' });
  };
  const done = await findBaseChange({ pullRequest: PULL, baseBranch: 'main' }, { pullRequest }).then(
    ({ baseChange, notice }) => (notice ? 'is a notice' : (baseChange?.why ?? 'is fine')),
    () => 'ends the run',
  );
  expect(done).toContain(expected);
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
