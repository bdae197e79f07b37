import { describe, expect, it } from 'vitest';
import { failure, success } from '../../src/lib/result.ts';
import { type AssetFacts, listedFacts, outcomeOf, withAnswer } from '../../src/service/asset-outcome.ts';
import { ServiceError } from '../../src/service/service-error.ts';
import { issues, refusal } from './things.ts';

const ERROR = new ServiceError('reading the issues', refusal(503));

function list(size: number | undefined, ...ids: readonly string[]): AssetFacts['lists'][number] {
  return { items: issues(...ids), size };
}

const NONE = list(undefined);
const CLEAN: AssetFacts = { isNamed: true, status: 'complete', counts: [0], lists: [], error: undefined };

describe('the one rule', () => {
  // biome-ignore format: a table
  it.each<[string, Partial<AssetFacts>, string]>([
    ['no issues, and no list had to be read',     {},                                                          ''],
    ['as many issues as are counted',             { counts: [2], lists: [list(2, 'a', 'b')] },                 ''],
    ['one list is short, the other is not',       { counts: [2], lists: [list(1, 'a'), list(2, 'a', 'b')] },   ''],
    ['two lists that only together are whole',    { counts: [2], lists: [list(1, 'a'), list(1, 'b')] },        ''],
    ['more issues than are counted',              { counts: [1], lists: [list(2, 'a', 'b')] },                 ''],
    ['a list failed, and the other is whole',     { counts: [1], lists: [list(1, 'a')], error: ERROR },        ''],
    ['it has no name',                            { isNamed: false },                                          'does not say which file'],
    ['it is not complete',                        { status: 'processing' },                                    'reports the status "processing" for this file'],
    ['no status is known',                        { status: undefined },                                       'not complete'],
    ['no answer counts the issues',               { counts: [null, undefined] },                               'not how many issues it found'],
    ['the highest count is the one that matters', { counts: [0, 3, null], lists: [list(2, 'a', 'b')] },        'counts 3 issues, but only 2 could be read'],
    ['no list at all',                            { counts: [1], lists: [NONE] },                              'counts 1 issue, but only 0 could be read'],
    ['an unreadable item more than is counted',   { counts: [2], lists: [list(3, 'a', 'b')] },                 'could not be read, or not all of it'],
    ['a list that is just not too long',          { counts: [1], lists: [list(10_000, 'a')] },                 'could not be read, or not all of it'],
    ['it is not complete, and could not be read', { status: 'processing', error: ERROR },                      'reports the status "processing"'],
    ['no status is known, because of an error',   { isNamed: false, status: undefined, error: ERROR },         'answered 503'],
    ['a list that is too long',                   { counts: [1], lists: [list(10_001, 'a')] },                 'lists 10,001 issues, and only the first 10,000 are read'],
    ['none are counted, but no list was readable', { lists: [NONE], error: ERROR },                            'answered 503'],
  ])('%s', (_, facts, missing) => {
    const { outcome, cause } = outcomeOf({ ...CLEAN, ...facts });
    expect(outcome).toBe(missing === '' ? 'judged' : 'unjudged');
    expect(cause?.message ?? '').toContain(missing);
  });

  it('keeps the issues that could be read, whatever is missing', () => {
    const { issues: kept } = outcomeOf({ ...CLEAN, isNamed: false, counts: [5], lists: [list(1, 'a'), list(1, 'b')] });
    expect(kept.map(({ id }) => id).toSorted()).toEqual(['a', 'b']);
  });
});

describe('what is known of an asset', () => {
  const own = { assetId: 'a', filename: 'a.png', status: 'complete', versionNumber: 1, versionGroupId: null };

  it.each([
    ['live', 3, [3, 1]],
    ['live', null, [null, 1]],
    ['sandbox', null, [0, null, 1]],
    ['sandbox', 2, [0, 2, 1]],
  ] as const)('in the mode %s, listed with %s: every count', (mode, listed, counts) => {
    const answer = success({ ...own, issueCount: 1, issues: [{ id: 'x' }] });
    expect(withAnswer(listedFacts(listed, mode), answer)).toMatchObject({
      isNamed: true,
      status: 'complete',
      counts,
      lists: [{ size: 1 }],
    });
  });

  it('without its answer: why there is none', () => {
    expect(withAnswer(listedFacts(1, 'live'), failure(ERROR))).toMatchObject({ isNamed: false, error: ERROR });
  });
});
