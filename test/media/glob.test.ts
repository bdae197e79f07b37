import { describe, expect, it } from 'vitest';
import { compileGlob } from '../../src/media/patterns.ts';

describe('compileGlob', () => {
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
    expect(compileGlob(pattern, false)(name)).toBe(expected);
  });

  it('can ignore case', () => {
    expect(compileGlob('A*[x-z].PNG', true)('abcY.png')).toBe(true);
    expect(compileGlob('A*[x-z].PNG', false)('abcY.png')).toBe(false);
  });

  it('takes little time, however many stars there are', () => {
    expect(compileGlob(`${'*a'.repeat(60)}*b`, false)('a'.repeat(250))).toBe(false);
    expect(compileGlob(`${'?*'.repeat(60)}b`, false)('a'.repeat(250))).toBe(false);
  });
});
