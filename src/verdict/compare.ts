import { type Issue, severityRank } from '../service/issue.ts';

/** The fields by which two analyses of a file are compared. */
export type Comparable = Pick<Issue, 'ruleCode' | 'severity'>;

export interface Comparison<Current, Earlier> {
  /** Issues that the earlier analysis did not have, or had with a lower severity. */
  readonly added: ReadonlySet<Current>;
  /** Issues that only the earlier analysis had. */
  readonly removed: readonly Earlier[];
}

/**
 * Compares two analyses of a file. Issues get new ids in every analysis, so they are matched as a multiset of rule
 * codes: an additional issue of a rule is new, and so is an issue that became more severe. The sidekick is not
 * compared, because a response may leave it out.
 */
export function compare<Current extends Comparable, Earlier extends Comparable>(
  current: readonly Current[],
  earlier: readonly Earlier[],
): Comparison<Current, Earlier> {
  const pool = Map.groupBy(earlier.filter(hasRule).toSorted(bySeverity), ({ ruleCode }) => ruleCode);
  // An issue without a rule code cannot be recognised, so it is always new.
  const added = new Set<Current>(current.filter((issue) => !hasRule(issue)));
  for (const issue of current.filter(hasRule).toSorted(bySeverity)) {
    const same = pool.get(issue.ruleCode) ?? [];
    // Match the mildest earlier issue that is at least as severe, and leave more severe ones for the other issues.
    const index = same.findLastIndex(({ severity }) => severityRank(severity) <= severityRank(issue.severity));
    if (index === -1) added.add(issue);
    else same.splice(index, 1);
  }
  return { added, removed: [...pool.values()].flat() };
}

function hasRule({ ruleCode }: Comparable): boolean {
  return ruleCode !== '';
}

/** Worst first. */
function bySeverity(a: Comparable, b: Comparable): number {
  return severityRank(a.severity) - severityRank(b.severity);
}
