import type { RunContext } from '../github/context.ts';
import type { Cause } from '../lib/cause.ts';

type Run = Pick<RunContext, 'pullRequest' | 'actor' | 'event'>;

const SKIP = 'A maintainer can leave such pull requests unchecked instead of red: `if-no-api-key: skip`.';

const NOT_SET: Cause = {
  reason: 'no-key',
  message: 'There is no API key: the input `api-key` is empty.',
  fix: 'Store the key as a secret of the repository (Settings → Secrets and variables → Actions) and pass it on: `api-key: ${{ secrets.COMPLIANCE_API_KEY }}`. A misspelt secret name is empty, too.',
};

/** What to tell where there is no API key: most often it is GitHub that withholds it. */
export function missingKey(run: Run): Cause {
  const cause = withheld(run);
  return cause ? { ...cause, fix: `${cause.fix} ${SKIP}` } : NOT_SET;
}

/** The same where `if-no-api-key: skip` is set: that is no fault, but nobody has looked at the media either. */
export function skippedWithoutKey(run: Run): Cause {
  const cause = withheld(run);
  const fix =
    'Whoever merges this looks at its media first: they are checked only once they are on a branch of this repository.';
  return cause ? { ...cause, fix } : NOT_SET;
}

/** Undefined where it is not GitHub that withholds it. */
function withheld({ pullRequest, actor, event }: Run): Cause | undefined {
  // These two run the base's own workflow, and that is given its secrets whoever opened the pull request.
  const isTrusted = event === 'pull_request_target' || event === 'workflow_run';
  if (pullRequest?.isFork && !isTrusted) {
    return {
      reason: 'no-key',
      message: 'There is no API key: GitHub gives no secrets to pull requests from forks.',
      fix: 'The author of the pull request cannot mend that.',
    };
  }
  if (actor === 'dependabot[bot]' && !isTrusted) {
    return {
      reason: 'no-key',
      message: 'There is no API key: GitHub gives Dependabot only its own secrets.',
      fix: "Add the key to the repository's Dependabot secrets too.",
    };
  }
  if (actor === 'dependabot[bot]' && pullRequest?.isDependabot) {
    return {
      reason: 'no-key',
      message: 'There is no API key: GitHub gives Dependabot no secrets in `pull_request_target`.',
      fix: "Run the gate on `pull_request` too and add the key to the repository's Dependabot secrets.",
    };
  }
  return undefined;
}
