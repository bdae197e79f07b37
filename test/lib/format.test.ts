import { expect, it } from 'vitest';
import { formatBytes, formatList, messageOf, parseJson, plural, truncate } from '../../src/lib/format.ts';

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1234, '1.2 kB'],
  [999_949, '999.9 kB'],
  [1e6, '1 MB'],
  [2e12, '2000 GB'],
])('formatBytes(%i)', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

it('a list names the first ones, and how many are left out', () => {
  expect([formatList([]), formatList(['a', 'b'], 2)]).toEqual(['', 'a, b']);
  expect(formatList(['a', 'b', 'c', 'd'], 2)).toBe('a, b and 2 more');
  expect(formatList(['a', 'b', 'c', 'd', 'e', 'f'])).toBe('a, b, c, d, e and 1 more');
});

it('a number with its noun', () => {
  const texts = ['0 files', '1 file', '999 files', '1,000 files', '1,234,567 files'];
  expect([0, 1, 999, 1_000, 1_234_567].map((number) => plural(number, 'file'))).toEqual(texts);
});

it('a text that is not JSON has no value, and anything thrown has a text', () => {
  expect(['{"a":1}', 'null', '{', ''].map((text) => parseJson(text))).toEqual([{ a: 1 }, null, undefined, undefined]);
  const errors = [new Error('why'), new TypeError(''), 'why', undefined];
  expect(errors.map(messageOf)).toEqual(['why', 'TypeError', 'why', 'undefined']);
});

// biome-ignore format: a table
it.each([
  ['abc',     3, 'abc'],
  ['abcd',    3, 'ab…'],
  ['abc',     0, '…'],
  // Each of these characters takes two units, and is never cut in half.
  ['😀😀😀',  4, '😀…'],
  // The first and the last high surrogate, and the code units next to their range.
  ['a\u{10000}bc',  3, 'a…'],
  ['a\u{10fc00}bc', 3, 'a…'],
  ['a\ud7ffbc',     3, 'a\ud7ff…'],
  ['a\ue000bc',     3, 'a\ue000…'],
])('%j in %i units is %j', (text, max, expected) => {
  expect(truncate(text, max)).toBe(expected);
});
