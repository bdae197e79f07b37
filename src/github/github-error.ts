import * as v from 'valibot';
import { messageFromBody } from '../http/error-body.ts';

/** What a request was for, in words that fit behind "could not", and the permission it takes. */
export interface Ask {
  readonly operation: string;
  /** As it is written in a workflow. */
  readonly needs: string;
  /** False where a second try could do it twice. */
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
  /** An answer that does not hold what it should. */
  | 'unreadable';

/** A request to GitHub that failed for good. None of them changes a verdict by itself: the caller knows what to do without. */
export class GitHubError extends Error {
  override readonly name = 'GitHubError';
  readonly trouble: Trouble;
  /** What a user can do about it. */
  readonly fix: string;

  constructor(ask: Ask, trouble: Trouble, words: string, fix: string, options?: ErrorOptions) {
    super(`Could not ${ask.operation}: ${words.replace(/\.$/, '')}.`, options);
    this.trouble = trouble;
    this.fix = fix;
  }
}

export function withoutToken(ask: Ask): GitHubError {
  return new GitHubError(
    ask,
    'no-token',
    'the input `github-token` is empty',
    `Leave \`github-token\` to its default, and give the job \`permissions: ${ask.needs}\`.`,
  );
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
  /** The status that GitHub answered; undefined where it did not answer. */
  readonly status: number | undefined;
  /** Seconds, as GitHub sends it. */
  readonly retryAfter: string | undefined;
}

export function describeFailure(error: unknown, ask: Ask, isGhes: boolean): FailedTry {
  const thrown = v.safeParse(Thrown, error);
  const response = thrown.success ? thrown.output.response : undefined;
  if (!thrown.success || !response) {
    return { error: silent(ask, error), status: undefined, retryAfter: undefined };
  }
  const { status } = thrown.output;
  const words = messageFromBody(
    typeof response.data === 'string' ? response.data : JSON.stringify(response.data ?? ''),
  );
  const told = `GitHub answered ${status}${words && `, ${JSON.stringify(words)}`}`;
  const header = (name: string): string | undefined => text(response.headers[name]);
  const isLimit =
    status === 429 || (status === 403 && (header('x-ratelimit-remaining') === '0' || /rate limit/i.test(words)));
  const [trouble, fix] = isLimit ? RATE_LIMIT : advice(status, words, ask, isGhes);
  return {
    error: new GitHubError(ask, trouble, told, fix, { cause: error }),
    status,
    retryAfter: header('retry-after'),
  };
}

const RATE_LIMIT = ['rate-limit', "The token's rate limit at GitHub is used up. Re-run the job later."] as const;

function advice(status: number, words: string, ask: Ask, isGhes: boolean): readonly [Trouble, string] {
  if (status >= 500) return ['unavailable', 'Re-run the job; https://www.githubstatus.com tells of outages.'];
  if (status === 401)
    return ['bad-token', 'Check `github-token`: leave it to its default, or give it a token that has not expired.'];
  if (status === 403 && /not accessible by|must have .* rights/i.test(words))
    return ['permission', `Give the job \`permissions: ${ask.needs}\`.`];
  if (status === 404) {
    const older = isGhes ? ', and that this version of GitHub Enterprise Server has this part of the API' : '';
    return [
      'not-found',
      `Check that \`github-token\` belongs to this repository and that the job has \`permissions: ${ask.needs}\`${older}.`,
    ];
  }
  return ['refused', `Check that the job has \`permissions: ${ask.needs}\` and what GitHub says about it.`];
}

function silent(ask: Ask, error: unknown): GitHubError {
  const words = error instanceof Error ? error.message : String(error);
  return new GitHubError(
    ask,
    'unavailable',
    `no answer from GitHub (${words})`,
    'Re-run the job; on a runner of your own, check its proxy and firewall.',
    { cause: error },
  );
}

export function unreadable(ask: Ask): GitHubError {
  return new GitHubError(
    ask,
    'unreadable',
    "GitHub's answer does not hold what it should",
    'Re-run the job; a proxy in between may have answered instead.',
  );
}

function text(header: unknown): string | undefined {
  return typeof header === 'string' || typeof header === 'number' ? String(header) : undefined;
}
