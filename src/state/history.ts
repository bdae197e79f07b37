import type { RunContext } from '../github/context.ts';
import type { Issue } from '../service/issue.ts';
import { Knowledge } from './knowledge.ts';
import { branchLine } from './lines.ts';
import type { FoundState, Loaded } from './store.ts';

/** What earlier runs left, in the two ways it is of use. */
export interface History {
  /** All of it: what need not be sent again. */
  readonly knowledge: Knowledge;
  /** What the base branch itself holds, by a run that was not a pull request's. */
  readonly baseline: Baseline | undefined;
}

export const NO_HISTORY: History = { knowledge: new Knowledge([]), baseline: undefined };

/** Only a pull request and a merge queue have a base to compare with. */
export function historyOf({ states }: Loaded, { baseBranch }: Pick<RunContext, 'baseBranch'>): History {
  const line = baseBranch === undefined ? undefined : branchLine(baseBranch);
  const base = states.find(({ binding }) => binding.line === line && binding.kind === 'state');
  return {
    knowledge: new Knowledge(states.map(({ document }) => document)),
    baseline: base && new Baseline(base),
  };
}

/**
 * The issues of the base branch. A state also carries what other branches and earlier days taught it; none of that is
 * part of what the branch holds, or a file that was turned down in one pull request would be let in by the next.
 */
export class Baseline {
  readonly #knowledge: Knowledge;
  readonly #shaByPath: ReadonlyMap<string, string>;
  readonly #shas: ReadonlySet<string>;

  constructor({ document }: Pick<FoundState, 'document'>) {
    const present = document.paths.filter(({ isPresent }) => isPresent);
    this.#knowledge = new Knowledge([document]);
    this.#shaByPath = new Map(present.map(({ path, sha256 }) => [path, sha256]));
    this.#shas = new Set(this.#shaByPath.values());
  }

  /** Of the file at this path; where the base has none, of the same content elsewhere: it may have been renamed. */
  issuesOf(path: string, sha256: string): readonly Issue[] {
    const known = this.#shaByPath.get(path) ?? (this.#shas.has(sha256) ? sha256 : undefined);
    return known === undefined ? [] : (this.#knowledge.content(known)?.issues ?? []);
  }
}
