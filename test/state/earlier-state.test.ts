import { describe, expect, it } from 'vitest';
import { EarlierState } from '../../src/state/earlier-state.ts';
import { daysAgo, document, known, knownPath, open, sha } from './samples.ts';

describe('several states together', () => {
  it('takes the latest analysis of a content, whichever state has it', () => {
    const [old, late] = [known('a', { analysedAt: daysAgo(9) }), known('a', { analysedAt: daysAgo(2) })];
    for (const order of [
      [old, late],
      [late, old],
    ]) {
      const earlierState = new EarlierState(order.map((content) => document({ contents: [content] })));
      expect(earlierState.analysis(sha('a'), '')).toEqual(late);
      expect(earlierState.contents).toEqual([late]);
    }
  });

  it('keeps analyses by other sidekicks apart', () => {
    const [one, two] = [known('a', { sidekicks: 'one' }), known('a', { sidekicks: 'two', analysedAt: daysAgo(5) })];
    for (const contents of [
      [one, two],
      [two, one],
    ]) {
      const earlierState = new EarlierState([document({ contents })]);
      expect(earlierState.analysis(sha('a'), 'one')).toEqual(one);
      expect(earlierState.analysis(sha('a'), 'two')).toEqual(two);
      expect(earlierState.analysis(sha('a'), '')).toBeUndefined();
      expect(earlierState.content(sha('a'))).toEqual(one);
      expect(earlierState.contents).toHaveLength(2);
    }
  });

  it('of two analyses of the same time takes that of the first state', () => {
    const [near, far] = [known('a', { submissionId: 'near' }), known('a', { submissionId: 'far' })];
    const earlierState = new EarlierState([document({ contents: [near] }), document({ contents: [far] })]);
    expect(earlierState.analysis(sha('a'), '')).toEqual(near);
  });

  it('takes the history of a path and of a submission from the first state that has one', () => {
    const near = document({ paths: [knownPath('p', 'a', { seenAt: daysAgo(30) })], open: [open('s', ['a'])] });
    const far = document({
      paths: [knownPath('p', 'b'), knownPath('q', 'b')],
      open: [open('s', ['a', 'b']), open('t', ['c'])],
    });
    const earlierState = new EarlierState([near, far]);
    expect(earlierState.path('p')?.sha256).toBe(sha('a'));
    expect(earlierState.path('q')?.sha256).toBe(sha('b'));
    expect(earlierState.open).toEqual([open('s', ['a']), open('t', ['c'])]);
  });

  it('has no entry for names of JavaScript prototypes', () => {
    const earlierState = new EarlierState([]);
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(earlierState.path(name)).toBeUndefined();
      expect(earlierState.content(name)).toBeUndefined();
    }
  });
});
