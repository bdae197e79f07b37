import type { BaseChange } from '../github/checkout.ts';
import { type Issue, severityRank } from '../service/issue.ts';
import { analysisId, isAnalysed, type StateDocument } from '../state/document.ts';

/** @param baseChange why the baseline that was found does not count; undefined if no baseline was found */
export function missingBaselineNotice(baseChange: BaseChange | undefined): string {
  const { why, fix } = baseChange ?? {
    why: 'no analysis of a base branch was found',
    fix: 'In a pull request, run this gate on `push` to the base branch as well; with `state-file`, restore the state of the base commit.',
  };
  return `\`fail-on-issues: new\` has no baseline, because ${why}. Every issue counts as new. ${fix}`;
}

/** Finds the file of the base branch at a path, otherwise one with the same bytes: the file may have been renamed. */
export type Baseline = (
  path: string,
  sha256: string,
) => { readonly sha256: string; readonly issues: readonly Issue[] } | undefined;

/**
 * The analyses of the files that the base branch has. The state also contains analyses from other branches and of older
 * versions. They are left out: with them, a file that was rejected in one pull request would pass in the next, because
 * issues of the baseline do not fail the check.
 */
export function baselineIn({ contents, paths }: StateDocument): Baseline {
  const analyses = new Map(contents.filter(isAnalysed).map((record) => [analysisId(record), record.issues]));
  const files = paths.flatMap((record) => {
    const issues = record.isPresent ? analyses.get(analysisId(record)) : undefined;
    return issues ? [{ path: record.path, sha256: record.sha256, issues }] : [];
  });
  const byPath = new Map(files.map((file) => [file.path, file]));
  const bySha = new Map(files.map((file) => [file.sha256, file]));
  return (path, sha256) => byPath.get(path) ?? bySha.get(sha256);
}

/**
 * Compares two analyses of a file. Issues get new ids in every analysis, so they are matched as a multiset of rule
 * codes. The sidekick is not compared, because a response may leave it out.
 *
 * @returns `added`: issues that the earlier analysis did not have, or had with a lower severity; `removed`: issues that
 *   only the earlier analysis had
 */
export function compare(
  current: readonly Issue[],
  earlier: readonly Issue[],
): { readonly added: ReadonlySet<Issue>; readonly removed: readonly Issue[] } {
  // An issue without a rule code cannot be recognised, so it is always new.
  const comparable = earlier.filter(({ ruleCode }) => ruleCode !== '');
  const pool = Map.groupBy(comparable.toSorted(bySeverity), ({ ruleCode }) => ruleCode);
  const added = new Set<Issue>();
  for (const issue of current.toSorted(bySeverity)) {
    const same = pool.get(issue.ruleCode) ?? [];
    // Match the mildest earlier issue that is at least as severe, and leave more severe ones for the other issues.
    const index = same.findLastIndex(({ severity }) => severityRank(severity) <= severityRank(issue.severity));
    if (index === -1) added.add(issue);
    else same.splice(index, 1);
  }
  return { added, removed: [...pool.values()].flat() };
}

/** Worst first. */
export function bySeverity(a: Pick<Issue, 'severity'>, b: Pick<Issue, 'severity'>): number {
  return severityRank(a.severity) - severityRank(b.severity);
}
