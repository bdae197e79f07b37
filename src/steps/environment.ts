import type { GitHubApi } from '../github/api.ts';
import type { RunContext } from '../github/context.ts';
import type { Runner } from '../github/runner.ts';
import { createHttp } from '../http/create-http.ts';
import type { Http } from '../http/http.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { VERSION } from '../lib/version.ts';
import { type Deadline, ServiceClient } from '../service/client.ts';
import type { ServiceAccess } from '../service/endpoints.ts';
import type { StateStore } from '../state/store.ts';

/** What a step uses besides the results of the steps before it, except the compliance service. */
export interface Environment {
  readonly inputs: Inputs;
  readonly runner: Runner;
  readonly context: RunContext;
  readonly github: GitHubApi;
  readonly store: StateStore;
  readonly signal: AbortSignal;
}

/** Confirming, sending, waiting with collecting, and the sandbox event each get all of `wait-timeout-minutes`. */
export function startDeadline({ inputs, signal }: Environment): Deadline {
  return { signal, until: Date.now() + inputs.waitTimeoutMinutes * 60_000 };
}

/** The connection to the compliance service. */
export interface Session {
  readonly access: ServiceAccess;
  readonly http: Http;
  readonly client: ServiceClient;
}

/** Opened when the service is first needed, and closed at the end of the run. */
export class ServiceConnection {
  readonly #context: RunContext;
  readonly #runner: Runner;
  #session: Session | undefined;

  constructor(context: RunContext, runner: Runner) {
    this.#context = context;
    this.#runner = runner;
  }

  /** Undefined if the run did not need the service. */
  get session(): Session | undefined {
    return this.#session;
  }

  open(access: ServiceAccess): Session {
    const { log } = this.#runner;
    const http = createHttp();
    const userAgent = `media-compliance-gate/${VERSION} (run ${this.#context.runId || 'local'})`;
    this.#session = { access, http, client: new ServiceClient({ access, http, userAgent, log }) };
    return this.#session;
  }

  async close(): Promise<void> {
    await this.#session?.http.close();
  }
}
