import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { assertNoLinkInWorkspace, pathIn } from '../../src/lib/folders.ts';
import { it } from '../harness/fixtures.ts';

it('the path of a file in a folder, or undefined', () => {
  const paths = ['/a', '/a/b/c', '/a/..b', '/b', '/', '/ab'].map((file) => pathIn('/a', file));
  expect(paths).toEqual(['', path.join('b', 'c'), '..b', undefined, undefined, undefined]);
});

it('a path in the workspace may not lead through a link, wherever it is in the path', async ({ makeFolder }) => {
  const root = await makeFolder({ 'checkout/deep/a.txt': 'a', 'elsewhere/b.txt': 'b' });
  const workspace = path.join(root, 'checkout');
  await symlink('../elsewhere', path.join(workspace, 'link'));
  await symlink('../../elsewhere', path.join(workspace, 'deep', 'link'));
  await symlink('elsewhere', path.join(root, 'outside'));
  await symlink('checkout', path.join(root, 'other-name'));
  const check = async (file: string, name = 'checkout'): Promise<void> =>
    await assertNoLinkInWorkspace(path.join(root, file), path.join(root, name));
  for (const [file, shown, name] of [
    ['checkout/link', 'link'],
    ['checkout/link/new/state', 'link'],
    ['checkout/deep/link/state', 'deep/link'],
    ['other-name/link/state', 'link', 'other-name'],
    ['checkout/link/state', 'link', 'other-name'],
  ] as const)
    await expect(check(file, name)).rejects.toMatchObject({ causes: [{ reason: 'bad-input', path: shown }] });
  // A missing path is not a link, and a pull request cannot change what is outside of the workspace.
  for (const file of ['checkout', 'checkout/new/state', 'checkout/deep/a.txt', 'outside/new']) await check(file);
  await check('other-name/new', 'other-name');
});
