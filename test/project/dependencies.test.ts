import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const read = async (name: string): Promise<string> => await readFile(new URL(`../../${name}`, import.meta.url), 'utf8');

it('docs/testing.md lists exactly the runtime dependencies, without versions that an update would have to change', async () => {
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(await read('package.json'));
  const [, section = ''] = (await read('docs/testing.md')).split('## Runtime dependencies');
  const [table = ''] = section.split('The overrides');
  const names = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name);
  expect(new Set(names)).toEqual(new Set(Object.keys(dependencies)));
  expect(table).not.toMatch(/\d+\.\d+\.\d+/);
});
