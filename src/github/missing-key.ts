import type { Cause } from '../cause.ts';
import type { RunContext } from './context.ts';

const SKIP = 'To leave such pull requests unchecked instead of red, set `if-no-api-key: skip`.';

/** What to tell where there is no API key: most often it is GitHub that withholds it. */
export function missingKey({ pullRequest, actor, event }: Pick<RunContext, 'pullRequest' | 'actor' | 'event'>): Cause {
  // These two run the base's own workflow, and that is given its secrets whoever opened the pull request.
  const isTrusted = event === 'pull_request_target' || event === 'workflow_run';
  if (pullRequest?.isFork && !isTrusted) {
    return {
      reason: 'no-key',
      message: 'There is no API key: GitHub gives no secrets to pull requests from forks.',
      fix: SKIP,
    };
  }
  if (actor === 'dependabot[bot]' && !isTrusted) {
    return {
      reason: 'no-key',
      message: 'There is no API key: GitHub gives Dependabot only its own secrets.',
      fix: `Add the key to the repository's Dependabot secrets too. ${SKIP}`,
    };
  }
  if (actor === 'dependabot[bot]' && pullRequest?.isDependabot) {
    return {
      reason: 'no-key',
      message: 'There is no API key: GitHub gives Dependabot no secrets in `pull_request_target`.',
      fix: `Run the gate on \`pull_request\` too and add the key to the repository's Dependabot secrets. ${SKIP}`,
    };
  }
  return {
    reason: 'no-key',
    message: 'There is no API key: the input `api-key` is empty.',
    fix: 'Store the key as a secret of the repository (Settings → Secrets and variables → Actions) and pass it on: `api-key: ${{ secrets.COMPLIANCE_API_KEY }}`. A misspelt secret name is empty, too.',
  };
}
