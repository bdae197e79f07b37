import { type Issue, severityRank } from '../service/issue.ts';

/** What two analyses of a file can be compared by. */
export interface Comparable extends Pick<Issue, 'ruleCode' | 'severity'> {
  readonly sidekickId?: string | undefined;
}

export interface Comparison<Current, Earlier> {
  /** What the earlier analysis did not have, or had as less severe. */
  readonly added: ReadonlySet<Current>;
  /** What the earlier analysis had and this one does not. */
  readonly gone: readonly Earlier[];
}

/**
 * Compares two analyses of a file. Issues get new ids in every analysis, so they are matched as a multiset of rule code
 * and sidekick: one more of a kind is new, and so is one that became more severe.
 */
export function compare<Current extends Comparable, Earlier extends Comparable>(
  current: readonly Current[],
  earlier: readonly Earlier[],
): Comparison<Current, Earlier> {
  const pool = Map.groupBy(earlier.toSorted(bySeverity), kindOf);
  const added = new Set<Current>();
  for (const issue of current.toSorted(bySeverity)) {
    const same = pool.get(kindOf(issue)) ?? [];
    // The mildest that is at least as severe, so that the more severe ones are left for those that need them.
    const index = same.findLastIndex(({ severity }) => severityRank(severity) <= severityRank(issue.severity));
    if (index === -1) added.add(issue);
    else same.splice(index, 1);
  }
  return { added, gone: [...pool.values()].flat() };
}

function kindOf({ ruleCode, sidekickId }: Comparable): string {
  return JSON.stringify([ruleCode, sidekickId ?? '']);
}

/** Worst first. */
function bySeverity(a: Comparable, b: Comparable): number {
  return severityRank(a.severity) - severityRank(b.severity);
}
