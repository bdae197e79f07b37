import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const TESTS = new URL('../', import.meta.url);

it('every test that docs/state.md names is there', async () => {
  const page = await readFile(new URL('../../docs/state.md', import.meta.url), 'utf8');
  const named = [...page.matchAll(/`((?:gate|faults|life)\/[\w-]+)`: ([^|<]+?)(?= \||<br>)/g)];
  expect(named.length).toBeGreaterThan(10);
  for (const [, file = '', title = ''] of named) {
    const test = new URL(`${file}.test.ts`, TESTS);
    const source = await readFile(existsSync(test) ? test : new URL(`${file}.deep.ts`, TESTS), 'utf8');
    expect(source, file).toContain(title);
  }
});
