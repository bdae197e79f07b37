import { createHash } from 'node:crypto';
import type { RunContext } from '../github/context.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { Binding } from './seal.ts';

/** What distinguishes one gate of a repository from another. */
type GateIdentity = Pick<Inputs, 'name' | 'matrix'> & Pick<RunContext, 'workflow' | 'job'>;

export function gateId({ name, workflow, job, matrix }: GateIdentity): string {
  return digest([name, workflow, job, matrix]);
}

/** For the files and artifacts of one step in one attempt: two gates in a job may have the same name. */
export function stepId(identity: GateIdentity & Pick<RunContext, 'step' | 'runAttempt'>): string {
  return digest([gateId(identity), identity.step, String(identity.runAttempt)]);
}

export type StateKind = Binding['kind'];

/** `open` right after creation; at the end `state` if the run stands for its branch, so that no pull request buries it. */
export const SLOTS = ['state', 'pull', 'open'] as const;
export type Slot = (typeof SLOTS)[number];

/** The name of an artifact with a state. It is asked for exactly, so gate and kind of key are in it. */
export function artifactName(name: string, slot: Slot, { gate, mode }: Pick<Binding, 'gate' | 'mode'>): string {
  return `${name}-${slot}-${digest([gate, mode])}`;
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}
