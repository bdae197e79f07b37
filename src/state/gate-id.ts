import { createHash } from 'node:crypto';
import { isBranchEvent, type RunContext } from '../github/context.ts';
import type { Inputs } from '../inputs/parse.ts';
import type { RunBinding } from './seal.ts';

/** These values distinguish the gates of a repository. */
export function gateId(gate: Pick<Inputs, 'name' | 'matrix'> & Pick<RunContext, 'workflow' | 'job'>): string {
  return digest([gate.name, gate.workflow, gate.job, gate.matrix]);
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

/** Whether the run checked what its branch holds, not a tag. Only the state of a branch run can be a baseline. */
export function isOfBranchRun({ event, branch }: RunBinding): boolean {
  return isBranchEvent(event) && branch !== '' && !branch.startsWith('refs/');
}

/**
 * The names of a gate's artifacts: `open` for what a run saves right after the creation, and for what it saves at its end
 * `state` if it is a branch run, otherwise `pull`: pull requests would crowd the states of branches out of the list. GitHub
 * lists artifacts by their exact name, so each name has a hash of gate and mode.
 */
export function artifactNames(name: string, binding: RunBinding) {
  const hash = digest([binding.gate, binding.mode]);
  const [state, pull, open] = [`${name}-state-${hash}`, `${name}-pull-${hash}`, `${name}-open-${hash}`];
  return { all: [state, pull, open], state, open, end: isOfBranchRun(binding) ? state : pull };
}

/** The hash in the name of a state's artifact, which identifies a gate and a mode. Undefined for any other artifact. */
export function gateInName(artifact: string): string | undefined {
  return /-(?:state|pull|open)-([0-9a-f]{16})$/.exec(artifact)?.[1];
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}
