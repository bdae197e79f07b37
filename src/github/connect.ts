import type { getOctokit } from '@actions/github';
import * as v from 'valibot';
import { asConnectionError, ConnectionError } from '../http/http.ts';
import { createAgent, readAll } from '../http/transport.ts';
import { backoff, sleep } from '../lib/async.ts';
import type { Calendar } from '../lib/clock.ts';
import { messageFromBody, messageOf, parseJson } from '../lib/format.ts';
import type { Runner } from './runner.ts';

/**
 * `permission`: the workflow does not give the token the permission. `not-found`: status 404, or 410 for an expired
 * artifact. `unavailable`: no readable response, a page of another server, or status 5xx. `refused`: any other status,
 * or a missing token.
 */
type Trouble = 'permission' | 'rate-limit' | 'not-found' | 'unavailable' | 'refused';

/** A request to GitHub failed after all tries. The caller decides whether the run can go on without the response. */
export class GitHubError extends Error {
  override readonly name = 'GitHubError';
  readonly trouble: Trouble;
  /** What the user can do about the problem. */
  readonly fix: string;
  /** Undefined if there was no response. */
  readonly status?: number | undefined;

  /** @param operation a phrase that fits behind "Could not" */
  constructor(
    operation: string,
    { trouble, problem, fix, status }: Pick<GitHubError, 'trouble' | 'fix' | 'status'> & { readonly problem: string },
    options?: ErrorOptions,
  ) {
    super(`Could not ${operation}: ${problem}.`, options);
    this.trouble = trouble;
    this.fix = fix;
    this.status = status;
  }

  /** Whether the same request may succeed later. */
  get isOutage(): boolean {
    return this.trouble === 'rate-limit' || this.trouble === 'unavailable';
  }

  /** What happened, and what to do. */
  get notice(): string {
    return `${this.message} ${this.fix}`;
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

type FailedRequest = Readonly<Record<'operation' | 'host' | 'needs' | 'advice', string>> & Pick<Runner, 'clean'>;

/**
 * `host` is that of the API; `needs` is the permission for the request, as it is written in a workflow; `advice` is
 * added to what a user can do about an outage.
 */
function asGitHubError(cause: unknown, { operation, host, needs, advice, clean }: FailedRequest): GitHubError {
  if (cause instanceof GitHubError) return cause;
  const failure = (trouble: Trouble, problem: string, step: string, status?: number): GitHubError => {
    const fix = trouble === 'unavailable' ? `${step} ${advice}`.trimEnd() : step;
    return new GitHubError(operation, { trouble, problem, fix, status }, { cause });
  };
  if (v.isValiError(cause)) return failure('unavailable', 'the response is not in the documented form', IN_BETWEEN);
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
  const isMissing = status === 404 || status === 410;
  const isUnauthorized = /not accessible by|must have .* rights/i.test(message);
  const check = `Check that \`github-token\` belongs to this repository, that the job has \`permissions: ${needs}\`, and what the server says.`;
  // The first row that applies counts. Statuses of other hosts, such as the storage, say nothing about permissions.
  const rows: readonly (readonly [applies: boolean, trouble: Trouble, fix: string])[] = [
    [sender !== host, 'unavailable', `Re-run the job; on a self-hosted runner, allow ${sender} in proxy and firewall.`],
    [status === 429 || (status === 403 && isUsedUp), 'rate-limit', 'The rate limit is used up. Re-run the job later.'],
    [status >= 500, 'unavailable', 'Re-run the job. https://www.githubstatus.com lists outages of github.com.'],
    [status === 401, 'refused', 'Leave `github-token` to its default, or give it a token that has not expired.'],
    [status === 403 && isUnauthorized, 'permission', `Give the job \`permissions: ${needs}\`.`],
    [isMissing && isPage(data), 'unavailable', IN_BETWEEN],
    [isMissing, 'not-found', check],
  ];
  const [, trouble, fix] = rows.find(([applies]) => applies) ?? [true, 'refused', check];
  const problem = `${sender} responded with ${status}${message && `, ${JSON.stringify(message)}`}`;
  return failure(trouble, problem, fix, status);
}

const IN_BETWEEN = 'Re-run the job; a proxy in between may have responded instead.';

/** GitHub's API responds with JSON or with nothing. Anything else is the page of a gateway or a storage. */
function isPage(data: unknown): boolean {
  if (data instanceof ArrayBuffer) return data.byteLength > 0;
  return typeof data === 'string' && data.trim() !== '' && typeof parseJson(data) !== 'object';
}

type Octokit = ReturnType<typeof getOctokit>;

export interface GitHubOptions extends Pick<Runner, 'clean'> {
  /** owner/name */
  readonly repository: string;
  readonly token: string;
  readonly apiUrl: string;
  readonly signal: AbortSignal;
  readonly calendar?: Calendar;
  /** Milliseconds before the next try; tests use shorter pauses. */
  readonly pause?: (attempt: number) => number;
}

const TRIES = 3;
/** A try is given up after this time without a byte. */
const SILENCE_MS = 20_000;
/** No larger download is read, and so no larger state. The state of ten thousand files is far smaller. */
export const MAX_DOWNLOAD_BYTES = 64 * 1024 * 1024;

/** A log that drops everything: octokit would write to the console without the escaping of `Log`. */
const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/**
 * The returned function throws a `GitHubError` if a request fails. `operation` fits behind "Could not"; `needs` is the
 * permission for the operation, as it is written in a workflow; `advice` says what to do if an outage does not end.
 */
export function connect({ token, apiUrl, signal, calendar, clean, pause = backoff }: GitHubOptions) {
  const host = URL.parse(apiUrl)?.host ?? 'GitHub';
  let ourFetch: ReturnType<typeof loadFetch> | undefined;
  return async <T>(
    operation: string,
    needs: string,
    work: (octokit: Octokit) => Promise<T>,
    advice = '',
  ): Promise<T> => {
    const fail = (error: unknown): GitHubError => asGitHubError(error, { operation, host, needs, advice, clean });
    if (token === '') {
      const fix = `Leave \`github-token\` to its default, and give the job \`permissions: ${needs}\`.`;
      throw new GitHubError(operation, { trouble: 'refused', problem: 'the input `github-token` is empty', fix });
    }
    // The client is loaded when it is first needed: a run that sends GitHub no request saves a tenth of a second.
    const github = await import('@actions/github');
    const request = { fetch: await (ourFetch ??= loadFetch()), signal, log: SILENT };
    const octokit = github.getOctokit(token, { baseUrl: apiUrl, log: SILENT, request });
    octokit.hook.wrap('request', async (send, options) => {
      for (let attempt = 1; ; attempt++) {
        signal.throwIfAborted();
        try {
          const response = await send(options);
          const { date, age } = response.headers;
          if (age === undefined) calendar?.compare('GitHub', date);
          // If a response is cut off, the client returns it as a text.
          if (typeof response.data === 'string') throw new Error('the response is incomplete or not JSON');
          if (!(response.data instanceof ReadableStream)) return response;
          // A download is read here, so that an interrupted or damaged one is tried again.
          const data = (await readAll(response.data, MAX_DOWNLOAD_BYTES)) ?? Buffer.alloc(0);
          options.request?.['assertWhole'](data);
          return { ...response, data };
        } catch (error) {
          signal.throwIfAborted();
          const failure = fail(error);
          // A POST is not repeated: a comment that is created twice stays on the pull request.
          const canRepeat = failure.trouble === 'unavailable' && options.method !== 'POST';
          if (!canRepeat || attempt === TRIES) throw failure;
          await sleep(pause(attempt), signal);
        }
      }
    });
    try {
      return await work(octokit);
    } catch (error) {
      throw v.isValiError(error) ? fail(error) : error;
    }
  };
}

/** GitHub redirects a download to another host. The client's own `fetch` would use the proxy of the first host for it. */
async function loadFetch(): Promise<typeof fetch> {
  const timeouts = { headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS };
  const [{ fetch }, dispatcher] = await Promise.all([import('undici'), createAgent(timeouts)]);
  return async (url, options) => await fetch(url, { ...options, dispatcher });
}
