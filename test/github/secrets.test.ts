import { expect, it } from 'vitest';
import { createSecrets } from '../../src/github/runner.ts';

// biome-ignore format: a table
it.each([
  ['an escaped value', String.raw`x?sig=ab\/c\u002Bd\u003D\u003d more`, 'x?sig=*** more'],
  ['an escaped end', String.raw`see \"x?sig=abc\", or \u0022x?sig=abc\u0022 here`,
    String.raw`see \"x?sig=***\", or \u0022x?sig=***\u0022 here`],
  ['JSON', String.raw`{"url":"x?a\u0026sig=a\/b\u002Bc"}`, String.raw`{"url":"x?a\u0026sig=***"}`],
  ['an escaped ? and = in JSON', String.raw`{"url":"x\u003Fsig\u003Dabc"}`, String.raw`{"url":"x\u003Fsig\u003D***"}`],
  ['an HTML entity', 'x?a=1&amp;sig=abc', 'x?a=1&amp;sig=***'],
  ['Amazon’s and Google’s', 'x?X-Amz-Signature=abc&X-Goog-Signature=abc&Signature=abc',
    'x?X-Amz-Signature=***&X-Goog-Signature=***&Signature=***'],
  ['no signature', 'a design=1, x?significant=yes&sig', 'a design=1, x?significant=yes&sig'],
])('a signature in a text is hidden: %s', (_, text, expected) => {
  expect(createSecrets().clean(text)).toBe(expected);
});

it('every secret is hidden, however many there are, and nothing else changes', () => {
  const { add, clean } = createSecrets();
  const value = { a: 'No secret.', b: [1, null, true, undefined] };
  const all = Array.from({ length: 100 }, (_, index) => `secret $& (${index}) *`);
  for (const [index] of all.entries()) add(all.slice(index, index + (index % 4)));
  add(['']);
  expect(all.slice(1).map(clean)).toEqual(all.slice(1).map(() => '***'));
  expect(clean(value)).toEqual(value);
});

it('the longest of several secrets is hidden whole, also in the name of a field', () => {
  const { add, clean } = createSecrets();
  add(['key', 'key-of-the-run']);
  expect(clean('The KEY-of-the-run and the Key')).toBe('The *** and the ***');
  expect(clean([{ 'the key': { Key: 'key' } }])).toEqual([{ 'the ***': { '***': '***' } }]);
  add(['the']);
  expect(clean({ 'the key': 1 })).toEqual({ '*** ***': 1 });
});

it('a value that is nested too deep is left out', () => {
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  expect(JSON.stringify(createSecrets().clean(deep))).toMatch(/^\[{50}"\*{3}"\]{50}$/);
});
