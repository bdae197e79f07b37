import type { RunContext } from '../github/context.ts';
import { Knowledge } from './knowledge.ts';
import { branchLine } from './lines.ts';
import type { Loaded } from './store.ts';

/** What earlier runs left, in the two ways it is of use. */
export interface History {
  /** All of it: what need not be sent again. */
  readonly knowledge: Knowledge;
  /** What the base branch itself had, by a run that was not a pull request's. */
  readonly baseline: Knowledge | undefined;
}

export const NO_HISTORY: History = { knowledge: new Knowledge([]), baseline: undefined };

/** Only a pull request and a merge queue have a base to compare with. */
export function historyOf({ states }: Loaded, { baseBranch }: Pick<RunContext, 'baseBranch'>): History {
  const base =
    baseBranch === undefined ? undefined : states.filter(({ binding }) => binding.line === branchLine(baseBranch));
  return {
    knowledge: new Knowledge(states.map(({ document }) => document)),
    baseline: base && base.length > 0 ? new Knowledge(base.map(({ document }) => document)) : undefined,
  };
}
