import type { getOctokit } from '@actions/github';
import * as v from 'valibot';
import { asConnectionError, ConnectionError, messageFromBody } from '../http/http.ts';
import { createAgent } from '../http/transport.ts';
import { backoff, sleep } from '../lib/async.ts';
import { messageOf, parseJson } from '../lib/format.ts';
import type { Runner } from './runner.ts';

/**
 * `outage`: the same request may succeed later (no response, a page of another server, 5xx, or a rate limit). `deleted`:
 * 404, or 410 for an expired artifact. `refused`: any other status, or a missing token.
 */
type Trouble = 'outage' | 'deleted' | 'refused';

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

const RERUN =
  'Re-run the job. If this happens again, look at https://www.githubstatus.com, and at the proxy in between.';

/** What the message of an error says about the request: `host` is that of the API, the rest is described at `connect`. */
type FailedRequest = Readonly<Record<'operation' | 'host' | 'needs', string>> & Pick<Runner, 'clean'>;

function asGitHubError(cause: unknown, { operation, host, needs, clean }: FailedRequest): GitHubError {
  if (cause instanceof GitHubError) return cause;
  const failure = (trouble: Trouble, problem: string, fix: string): GitHubError =>
    new GitHubError(operation, { trouble, problem, fix }, { cause });
  if (v.isValiError(cause)) return failure('outage', 'the response is not in the documented form', RERUN);
  const refused = v.safeParse(Refused, cause);
  if (!refused.success) {
    const error = asConnectionError(cause, 'no connection');
    const { fix = RERUN } = error instanceof ConnectionError ? error : {};
    return failure('outage', `no response from ${host} (${messageOf(error)})`, fix);
  }
  const { status, response } = refused.output;
  const { data, headers, url } = response;
  const sender = URL.parse(url)?.host ?? host;
  const message = messageFromBody(clean(typeof data === 'string' ? data : JSON.stringify(data ?? '')));
  const problem = `${sender} responded with ${status}${message && `, ${JSON.stringify(message)}`}`;
  const isLimit = status === 403 && (headers['x-ratelimit-remaining'] === '0' || /rate limit/i.test(message));
  // A refusal of another host, such as the storage, says nothing about permissions.
  const isOutage = status >= 500 || status === 429 || isLimit || sender !== host || isPage(data);
  if (isOutage) return failure('outage', problem, RERUN);
  const isDeleted = status === 404 || status === 410;
  const fix = `Give the job \`permissions: ${needs}\`. If it has this permission, leave \`github-token\` to its default, or give it a token of this repository that has not expired.`;
  return failure(isDeleted ? 'deleted' : 'refused', problem, fix);
}

/** GitHub's API responds with JSON or with nothing. Anything else is the page of a gateway or a storage. */
function isPage(data: unknown): boolean {
  if (data instanceof ArrayBuffer) return data.byteLength > 0;
  return typeof data === 'string' && data.trim() !== '' && typeof parseJson(data) !== 'object';
}

export type Octokit = ReturnType<typeof getOctokit>;

export interface GitHubOptions extends Pick<Runner, 'clean'> {
  /** owner/name */
  readonly repository: string;
  readonly token: string;
  readonly apiUrl: string;
  readonly signal: AbortSignal;
  /** Milliseconds before the next try; tests use shorter pauses. */
  readonly pause?: (attempt: number) => number;
}

const TRIES = 3;

/** A log that drops everything: octokit would write to the console without the escaping of `Log`. */
const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export type Send = ReturnType<typeof connect>;

/**
 * The returned function runs `work`, which makes one request and reads its response, up to three times. It throws a
 * `GitHubError` if every try fails. `operation` fits behind "Could not"; `needs` is the permission for the request, as it
 * is written in a workflow.
 */
export function connect({ token, apiUrl, signal, clean, pause = backoff }: GitHubOptions) {
  const host = URL.parse(apiUrl)?.host ?? 'GitHub';
  const load = async (): Promise<Octokit> => {
    const [github, fetch] = await Promise.all([import('@actions/github'), loadFetch()]);
    return github.getOctokit(token, { baseUrl: apiUrl, log: SILENT, request: { fetch, signal, log: SILENT } });
  };
  let loaded: Octokit | undefined;
  return async <T>(operation: string, needs: string, work: (octokit: Octokit) => Promise<T>): Promise<T> => {
    if (token === '') {
      const fix = `Remove \`github-token\` from the step: its default is the token of the job, which needs \`permissions: ${needs}\`.`;
      throw new GitHubError(operation, { trouble: 'refused', problem: 'the input `github-token` is empty', fix });
    }
    // The client is loaded when it is first needed: a run that sends GitHub no request saves a tenth of a second.
    const octokit = (loaded ??= await load());
    for (let attempt = 1; ; attempt++) {
      try {
        return await work(octokit);
      } catch (error) {
        signal.throwIfAborted();
        const failure = asGitHubError(error, { operation, host, needs, clean });
        if (failure.trouble !== 'outage' || attempt === TRIES) throw failure;
        await sleep(pause(attempt), signal);
      }
    }
  };
}

/** Follows no redirect but the one from an archive to its storage, which gets no token. */
async function loadFetch(): Promise<typeof fetch> {
  const [{ fetch }, dispatcher] = await Promise.all([import('undici'), createAgent()]);
  return async (url, options) => {
    const request = { dispatcher, redirect: 'manual' } as const;
    let response = await fetch(url, { ...options, ...request });
    const location = response.headers.get('location');
    if (isRedirect(response) && location !== null && /\/artifacts\/\d+\/zip$/.test(response.url)) {
      await response.body?.cancel();
      response = await fetch(location, { signal: options?.signal ?? null, ...request });
    }
    // octokit takes every status below 400 for a success.
    if (isRedirect(response)) throw new Error(`a redirect with ${response.status}, which is not followed`);
    return response;
  };
}

function isRedirect({ status }: Pick<Response, 'status'>): boolean {
  return status >= 300 && status < 400;
}

export const PAGE_SIZE = 100;
/** Limits the lists of comments and changed files: anybody can add to them. GitHub lists at most 3,000 changed files. */
const MAX_PAGES = 30;

/** A list, or one page of it. */
export interface List<Item> {
  readonly items: readonly Item[];
  /** Whether there may be more items than were read. */
  readonly isCut: boolean;
}

/** A page with fewer items than requested need not be the last one. */
export function asPage<Item>(
  items: readonly Item[],
  { link = '' }: { readonly link?: string | undefined },
): List<Item> {
  return { items, isCut: items.length >= PAGE_SIZE || /rel="?next\b/.test(link) };
}

/** Counts the pages itself: a `Link` header may lead to another host, or to the same page again. */
export async function readPages<Item>(
  readPage: (page: Readonly<Record<'page' | 'per_page', number>>) => Promise<List<Item>>,
): Promise<List<Item>> {
  const items: Item[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const found = await readPage({ page, per_page: PAGE_SIZE });
    items.push(...found.items);
    if (!found.isCut) return { items, isCut: false };
  }
  return { items, isCut: true };
}

export function undefinedIfDeleted(error: unknown): undefined {
  if (!(error instanceof GitHubError) || error.trouble !== 'deleted') throw error;
}
