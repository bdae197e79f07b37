import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FoundWaivers, loadWaivers } from '../../src/waivers/load.ts';

const FILE = '.github/waivers.yml';
const BASE = 'b'.repeat(40);

function entry(rule: string, reason = 'agreed'): string {
  return `- { rule: ${rule}, path: a.png, owner: legal, reason: ${reason}, expires: 2999-01-01 }\n`;
}

function comment(length: number): string {
  return `#${'x'.repeat(length - 1)}`;
}

let workspace: string;
beforeEach(async () => {
  workspace = await mkdtemp(path.join(tmpdir(), 'gate-waivers-'));
  await mkdir(path.join(workspace, '.github'));
});
afterEach(async () => await rm(workspace, { recursive: true }));

interface Versions {
  readonly here?: string;
  /** Undefined: the base has no such file. */
  readonly base?: string;
}

async function find({ here, base }: Versions): Promise<FoundWaivers> {
  if (here !== undefined) await writeFile(path.join(workspace, FILE), here);
  return await loadWaivers(
    { file: FILE, searchRoot: workspace, baseCommit: BASE },
    {
      textAt: async (name, commit) => {
        expect([name, commit]).toEqual([FILE, BASE]);
        return base;
      },
    },
  );
}

function rulesOf({ waivers }: FoundWaivers): readonly string[] {
  return waivers.map(({ rule }) => rule);
}

describe('in a pull request', () => {
  it('those of the base count, and those that it adds or changes are proposed', async () => {
    const found = await find({
      here: entry('AD-1') + entry('AD-2') + entry('AD-3', 'changed'),
      base: entry('AD-1') + entry('AD-3'),
    });
    expect(rulesOf(found)).toEqual(['AD-1', 'AD-3']);
    expect(found.notices).toEqual([
      'Proposed, and not counted before it is merged: the waiver of AD-2 for a.png (line 2, owner legal).',
      'Proposed, and not counted before it is merged: the waiver of AD-3 for a.png (line 3, owner legal).',
    ]);
  });

  it('one that it removes still counts', async () => {
    expect(rulesOf(await find({ here: '', base: entry('AD-1') }))).toEqual(['AD-1']);
    expect(rulesOf(await find({ base: entry('AD-1') }))).toEqual(['AD-1']);
  });

  it('a file that is broken here is an error', async () => {
    await expect(find({ here: '- x', base: entry('AD-1') })).rejects.toThrow('Line 1: ');
  });

  it('a file that is broken in the base does not block its fix', async () => {
    const found = await find({ here: entry('AD-1'), base: '- x' });
    expect(found.waivers).toEqual([]);
    expect(found.notices).toEqual([
      'No waiver counts in this run: the waivers file of the base commit is wrong. Line 1: `rule` is missing.',
    ]);
  });

  it('other errors are thrown', async () => {
    const stop = new Error('stopped');
    const found = loadWaivers(
      { file: FILE, searchRoot: workspace, baseCommit: BASE },
      { textAt: async () => await Promise.reject(stop) },
    );
    await expect(found).rejects.toBe(stop);
  });

  it('a file that does not exist is an error', async () => {
    await expect(find({})).rejects.toThrow('There is no such file');
  });
});

/** If there is no base. */
const withoutBase = async (here?: string): Promise<FoundWaivers> => {
  if (here !== undefined) await writeFile(path.join(workspace, FILE), here);
  return await loadWaivers(
    { file: FILE, searchRoot: workspace, baseCommit: undefined },
    { textAt: async () => await Promise.reject(new Error('asked')) },
  );
};

describe('on a branch, a path outside the repository is not read', () => {
  it.each([
    ['a link out of the workspace', async () => await symlink('/etc/hostname', path.join(workspace, FILE))],
    ['a link to something without end', async () => await symlink('/dev/zero', path.join(workspace, FILE))],
    ['a directory', async () => await mkdir(path.join(workspace, FILE))],
    ['a pipe', async () => execFileSync('mkfifo', [path.join(workspace, FILE)])],
    [
      'a link on the way',
      async () => {
        await rm(path.join(workspace, '.github'), { recursive: true });
        await symlink('/etc', path.join(workspace, '.github'));
        await writeFile(path.join(workspace, 'waivers.yml'), '');
      },
    ],
  ])('%s', async (what, arrange) => {
    await arrange();
    const file = what === 'a link on the way' ? '.github/hostname' : FILE;
    const found = loadWaivers(
      { file, searchRoot: workspace, baseCommit: undefined },
      { textAt: async () => undefined },
    );
    await expect(found).rejects.toThrow('It is not a file in the repository');
  });

  it('a folder whose name begins like the workspace is not in it', async () => {
    const neighbour = `${workspace}-too`;
    await mkdir(neighbour);
    await writeFile(path.join(neighbour, 'waivers.yml'), entry('AD-1'));
    await symlink(path.join(neighbour, 'waivers.yml'), path.join(workspace, FILE));
    try {
      await expect(withoutBase()).rejects.toThrow('It is not a file in the repository');
    } finally {
      await rm(neighbour, { recursive: true });
    }
  });

  it('one that is too large', async () => {
    const limit = 256 * 1024;
    await expect(withoutBase(comment(limit + 1))).rejects.toThrow('It is larger than 256 KiB.');
    expect(rulesOf(await withoutBase(comment(limit)))).toEqual([]);
  });

  it('a link within the workspace is read', async () => {
    await writeFile(path.join(workspace, 'real.yml'), entry('AD-1'));
    await symlink('../real.yml', path.join(workspace, FILE));
    expect(rulesOf(await find({ base: entry('AD-1') }))).toEqual(['AD-1']);
  });
});
