import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { GateError } from '../../src/lib/cause.ts';
import type { DiscoverOptions } from '../../src/media/discover.ts';
import { typeOfExtension } from '../../src/media/media-types.ts';
import { DEFAULT_PATTERNS } from '../../src/media/patterns.ts';
import { search } from './search.ts';
import { makeWorkspace } from './workspace.ts';

async function find(patterns: readonly string[], root: string, options?: DiscoverOptions): Promise<string[]> {
  return (await search(patterns, root, options)).files.map((file) => file.path);
}

async function causesOf(work: Promise<unknown>): Promise<GateError['causes']> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof GateError)) throw new Error(`not a GateError: ${String(error)}`);
  return error.causes;
}

describe('names that are hard to handle', () => {
  const all = [
    'x[1].png',
    'a*b.png',
    'what?.png',
    '{a,b}.png',
    'two\nlines.png',
    '!bang.png',
    '#hash.png',
    ' space first.png',
    'it\'s "quoted".png',
    'caf\u00e9.png',
    'cafe\u0301.png',
    '-dash.png',
    '::error::x.png',
    '\u{1f3ac}.png',
    'back\\slash.png',
    '$(id).png',
    '%0A.png',
  ];
  const names = all.filter((name) => {
    if (process.platform === 'win32') return !/[\\:*?"<>|\n]/.test(name);
    // macOS treats the two forms of a name as one.
    return process.platform !== 'darwin' || name.normalize('NFC') === name;
  });

  it('are found by a wildcard, each once, in code-unit order', async () => {
    await using workspace = await makeWorkspace(names);
    expect(await find(['**/*.png', '*.png'], workspace.root)).toEqual(names.toSorted());
  });

  // A line cannot hold a line break.
  it.each(names.filter((name) => !name.includes('\n')))('%s is found by a pattern that spells it', async (name) => {
    await using workspace = await makeWorkspace(names);
    expect(await find([`./${name}`], workspace.root)).toContain(name);
  });

  it.skipIf(process.platform === 'win32')('a leading ! or # can be escaped', async () => {
    await using workspace = await makeWorkspace(names);
    expect(await find(['\\!bang.png', '\\#hash.png'], workspace.root)).toEqual(['!bang.png', '#hash.png']);
  });
});

it('returns the absolute path as well', async () => {
  await using workspace = await makeWorkspace(['media/a.png']);
  const { files } = await search(['**/*.png'], workspace.root);
  expect(files).toEqual([{ path: 'media/a.png', absolutePath: path.join(workspace.root, 'media', 'a.png') }]);
});

describe('links and special files', () => {
  it('leaves symbolic links out and names them in one notice', async () => {
    await using workspace = await makeWorkspace(['real.png', 'dir/in.png', 'other/x.txt']);
    symlinkSync('real.png', path.join(workspace.root, 'link.png'));
    symlinkSync('dir', path.join(workspace.root, 'linked'));
    symlinkSync('nowhere', path.join(workspace.root, 'broken'));
    symlinkSync('other/x.txt', path.join(workspace.root, 'link.txt'));
    symlinkSync('.', path.join(workspace.root, 'dir', 'loop'));
    const { files, notices } = await search(['**/*.png'], workspace.root);
    expect(files.map((file) => file.path)).toEqual(['dir/in.png', 'real.png']);
    expect(notices).toEqual(['Symbolic links are not followed. Left out: dir/loop, link.png, linked.']);
  });

  it('does not name an excluded link', async () => {
    await using workspace = await makeWorkspace(['real.png', 'dir/in.png']);
    symlinkSync('dir', path.join(workspace.root, 'linked'));
    symlinkSync('real.png', path.join(workspace.root, 'link.png'));
    expect((await search(['**/*.png', '!linked', '!link.png'], workspace.root)).notices).toEqual([]);
  });

  it('counts the links that it does not name', async () => {
    await using workspace = await makeWorkspace(['real.png']);
    for (let i = 10; i < 25; i++) symlinkSync('real.png', path.join(workspace.root, `l${i}.png`));
    const [notice] = (await search(['*.png'], workspace.root)).notices;
    expect(notice).toMatch(/l10\.png, .*l19\.png and 5 more\.$/);
  });

  it.skipIf(process.platform === 'win32')('leaves pipes out', async () => {
    await using workspace = await makeWorkspace(['a.png']);
    execFileSync('mkfifo', [path.join(workspace.root, 'pipe.png')]);
    expect(await find(['*.png'], workspace.root)).toEqual(['a.png']);
  });
});

describe('patterns that match nothing', () => {
  it('get one notice each', async () => {
    await using workspace = await makeWorkspace(['a.png', 'b/c.png']);
    const { notices } = await search(['*.png', 'media/*.mpg', '!nope', '*.gif'], workspace.root);
    expect(notices).toEqual([
      'The pattern "media/*.mpg" of the input `files` matches no file.',
      'The pattern "*.gif" of the input `files` matches no file.',
    ]);
  });

  it('get no notice if all their matches are excluded', async () => {
    await using workspace = await makeWorkspace(['a.png', 'b/c.gif']);
    expect((await search(['*.png', '**/*.gif', '!*.png', '!b'], workspace.root)).notices).toEqual([]);
  });

  it('get no notice if they are default patterns', async () => {
    await using workspace = await makeWorkspace(['a.png', 'B.MP4']);
    const found = await search(DEFAULT_PATTERNS, workspace.root, { isDefault: true });
    expect(found.files.map((file) => file.path)).toEqual(['B.MP4', 'a.png']);
    expect(found.notices).toEqual([]);
  });

  it('get one notice if every line excludes', async () => {
    await using workspace = await makeWorkspace(['a.png']);
    expect((await search(['!a.png'], workspace.root)).notices).toEqual([expect.stringContaining('Every line')]);
  });
});

describe('a workspace that was not checked out', () => {
  it.each<[string, string[]]>([
    ['empty', []],
    ['nothing but .git', ['.git/config']],
  ])('%s', async (_, files) => {
    await using workspace = await makeWorkspace(files);
    const [cause] = await causesOf(search(['**'], workspace.root));
    expect(cause).toMatchObject({ reason: 'checkout', fix: expect.stringContaining('actions/checkout') });
  });

  it('missing', async () => {
    await using workspace = await makeWorkspace([]);
    const [cause] = await causesOf(search(['**'], path.join(workspace.root, 'missing')));
    expect(cause?.reason).toBe('checkout');
  });
});

function addUnreadable(root: string): void {
  mkdirSync(Buffer.concat([Buffer.from(`${root}/bad-`), Buffer.from([0xff])]));
}

// Only Linux allows names that are not valid UTF-8. Node cannot open them, even as root.
describe.runIf(process.platform === 'linux')('a directory that cannot be read', () => {
  it('ends the search, named', async () => {
    await using workspace = await makeWorkspace(['a.png']);
    addUnreadable(workspace.root);
    const causes = await causesOf(search(['**/*.png'], workspace.root));
    expect(causes).toMatchObject([
      { reason: 'pre-flight', path: 'bad-\ufffd', message: expect.stringContaining('ENOENT') },
    ]);
  });

  it('is ignored if no pattern reaches it', async () => {
    await using workspace = await makeWorkspace(['a.png']);
    addUnreadable(workspace.root);
    expect(await find(['*.png'], workspace.root)).toEqual(['a.png']);
    expect(await find(['**/*.png', '!bad-*'], workspace.root)).toEqual(['a.png']);
  });
});

/** A valid name, and an invalid one that Node reads as the same name. */
function addTwins(root: string, add: (path: Buffer) => void): void {
  for (const name of [Buffer.from('\ufffd.png'), Buffer.from([0xff, ...Buffer.from('.png')])])
    add(Buffer.concat([Buffer.from(`${root}/`), name]));
}

describe.runIf(process.platform === 'linux')('two names that are the same once they are read as UTF-8', () => {
  it.each([
    ['files', (path: Buffer) => writeFileSync(path, 'x')],
    ['folders', (path: Buffer) => mkdirSync(path)],
    ['links', (path: Buffer) => symlinkSync('a.png', path)],
  ])('%s: an error, because one of them would be missed', async (_, add) => {
    await using workspace = await makeWorkspace(['a.png']);
    addTwins(workspace.root, add);
    const causes = await causesOf(search(['**'], workspace.root));
    expect(causes.map(({ path }) => path)).toEqual(['\ufffd.png', '\ufffd.png']);
    expect(causes[0]).toMatchObject({ reason: 'pre-flight', message: expect.stringContaining('look the same') });
  });

  it('are ignored if they are excluded', async () => {
    await using workspace = await makeWorkspace(['a.png']);
    addTwins(workspace.root, (path) => writeFileSync(path, 'x'));
    expect(await find(['*.png', '!?.png', 'a.png'], workspace.root)).toEqual(['a.png']);
  });
});

it('ends when the run is aborted', async () => {
  await using workspace = await makeWorkspace(['a.png']);
  const reason = new Error('cancelled');
  await expect(search(['**'], workspace.root, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

it('knows the type of every default pattern, and each is there once', () => {
  const extensions = DEFAULT_PATTERNS.map((pattern) => /^\*\*\/\*\.([a-z0-9]+)$/.exec(pattern)?.[1] ?? pattern);
  expect(extensions.filter((extension) => !typeOfExtension(extension))).toEqual([]);
  expect(new Set(extensions).size).toBe(extensions.length);
  expect(extensions).not.toContain('ts');
});
