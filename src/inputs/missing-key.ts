import type { RunContext } from '../github/context.ts';
import type { Cause } from '../lib/cause.ts';

type Run = Pick<RunContext, 'pullRequest' | 'actor' | 'event'>;

const SKIP = 'To skip such pull requests instead, a maintainer can set `if-no-api-key: skip`.';

const NOT_SET: Cause = {
  reason: 'no-key',
  message: 'There is no API key: the input `api-key` is empty.',
  fix: 'Store the key as a secret of the repository (Settings → Secrets and variables → Actions) and pass it: `api-key: ${{ secrets.COMPLIANCE_API_KEY }}`. A misspelt secret name gives an empty value.',
};

/** The cause of a missing API key: usually GitHub withholds it. */
export function missingKey(run: Run): Cause {
  const cause = withheld(run);
  return cause ? { ...cause, fix: `${cause.fix} ${SKIP}` } : NOT_SET;
}

/** The same with `if-no-api-key: skip`: not an error, but the media were not checked. */
export function skippedWithoutKey(run: Run): Cause {
  const cause = withheld(run);
  const fix = 'Review these media by hand before you merge: the gate checks them only on a branch of this repository.';
  return cause ? { ...cause, fix } : NOT_SET;
}

/** Undefined if GitHub does not withhold it. */
function withheld({ pullRequest, actor, event }: Run): Cause | undefined {
  // These two events run the base branch's workflow, which gets the secrets for every author.
  const isTrusted = event === 'pull_request_target' || event === 'workflow_run';
  if (pullRequest?.isFork && !isTrusted) {
    return {
      reason: 'no-key',
      message: 'There is no API key: GitHub gives no secrets to pull requests from forks.',
      fix: 'The author of the pull request cannot fix this.',
    };
  }
  if (actor === 'dependabot[bot]' && !isTrusted) {
    return {
      reason: 'no-key',
      message: 'There is no API key: GitHub gives Dependabot only its own secrets.',
      fix: "Add the key to the repository's Dependabot secrets.",
    };
  }
  if (actor === 'dependabot[bot]' && pullRequest?.isDependabot) {
    return {
      reason: 'no-key',
      message: 'There is no API key: GitHub gives Dependabot no secrets in `pull_request_target`.',
      fix: "Run the gate on `pull_request` as well and add the key to the repository's Dependabot secrets.",
    };
  }
  return undefined;
}
