import { expect, it } from 'vitest';
import { missingKey } from '../../src/inputs/parse.ts';

const PULL = { number: 7, headSha: 'a'.repeat(40), isFork: false };
const FORK = { ...PULL, isFork: true };

const BOT = 'dependabot[bot]';
const EMPTY = '`api-key` is empty';

it.each([
  { event: 'pull_request', actor: 'mallory', pullRequest: FORK, message: 'from forks', fix: 'if-no-api-key: skip' },
  { event: 'pull_request_target', actor: 'mallory', pullRequest: FORK, message: EMPTY, fix: 'misspelt' },
  { event: 'workflow_run', actor: 'mallory', pullRequest: FORK, message: EMPTY, fix: 'misspelt' },
  { event: 'pull_request', actor: BOT, pullRequest: PULL, message: 'its own secrets', fix: "repository's Dep" },
  { event: 'pull_request_target', actor: BOT, pullRequest: PULL, message: 'none in', fix: 'Dependabot secrets' },
  { event: 'workflow_run', actor: BOT, pullRequest: PULL, message: EMPTY, fix: 'misspelt' },
  { event: 'pull_request', actor: 'ann', pullRequest: PULL, message: EMPTY, fix: 'misspelt' },
  { event: 'push', actor: 'ann', pullRequest: undefined, message: EMPTY, fix: 'secrets.COMPLIANCE_API_KEY' },
])('why there is no key: $event by $actor: $message', ({ event, actor, pullRequest, message, fix }) => {
  const cause = missingKey({ event, actor, pullRequest }, false);
  expect(cause.reason).toBe('no-key');
  expect(cause.message).toContain(message);
  expect(cause.steps.map(({ text }) => text).join(' ')).toContain(fix);
});

it('with `if-no-api-key: skip`, the steps do not suggest that input', () => {
  const run = { event: 'pull_request', actor: 'mallory', pullRequest: FORK };
  const texts = missingKey(run, true).steps.map(({ text }) => text);
  expect(texts).toEqual([expect.stringMatching(/^Push the branch/), expect.stringMatching(/^Or review these media/)]);
  const ours = { event: 'push', actor: 'ann', pullRequest: undefined };
  expect(missingKey(ours, true)).toEqual(missingKey(ours, false));
});
