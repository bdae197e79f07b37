import { mkdir, readdir, readFile, symlink, truncate } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { readContext } from '../../src/github/context.ts';
import type { StateDocument } from '../../src/state/document.ts';
import { type Binding, seal, signingKey } from '../../src/state/seal.ts';
import { assertNoLinkInWorkspace, fileStorage } from '../../src/state/state-file.ts';
import { recordRunner } from '../builders/runners.ts';
import { analysed, binding, document, open as opened, pathRecord } from '../builders/states.ts';
import { it as base } from '../harness/fixtures.ts';
import { writeFiles } from '../harness/workspace.ts';

const DOCUMENT = document({ contents: [analysed('A'), ...opened('s', ['B'])], paths: [pathRecord('a', 'A')] });

const it = base
  .extend('workspace', async ({ makeFolder }) => await makeFolder())
  .extend('file', ({ workspace }) => path.join(workspace, 'kept', 'state.json'))
  .extend('open', ({ workspace, file }) => (dryRun: boolean) => {
    const context = { ...readContext({}), workspace };
    return fileStorage(file, {
      base: undefined,
      context,
      binding: binding(),
      keys: [signingKey('sk_live_0')],
      inputs: { name: 'gate', reuseDays: 90, dryRun },
      runner: recordRunner().runner,
    });
  })
  .extend('state', ({ open }) => open(false))
  .extend('dry', ({ open }) => open(true));

function sealed(changes: Partial<Binding> = {}, secret = 'sk_live_0'): () => string {
  return () => seal(DOCUMENT, binding(changes), signingKey(secret));
}

it('holds everything that was saved, whole or not at all, of any run and branch', async ({ state, file }) => {
  expect(await state.save(sealed({ runId: '1', branch: 'feature' }))).toBe(file);
  const saved = { binding: binding({ runId: '1', branch: 'feature' }), document: DOCUMENT, isOwn: true };
  expect(await state.nearest()).toMatchObject({ states: [saved], notices: [] });
  expect(await readdir(path.dirname(file))).toEqual(['state.json']);
});

it.for<[string, string | undefined, StateDocument | undefined]>([
  ['written by another run', sealed()(), DOCUMENT],
  ['missing', undefined, undefined],
])('a save includes the current records of the file: %s', async ([, text, expected], { state, file }) => {
  if (text !== undefined) await writeFiles(path.dirname(file), { 'state.json': text });
  let joined: readonly StateDocument[] | undefined;
  await state.save((others) => {
    joined = others;
    return sealed()();
  });
  expect(joined).toEqual(expected ? [expected] : []);
});

it.for<[string, string]>([
  ['another key', sealed({}, 'sk_live_1')()],
  ['another kind of key', sealed({ mode: 'sandbox' })()],
  ['another repository', sealed({ repositoryId: '4712' })()],
  ['a newer version', sealed()().replace('state/3', 'state/4')],
  ['nobody: it is damaged', 'x'],
])('a state of %s ends the run, except a dry one, and is not overwritten', async ([, text], { state, dry, file }) => {
  await writeFiles(path.dirname(file), { 'state.json': text });
  await expect(state.nearest()).rejects.toMatchObject({ causes: [{ reason: 'bad-input' }] });
  await expect(state.save(sealed())).rejects.toThrow('left as it is');
  expect(await dry.nearest()).toMatchObject({ states: [], notices: [expect.stringContaining('`state-file`')] });
  expect(await readFile(file, 'utf8')).toBe(text);
});

it('a huge file is not read', async ({ state, file }) => {
  await state.save(sealed());
  await truncate(file, 2 ** 30);
  await expect(state.nearest()).rejects.toMatchObject({ causes: [{ reason: 'bad-input' }] });
});

it('a folder in the place of the file is neither read nor replaced, and no draft is left', async ({ state, file }) => {
  await mkdir(file, { recursive: true });
  await expect(state.nearest()).rejects.toThrow('EISDIR');
  await expect(state.save(sealed())).rejects.toThrow('EISDIR');
  await expect(state.tryOut(sealed()())).rejects.toThrow(file);
  expect(await readdir(path.dirname(file))).toEqual(['state.json']);
});

it('trying out the place makes its folder, and changes no file', async ({ state, file }) => {
  await state.tryOut(sealed()());
  expect(await readdir(path.dirname(file))).toEqual([]);
  await state.save(sealed());
  await state.tryOut('x');
  expect(await readFile(file, 'utf8')).toBe(sealed()());
});

it('a link in the workspace is neither read nor written', async ({ state, file, workspace }) => {
  await writeFiles(workspace, { precious: 'precious', 'kept/other': '' });
  await symlink('../precious', file);
  const refusal = { causes: [{ reason: 'bad-input' }] };
  await expect(state.nearest()).rejects.toMatchObject(refusal);
  await expect(state.save(sealed())).rejects.toMatchObject(refusal);
  expect(await readFile(file, 'utf8')).toBe('precious');
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
