import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyFilters,
  FACETS,
  type FacetName,
  type Filters,
  formatFilters,
  type IssueRecord,
  isNarrowed,
  NO_FILTERS,
  perFacet,
  readFilters,
} from '../../../src/report/page/client/filters.ts';
import { anyText } from '../arbitrary.ts';

const wellFormed = (text: string): string => text.toWellFormed();

const withChosen = (name: FacetName, ...values: readonly string[]): Filters => ({
  ...NO_FILTERS,
  chosen: { ...NO_FILTERS.chosen, [name]: new Set(values) },
});

const anySet = fc.array(anyText.filter((text) => text !== '')).map((values) => new Set(values));
const anyFilters: fc.Arbitrary<Filters> = fc.record({
  query: anyText,
  chosen: fc.record(perFacet(() => anySet)),
});

/** The values of the records, by group. */
const VALUES: Readonly<Record<FacetName, readonly string[]>> = {
  severity: ['CRITICAL', 'MAJOR'],
  folder: ['campaign/it/', 'campaign/de/'],
  rule: ['A-1', 'B-2', 'C-3'],
  gate: ['stops', 'counted'],
  change: ['new', 'stayed', 'fixed'],
  base: ['new', 'both'],
  status: ['OPEN', 'DISMISSED'],
};
const one = (name: FacetName): fc.Arbitrary<readonly string[]> =>
  fc.constantFrom(...VALUES[name]).map((value) => [value]);
const anyRecord: fc.Arbitrary<IssueRecord> = fc.record(
  {
    ...perFacet(one),
    folder: fc.subarray([...VALUES.folder]),
    text: fc.constantFrom('campaign/it a claim', 'campaign/de a price'),
  },
  { requiredKeys: ['severity', 'rule', 'text'] },
);

describe('the address of a view', () => {
  it('is read back as it was written, whatever the names are', () => {
    fc.assert(
      fc.property(anyFilters, (filters) => {
        const read = readFilters(formatFilters(filters)) ?? NO_FILTERS;
        expect(read.query).toBe(filters.query.trim() === '' ? '' : wellFormed(filters.query));
        for (const name of FACETS)
          expect([...read.chosen[name]]).toEqual([...new Set([...filters.chosen[name]].map(wellFormed))]);
      }),
    );
  });

  it.each([
    ['#issue-1041', undefined],
    ['#severity=CRITICAL,MAJOR', withChosen('severity', 'CRITICAL', 'MAJOR')],
    ['', NO_FILTERS],
    ['#', NO_FILTERS],
    ['#other=1', NO_FILTERS],
  ])('%j', (hash, expected) => {
    expect(readFilters(hash)).toEqual(expected);
  });

  it('is empty if nothing is chosen', () => {
    expect(formatFilters(NO_FILTERS)).toBe('');
    expect(isNarrowed(NO_FILTERS)).toBe(false);
    expect(isNarrowed({ ...NO_FILTERS, query: ' ' })).toBe(false);
    expect(isNarrowed(withChosen('rule', 'A'))).toBe(true);
  });
});

describe('filters', () => {
  const record: IssueRecord = {
    severity: ['CRITICAL'],
    folder: ['campaign/it/', 'campaign/de/'],
    change: ['new'],
    text: 'campaign/it/hero.mp4 health-02 #12 a claim',
  };
  const isShown = (filters: Filters, one: IssueRecord = record): boolean | undefined =>
    applyFilters([one], filters).isMatch[0];

  it.each([
    ['', true],
    ['HEALTH-02', true],
    ['  claim   hero ', true],
    ['claim price', false],
  ])('search %j: %s', (query, expected) => {
    expect(isShown({ ...NO_FILTERS, query })).toBe(expected);
  });

  it('let an issue through if each group allows its value', () => {
    expect(isShown(withChosen('severity', 'MAJOR', 'CRITICAL'))).toBe(true);
    expect(isShown(withChosen('severity', 'MAJOR'))).toBe(false);
    expect(isShown(withChosen('base', 'new'))).toBe(false);
    expect(isShown(withChosen('folder', 'campaign/de/'))).toBe(true);
  });

  it('show a fixed issue only if it is asked for', () => {
    const fixed = { ...record, change: ['fixed'] };
    expect(isShown(NO_FILTERS, fixed)).toBe(false);
    expect(isShown(withChosen('change', 'new'), fixed)).toBe(false);
    expect(isShown(withChosen('change', 'fixed'), fixed)).toBe(true);
  });

  it('count for each value what choosing it alone in its group shows', () => {
    const choices = fc.record({
      query: fc.constantFrom('', 'claim', 'price'),
      chosen: fc.record(perFacet((name) => fc.subarray([...VALUES[name]]).map((values) => new Set(values)))),
    });
    fc.assert(
      fc.property(fc.array(anyRecord), choices, fc.constantFrom(...FACETS), (records, { query, chosen }, name) => {
        const { counts } = applyFilters(records, { query, chosen });
        for (const value of new Set(VALUES[name])) {
          const alone = applyFilters(records, { query, chosen: { ...chosen, [name]: new Set([value]) } });
          expect(counts[name].get(value) ?? 0).toBe(alone.isMatch.filter(Boolean).length);
        }
      }),
    );
  });
});
