import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Build, findStaleFiles, freshBuild } from '../../scripts/build.ts';

/** All of them come with `@actions/artifact`. What it needs them for is told in docs/testing.md. */
const TWICE = ['readable-stream 2.3.8, 4.8.0', 'safe-buffer 5.1.2, 5.2.1', 'string_decoder 1.1.1, 1.3.0'];
const NO_TEXT = ['@nodable/entities: MIT', 'binary: MIT', 'buffers: none named', 'chainsaw: MIT/X11'];

let dist: Build;
beforeAll(async () => {
  dist = await freshBuild();
});

describe('dist/', () => {
  it('is what the sources build, file by file', async () => {
    expect(await findStaleFiles(), 'run "npm run build"').toEqual([]);
  });

  it('has every package once, but for those that we know of', () => {
    const versions = [...Map.groupBy(dist.packages, ({ name }) => name)].map(
      ([name, found]) => [name, new Set(found.map(({ version }) => version))] as const,
    );
    expect(versions.length).toBeGreaterThan(100);
    expect(
      versions.filter(([, { size }]) => size > 1).map(([name, found]) => `${name} ${[...found].toSorted().join(', ')}`),
    ).toEqual(TWICE);
  });

  it('tells whose code is in it, with the text of every licence, but for those that have none', async () => {
    const told = await readFile(new URL('../../dist/licenses.txt', import.meta.url), 'utf8');
    const sections = told.split(`\n${'-'.repeat(80)}\n\n`).map((section) => section.split('\n')[0]);
    expect(sections).toEqual([...new Set(dist.packages.map(({ name, version }) => `${name} ${version}`))].toSorted());
    expect(told).toContain('Permission is hereby granted');
    expect(dist.packages.filter(({ text }) => text === '').map(({ name, licence }) => `${name}: ${licence}`)).toEqual(
      NO_TEXT,
    );
  });

  it('holds nothing under conditions that we have not seen', () => {
    const known = /^(MIT|ISC|Apache-2\.0|BSD-3-Clause|BlueOak-1\.0\.0|MIT\/X11|\(Apache-2\.0 AND BSD-3-Clause\))$/;
    expect(dist.packages.filter(({ licence }) => !known.test(licence)).map(({ name }) => name)).toEqual(['buffers']);
  });
});
