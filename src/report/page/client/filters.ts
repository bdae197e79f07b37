/** Which issues a reader asked for. Pure: the page's address is its only form outside. */

export const FACETS = ['severity', 'gate', 'change', 'base', 'status', 'rule'] as const;
export type FacetName = (typeof FACETS)[number];

/** What an issue is found by. */
export interface IssueRecord extends Readonly<Partial<Record<FacetName, string>>> {
  /** Lower case: path, rule, number, summary and reasoning. */
  readonly text: string;
}

export interface Filters {
  readonly query: string;
  /** An empty set lets everything through. */
  readonly chosen: Readonly<Record<FacetName, ReadonlySet<string>>>;
}

const NONE: ReadonlySet<string> = new Set();
export const NO_FILTERS: Filters = {
  query: '',
  chosen: { severity: NONE, gate: NONE, change: NONE, base: NONE, status: NONE, rule: NONE },
};

const QUERY_KEY = 'q';

/** Undefined if the address holds no filters, but for example the id of an issue. */
export function readFilters(hash: string): Filters | undefined {
  const text = hash.replace(/^#/, '');
  if (text !== '' && !text.includes('=')) return undefined;
  const parameters = new URLSearchParams(text);
  const values = (name: FacetName): ReadonlySet<string> =>
    new Set(parameters.getAll(name).flatMap((list) => splitList(list)));
  return {
    query: parameters.get(QUERY_KEY) ?? '',
    chosen: {
      severity: values('severity'),
      gate: values('gate'),
      change: values('change'),
      base: values('base'),
      status: values('status'),
      rule: values('rule'),
    },
  };
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
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const counts = {
    severity: new Map<string, number>(),
    gate: new Map<string, number>(),
    change: new Map<string, number>(),
    base: new Map<string, number>(),
    status: new Map<string, number>(),
    rule: new Map<string, number>(),
  };
  const add = (name: FacetName, record: IssueRecord): void => {
    const value = record[name];
    if (value !== undefined) counts[name].set(value, (counts[name].get(value) ?? 0) + 1);
  };
  const isMatch = records.map((record) => {
    if (!words.every((word) => record.text.includes(word))) return false;
    const refusing = FACETS.filter((name) => !allows(name, chosen[name], record));
    // Refused by one group alone, it would be shown if its value were chosen there.
    if (refusing.length === 0) for (const name of FACETS) add(name, record);
    if (refusing.length === 1) for (const name of refusing) add(name, record);
    return refusing.length === 0;
  });
  return { isMatch, counts };
}

/** What was fixed is not in this version, so it is shown only if it is asked for. */
function allows(name: FacetName, chosen: ReadonlySet<string>, record: IssueRecord): boolean {
  const value = record[name];
  if (name === 'change' && value === 'fixed') return chosen.has('fixed');
  return chosen.size === 0 || (value !== undefined && chosen.has(value));
}
