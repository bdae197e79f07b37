import { mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readContext } from '../../src/github/context.ts';
import type { LoadedStates } from '../../src/state/earlier-state.ts';
import { type Binding, seal, signingKey } from '../../src/state/seal.ts';
import { stateFile } from '../../src/state/state-file.ts';
import { binding, document, known, knownPath, open } from './samples.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'gate-state-'));
  file = path.join(folder, 'kept', 'state.json');
});
afterEach(async () => await rm(folder, { recursive: true }));

function opened(): ReturnType<typeof stateFile> {
  const context = { ...readContext({}), workspace: folder, baseBranch: 'main', baseCommit: 'c'.repeat(40) };
  return stateFile(file, { context, origin: binding(), key: signingKey('sk_live_0') });
}

const DOCUMENT = document({ contents: [known('A')], paths: [knownPath('a', 'A')], open: [open('s', ['B'])] });

function sealed(changes: Partial<Binding> = {}, secret = 'sk_live_0'): string {
  return seal(DOCUMENT, binding(changes), signingKey(secret));
}

async function loaded(hasBaseline = false): Promise<LoadedStates> {
  return await opened().load({ hasBaseline });
}

/** What is loaded if nothing can be. */
function nothing(notice: string) {
  return { baseline: undefined, notices: [expect.stringContaining(notice)] };
}

describe('a state file', () => {
  it('holds everything that was saved, whole or not at all, of any run and branch', async () => {
    expect(await opened().write(sealed({ runId: '1', branch: 'feature' }))).toBe(file);
    const { earlierState, ...rest } = await loaded();
    expect(rest).toEqual({ baseline: undefined, notices: [] });
    const { contents, paths, open: submissions } = earlierState;
    expect({ contents, paths, open: submissions }).toEqual(DOCUMENT);
    expect(await readdir(path.dirname(file))).toEqual(['state.json']);
  });

  it.each<[string, Partial<Binding>, boolean]>([
    ['of exactly the base commit', {}, true],
    ['of the base branch, but another commit', { commit: 'd'.repeat(40) }, false],
    ['of a pull request', { event: 'pull_request' }, false],
    ['of a run that had only submitted', { kind: 'open' }, false],
  ])('%s is a baseline: %o', async (_, change, isBaseline) => {
    await opened().write(sealed(change));
    expect((await loaded(true)).baseline).toEqual(isBaseline ? DOCUMENT : undefined);
    expect((await loaded()).baseline).toBeUndefined();
  });

  it('that is huge, or cannot be read, is not used', async () => {
    await opened().write(sealed());
    await truncate(file, 2 ** 34);
    expect(await loaded()).toMatchObject(nothing('too large'));
    file = folder;
    expect(await loaded()).toMatchObject(nothing('cannot be read'));
  });

  it('of a key that was changed is not used, but overwritten', async () => {
    await opened().write(sealed({}, 'sk_live_1'));
    const ours = opened();
    expect(await ours.load({ hasBaseline: true })).toMatchObject(nothing('signed with another key'));
    await ours.write(sealed());
    expect((await loaded()).earlierState.contents).toHaveLength(1);
  });

  it('that cannot be written leaves no draft behind', async () => {
    await mkdir(file, { recursive: true });
    await expect(opened().write(sealed())).rejects.toThrow('EISDIR');
    expect(await readdir(path.dirname(file))).toEqual(['state.json']);
  });

  it('that is a link in the workspace is neither read nor written', async () => {
    const outside = path.join(folder, 'precious');
    await writeFile(outside, 'precious');
    await mkdir(path.dirname(file));
    await symlink(outside, file);
    const refusal = expect.objectContaining({ causes: [expect.objectContaining({ reason: 'bad-input' })] });
    await expect(loaded()).rejects.toEqual(refusal);
    await expect(opened().write(sealed())).rejects.toEqual(refusal);
    expect(await readFile(outside, 'utf8')).toBe('precious');
  });
});
