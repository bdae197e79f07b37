import { describe, expect, it } from 'vitest';
import { joined, Knowledge } from '../../src/state/knowledge.ts';
import { daysAgo, document, known, knownPath, open, sha } from './samples.ts';

describe('knowledge of several states', () => {
  it('takes the latest analysis of a content, whichever state has it', () => {
    const [old, late] = [known('a', { analysedAt: daysAgo(9) }), known('a', { analysedAt: daysAgo(2) })];
    for (const order of [
      [old, late],
      [late, old],
    ]) {
      const knowledge = new Knowledge(order.map((content) => document({ contents: [content] })));
      expect(knowledge.analysis(sha('a'), '')).toEqual(late);
      expect(knowledge.contents).toEqual([late]);
    }
  });

  it('keeps analyses by other sidekicks apart', () => {
    const [one, two] = [known('a', { settings: 'one' }), known('a', { settings: 'two', analysedAt: daysAgo(5) })];
    for (const contents of [
      [one, two],
      [two, one],
    ]) {
      const knowledge = new Knowledge([document({ contents })]);
      expect(knowledge.analysis(sha('a'), 'one')).toEqual(one);
      expect(knowledge.analysis(sha('a'), 'two')).toEqual(two);
      expect(knowledge.analysis(sha('a'), '')).toBeUndefined();
      expect(knowledge.content(sha('a'))).toEqual(one);
      expect(knowledge.contents).toHaveLength(2);
    }
  });

  it('of two analyses of the same moment takes the nearer', () => {
    const [near, far] = [known('a', { submissionId: 'near' }), known('a', { submissionId: 'far' })];
    const knowledge = new Knowledge([document({ contents: [near] }), document({ contents: [far] })]);
    expect(knowledge.analysis(sha('a'), '')).toEqual(near);
  });

  it('takes the history of a path and of a submission from the nearest state that has one', () => {
    const near = document({ paths: [knownPath('p', 'a', { seenAt: daysAgo(30) })], open: [open('s', ['a'])] });
    const far = document({
      paths: [knownPath('p', 'b'), knownPath('q', 'b')],
      open: [open('s', ['a', 'b']), open('t', ['c'])],
    });
    const knowledge = new Knowledge([near, far]);
    expect(knowledge.path('p')?.sha256).toBe(sha('a'));
    expect(knowledge.path('q')?.sha256).toBe(sha('b'));
    expect(knowledge.open).toEqual([open('s', ['a']), open('t', ['c'])]);
  });

  it('knows nothing of what is only a name of JavaScript', () => {
    const knowledge = new Knowledge([]);
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(knowledge.path(name)).toBeUndefined();
      expect(knowledge.content(name)).toBeUndefined();
    }
  });
});

describe('states of one run, joined', () => {
  it('are one, and of a path the one counts that has seen it last', () => {
    const [late, early] = [daysAgo(1), daysAgo(2)];
    const one = document({
      contents: [known('a')],
      paths: [knownPath('p', 'a', { seenAt: early }), knownPath('q', 'a', { seenAt: late })],
      open: [open('s', ['a'])],
    });
    const two = document({
      contents: [known('b')],
      paths: [knownPath('p', 'b', { seenAt: late }), knownPath('q', 'b', { seenAt: late })],
      open: [open('t', ['b'])],
    });
    expect(joined([one, two])).toEqual({
      contents: [known('a'), known('b')],
      paths: [knownPath('p', 'b', { seenAt: late }), knownPath('q', 'a', { seenAt: late })],
      open: [open('s', ['a']), open('t', ['b'])],
    });
  });
});
