/** Which issues a reader asked for. Pure: the page's address is its only form outside. */

export const FACETS = ['severity', 'folder', 'rule', 'gate', 'change', 'base', 'status'] as const;
export type FacetName = (typeof FACETS)[number];

/** What an issue is found by. The same bytes may be in several folders; elsewhere there is one value. */
export interface IssueRecord extends Readonly<Partial<Record<FacetName, readonly string[]>>> {
  /** Lower case: path, rule, number, summary and reasoning. */
  readonly text: string;
}

export interface Filters {
  readonly query: string;
  /** An empty set lets everything through. */
  readonly chosen: Readonly<Record<FacetName, ReadonlySet<string>>>;
}

export function perFacet<T>(valueOf: (name: FacetName) => T): Readonly<Record<FacetName, T>> {
  return {
    severity: valueOf('severity'),
    folder: valueOf('folder'),
    rule: valueOf('rule'),
    gate: valueOf('gate'),
    change: valueOf('change'),
    base: valueOf('base'),
    status: valueOf('status'),
  };
}

export const NO_FILTERS: Filters = { query: '', chosen: perFacet(() => new Set()) };

const QUERY_KEY = 'q';
/** The file that a reader of the filtered page went to. */
export const PLACE_KEY = 'at';

/** Undefined if the address holds no filters, but for example the id of an issue. */
export function readFilters(hash: string): Filters | undefined {
  const text = hash.replace(/^#/, '');
  if (text !== '' && !text.includes('=')) return undefined;
  const parameters = new URLSearchParams(text);
  return {
    query: parameters.get(QUERY_KEY) ?? '',
    chosen: perFacet((name) => new Set(parameters.getAll(name).flatMap(splitList))),
  };
}

export function readPlace(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, '')).get(PLACE_KEY) ?? undefined;
}

/** The reverse of `readFilters`; empty if nothing is chosen. */
export function formatFilters({ query, chosen }: Filters): string {
  const parameters = new URLSearchParams();
  if (query.trim() !== '') parameters.set(QUERY_KEY, query);
  for (const name of FACETS) {
    if (chosen[name].size > 0) parameters.set(name, [...chosen[name]].map(escapeValue).join(','));
  }
  return parameters.toString();
}

/** A rule code may hold a comma itself. */
function escapeValue(value: string): string {
  return value.replace(/[\\,]/g, '\\$&');
}

function splitList(list: string): readonly string[] {
  return [...list.matchAll(/(?:\\.|[^\\,])+/gsu)].map(([value]) => value.replace(/\\(.)/gsu, '$1'));
}

export function isNarrowed({ query, chosen }: Filters): boolean {
  return query.trim() !== '' || FACETS.some((name) => chosen[name].size > 0);
}

export interface FilterResult {
  /** In the order of the records. */
  readonly isMatch: readonly boolean[];
  /** For each value the number of issues that choosing it alone in its group would show. */
  readonly counts: Readonly<Record<FacetName, ReadonlyMap<string, number>>>;
}

/** An issue matches if each word is in its text and each group allows its value. */
export function applyFilters(records: readonly IssueRecord[], { query, chosen }: Filters): FilterResult {
  const isInText = query.toLowerCase().split(/\s+/).filter(Boolean).map(wordTest);
  const counts = perFacet(() => new Map<string, number>());
  const add = (name: FacetName, record: IssueRecord): void => {
    for (const value of record[name] ?? []) counts[name].set(value, (counts[name].get(value) ?? 0) + 1);
  };
  const isMatch = records.map((record) => {
    if (!isInText.every((test) => test(record.text))) return false;
    const refusing = FACETS.filter((name) => !allows(name, chosen[name], record));
    // Refused by one group alone, it would be shown if its value were chosen there.
    if (refusing.length === 0) for (const name of FACETS) add(name, record);
    if (refusing.length === 1) for (const name of refusing) add(name, record);
    return refusing.length === 0;
  });
  return { isMatch, counts };
}

/** A number such as #1012 is meant as a whole: not #10123. */
function wordTest(word: string): (text: string) => boolean {
  if (!/^#\d+$/.test(word)) return (text) => text.includes(word);
  const whole = new RegExp(`${word}(?!\\d)`);
  return (text) => whole.test(text);
}

/** What was fixed is not in this version, so it is shown only if it is asked for. */
function allows(name: FacetName, chosen: ReadonlySet<string>, { [name]: values = [] }: IssueRecord): boolean {
  if (name === 'change' && values[0] === 'fixed') return chosen.has('fixed');
  return chosen.size === 0 || values.some((value) => chosen.has(value));
}
