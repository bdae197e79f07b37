import { expect, it } from 'vitest';
import type { GateError } from '../../src/causes/cause.ts';
import { assertHeadCheckedOut, checkedCommit, isScannedCommit } from '../../src/github/checkout.ts';
import { GitHubError } from '../../src/github/connect.ts';

const BASE = 'b'.repeat(40);
const HEAD = 'a'.repeat(40);
const OTHER = 'c'.repeat(40);
/** The commit of the run: of the default branch, or under `pull_request` the merge commit. */
const OWN = 'd'.repeat(40);

const PULL = { number: 7, isFork: false };

interface Case {
  readonly isPayloadIncomplete?: true;
  readonly head?: string | undefined;
  /** The parents of HEAD, or why GitHub does not name them. */
  readonly parents?: readonly string[] | GitHubError['trouble'];
}

/** Returns the message and the steps of the check, or "fine". */
async function verdictOf(event: string, { parents = [], ...changes }: Case): Promise<string> {
  const pullRequest = event === 'merge_group' ? undefined : { ...PULL, isFork: true };
  const run = { event, eventCommit: HEAD, commit: OWN, head: OTHER, pullRequest, ...changes };
  const parentsOf = async (): Promise<readonly string[]> => {
    if (typeof parents === 'string')
      throw new GitHubError('read the commit', { trouble: parents, problem: 'no', fix: 'Permit it.' });
    return parents;
  };
  return await assertHeadCheckedOut(run, { parentsOf }).then(
    () => 'fine',
    (error: GateError | GitHubError) => {
      const steps = error instanceof GitHubError ? [] : (error.causes[0]?.steps ?? []);
      return [error.message, ...(steps.length > 0 ? steps.map(({ text }) => text) : [error.name])].join(' → ');
    },
  );
}

const WRONG = /holds commit c{7}, which is neither .*a{7}.* → Before this step, run `actions\/checkout`.* → .*re-run/;
const UNKNOWN = /no Git checkout.* → Before this step, run `actions\/checkout`/;
const FINE = /^fine$/;
const UNREAD = / → GitHubError$/;
const INCOMPLETE = /does not name the commits/;

const MAY_BE_OF_FORK = ['pull_request_target', 'workflow_run'];
const OTHERS = ['pull_request', 'pull_request_review', 'pull_request_review_comment', 'merge_group'];

it.for<[string, Case, RegExp, ofOthers?: RegExp]>([
  ['an incomplete payload', { isPayloadIncomplete: true, head: HEAD }, INCOMPLETE],
  ['the head', { head: HEAD }, FINE],
  ['an unknown commit', { head: undefined }, UNKNOWN, FINE],
  ['the base, which is no merge', { parents: [BASE] }, WRONG],
  ['the base, which is a merge', { parents: [BASE, OTHER] }, WRONG],
  ['the merge of base and head', { parents: [BASE, HEAD] }, FINE],
  ['a merge of head and base', { parents: [HEAD, BASE] }, WRONG],
  ['the commit of the run, which merges an earlier head', { head: OWN, parents: [BASE, OTHER] }, /d{7}.*re-run this/],
  ['a commit that GitHub does not know', { parents: [] }, WRONG],
  ['a missing permission', { parents: 'refused' }, UNREAD],
  ['an outage', { parents: 'outage' }, UNREAD],
])('what is checked out where it must be the commit of the event: %s', async ([, given, expected, ofOthers]) => {
  for (const event of MAY_BE_OF_FORK) expect(await verdictOf(event, given)).toMatch(expected);
  for (const event of OTHERS) expect(await verdictOf(event, given)).toMatch(ofOthers ?? expected);
});

it.for(['push', 'schedule', 'workflow_dispatch', 'issue_comment'])(
  'any commit may be checked out under %s',
  async (event) => {
    for (const head of [HEAD, OTHER, undefined]) expect(await verdictOf(event, { head })).toBe('fine');
  },
);

it.for<[string, string | undefined, string]>([
  ['the commit of the run', OWN, 'refs/pull/7/merge'],
  ['another commit, which the workflow has chosen', OTHER, ''],
  ['an unknown commit', undefined, 'refs/pull/7/merge'],
])('the ref of %s', ([, head, ref]) => {
  const checked = checkedCommit({ head, commit: OWN, ref: 'refs/pull/7/merge' });
  expect(checked).toEqual({ commit: head ?? OWN, ref });
});

it.for<[string, string, string | undefined, boolean]>([
  ['the commit of a push', 'push', OWN, true],
  ['another commit', 'push', OTHER, false],
  ['the head of a pull request', 'pull_request', HEAD, true],
  ['another commit in a pull request', 'pull_request', OTHER, false],
  ['an unknown commit', 'pull_request', undefined, false],
  ['the head under pull_request_target', 'pull_request_target', HEAD, false],
])('whether code scanning shows results of %s', ([, event, head, expected]) => {
  const run = { event, head, eventCommit: HEAD, commit: OWN, pullRequest: PULL };
  expect(isScannedCommit(run)).toBe(expected);
});
