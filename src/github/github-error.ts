import * as v from 'valibot';
import { asConnectionError } from '../http/connection-failure.ts';
import { messageFromBody } from '../http/error-body.ts';
import { ConnectionError } from '../http/http.ts';
import { messageOf } from '../lib/format.ts';

/** A request to GitHub failed after all tries. The caller decides whether the run can go on without the response. */
export class GitHubError extends Error {
  override readonly name = 'GitHubError';
  /**
   * `permission`: the workflow does not give the token the permission. `not-found`: status 404, or 410 for an expired
   * artifact. `unavailable`: no readable response, or status 5xx. `refused`: any other status, or a missing token.
   */
  readonly trouble: 'permission' | 'rate-limit' | 'not-found' | 'unavailable' | 'refused';
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

const CHECK_NETWORK = 'Re-run the job; on a self-hosted runner, check its proxy, firewall and `NODE_EXTRA_CA_CERTS`.';

/**
 * @param host the host of the API, for messages: GitHub's or another server's
 * @param needs the permission that the request needs, as it is written in a workflow
 */
export function asGitHubError(
  cause: unknown,
  { operation, host, needs }: Readonly<Record<'operation' | 'host' | 'needs', string>>,
): GitHubError {
  const refused = v.safeParse(Refused, cause);
  if (!refused.success) {
    const error = asConnectionError(cause, 'no connection');
    const problem = `no response from ${host} (${messageOf(error)})`;
    const { fix = CHECK_NETWORK } = error instanceof ConnectionError ? error : {};
    return new GitHubError(operation, { trouble: 'unavailable', problem, fix }, { cause });
  }
  const { status, response } = refused.output;
  const { data, headers, url } = response;
  const sender = URL.parse(url)?.host ?? host;
  const message = messageFromBody(data ?? '');
  const problem = `${sender} responded with ${status}${message && `, ${JSON.stringify(message)}`}`;
  const failure = (trouble: GitHubError['trouble'], fix: string): GitHubError =>
    new GitHubError(operation, { trouble, problem, fix }, { cause });
  const isLimit =
    status === 429 || (status === 403 && (headers['x-ratelimit-remaining'] === '0' || /rate limit/i.test(message)));
  // Only GitHub's own API says whether an artifact exists and who may read it.
  if (sender !== host)
    return failure(
      'unavailable',
      `Re-run the job; on a self-hosted runner, check that a proxy or firewall allows ${sender}.`,
    );
  if (isLimit) return failure('rate-limit', "The token's rate limit is used up. Re-run the job later.");
  if (status >= 500)
    return failure('unavailable', 'Re-run the job. https://www.githubstatus.com lists outages of github.com.');
  if (status === 401)
    return failure(
      'refused',
      'Check `github-token`: leave it to its default, or give it a token that has not expired.',
    );
  if (status === 403 && /not accessible by|must have .* rights/i.test(message))
    return failure('permission', `Give the job \`permissions: ${needs}\`.`);
  if (status === 404 || status === 410)
    return failure(
      'not-found',
      `Either this server has no such address, or the token may not read it: check that \`github-token\` belongs to this repository and that the job has \`permissions: ${needs}\`.`,
    );
  return failure('refused', `Check that the job has \`permissions: ${needs}\` and what the server says about it.`);
}
