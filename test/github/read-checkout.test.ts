import path from 'node:path';
import { expect } from 'vitest';
import { folderIn, readCheckout } from '../../src/github/checkout.ts';
import { it } from '../harness/fixtures.ts';
import { git } from '../harness/git.ts';
import type { Files } from '../harness/workspace.ts';

const [HEAD, OTHER, LONG] = ['a'.repeat(40), 'c'.repeat(40), 'd'.repeat(64)] as const;
const ON_BRANCH = 'ref: refs/heads/changes\n';
const LOOSE = { '.git/HEAD': ON_BRANCH, '.git/refs/heads/changes': `${HEAD}\n` };
const PACKED = `${OTHER} refs/heads/changes-2\n${HEAD} refs/heads/changes\n`;

it.for([
  ['inside', 'inside/a', 'inside', HEAD, 'a/'],
  ['', 'inside', 'inside', HEAD, ''],
  ['', 'bare/a', '', OTHER, 'bare/a/'],
  ['bare', 'bare/a', undefined, undefined, ''],
  ['bare', 'bare', undefined, undefined, ''],
  ['', 'unreadable/a', 'unreadable', undefined, 'a/'],
] as const)('in the workspace "%s", the folder %s is in the checkout %s', async (row, { makeFolder }) => {
  const [workspace, folder, root, head, below] = row;
  const checkouts = { '.git/HEAD': OTHER, 'inside/.git/HEAD': HEAD, 'unreadable/.git/HEAD': 'nonsense' };
  const top = await makeFolder({ ...checkouts, 'inside/a/b': 'b', 'bare/a/b': 'b', 'unreadable/a/b': 'b' });
  const searchRoot = path.join(top, folder);
  const checkoutRoot = root === undefined ? undefined : path.join(top, root);
  const checkout = await readCheckout(searchRoot, path.join(top, workspace));
  expect(checkout).toEqual({ checkoutRoot, head });
  expect(folderIn({ searchRoot, ...checkout })).toBe(below);
});

it.for<[string, Files, head?: string]>([
  ['a long hash', { '.git/HEAD': `${LONG}\n` }, LONG],
  ['a branch beside one whose name begins like it', { '.git/HEAD': ON_BRANCH, '.git/packed-refs': PACKED }, HEAD],
  ['a branch that was packed before', { ...LOOSE, '.git/packed-refs': `${OTHER} refs/heads/changes\n` }, HEAD],
  ['an empty HEAD', { '.git/HEAD': '' }],
  ['a branch that does not exist', { '.git/HEAD': ON_BRANCH }],
  ['a folder without a checkout', { 'a.png': 'a' }],
  ['a file `.git` that names nothing', { '.git': 'nonsense' }],
])('the commit of %s', async ([, files, expected], { makeFolder }) => {
  const folder = await makeFolder(files);
  expect((await readCheckout(folder, folder)).head).toBe(expected);
});

it('real repositories: a branch, a worktree, a separate Git folder and a submodule', async ({ makeFolder }) => {
  const top = await makeFolder({ 'library/b.txt': 'b', 'main/a.txt': 'a', 'modules/none': '' });
  const place = (name: string): string => path.join(top, name);
  for (const name of ['library', 'main']) {
    await git(place(name), 'init', '--quiet', '--initial-branch=main');
    await git(place(name), 'add', '--all');
    await git(place(name), 'commit', '--quiet', '--message', 'Start');
  }
  await git(place('main'), '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', place('library'), 'sub');
  await git(place('main'), 'commit', '--quiet', '--message', 'Add the library');
  await git(place('main'), 'worktree', 'add', '--quiet', '-b', 'topic', place('tree'));
  await git(place('tree'), 'commit', '--quiet', '--allow-empty', '--message', 'Change');
  // A folder above the Git folder that is called `modules` does not make it a submodule.
  await git(top, 'clone', '--quiet', `--separate-git-dir=${place('modules/data')}`, place('main'), place('apart'));
  await git(place('main'), 'pack-refs', '--all');
  for (const [folder, root] of [
    ['main', 'main'],
    ['tree', 'tree'],
    ['apart', 'apart'],
    ['main/sub', 'main'],
  ] as const) {
    const { checkoutRoot, head } = await readCheckout(place(folder), top);
    expect([checkoutRoot, head]).toEqual([place(root), await git(place(root), 'rev-parse', 'HEAD')]);
  }
});
