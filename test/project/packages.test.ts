import { expect, it } from 'vitest';
import { readText } from '../workflows/files.ts';

const { version, dependencies }: { version: string; dependencies: object } = JSON.parse(await readText('package.json'));
const lock: {
  version: string;
  packages: Readonly<Record<string, { version?: string; resolved?: string; integrity?: string }>>;
} = JSON.parse(await readText('package-lock.json'));

it('package-lock.json has the version, names no download host, and has the hash of every package', () => {
  const { '': own, ...installed } = lock.packages;
  expect([lock.version, own?.version]).toEqual([version, version]);
  expect(Object.keys(installed)).not.toEqual([]);
  for (const { resolved, integrity } of Object.values(installed))
    expect([resolved, integrity]).toEqual([undefined, expect.stringMatching(/^sha512-/)]);
});

it('docs/developing.md lists exactly the runtime dependencies, without their versions', async () => {
  const [, section = ''] = (await readText('docs/developing.md')).split('## Packages');
  const [list = ''] = section.split('The overrides');
  const names = [...list.matchAll(/^- `([^`]+)`:/gm)].map(([, name = '']) => name);
  expect(names.toSorted()).toEqual(Object.keys(dependencies).toSorted());
  expect(list).not.toMatch(/\d+\.\d+\.\d+/);
});
