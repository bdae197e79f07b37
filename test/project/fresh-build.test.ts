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

  it.each<[string, Readonly<Record<string, string | undefined>>, boolean]>([
    ['a source is changed', { 'src/lib/a.ts': 'three' }, true],
    ['a source is renamed', { 'src/lib/a.ts': undefined, 'src/lib/b.ts': 'two' }, true],
    ['a package is changed', { 'package-lock.json': '{ }' }, true],
    ['only a test is changed', { 'test/a.test.ts': 'changed' }, false],
  ])('is built again when %s: %j', async (_, change, isOther) => {
    await using project = await makeWorkspace(PROJECT);
    const before = await hashInputs(project.path);
    await writeFiles(project.path, change);
    expect((await hashInputs(project.path)) !== before).toBe(isOther);
  });
});
