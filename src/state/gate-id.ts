import { createHash } from 'node:crypto';
import type { Binding } from './seal.ts';

/** What tells one gate of a repository from another. */
export interface GatePlace {
  /** The input `name`. */
  readonly name: string;
  /** Path of the workflow file. */
  readonly workflow: string;
  readonly job: string;
  /** The step's id, or the runner's name for it: two gates in one job are two gates. */
  readonly step: string;
  /** JSON of the matrix leg. */
  readonly matrix: string;
}

export function gateId({ name, workflow, job, step, matrix }: GatePlace): string {
  return digest([name, workflow, job, step, matrix], 16);
}

/**
 * Names are exact queries: gate, kind of key and line are in them, hashed because a branch may hold what a name may not.
 *
 * @param name the input `name`, for people
 */
export function artifactName(
  name: string,
  { kind, gate, mode, line }: Pick<Binding, 'kind' | 'gate' | 'mode' | 'line'>,
): string {
  return `${name}-${kind}-${digest([gate, mode, line], 16)}`;
}

function digest(parts: readonly string[], length: number): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, length);
}
