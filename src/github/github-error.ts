import * as v from 'valibot';
import { messageFromBody } from '../http/error-body.ts';
import { messageOf } from '../lib/format.ts';

export type Trouble =
  /** The workflow does not give the token this permission. */
  | 'permission'
  | 'rate-limit'
  /** 404, or 410 for what has expired. */
  | 'not-found'
  /** GitHub gives no response that can be read, or 5xx. */
  | 'unavailable'
  /** Any other refusal, and no token at all. */
  | 'refused';

interface GitHubFailure {
  readonly trouble: Trouble;
  readonly problem: string;
  /** What a user can do about it. */
  readonly fix: string;
  readonly cause?: unknown;
}

/** A request to GitHub that failed after all tries. The caller decides whether the run can go on without the response. */
export class GitHubError extends Error {
  override readonly name = 'GitHubError';
  readonly trouble: Trouble;
  /** What a user can do about it. */
  readonly fix: string;

  /** @param operation a phrase that fits behind "Could not" */
  constructor(operation: string, { trouble, problem, fix, cause }: GitHubFailure) {
    super(`Could not ${operation}: ${problem.replace(/\.$/, '')}.`, { cause });
    this.trouble = trouble;
    this.fix = fix;
  }

  /** GitHub gave no usable response, and may give one later. */
  get isOutage(): boolean {
    return this.trouble === 'rate-limit' || this.trouble === 'unavailable';
  }
}

/** What we read of an error that octokit throws if GitHub responded. */
const Refused = v.object({
  status: v.number(),
  response: v.object({
    headers: v.optional(v.record(v.string(), v.unknown()), {}),
    data: v.unknown(),
  }),
});

/** One failed try, before it is decided whether there is another. */
export interface FailedTry {
  readonly failure: GitHubFailure;
  /** Seconds, as GitHub sends it. */
  readonly retryAfter: string | undefined;
}

/** @param needs the permission, as it is written in a workflow */
export function describeFailure(error: unknown, needs: string, isGhes: boolean): FailedTry {
  const refused = v.safeParse(Refused, error);
  if (!refused.success) return { failure: noResponse(error), retryAfter: undefined };
  const { status, response } = refused.output;
  const { data, headers } = response;
  const message = messageFromBody(typeof data === 'string' ? data : JSON.stringify(data ?? ''));
  const problem = `GitHub answered ${status}${message && `, ${JSON.stringify(message)}`}`;
  const isLimit =
    status === 429 ||
    (status === 403 && (text(headers['x-ratelimit-remaining']) === '0' || /rate limit/i.test(message)));
  const [trouble, fix] = isLimit ? RATE_LIMIT : advice(status, message, { needs, isGhes });
  return { failure: { trouble, problem, fix, cause: error }, retryAfter: text(headers['retry-after']) };
}

const RATE_LIMIT = ['rate-limit', "The token's rate limit at GitHub is used up. Re-run the job later."] as const;

interface Circumstances {
  readonly needs: string;
  readonly isGhes: boolean;
}

function advice(status: number, message: string, { needs, isGhes }: Circumstances): readonly [Trouble, string] {
  if (status >= 500) return ['unavailable', 'Re-run the job; https://www.githubstatus.com lists outages.'];
  if (status === 401)
    return ['refused', 'Check `github-token`: leave it to its default, or give it a token that has not expired.'];
  if (status === 403 && /not accessible by|must have .* rights/i.test(message))
    return ['permission', `Give the job \`permissions: ${needs}\`.`];
  if (status === 404 || status === 410) {
    const older = isGhes ? ', and that this version of GitHub Enterprise Server has this part of the API' : '';
    return [
      'not-found',
      `Check that \`github-token\` belongs to this repository and that the job has \`permissions: ${needs}\`${older}.`,
    ];
  }
  return ['refused', `Check that the job has \`permissions: ${needs}\` and what GitHub says about it.`];
}

function noResponse(cause: unknown): GitHubFailure {
  const problem = `no response from GitHub (${messageOf(cause)})`;
  const fix = 'Re-run the job; on a self-hosted runner, check its proxy and firewall.';
  return { trouble: 'unavailable', problem, fix, cause };
}

export const UNREADABLE: GitHubFailure = {
  trouble: 'unavailable',
  problem: "GitHub's response is not in the documented form",
  fix: 'Re-run the job; a proxy in between may have responded instead.',
};

function text(header: unknown): string | undefined {
  return typeof header === 'string' || typeof header === 'number' ? String(header) : undefined;
}
