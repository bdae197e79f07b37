import { createHash } from 'node:crypto';
import type { Binding } from './seal.ts';

/** What distinguishes one gate of a repository from another. */
interface GateIdentity {
  /** The input `name`. */
  readonly name: string;
  /** Path of the workflow file. */
  readonly workflow: string;
  readonly job: string;
  /** JSON of the matrix leg. */
  readonly matrix: string;
}

export function gateId({ name, workflow, job, matrix }: GateIdentity): string {
  return digest([name, workflow, job, matrix], 16);
}

/** For the files and artifacts of one step in one attempt: two gates in a job may have the same name. */
export function stepId(identity: GateIdentity & { readonly step: string; readonly runAttempt: number }): string {
  const attempt = identity.runAttempt === 1 ? [] : [String(identity.runAttempt)];
  return digest([gateId(identity), identity.step, ...attempt], 16);
}

/** `open` right after a submission was created, `state` when the results are there. */
export type StateKind = Binding['kind'];

/** `rescue` holds either kind, if its own name could not be used. */
export type Slot = StateKind | 'rescue';

/**
 * The name of an artifact with a state. It is asked for exactly, so gate and kind of key are in it.
 *
 * @param name the input `name`, for people
 */
export function artifactName(name: string, slot: Slot, { gate, mode }: Pick<Binding, 'gate' | 'mode'>): string {
  return `${name}-${slot}-${digest([gate, mode], 16)}`;
}

function digest(parts: readonly string[], length: number): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, length);
}
