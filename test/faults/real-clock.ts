import type { Scenario } from '../../emulator/emulator.ts';

/** A few of the long waits with the real clock: they end, and not too early. */
export interface LongWait {
  readonly name: string;
  readonly faults: NonNullable<Scenario['faults']>;
  readonly verdict: 'fail' | 'error';
  readonly reason: string;
  /** Seconds that it takes at least. */
  readonly atLeast: number;
}

export const LONG_WAITS: readonly LongWait[] = [
  {
    name: 'a service that stops answering is given up after two minutes, and its assets are read',
    faults: [{ on: 'submissions/read', stall: true }],
    verdict: 'fail',
    reason: 'issues',
    atLeast: 100,
  },
  {
    name: 'a service that answers 5xx is given up after two minutes',
    faults: [{ on: 'uploads/direct', status: 503 }],
    verdict: 'error',
    reason: 'service',
    atLeast: 90,
  },
  {
    name: 'Retry-After is obeyed',
    faults: [{ on: 'submissions/create', nth: 1, status: 429, headers: { 'retry-after': '5' } }],
    verdict: 'fail',
    reason: 'issues',
    atLeast: 5,
  },
];
