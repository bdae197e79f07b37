import { expect, it } from 'vitest';
import { describeScope, scopeOf } from '../../src/state/scopes.ts';

const PULL = { number: 7, headSha: 'a'.repeat(40), isFork: false, isDependabot: false };

it.each([
  ['of the branch main', 'branch:main', { branch: 'main', event: 'push' }],
  ['of the branch main', 'branch:main', { branch: 'main', event: 'schedule' }],
  ['of the branch main', 'branch:main', { branch: 'main', event: 'workflow_dispatch' }],
  ['of the branch main', 'branch:main', { branch: 'main', event: 'workflow_run' }],
  [`of the merge group ccccccc`, `group:${'c'.repeat(40)}`, { branch: 'queue', event: 'merge_group' }],
  ['of the pull request from feature', 'pull:feature', { branch: 'feature', event: 'pull_request', pullRequest: PULL }],
  ['of the pull request from owner:x', 'pull:owner:x', { branch: 'owner:x', event: 'workflow_run', pullRequest: PULL }],
  ['of other events on the branch main', 'other:main', { branch: 'main', event: 'issue_comment' }],
  ['of other events on the branch main', 'other:main', { branch: 'main', event: 'repository_dispatch' }],
])('a scope is described: %s', (description, expected, place) => {
  const scope = scopeOf({ pullRequest: undefined, commit: 'c'.repeat(40), ...place });
  expect(scope).toBe(expected);
  expect(describeScope(scope)).toBe(description);
});
