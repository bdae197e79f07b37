import type { Cause } from './causes/cause.ts';
import { createGitHubApi, type GitHubApi } from './github/api.ts';
import { readCheckout } from './github/checkout.ts';
import { type RunContext, readContext } from './github/context.ts';
import type { Runner } from './github/runner.ts';
import { unifyProxies } from './http/proxy.ts';
import { type Inputs, readInputs } from './inputs/parse.ts';
import { SECRET_INPUTS } from './inputs/reader.ts';
import { createClient, type ServiceCalls, type ServiceClient } from './service/client.ts';
import type { Deadline } from './service/tries.ts';
import { openStore } from './state/store.ts';

/** What every step of a run can use, besides the findings of the steps before. */
export interface Environment {
  readonly inputs: Inputs;
  readonly context: RunContext;
  readonly runner: Runner;
  readonly github: GitHubApi;
  readonly store: ReturnType<typeof openStore>;
  /** Undefined if the API key or the address of the service is missing, or if an input was rejected. */
  readonly client: ServiceClient | undefined;
  readonly signal: AbortSignal;
}

export type Connected = Environment & { readonly client: ServiceClient };

/** @returns the environment; `problems` is what is wrong with the inputs and the proxy variables */
export async function openEnvironment(
  env: NodeJS.ProcessEnv,
  { runner, signal }: Pick<Environment, 'runner' | 'signal'>,
): Promise<Environment & { readonly problems: readonly Cause[] }> {
  const started = readContext(env);
  runner.mask(...SECRET_INPUTS.map(runner.input));
  const read = readInputs(runner.input, started.workspace);
  const { inputs } = read;
  const proxyProblems = unifyProxies(env);
  const problems = [...read.problems, ...proxyProblems];
  const { searchRoot } = inputs;
  const context = { ...started, searchRoot, ...(await readCheckout(searchRoot, started.workspace)) };
  const client = inputs.service && createClient({ access: inputs.service, ...runner });
  const github = createGitHubApi({ ...context, ...runner, token: inputs.githubToken, signal });
  const store = openStore({ inputs, context, api: github, runner });
  return { inputs, problems, context, runner, github, store, client, signal };
}

/** When a step that begins now has used up its time. */
export function deadlineIn(minutes: number, { signal }: Pick<Environment, 'signal'>): Deadline {
  return { signal, until: performance.now() + minutes * 60_000 };
}

/** Each step that sends requests to the service has its own time limit, which begins when the step starts. */
export function callsOf(environment: Connected): ServiceCalls {
  const { client, runner, inputs } = environment;
  return { client, log: runner.log, deadline: deadlineIn(inputs.waitTimeoutMinutes, environment) };
}
