import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const read = async (name: string): Promise<string> => await readFile(new URL(`../../${name}`, import.meta.url), 'utf8');
const { version, dependencies }: { version: string; dependencies: object } = JSON.parse(await read('package.json'));
const lock: {
  version: string;
  packages: Readonly<Record<string, { version?: string; resolved?: string; integrity?: string }>>;
} = JSON.parse(await read('package-lock.json'));

it('package-lock.json has the version, names no download host, and has the hash of every package', () => {
  const { '': own, ...installed } = lock.packages;
  expect([lock.version, own?.version]).toEqual([version, version]);
  expect(Object.keys(installed)).not.toEqual([]);
  for (const { resolved, integrity } of Object.values(installed))
    expect([resolved, integrity]).toEqual([undefined, expect.stringMatching(/^sha512-/)]);
});

it('docs/testing.md lists exactly the runtime dependencies, without their versions', async () => {
  const [, section = ''] = (await read('docs/testing.md')).split('## Runtime dependencies');
  const [list = ''] = section.split('The overrides');
  const names = [...list.matchAll(/^- `([^`]+)`:/gm)].map(([, name = '']) => name);
  expect(names.toSorted()).toEqual(Object.keys(dependencies).toSorted());
  expect(list).not.toMatch(/\d+\.\d+\.\d+/);
});
