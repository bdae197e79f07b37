import type { RunContext } from '../github/context.ts';
import { isLoopback } from '../http/http.ts';
import { type Cause, forOwner, ifNoProblem, rerun, workflowOwner } from '../lib/cause.ts';
import type { ServiceAccess } from '../service/endpoints.ts';
import { type InputReader, quoted } from './reader.ts';

const LIVE_KEY = /^sk_live_[0-9a-fA-F]{64}$/;
/** The contract does not define what follows the prefix, so every character that a header can carry is allowed. */
const SANDBOX_KEY = /^sk_test_[\x21-\x7e]+$/;

/**
 * The key alone decides between live and sandbox mode. No message shows the key.
 *
 * @param missingKey the problem to report if the key is missing; undefined if the run does not need a key
 */
export function parseService(reader: InputReader, missingKey: Cause | undefined): ServiceAccess | undefined {
  const apiKey = reader.text('api-key');
  if (apiKey === '' && !missingKey) return undefined;
  const mode = LIVE_KEY.test(apiKey) ? 'live' : SANDBOX_KEY.test(apiKey) ? 'sandbox' : undefined;
  if (!mode) reader.problems.push((apiKey === '' && missingKey) || wrongKey(apiKey.length));
  const baseUrl = parseBaseUrl(reader);
  return mode && baseUrl ? { apiKey, mode, baseUrl } : undefined;
}

function wrongKey(length: number): Cause {
  const message = `Input \`api-key\` is not a whole key of the service (${length} characters, not shown).`;
  const fix =
    'Check which secret is passed as `api-key`, and copy the whole key into it without quotation marks: `sk_live_` and 64 hexadecimal characters, 72 in all, or a key that begins with `sk_test_`.';
  return { reason: 'bad-input', message, steps: [workflowOwner(fix), rerun()] };
}

/** @returns the address that the path of every endpoint is appended to */
function parseBaseUrl(reader: InputReader): string | undefined {
  const value = reader.text('base-url');
  const problem = baseUrlProblem(value);
  if (problem !== undefined) {
    reader.reject('base-url', problem, "the service's address, such as `https://compliance.example.com`");
    return undefined;
  }
  const { origin, pathname } = new URL(value);
  const path = pathname.replace(/\/+$/, '');
  return origin + (/\/api\/(v\d+\/)?integrations$/.test(path) ? path : `${path}/api/integrations`);
}

function baseUrlProblem(value: string): string | undefined {
  if (value === '') return 'not set';
  // Checked before the address is parsed: one that cannot be parsed may contain a password, and would be shown.
  if (/[@?#]/.test(value)) return 'an address with a user name, a password, a query or a fragment (not shown)';
  const url = URL.parse(value);
  const isAllowed = url && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)));
  if (!isAllowed) return `${quoted(value)}, which does not begin with https://`;
  const [ending] = /\/api\/v\d+(?=\/*$)/.exec(url.pathname) ?? [];
  return ending && `an address that ends in ${ending}: leave that out, because /api/integrations is appended`;
}

type Run = Pick<RunContext, 'pullRequest' | 'actor' | 'event'>;

const NOT_SET = forOwner(
  'no-key',
  'There is no API key: the input `api-key` is empty.',
  'Store the key as a secret of the repository (Settings → Secrets and variables → Actions) and pass it: `api-key: ${{ secrets.COMPLIANCE_API_KEY }}`. A misspelt secret name gives an empty value.',
);

/**
 * Says why the API key is missing. Usually GitHub withholds the secret.
 *
 * @param isSkipped whether `if-no-api-key: skip` is set: the check passes, but the media were not checked
 */
export function missingKey({ pullRequest, actor, event }: Run, isSkipped: boolean): Cause {
  const withheld = (message: string, fix: string): Cause => {
    const otherwise = isSkipped
      ? workflowOwner('Or review these media by hand before you merge.')
      : ifNoProblem(workflowOwner('To skip pull requests without a key, set `if-no-api-key: skip`.'));
    return { reason: 'no-key', message: `There is no API key: ${message}`, steps: [workflowOwner(fix), otherwise] };
  };
  // These two events run the base branch's workflow, which gets the secrets for every author.
  if (pullRequest?.isFork && event !== 'pull_request_target' && event !== 'workflow_run') {
    return withheld(
      'GitHub gives no secrets to pull requests from forks.',
      'Push the branch to this repository, where the check has the key. The author of the pull request cannot fix this.',
    );
  }
  if (actor === 'dependabot[bot]' && event !== 'workflow_run') {
    return withheld(
      'GitHub gives Dependabot only its own secrets, and none in `pull_request_target`.',
      "Run the gate on `pull_request`, and add the key to the repository's Dependabot secrets.",
    );
  }
  return NOT_SET;
}
