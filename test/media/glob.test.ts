import { describe, expect, it } from 'vitest';
import { globOf } from '../../src/media/glob.ts';

describe('globOf', () => {
  it.each([
    ['*', 'anything', true],
    ['a*', 'b', false],
    ['*.mp4', 'a.mp4', true],
    ['*.mp4', '.mp4', true],
    ['*.mp4', 'a.mp4.txt', false],
    ['*.mp4', 'a.MP4', false],
    ['*.m[p]4', 'a.mp4', true],
    ['a*b*c', 'a1b2b3c', true],
    ['a*b*c', 'a1c', false],
    ['?.png', 'é.png', true],
    ['?.png', '🎬.png', true],
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['[]]x', ']x', true],
    ['[[:digit:]]x', '7x', true],
    ['\\*x', '*x', true],
    ['\\*x', 'ax', false],
    ['a[b', 'a[b', true],
    ['', '', true],
  ])('%s and %s: %s', (pattern, name, expected) => {
    expect(globOf(pattern, false)(name)).toBe(expected);
  });

  it('ignores case where it is told to', () => {
    expect(globOf('A*[x-z].PNG', true)('abcY.png')).toBe(true);
    expect(globOf('A*[x-z].PNG', false)('abcY.png')).toBe(false);
  });

  it('ends soon, however many stars there are', () => {
    expect(globOf(`${'*a'.repeat(60)}*b`, false)('a'.repeat(250))).toBe(false);
    expect(globOf(`${'?*'.repeat(60)}b`, false)('a'.repeat(250))).toBe(false);
  });
});
