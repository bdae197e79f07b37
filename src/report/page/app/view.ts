import { count } from '../../../lib/format.ts';
import { SEVERITIES } from '../../../service/issue.ts';
import { pathKey, sortBy } from '../../facts.ts';
import type { Report } from '../../report.ts';
import { BOXES, type Box, type Entry, FACETS, type Facet } from './entries.ts';

/** The orders of a list. The names are part of the page's address. The first order is that of all reports. */
export const SORTS = [
  ['severity', 'Most serious first'],
  ['file', 'By file'],
  ['date', 'Newest first'],
] as const;
type Sort = (typeof SORTS)[number][0];

/** What the page shows. The view is stored only in the fragment of the address. */
export interface View {
  readonly box: Box;
  readonly sort: Sort;
  readonly query: string;
  /** The chosen values of each facet. Of every facet that applies to it, an entry must have one of these values. */
  readonly chosen: Readonly<Partial<Record<Facet, readonly string[]>>>;
  /** The entry that the reader picked. Without one, the page shows the first entry of the list. */
  readonly at?: string | undefined;
}

export const NO_FILTER: Pick<View, 'query' | 'chosen'> = { query: '', chosen: {} };

/** Changes parts of the view. If the parts do not include `at`, no entry is picked. */
export type Change = (parts: Partial<View>) => void;

export interface Found {
  readonly entries: readonly Entry[];
  readonly boxes: readonly Readonly<{ name: Box; label: string; total: number; matches: number }>[];
  /** For each value that occurs in the list: how many entries match if the value is the only choice of its facet. */
  readonly facets: readonly Readonly<{ name: Facet; label: string; values: readonly (readonly [string, number])[] }>[];
}

export function find(all: readonly Entry[], { box, sort, query, chosen }: View): Found {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = all.filter(({ text }) => words.every((word) => text.includes(word)));
  /** @param ignored a facet whose chosen values do not narrow the list */
  const narrow = (ignored?: Facet): readonly Entry[] =>
    FACETS.filter(([name]) => name !== ignored).reduce((left, [name]) => {
      const wanted = chosen[name] ?? [];
      if (wanted.length === 0) return left;
      return left.filter(({ values }) => values[name]?.some((value) => wanted.includes(value)) ?? true);
    }, matching);
  const found = narrow();
  const entries = inBox(found, box);
  const shown = countValues(entries);
  // All values of the list are shown, so that the values keep their position while a filter shortens the list.
  const facets = Array.from(countValues(inBox(all, box)), ([facet, counts]) => {
    const [name, label] = facet;
    const matches = (chosen[name]?.length ? countValues(inBox(narrow(name), box)) : shown).get(facet);
    return { name, label, values: inOrder(counts, name).map((value) => [value, matches?.get(value) ?? 0] as const) };
  });
  return {
    entries: inSort(entries, sort),
    boxes: BOXES.map(([name, label]) => ({
      name,
      label,
      total: inBox(all, name).length,
      matches: inBox(found, name).length,
    })),
    // A facet with a single value offers no choice.
    facets: facets.filter(({ values }) => values.length > 1),
  };
}

function inBox(entries: readonly Entry[], box: Box): readonly Entry[] {
  return entries.filter(({ boxes }) => boxes.includes(box));
}

function inSort(entries: readonly Entry[], sort: Sort): readonly Entry[] {
  if (sort === 'file') return sortBy(entries, pathKey);
  // Reversed twice, entries of the same date keep their order. Entries without a date come last.
  return sort === 'date' ? sortBy(entries.toReversed(), ({ date }) => date).toReversed() : entries;
}

/** Counts the entries that have each value, for every facet. One pass serves all facets, because there may be many entries. */
function countValues(entries: readonly Entry[]): ReadonlyMap<(typeof FACETS)[number], ReadonlyMap<string, number>> {
  const all = new Map(FACETS.map((facet) => [facet, new Map<string, number>()]));
  for (const { values } of entries)
    for (const [[name], counts] of all)
      for (const value of values[name] ?? []) counts.set(value, (counts.get(value) ?? 0) + 1);
  return all;
}

function inOrder(counts: ReadonlyMap<string, number>, facet: Facet): readonly string[] {
  if (facet === 'severity') return SEVERITIES.filter((severity) => counts.has(severity));
  if (facet === 'folder') return [...counts.keys()].toSorted();
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([value]) => value);
}

/** For example "Active issues: 12 of 150; search: “claim”; Severity: CRITICAL or MAJOR". */
export function describeSelection({ boxes, entries }: Found, { box, query, chosen }: View): string {
  const { label = '', total = 0 } = boxes.find(({ name }) => name === box) ?? {};
  const filters = FACETS.filter(([name]) => chosen[name]?.length).map(
    ([name, label]) => `${label}: ${chosen[name]?.map((value) => value || '(none)').join(' or ')}`,
  );
  const searched = query.trim() === '' ? [] : [`search: “${query.trim()}”`];
  const number = entries.length === total ? count(total) : `${count(entries.length)} of ${count(total)}`;
  return [`${label}: ${number}`, ...searched, ...filters].join('; ');
}

/** The list that the page opens with. */
export function usualBox(all: readonly Entry[], { verdict }: Report): Box {
  const isAboutProblems = verdict === 'error' || verdict === 'skipped';
  const boxes: readonly Box[] = isAboutProblems ? ['problems', 'active'] : ['active', 'problems'];
  return boxes.find((box) => inBox(all, box).length > 0) ?? 'files';
}

/** The fragment of the address that restores the view. A fragment without a list means the usual list. */
export function formatView({ box, sort, query, chosen, at }: View, usual: Box): string {
  const parameters = new URLSearchParams();
  if (at !== undefined) parameters.set('at', at);
  if (box !== usual) parameters.set('box', box);
  if (sort !== SORTS[0][0]) parameters.set('sort', sort);
  if (query.trim() !== '') parameters.set('q', query);
  for (const [name] of FACETS) for (const value of chosen[name] ?? []) parameters.append(name, value);
  return parameters.toString();
}

/**
 * Reads the view from the fragment of the address. If the list or filter of the fragment hides the entry that the
 * fragment names, the view shows the entry's first list without a filter.
 */
export function readView(hash: string, all: readonly Entry[], usual: Box): View {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const [box] = BOXES.find(([name]) => name === parameters.get('box')) ?? [usual];
  const [sort] = SORTS.find(([name]) => name === parameters.get('sort')) ?? SORTS[0];
  const facets = FACETS.filter(([name]) => parameters.has(name));
  const chosen = Object.fromEntries(facets.map(([name]) => [name, parameters.getAll(name)]));
  const view = { box, sort, query: parameters.get('q') ?? '', chosen, at: parameters.get('at') ?? undefined };
  const entry = all.find(({ id }) => id === view.at);
  if (!entry || find(all, view).entries.includes(entry)) return view;
  return { ...NO_FILTER, box: entry.boxes[0], sort, at: entry.id };
}
