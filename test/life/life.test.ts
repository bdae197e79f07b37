import { expect, it } from 'vitest';
import { play } from './play.ts';

it('some lives of a repository break no promise', async () => {
  expect(await play('lives', '--count', '5')).toBe('');
});

it('in some cases, each file becomes what the docs say', async () => {
  expect(await play('outcomes', '--first', '2', '--step', '197')).toBe('');
});
