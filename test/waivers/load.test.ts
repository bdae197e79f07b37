import { execFileSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import type { Waiver } from '../../src/waivers/file.ts';
import { loadWaivers } from '../../src/waivers/load.ts';
import { it as test } from '../harness/fixtures.ts';

const FILE = '.github/waivers.yml';
const BASE = 'b'.repeat(40);
const PLACE = { file: FILE, workspace: '/', baseCommit: undefined, commit: '', event: '' };

function entry(rule: string, reason = 'agreed'): string {
  return `- { rule: ${rule}, path: a.png, owner: legal, reason: ${reason}, expires: 2999-01-01 }\n`;
}

function rulesOf({ waivers }: { readonly waivers: readonly Waiver[] }): readonly string[] {
  return waivers.map(({ rule }) => rule);
}

interface Case {
  readonly here?: string;
  /** Undefined: the base has no such file. */
  readonly base?: string | Error;
  /** Not a pull request. */
  readonly isBranch?: boolean;
  readonly arrange?: (file: string) => Promise<unknown>;
}

const it = test.extend('load', ({ makeFolder }) => async ({ here, base, isBranch, arrange }: Case) => {
  const root = await makeFolder({
    'checkout/.github/readme': '',
    'checkout/real.yml': entry('AD-1'),
    'checkout-too/waivers.yml': entry('AD-1'),
    ...(here !== undefined && { [`checkout/${FILE}`]: here }),
  });
  const searchRoot = path.join(root, 'checkout');
  await arrange?.(path.join(searchRoot, FILE));
  const textAt = async (name: string, commit = ''): Promise<string | undefined> => {
    expect([name, commit]).toEqual([FILE, BASE]);
    if (base instanceof Error) throw base;
    return base;
  };
  return await loadWaivers({ ...PLACE, searchRoot, baseCommit: isBranch ? undefined : BASE }, { textAt });
});

describe('in a pull request', () => {
  it('those of the base count, and those that it adds or changes are proposed', async ({ load }) => {
    const found = await load({
      here: [
        entry('AD-1'),
        entry('AD-2'),
        entry('AD-3', 'changed'),
        entry('AD-4').replace('2999', '3000'),
        entry('AD-5').replace('legal', 'sales'),
      ].join(''),
      base: ['AD-1', 'AD-3', 'AD-4', 'AD-5'].map((rule) => entry(rule)).join(''),
    });
    expect(rulesOf(found)).toEqual(['AD-1', 'AD-3', 'AD-4', 'AD-5']);
    expect(found.notices).toEqual([
      'Proposed, and not counted before it is merged: the waiver of AD-2 for a.png (line 2, owner legal).',
      'Proposed, and not counted before it is merged: the waiver of AD-3 for a.png (line 3, owner legal).',
      'Proposed, and not counted before it is merged: the waiver of AD-4 for a.png (line 4, owner legal).',
      'Proposed, and not counted before it is merged: the waiver of AD-5 for a.png (line 5, owner sales).',
    ]);
  });

  it('a file that only it has is proposed', async ({ load }) => {
    const { waivers, notices } = await load({ here: entry('AD-1') });
    expect(waivers).toEqual([]);
    expect(notices).toEqual([expect.stringMatching(/^Proposed, and not counted before it is merged: .*AD-1/)]);
  });

  it('one that it removes still counts', async ({ load }) => {
    expect(rulesOf(await load({ here: '', base: entry('AD-1') }))).toEqual(['AD-1']);
    expect(rulesOf(await load({ base: entry('AD-1') }))).toEqual(['AD-1']);
  });

  it('a file that is broken in the base does not block its fix', async ({ load }) => {
    const found = await load({ here: entry('AD-1'), base: '- x' });
    expect(found.waivers).toEqual([]);
    expect(found.notices).toEqual([
      expect.stringMatching(/^No waiver counts in this run: .* Line 1: `rule` is missing/),
    ]);
  });

  it.for<[string, Case, string | RegExp]>([
    ['broken here', { here: '- x', base: entry('AD-1') }, /^\.github\/waivers\.yml: Line 1: /],
    ['not there', {}, 'There is no such file'],
    ['not read because the run stops', { here: '', base: new Error('stopped') }, 'stopped'],
  ])('a file that is %s is an error', async ([, versions, message], { load }) => {
    await expect(load(versions)).rejects.toThrow(message);
  });
});

describe('on a branch', () => {
  it.for<[string, NonNullable<Case['arrange']>]>([
    ['a link out of the checkout', async (file) => await symlink('../../checkout-too/waivers.yml', file)],
    ['a folder', async (file) => await mkdir(file)],
    ['a pipe', async (file) => execFileSync('mkfifo', [file])],
  ])('a path outside the repository is not read: %s', async ([, arrange], { load }) => {
    await expect(load({ isBranch: true, arrange })).rejects.toThrow('It is not a file in the repository');
  });

  it('a file that is too large is not read', async ({ load }) => {
    const limit = 256 * 1024;
    await expect(load({ isBranch: true, here: '#'.repeat(limit + 1) })).rejects.toThrow('It is larger than 256 KiB.');
    expect(rulesOf(await load({ isBranch: true, here: '#'.repeat(limit) }))).toEqual([]);
  });

  it('a checkout that is itself behind a link is read', async ({ makeFolder }) => {
    const root = await makeFolder({ 'real/waivers.yml': entry('AD-1') });
    const searchRoot = path.join(root, 'link');
    await symlink('real', searchRoot);
    const place = { ...PLACE, file: 'waivers.yml', searchRoot };
    expect(rulesOf(await loadWaivers(place, { textAt: async () => undefined }))).toEqual(['AD-1']);
  });

  it('a link within the checkout is read', async ({ load }) => {
    const found = await load({ isBranch: true, arrange: async (file) => await symlink('../real.yml', file) });
    expect(rulesOf(found)).toEqual(['AD-1']);
  });
});
