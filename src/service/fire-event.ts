import type { Log } from '../github/runner.ts';
import { messageOf, plural } from '../lib/format.ts';
import type { FiredEvent, ServiceClient } from './client.ts';

const MAX_MS = 60_000;

/**
 * Fires the synthetic event that a test workflow requested. A failure is only a warning: the verdict is final, and it
 * still has to be reported.
 */
export async function fireEvent(
  event: FiredEvent,
  { client, log, signal }: { readonly client: ServiceClient; readonly log: Log; readonly signal: AbortSignal },
): Promise<void> {
  const { eventType, submissionId } = event;
  log.info(`Firing ${eventType} for submission ${submissionId}: it reaches every active subscription of the workspace`);
  try {
    const dispatched = await client.fireEvent(event, { signal, until: Date.now() + MAX_MS });
    log.info(`${eventType}: dispatched to ${plural(dispatched, 'subscription')}`);
  } catch (error) {
    log.warning(`The sandbox event was not fired: ${messageOf(error)}.`);
  }
}
