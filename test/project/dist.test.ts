import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { EMULATOR, findStaleFiles, freshBuild, GATE } from '../../scripts/build.ts';
import { SEPARATOR } from '../../scripts/licences.ts';
import { GENERATED, generatePageAssets } from '../../scripts/page-assets.ts';
import { SCRIPT } from '../../src/report/page/generated.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

it('the script and the style of report.html are made from their sources, and in the bundle', async () => {
  const isFresh = (await readFile(GENERATED, 'utf8')) === (await generatePageAssets());
  expect(isFresh, 'run "npm run build"').toBe(true);
  const texts = await filesOf(await freshBuild());
  expect(texts.filter(([, text]) => text.includes(JSON.stringify(SCRIPT)))).toHaveLength(1);
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

it('licenses.txt has our packages and theirs, under reviewed licences, and none twice', async () => {
  const file = await readFile(path.join(await freshBuild(), 'licenses.txt'), 'utf8');
  const packages = file.split(SEPARATOR).map((section) => /^(\S+) \S+\nLicence: (.*)/.exec(section)?.slice(1) ?? []);
  const names = packages.map(([name]) => name);
  const { dependencies } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'));
  expect(names).toEqual(expect.arrayContaining([...Object.keys(dependencies), '@azure/storage-blob', 'strtok3']));
  // The overrides in package.json keep these from being bundled several times.
  expect(names.filter((name) => name === 'undici' || name === '@actions/http-client')).toHaveLength(2);
  const known = /^(MIT|MIT\/X11|ISC|0BSD|Apache-2\.0|BSD-3-Clause|BlueOak-1\.0\.0|\(Apache-2\.0 AND BSD-3-Clause\))$/;
  // `buffers` names no licence. It is part of chainsaw and binary, by the same author, which are MIT.
  expect(packages.filter(([, licence = '']) => !known.test(licence)).map(([name]) => name)).toEqual(['buffers']);
});
