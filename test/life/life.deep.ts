import { expect, it } from 'vitest';
import { play } from './play.ts';

/** For long runs: the first seed, and how many lives. */
const { LIFE_FIRST = '1', LIFE_COUNT = '300' } = process.env;

it('no life of a repository breaks a promise', { timeout: 24 * 3_600_000 }, async () => {
  expect(await play(LIFE_FIRST, LIFE_COUNT)).toBe('');
});
