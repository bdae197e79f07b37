import { describe, expect, it } from 'vitest';
import { EarlierState } from '../../src/state/earlier-state.ts';
import { sha } from '../builders/media.ts';
import { analysed, daysAgo, document, open, pathRecord } from '../builders/states.ts';

describe('several states together', () => {
  it('has the latest analysis of a content first, and of the same time that of the first state', () => {
    const old = analysed('a', { at: daysAgo(9), submissionId: 'old' });
    const late = analysed('a', { at: daysAgo(2) });
    const far = { ...late, submissionId: 'far' };
    for (const order of [
      [old, late, far],
      [late, far, old],
    ]) {
      const earlierState = new EarlierState(order.map((content) => document({ contents: [content] })));
      expect(earlierState.recordsOf(sha('a'))).toEqual([late, far, old]);
      expect(earlierState.records).toEqual([late, far, old]);
    }
  });

  it('keeps analyses by other sidekicks, and as another category, apart', () => {
    const contents = [
      analysed('a', { submissionId: 'x', sidekicks: 'one' }),
      analysed('a', { submissionId: 'y', sidekicks: 'two', at: daysAgo(5) }),
      analysed('a', { submissionId: 'z', sidekicks: 'two', at: daysAgo(7), category: 'document' }),
    ];
    expect(new EarlierState([document({ contents: contents.toReversed() })]).recordsOf(sha('a'))).toEqual(contents);
  });

  it('takes the history of a path from the first state that has one, and what is open from all', () => {
    const near = document({ paths: [pathRecord('p', 'a', { seenAt: daysAgo(30) })], contents: open('s', ['a']) });
    const far = document({
      paths: [pathRecord('p', 'b'), pathRecord('q', 'b')],
      contents: [...open('s', ['a', 'b']), ...open('t', ['c'])],
    });
    const earlierState = new EarlierState([near, far]);
    expect(earlierState.paths.get('p')?.sha256).toBe(sha('a'));
    expect(earlierState.paths.get('q')?.sha256).toBe(sha('b'));
    expect(earlierState.records).toEqual([...open('s', ['a', 'b']), ...open('t', ['c'])]);
  });
});
