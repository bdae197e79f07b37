import * as v from 'valibot';
import { asConnectionError } from '../http/connection-failure.ts';
import { messageFromBody } from '../http/error-body.ts';
import { ConnectionError } from '../http/http.ts';
import { messageOf } from '../lib/format.ts';
import type { Runner } from './runner.ts';

/**
 * `permission`: the workflow does not give the token the permission. `not-found`: status 404, or 410 for an expired
 * artifact. `unavailable`: no readable response, or status 5xx. `refused`: any other status, or a missing token.
 */
type Trouble = 'permission' | 'rate-limit' | 'not-found' | 'unavailable' | 'refused';

/** A request to GitHub failed after all tries. The caller decides whether the run can go on without the response. */
export class GitHubError extends Error {
  override readonly name = 'GitHubError';
  readonly trouble: Trouble;
  /** What the user can do about the problem. */
  readonly fix: string;

  /** @param operation a phrase that fits behind "Could not" */
  constructor(
    operation: string,
    { trouble, problem, fix }: Pick<GitHubError, 'trouble' | 'fix'> & { readonly problem: string },
    options?: ErrorOptions,
  ) {
    super(`Could not ${operation}: ${problem}.`, options);
    this.trouble = trouble;
    this.fix = fix;
  }

  /** Whether the same request may succeed later. */
  get isOutage(): boolean {
    return this.trouble === 'rate-limit' || this.trouble === 'unavailable';
  }
}

/** The fields that this action reads from the error that octokit throws for a response with an error status. */
const Refused = v.object({
  status: v.number(),
  response: v.object({
    /** The last address, if a download was redirected. */
    url: v.optional(v.string(), ''),
    headers: v.optional(v.object({ 'x-ratelimit-remaining': v.optional(v.string()) }), {}),
    data: v.unknown(),
  }),
});

/** `host` is that of the API; `needs` is the permission for the request, as it is written in a workflow. */
export function asGitHubError(
  cause: unknown,
  { operation, host, needs, clean }: Readonly<Record<'operation' | 'host' | 'needs', string>> & Pick<Runner, 'clean'>,
): GitHubError {
  if (cause instanceof GitHubError) return cause;
  const failure = (trouble: Trouble, problem: string, fix: string): GitHubError =>
    new GitHubError(operation, { trouble, problem, fix }, { cause });
  if (v.isValiError(cause)) {
    const fix = 'Re-run the job; a proxy in between may have responded instead.';
    return failure('unavailable', 'the response is not in the documented form', fix);
  }
  const refused = v.safeParse(Refused, cause);
  if (!refused.success) {
    const error = asConnectionError(cause, 'no connection');
    const network = 'Re-run the job; on a self-hosted runner, check its proxy, firewall and `NODE_EXTRA_CA_CERTS`.';
    const { fix = network } = error instanceof ConnectionError ? error : {};
    return failure('unavailable', `no response from ${host} (${messageOf(error)})`, fix);
  }
  const { status, response } = refused.output;
  const { data, headers, url } = response;
  const sender = URL.parse(url)?.host ?? host;
  const message = messageFromBody(clean(data ?? ''));
  const isUsedUp = headers['x-ratelimit-remaining'] === '0' || /rate limit/i.test(message);
  const isUnauthorized = /not accessible by|must have .* rights/i.test(message);
  const check = `Check that \`github-token\` belongs to this repository, that the job has \`permissions: ${needs}\`, and what the server says.`;
  // The first row that applies counts. Statuses of other hosts, such as the storage, say nothing about permissions.
  const rows: readonly (readonly [applies: boolean, trouble: Trouble, fix: string])[] = [
    [sender !== host, 'unavailable', `Re-run the job; on a self-hosted runner, allow ${sender} in proxy and firewall.`],
    [status === 429 || (status === 403 && isUsedUp), 'rate-limit', 'The rate limit is used up. Re-run the job later.'],
    [status >= 500, 'unavailable', 'Re-run the job. https://www.githubstatus.com lists outages of github.com.'],
    [status === 401, 'refused', 'Leave `github-token` to its default, or give it a token that has not expired.'],
    [status === 403 && isUnauthorized, 'permission', `Give the job \`permissions: ${needs}\`.`],
    [status === 404 || status === 410, 'not-found', check],
  ];
  const [, trouble, fix] = rows.find(([applies]) => applies) ?? [true, 'refused', check];
  return failure(trouble, `${sender} responded with ${status}${message && `, ${JSON.stringify(message)}`}`, fix);
}
