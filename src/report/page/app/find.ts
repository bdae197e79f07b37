import { isJudged } from '../../../service/analysis.ts';
import { SEVERITIES } from '../../../service/issue.ts';
import { EFFECTS, FACETS, type Facet, type Row } from './rows.ts';

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
  const valuesOfLists = new Map(
    Array.from(lists, ([list, rows]) => [
      list,
      FACETS.map((name) => [name, inOrder(countValues(rows, name))] as const),
    ]),
  );
  return ({ list, query, chosen }) => {
    const listed = lists.get(list) ?? [];
    const words = query.toLowerCase().split(/\s+/);
    const matching = listed.filter(({ text }) => words.every((word) => text.includes(word)));
    const narrow = (facets: readonly Facet[]): readonly Row[] =>
      facets.reduce((left, name) => {
        const wanted = chosen[name] ?? [];
        if (wanted.length === 0) return left;
        return left.filter(({ cells }) => valuesOf(cells[name]).some((value) => wanted.includes(value)));
      }, matching);
    const rows = narrow(FACETS);
    // A facet with a single value offers no choice. All values of the list are shown, so that they keep their position.
    const facets = (valuesOfLists.get(list) ?? []).filter(([, values]) => values.length > 1);
    return {
      rows,
      total: listed.length,
      facets: facets.map(([name, values]) => {
        const others = chosen[name]?.length ? narrow(FACETS.filter((facet) => facet !== name)) : rows;
        const matches = countValues(others, name);
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
  const cells = new Map<string | undefined, number>();
  for (const {
    cells: { [facet]: cell },
  } of rows)
    cells.set(cell, (cells.get(cell) ?? 0) + 1);
  const counts = new Map<string, number>();
  // Many rows have the same cell, so cells are counted before they are split.
  for (const [cell, number] of cells)
    for (const value of valuesOf(cell)) counts.set(value, (counts.get(value) ?? 0) + number);
  return counts;
}

/** Values with an order of their own. All others follow in the order of their number. */
const ORDER: readonly string[] = [...Object.values(EFFECTS), ...SEVERITIES, 'yes', 'no'];

function inOrder(counts: ReadonlyMap<string, number>): readonly string[] {
  const ranked = Array.from(counts, ([value, number]) => ({
    value,
    number,
    rank: ORDER.indexOf(value) + 1 || Infinity,
  }));
  return ranked
    .toSorted((a, b) => (a.rank === b.rank ? b.number - a.number : a.rank - b.rank))
    .map(({ value }) => value);
}

/** The row with which the page opens: what stops the check, else what could not be judged, else a known CRITICAL. */
export function firstRow(rows: readonly Row[]): Row | undefined {
  const issues = rows.filter(({ list }) => list === 'issues');
  return (
    issues.find(({ cells }) => cells.Effect === EFFECTS.stops) ??
    rows.find(({ cause }) => cause) ??
    rows.find(({ content }) => content && !isJudged(content)) ??
    issues.find(({ cells }) => cells.Severity === 'CRITICAL' && cells.Effect === EFFECTS.uncounted) ??
    issues[0] ??
    rows[0]
  );
}
