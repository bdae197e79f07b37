import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Build, findStaleFiles, freshBuild } from '../../scripts/build.ts';
import { GENERATED, generatePageAssets } from '../../scripts/page-assets.ts';

/** Dependencies of `@actions/artifact`. */
const TWICE = ['readable-stream', 'safe-buffer', 'string_decoder'];
const MAX_BYTES = 4_000_000;

let dist: Build;
beforeAll(async () => {
  dist = await freshBuild();
});

it('the script and the style of report.html are made from their sources', async () => {
  expect(await readFile(GENERATED, 'utf8'), 'run "npm run build"').toBe(await generatePageAssets());
});

describe('dist/', () => {
  it('is what the sources build, file by file', async () => {
    expect(await findStaleFiles(), 'run "npm run build"').toEqual([]);
  });

  it('is small enough to be downloaded by every job', async () => {
    const names = await readdir(dist.folder);
    const sizes = await Promise.all(names.map(async (name) => (await stat(path.join(dist.folder, name))).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_BYTES);
  });

  it('has one version of every package, except those that are known', () => {
    const versions = [...Map.groupBy(dist.packages, ({ name }) => name)].map(
      ([name, found]) => [name, new Set(found.map(({ version }) => version))] as const,
    );
    expect(versions.length).toBeGreaterThan(70);
    // An update may change which versions they are, and may end that.
    expect(TWICE).toEqual(expect.arrayContaining(versions.filter(([, { size }]) => size > 1).map(([name]) => name)));
  });

  it('comes with the licence of every package in it', async () => {
    const text = await readFile(path.join(dist.folder, 'licenses.txt'), 'utf8');
    const sections = text.split(`\n${'-'.repeat(80)}\n\n`);
    expect(sections.map((section) => section.split('\n')[0])).toEqual(
      [...new Set(dist.packages.map(({ name, version }) => `${name} ${version}`))].toSorted(),
    );
    const terms = /Permission is hereby granted|Apache License|Redistribution and use|Permission to use, copy|Blue Oak/;
    expect(sections.filter((section) => !terms.test(section)).map((section) => section.split('\n')[0])).toEqual([]);
  });

  it('has only packages with reviewed licences', () => {
    const known = /^(MIT|ISC|Apache-2\.0|BSD-3-Clause|BlueOak-1\.0\.0|\(Apache-2\.0 AND BSD-3-Clause\))$/;
    expect(dist.packages.filter(({ licence }) => !known.test(licence)).map(({ name }) => name)).toEqual([]);
  });
});
