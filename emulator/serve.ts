import { type Emulator, type EmulatorOptions, type RecordedRequest, startEmulator } from './emulator.ts';
import type { Scenario } from './scenario.ts';
import { LIVE_KEY, SANDBOX_KEY } from './workspace.ts';

export interface ServeOptions extends Omit<EmulatorOptions, 'onRequest' | 'storage'> {
  readonly scenario: Scenario;
}

/**
 * Starts an emulator with a live and a sandbox workspace, whose keys are the same each time. It prints every request and ends
 * with a signal.
 */
export async function serveUntilSignal(options: ServeOptions): Promise<Emulator> {
  const { scenario, ...where } = options;
  const emulator = await startEmulator({ ...where, onRequest: (request) => console.log(lineOf(request)) });
  emulator.workspace({ key: LIVE_KEY, scenario });
  emulator.workspace({ key: SANDBOX_KEY, scenario });
  // A second signal ends the process as usual, if closing does not end.
  const end = (): void => void emulator.close();
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  return emulator;
}

/** One line per request. Paths come from clients, so line breaks and commands to the runner in them are escaped. */
function lineOf(request: RecordedRequest): string {
  const took = (request.endedAt ?? request.at) - request.at;
  const outcome = request.status ?? (request.aborted ? 'aborted' : 'no response');
  const path = JSON.stringify(request.path).slice(1, -1).replaceAll('##[', String.raw`#\u0023[`);
  return `${new Date(request.at).toISOString()} ${request.server} ${request.method} ${path} ${outcome} ${took} ms`;
}
