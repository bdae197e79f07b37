import { createHash } from 'node:crypto';
import type { Binding } from './seal.ts';

/** What tells one gate of a repository from another. */
export interface GatePlace {
  /** The input `name`. */
  readonly name: string;
  /** Path of the workflow file. */
  readonly workflow: string;
  readonly job: string;
  /** JSON of the matrix leg. */
  readonly matrix: string;
}

export function gateId({ name, workflow, job, matrix }: GatePlace): string {
  return digest([name, workflow, job, matrix], 16);
}

/** For what one step leaves on the machine and in the run: two gates in one job may have one name. */
export function stepId(place: GatePlace & { readonly step: string }): string {
  return digest([gateId(place), place.step], 16);
}

/**
 * Names are exact queries: gate, kind of key and scope are in them, hashed because a branch may hold what a name may not.
 *
 * @param name the input `name`, for people
 */
export function artifactName(
  name: string,
  { kind, gate, mode, scope }: Pick<Binding, 'kind' | 'gate' | 'mode' | 'scope'>,
): string {
  return `${name}-${kind}-${digest([gate, mode, scope], 16)}`;
}

function digest(parts: readonly string[], length: number): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, length);
}
