import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { EMULATOR, findStaleFiles, freshBuild, GATE, hashInputs } from '../../scripts/build.ts';
import { SEPARATOR } from '../../scripts/licences.ts';
import { bundleApp, GENERATED, generatePageAssets } from '../../scripts/page-assets.ts';
import { SCRIPT } from '../../src/report/page/generated.ts';
import { makeWorkspace, writeFiles } from '../harness/workspace.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
it('the script and the style of report.html are made from their sources, and in the bundle', async () => {
  const isFresh = (await readFile(GENERATED, 'utf8')) === (await generatePageAssets());
  expect(isFresh, 'run "npm run build"').toBe(true);
  const texts = await filesOf(await freshBuild());
  expect(texts.filter(([, text]) => text.includes(JSON.stringify(SCRIPT)))).toHaveLength(1);
});

it('a page that would contain a module which is not made for it is not built', async () => {
  const runner = path.join(ROOT, 'src/github/runner.ts');
  // The import is of a type alone, but written like this it is not left out.
  const script = `import { type Level } from ${JSON.stringify(runner)};\nexport const level: Level = 'error';\n`;
  await using folder = await makeWorkspace({ 'main.ts': script });
  const building = bundleApp(path.join(folder.path, 'main.ts'));
  await expect(building).rejects.toThrow(/not made for the page: .*src\/github\/runner\.ts/);
});

it.each([
  ['a source is changed', GATE, { 'src/a.ts': 'three' }, true],
  ['a source is renamed', GATE, { 'src/a.ts': undefined, 'src/b.ts': 'two' }, true],
  ['a package is changed', GATE, { 'package-lock.json': '{ }' }, true],
  ['only a test is changed', GATE, { 'test/a.test.ts': 'changed' }, false],
  ['the emulator is changed', EMULATOR, { 'emulator/action.ts': 'three' }, true],
  ['only the bundle of the emulator is changed', EMULATOR, { 'emulator/dist/index.js': '' }, false],
] as const)('a bundle is built again when %s', async (_, bundle, change, isOther) => {
  await using project = await makeWorkspace({
    'src/a.ts': 'two',
    'emulator/action.ts': '',
    'examples/scenarios/a.json': '{}',
    ...Object.fromEntries(GATE.inputs.filter((name) => name !== 'src').map((name) => [name, ''])),
  });
  const before = await hashInputs(project.path, bundle);
  await writeFiles(project.path, change);
  expect((await hashInputs(project.path, bundle)) !== before).toBe(isOther);
});

describe.each([
  { bundle: GATE, maxBytes: 8_000_000 },
  { bundle: EMULATOR, maxBytes: 1_000_000 },
])('$bundle.dist/', ({ bundle, maxBytes }) => {
  it('is what the sources build, file by file', async () => {
    expect(await findStaleFiles(bundle), 'run "npm run build"').toEqual([]);
  });

  it('is small enough for every job to download it, and has no path of the machine that built it', async () => {
    const files = await filesOf(await freshBuild(bundle));
    expect(Buffer.byteLength(files.map(([, text]) => text).join(''))).toBeLessThan(maxBytes);
    expect(files.filter(([, text]) => text.includes(ROOT)).map(([name]) => name)).toEqual([]);
  });
});

async function filesOf(folder: string): Promise<readonly (readonly [name: string, text: string])[]> {
  const names = await readdir(folder);
  return await Promise.all(names.map(async (name) => [name, await readFile(path.join(folder, name), 'utf8')] as const));
}

describe('licenses.txt', async () => {
  const file = await readFile(path.join(await freshBuild(), 'licenses.txt'), 'utf8');
  const packages = file.split(SEPARATOR).map((section) => {
    const [title = '', licence = ''] = section.split('\n');
    return { name: title.replace(/ \S+$/, ''), licence: licence.replace('Licence: ', '') };
  });
  const names = packages.map(({ name }) => name);

  it('has our packages and theirs', async () => {
    const manifest = await readFile(path.join(ROOT, 'package.json'), 'utf8');
    expect(names).toEqual(expect.arrayContaining(Object.keys(JSON.parse(manifest).dependencies)));
    expect(names).toEqual(expect.arrayContaining(['@azure/storage-blob', '@octokit/core', 'strtok3']));
    // The overrides in package.json keep these from being bundled several times.
    expect(names.filter((name) => name === 'undici' || name === '@actions/http-client')).toHaveLength(2);
  });

  it('names only reviewed licences', () => {
    const known = /^(MIT|MIT\/X11|ISC|0BSD|Apache-2\.0|BSD-3-Clause|BlueOak-1\.0\.0|\(Apache-2\.0 AND BSD-3-Clause\))$/;
    const others = packages.filter(({ licence }) => !known.test(licence));
    // `buffers` names no licence. It is part of chainsaw and binary, by the same author, which are MIT.
    expect(others.map(({ name }) => name)).toEqual(['buffers']);
  });
});
