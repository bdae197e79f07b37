import { isJudged } from '../../../service/analysis.ts';
import { SEVERITIES } from '../../../service/issue.ts';
import { EFFECTS } from '../../report.ts';
import { FACETS, type Facet, type Row } from './rows.ts';

/** What the list shows. */
export interface View {
  readonly list: Row['list'];
  readonly query: string;
  /** A row must have one of the chosen values of each facet that has any. */
  readonly chosen: Readonly<Partial<Record<Facet, readonly string[]>>>;
}

export const NO_FILTER: Omit<View, 'list'> = { query: '', chosen: {} };

export interface Found {
  readonly rows: readonly Row[];
  /** How many rows the list has without a filter. */
  readonly total: number;
  /** For each value that occurs in the list: how many rows match if the value is the only choice of its facet. */
  readonly facets: readonly { readonly name: Facet; readonly values: readonly (readonly [string, number])[] }[];
}

/** Returns the function that finds the rows of a view. */
export function finderOf(all: readonly Row[]): (view: View) => Found {
  const lists = Map.groupBy(all, ({ list }) => list);
  const facetsOf = new Map(
    Array.from(lists, ([list, rows]) => {
      const facets = FACETS.map((name) => ({ name, values: inOrder(countValues(rows, name)) }));
      // A facet with a single value offers no choice.
      return [list, facets.filter(({ values }) => values.length > 1)];
    }),
  );
  return ({ list, query, chosen }) => {
    const listed = lists.get(list) ?? [];
    const words = query.toLowerCase().split(/\s+/);
    const matching = listed.filter(({ text }) => words.every((word) => text.includes(word)));
    const narrow = (except?: Facet): readonly Row[] =>
      FACETS.reduce((left, name) => {
        const wanted = name === except ? [] : (chosen[name] ?? []);
        if (wanted.length === 0) return left;
        return left.filter(({ cells }) => valuesOf(cells[name]).some((value) => wanted.includes(value)));
      }, matching);
    const rows = narrow();
    return {
      rows,
      total: listed.length,
      // All values of the list are shown, so that they keep their position.
      facets: (facetsOf.get(list) ?? []).map(({ name, values }) => {
        const matches = countValues(chosen[name]?.length ? narrow(name) : rows, name);
        return { name, values: values.map((value) => [value, matches.get(value) ?? 0] as const) };
      }),
    };
  };
}

/** A cell with several values has one in each line. */
function valuesOf(cell = ''): readonly string[] {
  return [...new Set(cell.split('\n'))];
}

function countValues(rows: readonly Row[], facet: Facet): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  // Many rows have the same cell, so rows are grouped before their cells are split.
  for (const [cell, { length }] of Map.groupBy(rows, ({ cells }) => cells[facet]))
    for (const value of valuesOf(cell)) counts.set(value, (counts.get(value) ?? 0) + length);
  return counts;
}

/** Values with an order of their own, the last one first. All others follow in the order of their number. */
const LAST_FIRST: readonly string[] = [...EFFECTS, ...SEVERITIES, 'yes', 'no'].toReversed();

function inOrder(counts: ReadonlyMap<string, number>): readonly string[] {
  return [...counts]
    .toSorted(([a, number], [b, other]) => LAST_FIRST.indexOf(b) - LAST_FIRST.indexOf(a) || other - number)
    .map(([value]) => value);
}

/**
 * The row with which the page opens: what stops the check, else what could not be judged, else a CRITICAL issue that does
 * not count.
 */
export function firstRow(rows: readonly Row[]): Row | undefined {
  const issues = rows.filter(({ list }) => list === 'issues');
  return (
    issues.find(({ cells }) => cells.Effect === 'Stops the check') ??
    rows.find(({ cause }) => cause) ??
    rows.find(({ content }) => content && !isJudged(content)) ??
    issues.find(({ cells }) => cells.Severity === 'CRITICAL' && cells.Effect === 'Does not count') ??
    issues[0] ??
    rows[0]
  );
}
