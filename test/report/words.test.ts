import fc from 'fast-check';
import { expect, test } from 'vitest';
import { count, plural } from '../../src/report/words.ts';

test('whole numbers are written as English readers expect them', () => {
  expect([0, 7, 999, 1_000, 12_345, 1_234_567].map(count)).toEqual(['0', '7', '999', '1,000', '12,345', '1,234,567']);
  fc.assert(fc.property(fc.maxSafeNat(), (number) => count(number) === number.toLocaleString('en-US')));
});

test('one is no plural', () => {
  expect([plural(1, 'file'), plural(0, 'file'), plural(2_000, 'file')]).toEqual(['1 file', '0 files', '2,000 files']);
});
