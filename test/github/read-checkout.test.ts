import path from 'node:path';
import { expect } from 'vitest';
import { folderIn, readCheckout } from '../../src/github/checkout.ts';
import { it } from '../harness/fixtures.ts';
import { git } from '../harness/git.ts';
import type { Files } from '../harness/workspace.ts';

const [HEAD, OTHER, LONG] = ['a'.repeat(40), 'c'.repeat(40), 'd'.repeat(64)] as const;

it.for([
  ['inside', 'inside/a', 'inside', HEAD, 'a/'],
  ['', 'inside', 'inside', HEAD, ''],
  ['', 'bare/a', '', OTHER, 'bare/a/'],
  ['bare', 'bare/a', undefined, undefined, 'a/'],
  ['', 'unreadable/a', 'unreadable', undefined, 'a/'],
] as const)(
  'the checkout of a folder is the nearest one inside the workspace: "%s", %s',
  async (row, { makeFolder }) => {
    const [workspace, folder, root, head, below] = row;
    const checkouts = { '.git/HEAD': OTHER, 'inside/.git/HEAD': HEAD, 'unreadable/.git/HEAD': 'nonsense' };
    const top = await makeFolder({ ...checkouts, 'inside/a/b': 'b', 'bare/a/b': 'b', 'unreadable/a/b': 'b' });
    const searchRoot = path.join(top, folder);
    const checkoutRoot = root === undefined ? undefined : path.join(top, root);
    const checkout = await readCheckout(searchRoot, path.join(top, workspace));
    expect(checkout).toEqual({ checkoutRoot, head });
    expect(folderIn({ searchRoot, workspace: path.join(top, workspace), ...checkout })).toBe(below);
  },
);

it.for<[string, Files, head?: string]>([
  ['a long hash', { '.git/HEAD': `${LONG}\n` }, LONG],
  ['an empty HEAD', { '.git/HEAD': '' }],
  ['a branch that does not exist', { '.git/HEAD': 'ref: refs/heads/changes\n' }],
  ['a folder without a checkout', { 'a.png': 'a' }],
  ['a file `.git` that names nothing', { '.git': 'nonsense' }],
])('the commit of %s', async ([, files, expected], { makeFolder }) => {
  const folder = await makeFolder(files);
  expect((await readCheckout(folder, folder)).head).toBe(expected);
});

it('real repositories: a branch, a submodule and a worktree inside of them', async ({ makeFolder }) => {
  const top = await makeFolder({ 'library/b.txt': 'b', 'main/a.txt': 'a' });
  const place = (name: string): string => path.join(top, name);
  for (const name of ['library', 'main']) {
    await git(place(name), 'init', '--quiet', '--initial-branch=main');
    await git(place(name), 'add', '--all');
    await git(place(name), 'commit', '--quiet', '--message', 'Start');
  }
  await git(place('main'), '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', place('library'), 'sub');
  await git(place('main'), 'commit', '--quiet', '--message', 'Add the library');
  await git(place('main'), 'pack-refs', '--all');
  for (const folder of ['main', 'main/sub']) {
    const { checkoutRoot, head } = await readCheckout(place(folder), top);
    expect([checkoutRoot, head]).toEqual([place('main'), await git(place('main'), 'rev-parse', 'HEAD')]);
  }
});
