import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
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

describe('links and special files', () => {
  it('opens what a link leads to by its real path', async () => {
    await using workspace = await makeWorkspace(['store/a.png', 'other/x.txt']);
    symlinkSync('store', path.join(workspace.root, 'linked'));
    symlinkSync('other/x.txt', path.join(workspace.root, 'link.txt'));
    symlinkSync('nowhere', path.join(workspace.root, 'broken'));
    const { files, notices } = await search(['**/*.png'], workspace.root);
    const absolutePath = path.join(workspace.root, 'store', 'a.png');
    expect(files).toEqual([
      { path: 'linked/a.png', absolutePath, realPath: 'store/a.png' },
      { path: 'store/a.png', absolutePath },
    ]);
    expect(notices).toEqual([]);
  });

  it('refuses a link out of the root to nothing: elsewhere it may be a folder of media', async () => {
    await using workspace = await makeWorkspace(['a.png']);
    symlinkSync(path.join(workspace.root, '..', 'published', 'clips'), path.join(workspace.root, 'clips'));
    expect(await causesOf(search(['**/*.png'], workspace.root))).toMatchObject([{ path: 'clips' }]);
    expect(await find(['*.png'], workspace.root)).toEqual(['a.png']);
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

/** The path of a name that is not UTF-8 in a folder. Node reads it like the valid name `\ufffd.png`. */
function invalid(folder: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, ...Buffer.from('.png')])]);
}

// Only Linux allows names that are not valid UTF-8. Node cannot open them, even as root.
describe.runIf(process.platform === 'linux')('a name that is not UTF-8', () => {
  it.each<[string, (root: string) => void]>([
    ['a file', (root) => writeFileSync(invalid(`${root}/a`), 'x')],
    ['a folder', (root) => mkdirSync(invalid(`${root}/a`))],
    ['a link', (root) => symlinkSync('b.png', invalid(`${root}/a`))],
    [
      'a file that looks like another one',
      (root) => {
        writeFileSync(invalid(`${root}/a`), 'x');
        writeFileSync(`${root}/a/\ufffd.png`, 'x');
      },
    ],
    [
      'a folder that looks like another one, which is empty',
      (root) => {
        mkdirSync(invalid(`${root}/a`));
        writeFileSync(Buffer.concat([invalid(`${root}/a`), Buffer.from('/hidden.png')]), 'x');
        mkdirSync(`${root}/a/\ufffd.png`);
      },
    ],
  ])('is never skipped: %s', async (_, add) => {
    await using workspace = await makeWorkspace(['a/b.png', 'z.png']);
    add(workspace.root);
    const causes = await causesOf(search(['z.png'], workspace.root));
    expect(causes).toEqual([
      expect.objectContaining({
        reason: 'pre-flight',
        path: 'a/\ufffd.png',
        message: expect.stringContaining('UTF-8'),
      }),
    ]);
  });
});

it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
  'a folder that cannot be read is named',
  async () => {
    await using workspace = await makeWorkspace(['a.png', 'closed/b.png']);
    chmodSync(path.join(workspace.root, 'closed'), 0);
    const causes = await causesOf(search(['**/*.png'], workspace.root));
    chmodSync(path.join(workspace.root, 'closed'), 0o700);
    expect(causes).toMatchObject([{ path: 'closed', message: expect.stringContaining('EACCES') }]);
  },
);

it('knows the type of every default pattern, and each is there once', () => {
  const extensions = DEFAULT_PATTERNS.map((pattern) => /^\*\*\/\*\.([a-z0-9]+)$/.exec(pattern)?.[1] ?? pattern);
  expect(extensions.filter((extension) => !typeOfExtension(extension))).toEqual([]);
  expect(new Set(extensions).size).toBe(extensions.length);
  expect(extensions).not.toContain('ts');
});
