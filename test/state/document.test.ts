import { describe, expect, it } from 'vitest';
import { bounded } from '../../src/state/document.ts';
import { daysAgo, document, known, knownPath, open } from './samples.ts';

describe('bounded', () => {
  const seeds = Array.from({ length: 100 }, (_, index) => `${index}`);
  const large = document({
    contents: seeds.map((seed) => known(seed, { analysedAt: daysAgo(Number(seed)) })),
    paths: seeds.map((seed) => knownPath(`${seed}.png`, seed)),
    open: [open('s', ['x'])],
  });

  it('keeps what just fits, otherwise the newest three quarters with their paths', () => {
    const size = Buffer.byteLength(JSON.stringify(large));
    expect(bounded(large, size)).toBe(large);
    const shuffled = { ...large, contents: large.contents.toReversed() };
    const cut = bounded(shuffled, size - 1);
    expect(cut.contents).toEqual(large.contents.slice(0, 75));
    expect(cut.paths).toEqual(large.paths.slice(0, 75));
    expect(cut.open).toEqual(large.open);
  });

  it('goes on until it fits, and ends if nothing fits', () => {
    const small = bounded(large, 20_000);
    expect(Buffer.byteLength(JSON.stringify(small))).toBeLessThanOrEqual(20_000);
    expect(small.contents.length).toBeGreaterThan(20);
    expect(bounded(large, 10).contents).toEqual([]);
  });

  it('counts bytes, not characters', () => {
    const text = document({ paths: [knownPath('ä'.repeat(1_000), 'a')], contents: [known('a')] });
    const { length } = JSON.stringify(text);
    expect(bounded(text, length).contents).toEqual([]);
  });
});
