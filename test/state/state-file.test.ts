import { mkdir, readdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { readContext } from '../../src/github/context.ts';
import { type Binding, seal, signingKey } from '../../src/state/seal.ts';
import { stateFile } from '../../src/state/state-file.ts';
import { it as base } from '../harness/fixtures.ts';
import { binding, document, known, knownPath, open } from './samples.ts';

const CONTEXT = { ...readContext({}), baseBranch: 'main', baseCommit: 'c'.repeat(40) };
const DOCUMENT = document({ contents: [known('A')], paths: [knownPath('a', 'A')], open: [open('s', ['B'])] });

const it = base
  .extend('workspace', async ({ makeFolder }) => await makeFolder())
  .extend('file', ({ workspace }) => path.join(workspace, 'kept', 'state.json'))
  .extend('state', ({ workspace, file }) =>
    stateFile(file, { context: { ...CONTEXT, workspace }, origin: binding(), key: signingKey('sk_live_0') }),
  );

function sealed(changes: Partial<Binding> = {}, secret = 'sk_live_0'): string {
  return seal(DOCUMENT, binding(changes), signingKey(secret));
}

/** What is loaded if nothing can be. */
function nothing(notice: string) {
  return { baseline: undefined, notices: [expect.stringContaining(notice)] };
}

it('holds everything that was saved, whole or not at all, of any run and branch', async ({ state, file }) => {
  expect(await state.write(sealed({ runId: '1', branch: 'feature' }))).toBe(file);
  const { earlierState, ...rest } = await state.load({ hasBaseline: false });
  expect(rest).toEqual({ baseline: undefined, notices: [] });
  expect(earlierState).toMatchObject(DOCUMENT);
  expect(await readdir(path.dirname(file))).toEqual(['state.json']);
});

it.for<[string, Partial<Binding>, boolean]>([
  ['of exactly the base commit', {}, true],
  ['of the base branch, but another commit', { commit: 'd'.repeat(40) }, false],
  ['of a pull request', { event: 'pull_request' }, false],
  ['of a run that had only submitted', { kind: 'open' }, false],
])('a state %s is a baseline: %o', async ([, change, isBaseline], { state }) => {
  await state.write(sealed(change));
  expect((await state.load({ hasBaseline: true })).baseline).toEqual(isBaseline ? DOCUMENT : undefined);
  expect((await state.load({ hasBaseline: false })).baseline).toBeUndefined();
});

it('a file that is huge is not read', async ({ state, file }) => {
  await state.write(sealed());
  await truncate(file, 2 ** 34);
  expect(await state.load({ hasBaseline: false })).toMatchObject(nothing('too large'));
});

it('a state of a key that was changed is not used, but overwritten', async ({ state }) => {
  await state.write(sealed({}, 'sk_live_1'));
  expect(await state.load({ hasBaseline: true })).toMatchObject(nothing('signed with another key'));
  await state.write(sealed());
  expect((await state.load({ hasBaseline: false })).earlierState.contents).toHaveLength(1);
});

it('a folder in its place is neither read nor replaced, and no draft is left', async ({ state, file }) => {
  await mkdir(file, { recursive: true });
  expect(await state.load({ hasBaseline: false })).toMatchObject(nothing('cannot be read'));
  await expect(state.write(sealed())).rejects.toThrow('EISDIR');
  expect(await readdir(path.dirname(file))).toEqual(['state.json']);
});

it('a link in the workspace is neither read nor written', async ({ state, file, workspace }) => {
  const outside = path.join(workspace, 'precious');
  await writeFile(outside, 'precious');
  await mkdir(path.dirname(file));
  await symlink(outside, file);
  const refusal = { causes: [{ reason: 'bad-input' }] };
  await expect(state.load({ hasBaseline: false })).rejects.toMatchObject(refusal);
  await expect(state.write(sealed())).rejects.toMatchObject(refusal);
  expect(await readFile(outside, 'utf8')).toBe('precious');
});
