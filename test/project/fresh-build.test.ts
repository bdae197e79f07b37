import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshBuild, hashInputs } from '../../scripts/build.ts';
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
  'test/a.test.ts': '',
};

describe('the bundle under test', () => {
  it('is a build of the sources as they are now', async () => {
    expect(process.env['GATE_BUNDLE']).toBe(path.join(await freshBuild(), 'index.js'));
  });

  it.each<[string, Readonly<Record<string, string | undefined>>]>([
    ['a source is changed', { 'src/lib/a.ts': 'three' }],
    ['a source is added', { 'src/lib/b.ts': '' }],
    ['a source is removed', { 'src/lib/a.ts': undefined }],
    ['a source is renamed', { 'src/lib/a.ts': undefined, 'src/lib/b.ts': 'two' }],
    ['a package is changed', { 'package-lock.json': '{ }' }],
    ['the build is changed', { 'scripts/build.ts': ' ' }],
  ])('is built again when %s', async (_, change) => {
    await using project = await makeWorkspace(PROJECT);
    const before = await hashInputs(project.path);
    await writeFiles(project.path, change);
    expect(await hashInputs(project.path)).not.toBe(before);
  });

  it('is not built again when only a test is changed', async () => {
    await using project = await makeWorkspace(PROJECT);
    const before = await hashInputs(project.path);
    await writeFiles(project.path, { 'test/a.test.ts': 'changed' });
    expect(await hashInputs(project.path)).toBe(before);
  });
});
