import type { Log } from '../log.ts';
import type { SandboxEvent } from './access.ts';
import type { Effort, ServiceClient } from './client.ts';
import { ServiceError } from './service-error.ts';

/** Fires the synthetic event that a test workflow asked for. It is a test of others: it never changes the verdict. */
export async function fireSandboxEvent(
  event: SandboxEvent,
  submissionId: string,
  client: ServiceClient,
  log: Log,
  effort: Effort,
): Promise<void> {
  log.info(`Firing ${event} for submission ${submissionId}: it reaches every active subscription of the workspace`);
  try {
    const dispatched = await client.fireEvent(event, submissionId, effort);
    log.info(`${event}: ${dispatched} dispatched`);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    log.warning(`The sandbox event was not fired: ${error.message}.`);
  }
}
