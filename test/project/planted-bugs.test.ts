import { expect, it } from 'vitest';
import { BUGS } from '../../deep/planted/bugs.ts';
import { readText } from '../workflows/files.ts';

it.each(BUGS)('$name: the code that it changes is there once', async ({ file, search }) => {
  expect((await readText(`src/${file}`)).split(search)).toHaveLength(2);
});
