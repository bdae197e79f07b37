import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { EMULATOR, findStaleFiles, freshBuild, GATE, hashInputs } from '../../scripts/build.ts';
import { SEPARATOR } from '../../scripts/licences.ts';
import { GENERATED, generatePageAssets } from '../../scripts/page-assets.ts';
import { SCRIPT } from '../../src/report/page/generated.ts';
import { makeWorkspace, writeFiles } from '../harness/workspace.ts';

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

it('the script and the style of report.html are made from their sources, and in the bundle', async () => {
  const isFresh = (await readFile(GENERATED, 'utf8')) === (await generatePageAssets());
  expect(isFresh, 'run "npm run build"').toBe(true);
  const texts = await filesOf(await freshBuild());
  expect(texts.filter(([, text]) => text.includes(JSON.stringify(SCRIPT)))).toHaveLength(1);
});

/** What a build depends on. */
const PROJECT = {
  'src/main.ts': 'one',
  'src/lib/a.ts': 'two',
  'emulator/action.ts': '',
  'examples/scenarios/a.json': '{}',
  'package.json': '{}',
  'tsconfig.json': '{}',
  'tsconfig.build.json': '{}',
  'package-lock.json': '{}',
  'scripts/build.ts': '',
  'scripts/licences.ts': '',
  'scripts/page-assets.ts': '',
};

describe('a bundle', () => {
  it.each([
    { what: 'a source is changed', bundle: GATE, change: { 'src/lib/a.ts': 'three' }, isOther: true },
    {
      what: 'a source is renamed',
      bundle: GATE,
      change: { 'src/lib/a.ts': undefined, 'src/lib/b.ts': 'two' },
      isOther: true,
    },
    { what: 'a package is changed', bundle: GATE, change: { 'package-lock.json': '{ }' }, isOther: true },
    { what: 'only a test is changed', bundle: GATE, change: { 'test/a.test.ts': 'changed' }, isOther: false },
    { what: 'the emulator is changed', bundle: EMULATOR, change: { 'emulator/action.ts': 'three' }, isOther: true },
    {
      what: 'only the bundle of the emulator is changed',
      bundle: EMULATOR,
      change: { 'emulator/dist/index.js': '' },
      isOther: false,
    },
  ])('is built again when $what: $isOther', async ({ bundle, change, isOther }) => {
    await using project = await makeWorkspace(PROJECT);
    const before = await hashInputs(project.path, bundle);
    await writeFiles(project.path, change);
    expect((await hashInputs(project.path, bundle)) !== before).toBe(isOther);
  });
});

describe.each([
  { bundle: GATE, maxBytes: 8_000_000 },
  { bundle: EMULATOR, maxBytes: 1_000_000 },
])('$bundle.dist/', ({ bundle, maxBytes }) => {
  it('is what the sources build, file by file', async () => {
    expect(await findStaleFiles(bundle), 'run "npm run build"').toEqual([]);
  });

  it('is small enough to be downloaded by every job', async () => {
    const sizes = (await filesOf(await freshBuild(bundle))).map(([, text]) => Buffer.byteLength(text));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(maxBytes);
  });

  it('has no path of the machine that built it', async () => {
    const files = await filesOf(await freshBuild(bundle));
    expect(files.filter(([, text]) => text.includes(ROOT)).map(([name]) => name)).toEqual([]);
  });
});

async function filesOf(folder: string): Promise<readonly (readonly [name: string, text: string])[]> {
  const names = await readdir(folder);
  return await Promise.all(names.map(async (name) => [name, await readFile(path.join(folder, name), 'utf8')] as const));
}

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
