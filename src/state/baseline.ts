import type { RunContext } from '../github/context.ts';
import type { Inputs } from '../inputs/parse.ts';
import { analysisId, type Baseline, isAnalysed, type StateDocument } from './document.ts';
import { isOfBranchRun } from './gate-id.ts';
import type { Binding, RunBinding, SavedState } from './seal.ts';

/** Whether, and with what, the issues of a run are compared, to be new or known. */
export interface Comparison {
  /** A pull request or merge group is compared with its base branch, a branch run with its own branch. */
  readonly with: 'base branch' | 'own branch';
  /** Undefined if there is nothing to compare with. */
  readonly baseline: Baseline | undefined;
}

/** The branch runs whose states can be the baseline of a run. */
export interface Base extends Pick<Comparison, 'with'> {
  /** Whether the verdict depends on the comparison. */
  readonly isDecisive: boolean;
  /** The commit that counts before any other of the branch. */
  readonly commit?: string | undefined;
  readonly branch?: string | undefined;
  /** The run itself, if it is compared with its own branch: only older runs count, and earlier attempts of this one. */
  readonly run?: RunBinding;
}

/**
 * A branch run is compared with what an older run of its branch, or an earlier attempt of itself, saved at its end.
 * With `fail-on-issues: new`, a pull request or merge group is compared with a run of its base commit, otherwise of its
 * base branch. Any other run is not compared, so that no number comes and goes between two runs of a commit.
 */
export function baseOf(
  binding: RunBinding,
  { isNewBranch, baseCommit: commit, baseBranch: branch }: RunContext,
  { policy, stateFile }: Pick<Inputs, 'policy' | 'stateFile'>,
): Base | undefined {
  const isDecisive = policy.failOnIssues === 'new';
  if (isOfBranchRun(binding)) {
    // A branch of the same name may have been deleted before.
    return { with: 'own branch', isDecisive, ...(!isNewBranch && { branch: binding.branch, run: binding }) };
  }
  if (!isDecisive || branch === undefined) return undefined;
  // A pull request may contain an old state file of the base branch, whose signature is valid. So with `state-file`,
  // only a state of exactly the base commit is a baseline.
  return { with: 'base branch', isDecisive, commit, ...(stateFile === undefined && { branch }) };
}

/** Whether a branch run of the base saved the state at its end, whatever the name of its artifact is. */
export function isBaseline({ binding }: SavedState, { commit, branch, run }: Base): boolean {
  const isOfBase = binding.commit === commit || binding.branch === branch;
  return binding.kind === 'state' && isOfBranchRun(binding) && isOfBase && (!run || isBefore(binding, run));
}

function isBefore(earlier: RunBinding, run: RunBinding): boolean {
  const isSameRun = earlier.runId === run.runId;
  return isSameRun ? earlier.runAttempt < run.runAttempt : Number(earlier.runId) < Number(run.runId);
}

/** The state of the base commit, otherwise of the newest run of the base branch, even if an older run has ended later. */
export function chooseBaseline(states: readonly SavedState[], base: Base): SavedState | undefined {
  const newest = states
    .filter((state) => isBaseline(state, base))
    .toSorted(({ binding: a }, { binding: b }) => newestRunFirst(a, b) || b.runAttempt - a.runAttempt);
  return newest.find(({ binding }) => binding.commit === base.commit) ?? newest[0];
}

/** A re-run keeps the id of its run, and saves its state last. */
export function newestRunFirst(a: Pick<Binding, 'runId'>, b: Pick<Binding, 'runId'>): number {
  return Number(b.runId) - Number(a.runId);
}

/**
 * What a run is compared with, from the state of an earlier run. A branch run of the same commit, such as a re-run,
 * takes over what that run was compared with: otherwise each run would make its own issues known. Undefined if that was
 * nothing.
 */
export function baselineFrom({ binding, document }: SavedState, { run }: Base): Baseline | undefined {
  return binding.commit === run?.commit ? document.comparedWith : heldBy(document, binding.savedAt);
}

/**
 * The files of a branch that have issues. The state also contains analyses from other branches and of older versions.
 * They are left out: with them, a file that was rejected in one pull request would pass in the next, because known
 * issues do not fail the check. A file that the run could not judge has the issues that it was compared with.
 */
function heldBy({ contents, paths, comparedWith, waived }: StateDocument, at: string): Baseline {
  const analyses = new Map(contents.filter(isAnalysed).map((record) => [analysisId(record), record]));
  const isWaived = new Set(waived);
  const held = paths.flatMap((record) => {
    const analysis = record.isPresent ? analyses.get(analysisId(record)) : undefined;
    if (!analysis || analysis.issues.length === 0) return [];
    const issues = analysis.issues.map(({ id, ruleCode, severity, status }) => ({
      id,
      ruleCode,
      severity,
      status,
      ...(isWaived.has(id) && { isWaived: true }),
    }));
    const { submissionId, assetId } = analysis;
    return [{ path: record.path, sha256: record.sha256, submissionId, assetId, issues }];
  });
  const unjudged = (comparedWith?.files ?? []).filter((file) => file.isUnjudged);
  return { at, files: [...held, ...unjudged] };
}
