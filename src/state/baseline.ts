import type { Artifact } from '../github/artifacts.ts';
import type { RunContext } from '../github/context.ts';
import type { Inputs } from '../inputs/parse.ts';
import type { Issue } from '../service/issue.ts';
import { type AnalysedRecord, analysisId, isAnalysed } from './document.ts';
import { isOfBranchRun } from './gate-id.ts';
import type { RunBinding, SavedState } from './seal.ts';

/** The files of the base that have issues. If it is empty, every issue is new. Without a baseline none is called new. */
export type Baseline = readonly (Pick<AnalysedRecord, 'submissionId' | 'assetId'> & {
  readonly path: string;
  readonly issues: readonly Issue[];
})[];

/** The branch runs whose states can be the baseline of a run. */
export interface Base {
  /** The commit that counts before any other of the branch. */
  readonly commit?: string | undefined;
  readonly branch?: string | undefined;
  /** The run itself, if it is compared with its own branch: only older runs at another commit count. */
  readonly run?: RunBinding;
}

/**
 * With `fail-on-issues: new`, a pull request or merge group is compared with a run of its base commit, otherwise of its
 * base branch, and a branch run with an older run of its branch. Any other run is not compared.
 */
export function baseOf(
  binding: RunBinding,
  { baseCommit: commit, baseBranch: branch }: Pick<RunContext, 'baseCommit' | 'baseBranch'>,
  { policy, stateFile }: Pick<Inputs, 'policy' | 'stateFile'>,
): Base | undefined {
  if (policy.failOnIssues !== 'new') return undefined;
  if (isOfBranchRun(binding)) return { branch: binding.branch, run: binding };
  if (branch === undefined) return undefined;
  // A pull request may contain an old state file of the base branch, whose signature is valid. So with `state-file`,
  // only a state of exactly the base commit is a baseline.
  return { commit, ...(stateFile === undefined && { branch }) };
}

/** Whether a branch run of the base saved the state at its end. */
export function isBaseline({ binding, isOwn }: SavedState, base: Base): boolean {
  return isOwn && binding.kind === 'state' && isOfBranchRun(binding) && isOfBase(binding, base);
}

/** Whether a run is one of the base, whatever its event. The list of artifacts, or a signed state, tells its branch. */
export function isOfBase(
  { runId, branch = '', commit }: Pick<Artifact, 'runId' | 'branch' | 'commit'>,
  base: Base,
): boolean {
  const { run } = base;
  const isOlder = run === undefined || (Number(runId) < Number(run.runId) && commit !== run.commit);
  return isOlder && (branch === base.branch || (commit !== undefined && commit === base.commit));
}

/**
 * The issues of each path whose issues counted in that run. The state also contains analyses from other branches: with
 * them, a file that was rejected in one pull request would pass in the next, because known issues do not fail the check.
 */
export function baselineFrom({ document: { contents, paths } }: SavedState): Baseline {
  const analyses = new Map(contents.filter(isAnalysed).map((record) => [analysisId(record), record]));
  return paths.flatMap((record) => {
    const analysis = record.isPresent ? analyses.get(analysisId(record)) : undefined;
    return analysis && analysis.issues.length > 0 ? { ...analysis, path: record.path } : [];
  });
}
