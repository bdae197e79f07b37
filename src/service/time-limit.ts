import type { Deadline } from './with-retries.ts';

/** Once the deadline has passed, one last reading of what is there may take this much longer. */
export const FINAL_READ_MS = 30_000;

/** The same deadline, with a signal that also fires at its end: no request outlasts it. */
export function enforced({ signal, until }: Deadline): Deadline {
  const leftMs = Math.max(0, until - Date.now());
  return { signal: AbortSignal.any([signal, AbortSignal.timeout(leftMs)]), until };
}

/** At least long enough to read once what the service has, however late it is. */
export function withGrace({ signal, until }: Deadline): Deadline {
  return enforced({ signal, until: Math.max(until, Date.now() + FINAL_READ_MS) });
}

/** Whether a request ended because the time was up, and not because the run was told to stop. */
export function isTimeUp(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}
