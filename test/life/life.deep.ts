import { expect, it } from 'vitest';
import { play } from './play.ts';

/** For long runs: the first seed, and how many lives. */
const { LIFE_FIRST = '1', LIFE_COUNT = '300' } = process.env;

it('no life of a repository breaks a promise', { timeout: 24 * 3_600_000 }, async () => {
  expect(await play('lives', '--first', LIFE_FIRST, '--count', LIFE_COUNT)).toBe('');
});

it('each file becomes what design 4.5 says', { timeout: 24 * 3_600_000 }, async () => {
  expect(await play('outcomes', '--first', '0', '--step', process.env['OUTCOME_STEP'] ?? '7')).toBe('');
});
