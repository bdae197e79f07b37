import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const read = async (name: string): Promise<string> => await readFile(new URL(`../../${name}`, import.meta.url), 'utf8');

it('docs/testing.md weighs exactly the runtime dependencies, in the versions that are used', async () => {
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(await read('package.json'));
  const [, section = ''] = (await read('docs/testing.md')).split('## Runtime dependencies');
  const rows = [...section.matchAll(/^\| `([^`]+)` \|.*? (\d+\.\d+\.\d+) of \d{4}-\d\d-\d\d/gm)];
  const told = rows.map(([, name = '', version]) => [name, version] as const);
  expect(Object.fromEntries(told)).toEqual(dependencies);
});
