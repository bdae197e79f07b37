import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { assertNoSymlink, pathIn } from '../../src/lib/folders.ts';
import { it } from '../harness/fixtures.ts';

it('the path of a file in a folder, or undefined', () => {
  const paths = ['/a', '/a/b/c', '/a/..b', '/b', '/', '/ab'].map((file) => pathIn('/a', file));
  expect(paths).toEqual(['', path.join('b', 'c'), '..b', undefined, undefined, undefined]);
});

it('a path in the workspace may not lead through a link, wherever it is in the path', async ({ makeFolder }) => {
  const root = await makeFolder({ 'checkout/a.txt': 'a', 'checkout/deep/a.txt': 'a', 'elsewhere/b.txt': 'b' });
  const workspace = path.join(root, 'checkout');
  await symlink('../elsewhere', path.join(workspace, 'link'));
  await symlink('elsewhere', path.join(root, 'outside'));
  await symlink('checkout', path.join(root, 'other-name'));
  const check = async (target: string): Promise<void> =>
    await assertNoSymlink(path.join(workspace, target), workspace, 'report-dir');
  for (const target of ['link', 'link/new/report', '../other-name/link/report'])
    await expect(check(target)).rejects.toMatchObject({ causes: [{ reason: 'bad-input', path: 'link' }] });
  await symlink('../../elsewhere', path.join(workspace, 'deep', 'link'));
  const message = expect.stringMatching(/`report-dir`.*: deep\/link\. Nothing was written\./);
  await expect(check('deep/link/report')).rejects.toMatchObject({ causes: [{ path: 'deep/link', message }] });
  // A missing path is not a link, and a pull request cannot change what is outside of the workspace.
  for (const target of ['', 'new/report', 'a.txt', '../outside/new', '../other-name/new']) await check(target);
  const behindLink = path.join(root, 'other-name');
  await assertNoSymlink(path.join(behindLink, 'new'), behindLink, 'report-dir');
});
