import { describe, expect, it } from 'vitest';
import { bounded, describeForgotten } from '../../src/state/document.ts';
import { daysAgo, document, known, knownPath, open, sha } from './samples.ts';

describe('bounded', () => {
  const seeds = Array.from({ length: 100 }, (_, index) => `${index}`);
  const large = document({
    contents: seeds.map((seed) => known(seed, { analysedAt: daysAgo(Number(seed)) })),
    paths: seeds.map((seed) => knownPath(`${seed}.png`, seed)),
    open: [open('s', ['x'])],
  });

  it('does not change what fits', () => {
    expect(bounded(large)).toBe(large);
  });

  it('drops the oldest analyses, with their paths, until it fits', () => {
    // In another order than by age.
    const contents = large.contents.toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1));
    const small = bounded({ ...large, contents }, 20_000);
    expect(Buffer.byteLength(JSON.stringify(small))).toBeLessThanOrEqual(20_000);
    expect(small.contents.length).toBeGreaterThan(20);
    expect(small.contents.map(({ sha256 }) => sha256)).toEqual(seeds.slice(0, small.contents.length).map(sha));
    expect(small.paths).toHaveLength(small.contents.length);
    expect(small.open).toEqual(large.open);
  });

  it('keeps what just fits, otherwise the newest three quarters', () => {
    const size = Buffer.byteLength(JSON.stringify(large));
    expect(bounded(large, size)).toBe(large);
    const cut = bounded(large, size - 1);
    expect(cut.contents).toEqual(large.contents.slice(0, 75));
    expect(cut.paths).toEqual(large.paths.slice(0, 75));
    const shuffled = { ...large, contents: large.contents.toReversed() };
    expect(bounded(shuffled, size - 1).contents).toEqual(large.contents.slice(0, 75));
  });

  it('counts bytes, not characters', () => {
    const text = document({ paths: [knownPath('ä'.repeat(1_000), 'a')], contents: [known('a')] });
    const { length } = JSON.stringify(text);
    expect(bounded(text, length).contents).toEqual([]);
  });

  it('ends if nothing fits', () => {
    expect(bounded(large, 10).contents).toEqual([]);
  });

  it('says how much was dropped and what that costs, and nothing if all fits', () => {
    const size = Buffer.byteLength(JSON.stringify(large));
    expect(describeForgotten(large, bounded(large, size))).toBeUndefined();
    expect(describeForgotten(large, bounded(large, size - 1))).toMatch(
      /\(25 of 100\) are forgotten.*sent and billed again/,
    );
  });
});
