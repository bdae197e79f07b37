import type { getOctokit } from '@actions/github';
import * as v from 'valibot';
import { createAgent } from '../http/agent.ts';
import { backoff } from '../http/http.ts';
import { sleep } from '../lib/async.ts';
import type { Calendar } from '../lib/clock.ts';
import { asGitHubError, GitHubError } from './github-error.ts';
import type { Runner } from './runner.ts';

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
/** A download is cut off after this size. No state is that large. */
const MAX_DOWNLOAD_BYTES = 64 * 1024 * 1024;

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
          const data = await readDownload(response.data);
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

async function readDownload(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of stream) {
    size += piece.length;
    pieces.push(piece);
    if (size > MAX_DOWNLOAD_BYTES) break;
  }
  return Buffer.concat(pieces);
}
