import { mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileStore } from '../../src/state/file-store.ts';
import { type Binding, signingKey } from '../../src/state/seal.ts';
import type { LoadedStates, StateNeeds, StateStore } from '../../src/state/store.ts';
import { binding, document, issue, known, knownPath, open } from './samples.ts';

let folder: string;
let file: string;
let warnings: string[];
beforeEach(async () => {
  warnings = [];
  folder = await mkdtemp(path.join(tmpdir(), 'gate-state-'));
  file = path.join(folder, 'kept', 'state.json');
});
afterEach(async () => await rm(folder, { recursive: true }));

function store(changes: Partial<Binding> = {}, secret = 'sk_live_0'): StateStore {
  return createFileStore({
    file,
    workspace: folder,
    origin: binding(changes),
    base: { baseBranch: 'main', baseCommit: 'c'.repeat(40) },
    key: signingKey(secret),
    log: { warning: (text) => void warnings.push(text) },
  });
}

const NEEDS: StateNeeds = { canReuse: true, hasBaseline: false, isEnough: () => false };
const DOCUMENT = document({ contents: [known('A')], paths: [knownPath('a', 'A')], open: [open('s', ['B'])] });

/** What is loaded if nothing can be. */
function nothing(notice: string) {
  return { baseline: undefined, notices: [expect.stringContaining(notice)] };
}

async function loaded(needs: Partial<StateNeeds> = {}): Promise<LoadedStates> {
  return await store().load({ ...NEEDS, ...needs });
}

describe('a state file', () => {
  it.each(['open', 'state'] as const)('holds everything that was saved as %s, whole or not at all', async (kind) => {
    expect(await store().save(kind, DOCUMENT)).toBe(file);
    const { earlierState, ...rest } = await loaded();
    expect(rest).toEqual({ baseline: undefined, notices: [] });
    expect([earlierState.contents, earlierState.paths, earlierState.open]).toEqual([
      DOCUMENT.contents,
      DOCUMENT.paths,
      DOCUMENT.open,
    ]);
    expect(await readdir(path.dirname(file))).toEqual(['state.json']);
  });

  it('may be from another run and branch, because the workflow keeps it', async () => {
    await store({ runId: '1', branch: 'feature' }).save('state', DOCUMENT);
    expect((await loaded()).earlierState.contents).toHaveLength(1);
  });

  it.each<[string, Partial<Binding>, boolean]>([
    ['of exactly the base commit', {}, true],
    ['of the base branch, but another commit', { commit: 'd'.repeat(40) }, false],
    ['of a pull request', { event: 'pull_request' }, false],
  ])('%s is a baseline: %o', async (_, change, isBaseline) => {
    await store(change).save('open', DOCUMENT);
    expect((await loaded({ hasBaseline: true })).baseline).toEqual(isBaseline ? DOCUMENT : undefined);
    expect((await loaded()).baseline).toBeUndefined();
  });

  it('that does not exist yet gets its own notice', async () => {
    expect(await loaded()).toMatchObject(nothing('There is no state yet in `state-file`'));
  });

  it.each([
    ['another key', {}, 'sk_live_1', 'signed with another key'],
    ['another gate', { gate: 'beef' }, 'sk_live_0', 'belongs to another'],
    ['another repository', { repositoryId: '1' }, 'sk_live_0', 'belongs to another'],
    ['the other kind of key', { mode: 'sandbox' }, 'sk_live_0', 'belongs to another'],
  ] as const)('of %s is not used', async (_, change, secret, notice) => {
    await store(change, secret).save('state', DOCUMENT);
    expect(await loaded()).toMatchObject(nothing(notice));
  });

  it('that was changed is not used', async () => {
    await store().save('state', DOCUMENT);
    await writeFile(file, (await readFile(file, 'utf8')).replace('asset-A', 'asset-B'));
    expect(await loaded()).toMatchObject(nothing('has an invalid signature'));
  });

  it('that is huge is not read', async () => {
    await store().save('state', DOCUMENT);
    await truncate(file, 2 ** 34);
    expect(await loaded()).toMatchObject(nothing('too large'));
  });

  it('that cannot be read gets its own notice', async () => {
    file = folder;
    expect(await loaded()).toMatchObject(nothing('cannot be read'));
  });

  it('that would be too large is cut, and a run that saves twice says so once', async () => {
    const summary = 'x'.repeat(17 * 1024 * 1024);
    const large = document({ contents: ['A', 'B'].map((seed) => known(seed, { issues: [issue({ summary })] })) });
    await store().save('open', large);
    expect(warnings).toEqual([]);
    await store().save('state', large);
    expect(warnings).toEqual([expect.stringContaining('(1 of 2) are forgotten')]);
    expect((await loaded()).earlierState.contents).toHaveLength(1);
  });

  it.each([
    ['another gate', { gate: 'beef' }, 'sk_live_0'],
    ['another repository', { repositoryId: '1' }, 'sk_live_0'],
    ['the other kind of key, under one secret', { mode: 'sandbox' }, 'sk_live_0'],
    ['the other kind of key, under another secret', { mode: 'sandbox' }, 'sk_test_0'],
  ] as const)('of %s is not overwritten', async (_, change, secret) => {
    await store(change, secret).save('state', DOCUMENT);
    const before = await readFile(file, 'utf8');
    expect(await store().save('open', document())).toBe('');
    expect(await store().save('state', document())).toBe('');
    expect(await readFile(file, 'utf8')).toBe(before);
    expect(warnings).toEqual([expect.stringContaining('was left as it is')]);
  });

  it('that cannot be written leaves no draft behind', async () => {
    await mkdir(file, { recursive: true });
    await expect(store().save('state', DOCUMENT)).rejects.toThrow('EISDIR');
    expect(await readdir(path.dirname(file))).toEqual(['state.json']);
  });

  it('of a key that was changed, or that is no state, is overwritten', async () => {
    await store({}, 'sk_live_1').save('state', DOCUMENT);
    expect(await store().save('state', DOCUMENT)).toBe(file);
    await writeFile(file, 'no state');
    expect(await store().save('state', DOCUMENT)).toBe(file);
    expect((await loaded()).earlierState.contents).toHaveLength(1);
  });

  it.each([
    ['the file itself', 'kept/state.json'],
    ['a folder above it', 'kept'],
  ])('behind a link in the workspace is neither read nor written: %s', async (_, link) => {
    const outside = await mkdtemp(path.join(tmpdir(), 'gate-outside-'));
    await writeFile(path.join(outside, 'state.json'), 'precious');
    if (link !== 'kept') await mkdir(path.join(folder, 'kept'));
    await symlink(link === 'kept' ? outside : path.join(outside, 'state.json'), path.join(folder, link));
    const refusal = expect.objectContaining({ causes: [expect.objectContaining({ reason: 'bad-input', path: link })] });
    await expect(store().load(NEEDS)).rejects.toEqual(refusal);
    await expect(store().save('state', DOCUMENT)).rejects.toEqual(refusal);
    expect(await readdir(outside)).toEqual(['state.json']);
    expect(await readFile(path.join(outside, 'state.json'), 'utf8')).toBe('precious');
    await rm(outside, { recursive: true });
  });
});
