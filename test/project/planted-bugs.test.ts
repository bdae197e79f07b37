import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { BUGS } from '../../deep/planted/bugs.ts';

const read = async (path: string): Promise<string> => await readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

it.each(BUGS)('$name: the code that it changes is there once', async ({ file, search }) => {
  expect((await read(`src/${file}`)).split(search)).toHaveLength(2);
});
