import type { Emulator, Scenario, Workspace } from '../../emulator/emulator.ts';
import type { Endpoint } from '../../emulator/record.ts';
import { type GateOptions, type GateRun, runGate } from './run-action.ts';

export interface Trial {
  /** Path of the workspace that is checked. */
  readonly workspace: string;
  readonly scenario?: Scenario;
  readonly mode?: 'live' | 'sandbox';
  /** Where the service seems to be; the emulator itself unless something stands before it. */
  readonly baseUrl?: string;
  readonly inputs?: GateOptions['inputs'];
  readonly env?: GateOptions['env'];
  /** Forty unless told: two minutes of patience pass in three seconds. */
  readonly clockFactor?: number;
  readonly onStart?: (kill: (signal: NodeJS.Signals) => void, service: Workspace) => void;
  readonly onLine?: GateOptions['onLine'];
}

export interface Tried extends GateRun {
  readonly service: Workspace;
  /** How many requests there were to an endpoint. */
  count(endpoint: Endpoint): number;
  /** Everything that a person gets to read. */
  readonly text: string;
}

/** Runs the action against a workspace of its own at the service. */
export async function tryGate(emulator: Emulator, trial: Trial): Promise<Tried> {
  const { workspace, scenario = {}, mode = 'live', onStart, onLine } = trial;
  const service = emulator.workspace({ scenario, mode });
  const run = await runGate({
    workspace,
    inputs: { 'api-key': service.key, 'base-url': trial.baseUrl ?? emulator.baseUrl, ...trial.inputs },
    clockFactor: trial.clockFactor ?? 40,
    ...(trial.env && { env: trial.env }),
    ...(onLine && { onLine }),
    ...(onStart && { onStart: (kill) => onStart(kill, service) }),
  });
  return {
    ...run,
    service,
    count: (endpoint) => service.requests.filter((request) => request.endpoint === endpoint).length,
    text: run.log.replaceAll(`::add-mask::${service.key}`, '') + run.summary,
  };
}
