import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { EMULATOR, findStaleFiles, freshBuild, GATE } from '../../scripts/build.ts';
import { SEPARATOR } from '../../scripts/licences.ts';
import { GENERATED, generatePageAssets } from '../../scripts/page-assets.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** They name their licence, most often MIT, and their author. */
const WITHOUT_TEXT = [
  '@bufbuild/protobuf',
  '@bufbuild/protoplugin',
  '@nodable/entities',
  '@protobuf-ts/protoc',
  '@tokenizer/token',
  'binary',
  'buffers',
  'chainsaw',
  'eastasianwidth',
  'isarray',
];
const read = async (name: string): Promise<string> => await readFile(new URL(`../../${name}`, import.meta.url), 'utf8');

it('the script and the style of report.html are made from their sources', async () => {
  const isFresh = (await readFile(GENERATED, 'utf8')) === (await generatePageAssets());
  expect(isFresh, 'run "npm run build"').toBe(true);
});

describe.each([
  { bundle: GATE, maxBytes: 8_000_000 },
  { bundle: EMULATOR, maxBytes: 1_000_000 },
])('$bundle.dist/', ({ bundle, maxBytes }) => {
  it('is what the sources build, file by file', async () => {
    expect(await findStaleFiles(bundle), 'run "npm run build"').toEqual([]);
  });

  it('is small enough to be downloaded by every job', async () => {
    const folder = await freshBuild(bundle);
    const names = await readdir(folder);
    const sizes = await Promise.all(names.map(async (name) => (await stat(path.join(folder, name))).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(maxBytes);
  });

  it('has no path of the machine that built it', async () => {
    const folder = await freshBuild(bundle);
    const names = await readdir(folder);
    const texts = await Promise.all(names.map(async (name) => await readFile(path.join(folder, name), 'utf8')));
    expect(names.filter((_, index) => texts[index]?.includes(ROOT))).toEqual([]);
  });
});

/** Name and version, licence, and text of each package. */
const sections = async (): Promise<readonly (readonly [string, string, string])[]> => {
  const text = await readFile(path.join(await freshBuild(), 'licenses.txt'), 'utf8');
  return text.split(SEPARATOR).map((section) => {
    const [title = '', licence = '', ...rest] = section.split('\n');
    return [title, licence.replace('Licence: ', ''), rest.join('\n').trim()];
  });
};

describe('licenses.txt', () => {
  it('has our packages and theirs', async () => {
    const names = (await sections()).map(([title]) => title.replace(/ \S+$/, ''));
    const { dependencies }: { dependencies: Readonly<Record<string, string>> } = JSON.parse(await read('package.json'));
    expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)));
    expect(names).toEqual(expect.arrayContaining(['@azure/storage-blob', '@octokit/core', 'strtok3']));
    // The overrides in package.json keep these from being bundled several times.
    expect(names.filter((name) => name === 'undici' || name === '@actions/http-client')).toHaveLength(2);
  });

  it('names only reviewed licences', async () => {
    const known = /^(MIT|MIT\/X11|ISC|0BSD|Apache-2\.0|BSD-3-Clause|BlueOak-1\.0\.0|\(Apache-2\.0 AND BSD-3-Clause\))$/;
    const others = (await sections()).filter(([, licence]) => !known.test(licence));
    // By the author of chainsaw and binary (MIT), whose part it is.
    expect(others.map(([title]) => title)).toEqual(['buffers 0.1.1']);
  });

  it('has the text of each licence, except of packages that have none', async () => {
    const terms = /Permission is hereby granted|Apache License|Redistribution and use|Permission to use, copy|Blue Oak/;
    const others = (await sections()).filter(([, , text]) => !terms.test(text));
    expect(WITHOUT_TEXT).toEqual(expect.arrayContaining(others.map(([title]) => title.replace(/ \S+$/, ''))));
  });
});
