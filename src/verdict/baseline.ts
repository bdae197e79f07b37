import type { RunContext } from '../github/context.ts';
import type { Issue } from '../service/issue.ts';
import type { StateDocument } from '../state/document.ts';
import { EarlierState } from '../state/earlier-state.ts';
import { byHistory } from '../state/find-states.ts';
import { branchScope, isOfBranch, scopeOf } from '../state/scopes.ts';
import type { SavedState } from '../state/seal.ts';
import type { LoadedStates } from '../state/store.ts';

/** What earlier runs left, in the two ways it is used. */
export interface History {
  /** All of it: what need not be sent again. */
  readonly earlierState: EarlierState;
  /** What the base branch itself holds, by a run that was not a pull request's. */
  readonly baseline: Baseline | undefined;
  /** Earlier runs may have left a state, but none could be used. */
  readonly isStateLost: boolean;
  /** Why a state of the base branch is no baseline. */
  readonly notices: readonly string[];
  /** The scopes that this run saves its state under: only GitHub knows the pull request of a merge group. */
  readonly scopes?: readonly string[] | undefined;
}

type BranchContext = Pick<RunContext, 'baseBranch' | 'baseCommit' | 'branch' | 'commit' | 'pullRequest' | 'event'>;

export const NO_HISTORY: History = {
  earlierState: new EarlierState([]),
  baseline: undefined,
  isStateLost: false,
  notices: [],
};

/** Only a pull request and a merge group have a base to compare with. */
export function historyOf({ states, isFromFile, isLost, scopes }: LoadedStates, context: BranchContext): History {
  const { baseBranch, baseCommit } = context;
  const own = scopeOf(context);
  const scope = baseBranch === undefined ? undefined : branchScope(baseBranch);
  const ofBase = states.filter(
    ({ binding }) => binding.scope === scope && binding.kind === 'state' && isOfBranch(binding.event),
  );
  const base = chooseBase(ofBase, baseCommit, isFromFile);
  const [other] = base ? [] : ofBase;
  return {
    earlierState: new EarlierState(
      states.map(({ binding, document }) => (binding.scope === own ? document : elsewhere(document))),
    ),
    baseline: base && new Baseline(base.document),
    isStateLost: isLost,
    notices: other
      ? [
          `The state in \`state-file\` is of commit ${other.binding.commit.slice(0, 7)}, and the base of this run is ${baseCommit?.slice(0, 7) ?? 'unknown'}, so it is not used as the baseline. Store the file under the base commit's SHA.`,
        ]
      : [],
    scopes,
  };
}

export function missingBaselineNotice({ baseBranch }: Pick<RunContext, 'baseBranch'>): string {
  return baseBranch === undefined
    ? '`fail-on-issues: new` needs a base branch to compare with, and this run has none. Every issue counts as new.'
    : `\`fail-on-issues: new\` found no analysis of the base branch ${baseBranch}. Every issue counts as new. Run this gate on \`push\` to ${baseBranch} as well.`;
}

/**
 * The state of exactly the base commit, otherwise that of the branch's latest run: by run, because a run of an older commit
 * may end, or be re-run, at any time. A file can be an old one that the pull request brings along, so it has to be of
 * exactly the base commit.
 */
function chooseBase(
  states: readonly SavedState[],
  baseCommit: string | undefined,
  isFromFile: boolean,
): SavedState | undefined {
  const latestFirst = states.toSorted((a, b) => byHistory(a.binding, b.binding));
  const exact = latestFirst.find(({ binding }) => binding.commit === baseCommit);
  return exact ?? (isFromFile ? undefined : latestFirst[0]);
}

/** A path of another scope, such as the base branch, is not present in this one until this run finds the same bytes. */
function elsewhere(document: StateDocument): StateDocument {
  return { ...document, paths: document.paths.map((path) => ({ ...path, isPresent: false })) };
}

/**
 * The issues of the base branch. A state also carries analyses of other branches and earlier days. They are not part of
 * the baseline, or a file that was rejected in one pull request would be accepted in the next.
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

  /** The file at this path; if the base has none, the same content elsewhere: it may have been renamed. */
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
