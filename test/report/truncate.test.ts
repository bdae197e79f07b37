import { expect, it } from 'vitest';
import { truncate } from '../../src/report/budget.ts';

// biome-ignore format: a table
it.each([
  ['abc',     3, 'abc'],
  ['abcd',    3, 'ab…'],
  ['abc',     0, '…'],
  // A whole character or none: these take two units each.
  ['😀😀',    4, '😀😀'],
  ['😀😀😀',  4, '😀…'],
  // The first and the last of the units that begin a character, and their neighbours, which are characters themselves.
  ['a\u{10000}bc',  3, 'a…'],
  ['a\u{10fc00}bc', 3, 'a…'],
  ['a\ud7ffbc',     3, 'a\ud7ff…'],
  ['a\ue000bc',     3, 'a\ue000…'],
])('%j in %i units is %j', (text, most, expected) => {
  expect(truncate(text, most)).toBe(expected);
});
