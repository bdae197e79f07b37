import { plural } from '../lib/format.ts';
import type { Log } from '../lib/log.ts';
import type { Deadline, FiredEvent, ServiceClient } from './client.ts';
import { ServiceError } from './service-error.ts';

/** Fires the synthetic event that a test workflow asked for. It never changes the verdict. */
export async function fireSandboxEvent(
  event: FiredEvent,
  client: ServiceClient,
  { log, deadline }: { readonly log: Log; readonly deadline: Deadline },
): Promise<void> {
  const { eventType, submissionId } = event;
  log.info(`Firing ${eventType} for submission ${submissionId}: it reaches every active subscription of the workspace`);
  try {
    const dispatched = await client.fireEvent(event, deadline);
    log.info(`${eventType}: dispatched to ${plural(dispatched, 'subscription')}`);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    log.warning(`The sandbox event was not fired: ${error.message}.`);
  }
}
