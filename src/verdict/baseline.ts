import type { RunContext } from '../github/context.ts';
import type { Issue } from '../service/issue.ts';
import type { StateDocument } from '../state/document.ts';
import { EarlierState } from '../state/earlier-state.ts';
import { branchScope, isOfBranch, scopeOf } from '../state/scopes.ts';
import type { Loaded } from '../state/store.ts';

/** What earlier runs left, in the two ways it is of use. */
export interface History {
  /** All of it: what need not be sent again. */
  readonly earlierState: EarlierState;
  /** What the base branch itself holds, by a run that was not a pull request's. */
  readonly baseline: Baseline | undefined;
}

type Place = Pick<RunContext, 'baseBranch' | 'branch' | 'pullRequest' | 'event'>;

export const NO_HISTORY: History = { earlierState: new EarlierState([]), baseline: undefined };

/** Only a pull request and a merge queue have a base to compare with. */
export function historyOf({ states }: Loaded, context: Place): History {
  const { baseBranch } = context;
  const own = scopeOf(context);
  const scope = baseBranch === undefined ? undefined : branchScope(baseBranch);
  const base = states.find(
    ({ binding }) => binding.scope === scope && binding.kind === 'state' && isOfBranch(binding.event),
  );
  return {
    earlierState: new EarlierState(
      states.map(({ binding, document }) => (binding.scope === own ? document : elsewhere(document))),
    ),
    baseline: base && new Baseline(base.document),
  };
}

/** What another scope holds is known, but it is not here until this run finds the same bytes. */
function elsewhere(document: StateDocument): StateDocument {
  return { ...document, paths: document.paths.map((path) => ({ ...path, isPresent: false })) };
}

/**
 * The issues of the base branch. A state also carries what other branches and earlier days taught it; none of that is
 * part of what the branch holds, or a file that was turned down in one pull request would be let in by the next.
 */
export class Baseline {
  readonly #byPath = new Map<string, BaseFile>();
  readonly #bySha = new Map<string, BaseFile>();

  constructor({ contents, paths }: StateDocument) {
    const analyses = new Map(contents.map((content) => [analysisOf(content), content.issues]));
    for (const path of paths) {
      const issues = path.isPresent ? analyses.get(analysisOf(path)) : undefined;
      if (!issues) continue;
      const file = { sha256: path.sha256, issues };
      this.#byPath.set(path.path, file);
      this.#bySha.set(path.sha256, file);
    }
  }

  /** The file at this path; where the base has none, the same content elsewhere: it may have been renamed. */
  fileAt(path: string, sha256: string): BaseFile | undefined {
    return this.#byPath.get(path) ?? this.#bySha.get(sha256);
  }
}

/** What the base has judged of a file. */
interface BaseFile {
  readonly sha256: string;
  readonly issues: readonly Issue[];
}

/** The same content may have been analysed more than once, by other sidekicks. */
function analysisOf({ sha256, submissionId }: { readonly sha256: string; readonly submissionId: string }): string {
  return `${sha256} ${submissionId}`;
}
