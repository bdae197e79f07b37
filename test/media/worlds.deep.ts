import { it } from 'vitest';
import { expectNothingHidden } from './worlds.ts';

it(
  'what a reader of a repository can open is checked or named, in any tree of files and links',
  { timeout: 1_800_000 },
  async () => await expectNothingHidden(5_000),
);
