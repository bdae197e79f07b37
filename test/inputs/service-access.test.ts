import { describe, expect, it } from 'vitest';
import { missingKey, skippedWithoutKey } from '../../src/inputs/service-access.ts';
import { stepText } from '../../src/lib/cause.ts';

const PULL = { number: 7, headSha: 'a'.repeat(40), isFork: false, isDependabot: false };
const FORK = { ...PULL, isFork: true };
const DEPENDABOT = { ...PULL, isDependabot: true };

const BOT = 'dependabot[bot]';
const EMPTY = '`api-key` is empty';

describe('why there is no key', () => {
  it.each([
    ['a fork', 'pull_request', 'mallory', FORK, 'to pull requests from forks', 'if-no-api-key: skip'],
    ['a fork, with the secrets of the base', 'pull_request_target', 'mallory', FORK, EMPTY, 'misspelt'],
    ['a run after a fork', 'workflow_run', 'mallory', FORK, EMPTY, 'misspelt'],
    ['Dependabot', 'pull_request', BOT, DEPENDABOT, 'only its own secrets', "repository's Dependabot secrets"],
    ['a target run', 'pull_request_target', BOT, DEPENDABOT, 'none in `pull_request_target`', 'Dependabot secrets'],
    ["a colleague's push to Dependabot's branch", 'pull_request', 'ann', DEPENDABOT, EMPTY, 'misspelt'],
    ['a push', 'push', 'ann', undefined, EMPTY, 'secrets.COMPLIANCE_API_KEY'],
  ])('%s', (_, event, actor, pullRequest, message, fix) => {
    const cause = missingKey({ event, actor, pullRequest });
    expect(cause.reason).toBe('no-key');
    expect(cause.message).toContain(message);
    expect(cause.steps.map(stepText).join(' ')).toContain(fix);
  });

  it('is no problem with `if-no-api-key: skip`, and the message does not suggest that input', () => {
    const run = { event: 'pull_request', actor: 'mallory', pullRequest: FORK };
    expect(skippedWithoutKey(run)).toEqual({
      ...missingKey(run),
      steps: [expect.objectContaining({ text: expect.stringMatching(/^Review these media by hand/) })],
    });
    const ours = { event: 'push', actor: 'ann', pullRequest: undefined };
    expect(skippedWithoutKey(ours)).toEqual(missingKey(ours));
  });
});
