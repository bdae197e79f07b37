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

/**
 * The two names under which a state may be saved. An upload that was never finalized blocks a name for the rest of the
 * run, so there is a second one. Names are exact queries: gate, kind of key and scope are in them, hashed because a branch
 * may contain characters that a name may not.
 *
 * @param name the input `name`, for people
 */
export function artifactNames(
  name: string,
  { kind, gate, mode, scope }: Pick<Binding, 'kind' | 'gate' | 'mode' | 'scope'>,
): readonly [first: string, second: string] {
  const first = `${name}-${kind}-${digest([gate, mode, scope], 16)}`;
  return [first, `${first}-2`];
}

function digest(parts: readonly string[], length: number): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, length);
}
