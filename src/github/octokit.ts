import type { getOctokit } from '@actions/github';
import { backoff, retryAfterMs } from '../http/http.ts';
import { sleep } from '../lib/clock.ts';
import { type Ask, describeFailure, type FailedTry, missingTokenError } from './github-error.ts';

type Octokit = ReturnType<typeof getOctokit>;

/** Goes into every request's options. */
interface RequestControl {
  readonly signal: AbortSignal;
  readonly log: typeof SILENT;
}

export interface GitHubConnection {
  readonly token: string;
  readonly apiUrl: string;
  readonly isGhes: boolean;
  readonly signal: AbortSignal;
  /** Milliseconds before the next try; tests use shorter pauses. */
  readonly pause?: (attempt: number) => number;
}

const TRIES = 3;
const ONE_TRY_MS = 20_000;
/** A limit that ends later than that is not worth a running job's time. */
const MAX_WAIT_MS = 10_000;

/** octokit would write to the console, past everything that keeps the log clean. */
const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Sends one request to GitHub, with a few tries in bounded time. */
export type Send = <T>(ask: Ask, request: (octokit: Octokit, control: RequestControl) => Promise<T>) => Promise<T>;

export function connect({ token, apiUrl, isGhes, signal, pause = backoff }: GitHubConnection): Send {
  let loading: Promise<Octokit> | undefined;
  // Loaded when first needed: it costs a run that asks GitHub nothing a tenth of a second.
  const load = async (): Promise<Octokit> => {
    const github = await import('@actions/github');
    // Only at the top level: options for requests would take the place of the ones that know the proxy.
    return github.getOctokit(token, { baseUrl: apiUrl, log: SILENT });
  };
  return async (ask, request) => {
    if (token === '') throw missingTokenError(ask);
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      try {
        loading ??= load();
        const limit = AbortSignal.any([signal, AbortSignal.timeout(ONE_TRY_MS)]);
        return await request(await loading, { signal: limit, log: SILENT });
      } catch (error) {
        signal.throwIfAborted();
        const failure = describeFailure(error, ask, isGhes);
        const wait = attempt < TRIES ? waitBeforeNext(failure, ask, pause(attempt)) : undefined;
        if (wait === undefined) throw failure.error;
        await sleep(wait, signal);
      }
    }
  };
}

/** Undefined if another try is of no use, or could do harm. */
function waitBeforeNext({ error, retryAfter }: FailedTry, ask: Ask, pause: number): number | undefined {
  if (error.trouble === 'rate-limit') {
    // A request that met the limit was not carried out.
    const wait = retryAfterMs(retryAfter);
    return wait !== undefined && wait <= MAX_WAIT_MS ? wait : undefined;
  }
  return error.trouble === 'unavailable' && ask.isRepeatable ? pause : undefined;
}
