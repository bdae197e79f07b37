import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { discover, noFilesMatch } from '../../src/media/discover.ts';
import { DEFAULT_PATTERNS, typeOfName } from '../../src/media/media-types.ts';
import { it } from '../harness/fixtures.ts';
import type { Files } from '../harness/workspace.ts';
import { patternsOf, search } from './search.ts';

async function find(patterns: readonly string[], root: string): Promise<string[]> {
  return (await search(patterns, root)).files.map((file) => file.path);
}

async function expectCause(work: Promise<unknown>, cause: object): Promise<void> {
  await expect(work).rejects.toMatchObject({ name: 'GateError', causes: [cause] });
}

it.for<[string, string, unknown]>([
  ['media/**', 'a.png', ['media/a.png', 'media/media/a.png']],
  ['packages/*/media/*.mp4', 'a.png', 'refused'],
  ['packages/*/media/*.txt', 'a.txt', 'refused'],
  ['packages/*/media/*.txt', 'a.md', []],
])('%s: a circle of links around %s may hide no file that a line could select', async (row, { makeFolder }) => {
  const [line, file, expected] = row;
  const root = await makeFolder({ [`media/${file}`]: 'x', 'media/README.md': 'x', 'packages/y': '' });
  symlinkSync('.', path.join(root, 'media/media'));
  symlinkSync('../media', path.join(root, 'packages/x'));
  expect(await find([line], root).catch(() => 'refused')).toEqual(expected);
});

it('a circle of links around a folder that was not searched is refused', async ({ makeFolder }) => {
  const root = await makeFolder({ 'a/b/c.png': 'x' });
  symlinkSync('..', path.join(root, 'a/a'));
  await expectCause(search(['**', '!**/b', 'a/b/**/*.png'], root), { reason: 'pre-flight', path: 'a/a/a/a' });
});

it('a folder that is missing when it is its turn is named', async ({ makeFolder }) => {
  const root = await makeFolder({ 'a.png': 'x', 'b/missing/c.png': 'x' });
  const patterns = patternsOf(['b/missing/c.png']);
  const shouldSearch = patterns.shouldSearch.bind(patterns);
  patterns.shouldSearch = (folder) => {
    if (folder === 'b/missing') rmSync(path.join(root, folder), { recursive: true });
    return shouldSearch(folder);
  };
  const message = expect.stringContaining('ENOENT');
  await expectCause(discover(patterns, root), { reason: 'pre-flight', path: 'b/missing', message });
});

// Windows does not allow these names.
it.runIf(process.platform !== 'win32')('a folder of any name is searched', async ({ makeFolder }) => {
  const names = [
    '[x]',
    '{a,b}',
    '!a',
    '#x',
    '~',
    ' first',
    'back\\slash',
    'a*b',
    '**',
    'what?',
    'two\nlines',
    'cr\rlf',
  ];
  const files = names.map((name) => `${name}/${name}/a.png`).toSorted();
  for (const folder of ['.', ...names]) {
    const root = await makeFolder(Object.fromEntries(files.map((file) => [`${folder}/${file}`, 'x'])));
    expect(await find(['**'], path.join(root, folder))).toEqual(files);
  }
});

it.runIf(process.platform !== 'win32')('pipes are left out', async ({ makeFolder }) => {
  const root = await makeFolder({ 'a.png': 'x' });
  execFileSync('mkfifo', [path.join(root, 'pipe.png')]);
  expect(await find(['*.png'], root)).toEqual(['a.png']);
  symlinkSync('pipe.png', path.join(root, 'link.png'));
  await expectCause(search(['*.png'], root), { path: 'link.png' });
});

it('a link is resolved as the kernel does: `..` after a link leads to the folder above its target', async ({
  makeFolder,
}) => {
  const root = await makeFolder({ 'a/b/c': 'x', 'a/y.png': 'x', 'y.png': 'x', 'media/x': 'x' });
  symlinkSync('a/b', path.join(root, 'hop'));
  symlinkSync('../hop/../y.png', path.join(root, 'media/x.png'));
  expect((await search(['media/*'], root)).files).toMatchObject([{ path: 'media/x.png', realPath: 'a/y.png' }]);
});

it("a link into Git's own files is refused", async ({ makeFolder }) => {
  const root = await makeFolder({ '.git/a.png': 'x', 'b.png': 'x' });
  symlinkSync('.git', path.join(root, 'media'));
  await expectCause(search(['**/*.png'], root), { path: 'media' });
});

it.for<[target: string, message: string, line: string]>([
  ['../../outside.png', 'leads out of', '!media/x.png'],
  ['../../outside', 'leads out of', '!media/x.png/**'],
  ['../../nowhere/x.png', 'leads nowhere', '!media/x.png'],
  ['missing/x.png', 'leads nowhere', '!media/x.png'],
])('a link to %s says why its target cannot be checked', async ([target, message, line], { makeFolder }) => {
  const workspace = await makeFolder({ 'outside.png': 'x', 'outside/b.png': 'x', 'repository/media/a.png': 'x' });
  const root = path.join(workspace, 'repository');
  symlinkSync(target, path.join(root, 'media/x.png'));
  const texts = ['Put the file or folder itself', `add the line \`${line}\``];
  const steps = texts.map((text) => ({ text: expect.stringContaining(text) }));
  await expectCause(search(['media/**'], root), { message: expect.stringContaining(message), steps });
  expect(await find(['media/**', line], root)).toEqual(['media/a.png']);
});

it('10,000 paths may lead through links, beside any number of others', async ({ makeFolder }) => {
  const names = Array.from({ length: 9_999 }, (_, index) => `store/${index}.txt`);
  const root = await makeFolder({ 'store/a.png': 'x', ...Object.fromEntries(names.map((name) => [name, ''])) });
  symlinkSync('store', path.join(root, 'media'));
  expect(await find(['**/*.png'], root)).toEqual(['media/a.png', 'store/a.png']);
  writeFileSync(path.join(root, 'store/b.png'), 'x');
  const message = 'More than 10,000 paths lead through symbolic links.';
  await expectCause(search(['**/*.png'], root), { path: 'media', message });
});

it.for<[string, readonly string[], string[]]>([
  ['gets one notice', ['*.png', 'media/*.mpg', '!nope', '*.gif'], ['media/*.mpg', '*.gif']],
  ['gets no notice if all its matches are excluded', ['*.png', '**/*.jpg', '!*.png', '!b'], []],
  ['gets no notice if it is a default pattern', [...DEFAULT_PATTERNS, '!x'], []],
])('a pattern that matches no file %s', async ([, patterns, unmatched], { makeFolder }) => {
  const { notices } = await search(patterns, await makeFolder({ 'a.png': 'x', 'b/c.jpg': 'x' }));
  const expected = unmatched.map((pattern) => `The pattern "${pattern}" of the input \`files\` matches no file.`);
  expect(notices).toEqual(expected);
});

// On Windows, case does not matter.
describe.skipIf(process.platform === 'win32')('upper and lower case', () => {
  it.for<[line: string, hint: string]>([
    ['B/**', ' Upper and lower case differ: there is `b`.'],
    ['B/*/x.png', ''],
    ['B/D/**/*.jpg', ' Upper and lower case differ: there is `b/d`.'],
    ['b/d/E.jpg', ' Upper and lower case differ: there is `b/d/e.jpg`.'],
    ['**/E*', ' Upper and lower case differ: there is `b/d/e.jpg`.'],
    ['A.PNG', ' Upper and lower case differ: there is `a.png`.'],
  ])('the notice about %s names what has another case', async ([line, hint], { makeFolder }) => {
    const root = await makeFolder({ 'a.png': 'x', 'b/c.jpg': 'x', 'b/d/e.jpg': 'x' });
    const { notices } = await search([line, 'b/c.jpg'], root);
    expect(notices).toEqual([`The pattern "${line}" of the input \`files\` matches no file.${hint}`]);
  });
});

it.for<[string, isDryRun: boolean, notice: string | undefined]>([
  ['none/*.gif', false, '4 media files elsewhere: b/ (2), ./ (1), a/ (1)'],
  ['a.png', true, '3 media files elsewhere: b/ (2), a/ (1)'],
  ['a.png', false, undefined],
])('media that %s does not reach, in a dry run: %s', async ([line, isDryRun, notice], { makeFolder }) => {
  const files = ['a.png', 'a/b.png', 'b/c/d.jpg', 'b/e.pdf', 'b/f.txt', 'node_modules/x/y.png'];
  const root = await makeFolder(Object.fromEntries(files.map((file) => [file, 'x'])));
  const { elsewhere, notices } = await search([line], root, isDryRun);
  const expected = notice === undefined ? [] : [expect.stringContaining(`${notice}. To check`)];
  expect(notices.filter((text) => text.includes('elsewhere'))).toEqual(expected);
  expect(elsewhere.length > 0).toBe(notice !== undefined);
});

it('a folder that a line for files does not exclude is named', async ({ makeFolder }) => {
  const files = ['m/x.svg/a.png', 'm/x.svg/b/c.png', 'n/y.svg/d.txt', 'v.1/e.png'];
  const root = await makeFolder(Object.fromEntries(files.map((file) => [file, 'x'])));
  const { notices } = await search(['**', '!**/*.svg'], root);
  expect(notices).toEqual([expect.stringMatching(/^The files in the folder m\/x\.svg .* `!m\/x\.svg\/\*\*`/)]);
});

it.for([
  [false, 'set `if-no-files-found: ignore`'],
  [true, 'there is nothing to do'],
] as const)('no file matches, which is expected: %s', ([isExpected, fix]) => {
  const cause = noFilesMatch('/repo', isExpected);
  expect(cause).toMatchObject({ reason: 'no-files', steps: [{ text: expect.stringContaining(`If not, ${fix}.`) }] });
});

it.for<[string, Files]>([
  ['it is empty', {}],
  ['it has nothing but .git', { '.git/config': 'x' }],
  ['it is missing', { 'other/a.png': 'x' }],
])('a workspace was not checked out if %s', async ([, files], { makeFolder }) => {
  const root = await makeFolder(files);
  const steps = [{ text: expect.stringContaining('actions/checkout') }];
  const searched = 'other/a.png' in files ? path.join(root, 'missing') : root;
  await expectCause(search(['**'], searched), { reason: 'checkout', steps });
});

/** The path of a name that is not UTF-8 in a folder. Node reads it like the valid name `\ufffd.png`. */
function invalid(folder: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, ...Buffer.from('.png')])]);
}

// Only Linux allows names that are not valid UTF-8. Node cannot open them, even as root.
describe.runIf(process.platform === 'linux')('a name that is not UTF-8', () => {
  it.for<[string, (folder: string) => void]>([
    ['a link', (folder) => symlinkSync('b.png', invalid(folder))],
    [
      'a folder that looks like another one, which is empty',
      (folder) => {
        mkdirSync(invalid(folder));
        writeFileSync(Buffer.concat([invalid(folder), Buffer.from('/hidden.png')]), 'x');
        mkdirSync(`${folder}/\ufffd.png`);
      },
    ],
  ])('is never skipped: %s', async ([, add], { makeFolder }) => {
    const root = await makeFolder({ 'a/b.png': 'x', 'z.png': 'x' });
    add(`${root}/a`);
    expect(await find(['z.png'], root)).toEqual(['z.png']);
    const message = expect.stringContaining('UTF-8');
    await expectCause(search(['a/*'], root), { reason: 'pre-flight', path: 'a/\ufffd.png', message });
  });
});

it('knows the type of every default pattern, and each is there once', () => {
  const extensions = DEFAULT_PATTERNS.map((pattern) => /^\*\*\/\*\.([a-z0-9]+)$/.exec(pattern)?.[1] ?? pattern);
  expect(extensions.filter((extension) => !typeOfName(`a.${extension}`))).toEqual([]);
  expect(new Set(extensions).size).toBe(extensions.length);
  expect(extensions).not.toContain('ts');
});
