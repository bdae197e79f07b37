import type { Cause } from '../cause.ts';
import type { RunContext } from './context.ts';

const SKIP = 'To leave such pull requests unchecked instead of red, set `if-no-api-key: skip`.';

/** What to tell where there is no API key: most often it is GitHub that withholds it. */
export function missingKey({ pullRequest, actor }: Pick<RunContext, 'pullRequest' | 'actor'>): Cause {
  if (pullRequest?.isFork) {
    return {
      reason: 'no-key',
      message: 'There is no API key: GitHub gives no secrets to pull requests from forks.',
      fix: SKIP,
    };
  }
  if (actor === 'dependabot[bot]') {
    return {
      reason: 'no-key',
      message: 'There is no API key: GitHub gives Dependabot only its own secrets.',
      fix: `Add the key to the repository's Dependabot secrets too. ${SKIP}`,
    };
  }
  return {
    reason: 'no-key',
    message: 'There is no API key: the input `api-key` is empty.',
    fix: 'Store the key as a secret of the repository (Settings → Secrets and variables → Actions) and pass it on: `api-key: ${{ secrets.COMPLIANCE_API_KEY }}`. A misspelt secret name is empty, too.',
  };
}
