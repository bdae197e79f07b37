import { createHash } from 'node:crypto';
import { isBranchEvent, type RunContext } from '../github/context.ts';
import type { Inputs } from '../inputs/parse.ts';
import type { Binding, RunBinding } from './seal.ts';

/** The values that distinguish the gates of a repository. */
type GateIdentity = Pick<Inputs, 'name' | 'matrix'> & Pick<RunContext, 'workflow' | 'job'>;

export function gateId({ name, workflow, job, matrix }: GateIdentity): string {
  return digest([name, workflow, job, matrix]);
}

/** Identifies the files and artifacts of one step in one attempt: two gates in a job may have the same name. */
export function stepId(identity: GateIdentity & Pick<RunContext, 'step' | 'runAttempt'>): string {
  return digest([gateId(identity), identity.step, String(identity.runAttempt)]);
}

export function bindRun(
  inputs: Pick<Inputs, 'name' | 'matrix'>,
  context: RunContext,
  key: Pick<RunBinding, 'mode' | 'apiKeyId'>,
): RunBinding {
  const { repositoryId, runId, runAttempt, event, branch, eventCommit, pullRequest, head } = context;
  const run = { repositoryId, gate: gateId({ ...context, ...inputs }), ...key, runId, runAttempt, event };
  // In a run for a pull request, `assertHeadCheckedOut` checks HEAD before a state is used. In any other run, a HEAD that
  // is not the commit of the event may belong to any branch.
  const isBranchKnown = pullRequest !== undefined || head === eventCommit;
  return isBranchKnown ? { ...run, branch, commit: eventCommit } : { ...run, branch: '', commit: head ?? '' };
}

/**
 * Each slot is an artifact name of a gate. `state`: final states of branch runs, apart from those of pull requests,
 * which would crowd them out of the list. `pull`: final states of other runs. `open`: states saved right after a
 * submission is created.
 */
export const SLOTS = ['state', 'pull', 'open'] as const;
export type Slot = (typeof SLOTS)[number];

/** Whether the run checked what its branch holds, not a tag. Only the state of a branch run can be a baseline. */
export function isOfBranchRun({ event, branch }: RunBinding): boolean {
  return isBranchEvent(event) && branch !== '' && !branch.startsWith('refs/');
}

/** The slot in which a run saves its final state. */
export function endSlot(binding: RunBinding): Slot {
  return isOfBranchRun(binding) ? 'state' : 'pull';
}

/** GitHub lists artifacts by their exact name, so the name has a hash of the gate and of the mode, live or sandbox. */
export function artifactName(name: string, slot: Slot, { gate, mode }: Pick<Binding, 'gate' | 'mode'>): string {
  return `${name}-${slot}-${digest([gate, mode])}`;
}

/** The hash in the name of a state's artifact, which identifies a gate and a mode. Undefined for any other artifact. */
export function gateInName(artifact: string): string | undefined {
  return /-(?:state|pull|open)-([0-9a-f]{16})$/.exec(artifact)?.[1];
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}
