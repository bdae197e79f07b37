import { it } from 'vitest';
import { expectNothingHidden } from './worlds.ts';

it('what a reader of a repository can open is checked or named, in any tree of files and links', async () =>
  await expectNothingHidden(100));
