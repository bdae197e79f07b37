import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { EMULATOR, freshBuild, GATE, hashInputs } from '../../scripts/build.ts';
import { generatePageAssets } from '../../scripts/page-assets.ts';
import { SCRIPT } from '../../src/report/page/generated.ts';
import { bundleFile } from '../harness/bundle.ts';
import { makeWorkspace, writeFiles } from '../harness/workspace.ts';

const PROJECT = {
  'src/main.ts': 'one',
  'src/lib/a.ts': 'two',
  'package.json': '{}',
  'tsconfig.json': '{}',
  'tsconfig.build.json': '{}',
  'package-lock.json': '{}',
  'scripts/build.ts': '',
  'scripts/licences.ts': '',
  'scripts/page-assets.ts': '',
  'emulator/action.ts': '',
  'examples/scenarios/a.json': '{}',
  'test/a.test.ts': '',
};

it('the page under test is made of the sources as they are now', async () => {
  expect(await generatePageAssets()).toContain(JSON.stringify(SCRIPT));
});

describe('the bundle under test', () => {
  it('is a build of the sources as they are now, with their page', async () => {
    const folder = await freshBuild();
    expect(await bundleFile()).toBe(path.join(folder, 'index.js'));
    const scripts = (await readdir(folder)).filter((name) => name.endsWith('.js'));
    const texts = await Promise.all(scripts.map((name) => readFile(path.join(folder, name), 'utf8')));
    expect(texts.filter((text) => text.includes(JSON.stringify(SCRIPT)))).toHaveLength(1);
  });

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
