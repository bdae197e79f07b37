import * as v from 'valibot';
import { messageFromBody } from '../http/error-body.ts';
import { messageOf } from '../lib/format.ts';

/** What a request is for, as a phrase that fits behind "Could not", and the permission it takes. */
export interface Ask {
  readonly operation: string;
  /** As it is written in a workflow. */
  readonly needs: string;
  /** False if a second try could do it twice. */
  readonly isRepeatable: boolean;
}

export type Trouble =
  /** The workflow does not give the token this permission. */
  | 'permission'
  | 'no-token'
  | 'bad-token'
  | 'rate-limit'
  | 'not-found'
  /** GitHub does not answer, or answers 5xx. */
  | 'unavailable'
  /** Any other refusal. */
  | 'refused'
  /** An answer of another shape than documented. */
  | 'unreadable';

interface GitHubFailure {
  readonly trouble: Trouble;
  readonly problem: string;
  /** What a user can do about it. */
  readonly fix: string;
  readonly cause?: unknown;
}

/** A request to GitHub that failed after all tries. The caller decides whether the run can go on without the answer. */
export class GitHubError extends Error {
  override readonly name = 'GitHubError';
  readonly trouble: Trouble;
  /** What a user can do about it. */
  readonly fix: string;

  constructor(ask: Ask, { trouble, problem, fix, cause }: GitHubFailure) {
    super(`Could not ${ask.operation}: ${problem.replace(/\.$/, '')}.`, { cause });
    this.trouble = trouble;
    this.fix = fix;
  }

  /** GitHub gave no usable answer, and may give one later. */
  get isOutage(): boolean {
    return this.trouble === 'rate-limit' || this.trouble === 'unavailable' || this.trouble === 'unreadable';
  }
}

export function missingTokenError(ask: Ask): GitHubError {
  return new GitHubError(ask, {
    trouble: 'no-token',
    problem: 'the input `github-token` is empty',
    fix: `Leave \`github-token\` to its default, and give the job \`permissions: ${ask.needs}\`.`,
  });
}

/** What we read of an error that octokit throws. */
const Thrown = v.object({
  status: v.number(),
  response: v.optional(
    v.object({
      headers: v.optional(v.record(v.string(), v.unknown()), {}),
      data: v.unknown(),
    }),
  ),
});

/** One failed try, before it is decided whether there is another. */
export interface FailedTry {
  readonly error: GitHubError;
  /** The status that GitHub answered; undefined if it did not answer. */
  readonly status: number | undefined;
  /** Seconds, as GitHub sends it. */
  readonly retryAfter: string | undefined;
}

export function describeFailure(error: unknown, ask: Ask, isGhes: boolean): FailedTry {
  const thrown = v.safeParse(Thrown, error);
  const response = thrown.success ? thrown.output.response : undefined;
  if (!thrown.success || !response) {
    return { error: noAnswer(ask, error), status: undefined, retryAfter: undefined };
  }
  const { status } = thrown.output;
  const message = messageFromBody(
    typeof response.data === 'string' ? response.data : JSON.stringify(response.data ?? ''),
  );
  const problem = `GitHub answered ${status}${message && `, ${JSON.stringify(message)}`}`;
  const header = (name: string): string | undefined => text(response.headers[name]);
  const isLimit =
    status === 429 || (status === 403 && (header('x-ratelimit-remaining') === '0' || /rate limit/i.test(message)));
  const [trouble, fix] = isLimit ? RATE_LIMIT : advice({ status, message, isGhes }, ask);
  return {
    error: new GitHubError(ask, { trouble, problem, fix, cause: error }),
    status,
    retryAfter: header('retry-after'),
  };
}

const RATE_LIMIT = ['rate-limit', "The token's rate limit at GitHub is used up. Re-run the job later."] as const;

interface Refused {
  readonly status: number;
  readonly message: string;
  readonly isGhes: boolean;
}

function advice({ status, message, isGhes }: Refused, ask: Ask): readonly [Trouble, string] {
  if (status >= 500) return ['unavailable', 'Re-run the job; https://www.githubstatus.com lists outages.'];
  if (status === 401)
    return ['bad-token', 'Check `github-token`: leave it to its default, or give it a token that has not expired.'];
  if (status === 403 && /not accessible by|must have .* rights/i.test(message))
    return ['permission', `Give the job \`permissions: ${ask.needs}\`.`];
  if (status === 404 || status === 410) {
    const older = isGhes ? ', and that this version of GitHub Enterprise Server has this part of the API' : '';
    return [
      'not-found',
      `Check that \`github-token\` belongs to this repository and that the job has \`permissions: ${ask.needs}\`${older}.`,
    ];
  }
  return ['refused', `Check that the job has \`permissions: ${ask.needs}\` and what GitHub says about it.`];
}

function noAnswer(ask: Ask, error: unknown): GitHubError {
  const problem = `no answer from GitHub (${messageOf(error)})`;
  const fix = 'Re-run the job; on a self-hosted runner, check its proxy and firewall.';
  return new GitHubError(ask, { trouble: 'unavailable', problem, fix, cause: error });
}

export function unreadableAnswer(ask: Ask): GitHubError {
  return new GitHubError(ask, {
    trouble: 'unreadable',
    problem: "GitHub's answer is not in the documented form",
    fix: 'Re-run the job; a proxy in between may have answered instead.',
  });
}

function text(header: unknown): string | undefined {
  return typeof header === 'string' || typeof header === 'number' ? String(header) : undefined;
}
