import { expect, it } from 'vitest';
import { play } from './play.ts';

it('some lives of a repository break no promise', async () => {
  expect(await play('1', '5')).toBe('');
});
