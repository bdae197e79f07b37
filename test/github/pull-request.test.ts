import { symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import type { PullRequest } from '../../src/github/api.ts';
import { GitHubError } from '../../src/github/connect.ts';
import type { RunContext } from '../../src/github/context.ts';
import { assertSameBase, changesIn, findMerged, onlyChanged, readChangedFiles } from '../../src/github/pull-request.ts';
import { FilePatterns } from '../../src/media/patterns.ts';
import { pull } from '../builders/github.ts';
import { it as base } from '../harness/fixtures.ts';
import { search } from '../media/search.ts';

const PULL = { number: 7, isFork: false };
const RUN = { pullRequest: PULL, eventCommit: 'a'.repeat(40), baseBranch: 'main', workspace: '/' };
const DECOMPOSED = 'media/Caf\u0065\u0301.png';
const MEDIA = ['media/a.png', 'media/b.PNG', 'media/old/c.png', DECOMPOSED];
const FILES = [...MEDIA, '.git/HEAD', 'notes.txt', 'moved.png/readme'];
const PATTERNS = ['media/**/*.{png,srt}', '!media/old/**'];

type Changed = readonly (readonly [status: string, filename: string, previous?: string])[];

interface Options {
  readonly pullRequest?: RunContext['pullRequest'];
  /** Changes of the pull request while its files are listed. */
  readonly newest?: Partial<PullRequest>;
  /** Whether GitHub may have listed only a part of the files. */
  readonly isCut?: boolean;
  /** A file that is created after the search. */
  readonly alsoThere?: string;
}

const it = base.extend(
  'narrow',
  ({ makeFolder }) =>
    async (changed: Changed, { pullRequest = PULL, newest, isCut = false, alsoThere }: Options = {}) => {
      const searchRoot = await makeFolder(Object.fromEntries(FILES.map((file) => [file, 'x'])));
      const found = await search(PATTERNS, searchRoot);
      if (alsoThere !== undefined) await writeFile(path.join(searchRoot, alsoThere), 'x');
      const run = { ...RUN, pullRequest, searchRoot, checkoutRoot: searchRoot };
      let now = pull();
      const changedFiles = await readChangedFiles(run, new FilePatterns(PATTERNS), {
        pullRequestFiles: async () => {
          now = pull(newest);
          const items = changed.map(([status, filename, previous_filename]) => ({
            status,
            filename,
            previous_filename,
          }));
          return { items, isCut };
        },
        pullRequest: async () => now,
      });
      const { files, notices } = onlyChanged(found, changedFiles);
      return { files: files.map((file) => file.path), notices: notices.join('\n') };
    },
);

it('only listed files in the searched folder are selected, or missing', async ({ makeFolder }) => {
  const checkoutRoot = await makeFolder({ 'app/a.png': 'x', 'other/b.png': 'x' });
  const run = { ...RUN, checkoutRoot, searchRoot: path.join(checkoutRoot, 'app') };
  const items = ['app/a.png', 'other/b.png', 'other/sparse.png'].map((filename) => ({ filename, status: 'added' }));
  const changed = await readChangedFiles(run, new FilePatterns(['**/*.png']), {
    pullRequestFiles: async () => ({ items, isCut: false }),
    pullRequest: async () => pull({ changedFiles: 3 }),
  });
  expect(changed).toMatchObject({ kind: 'known', selected: ['a.png'] });
});

const ALL = expect.arrayContaining(['media/a.png', 'media/b.PNG', DECOMPOSED]);

it.for<[status: string, filename: string, expected: unknown]>([
  ['added', 'media/a.png', ['media/a.png']],
  ['copied', 'media/b.PNG', ['media/b.PNG']],
  ['a status that GitHub does not have yet', 'media/a.png', ['media/a.png']],
  ['removed', 'media/a.png', []],
  ['modified', 'notes.txt', []],
  ['modified', 'media/old/c.png', []],
  ['modified', 'medi', []],
  // Git may store the name in another Unicode form.
  ['added', DECOMPOSED.normalize('NFC'), [DECOMPOSED]],
  ['added', DECOMPOSED, [DECOMPOSED]],
  // GitHub lists a changed submodule as its folder.
  ['modified', 'media', ALL],
  // These paths may be missing in the workspace.
  ['removed', 'media/gone.png', []],
  ['deleted', 'media/gone.png', []],
  ['added', 'media/old/gone.txt', []],
])('the files that a pull request adds or changes: %s %s', async ([status, filename, expected], { narrow }) => {
  const { files, notices } = await narrow([[status, filename]]);
  expect([notices, files]).toEqual(['', expected]);
});

it('a changed file that a case-insensitive disk has under another name is an error', async ({ narrow }) => {
  // On a case-insensitive disk, only one spelling is listed, but both open the file.
  await expect(narrow([['added', 'media/A.png']], { alsoThere: 'media/A.png' })).rejects.toMatchObject({
    causes: [{ reason: 'checkout', path: 'media/A.png' }],
  });
});

const docs = (length: number): Changed => Array.from({ length }, (_, index) => ['added', `docs/${index}.md`]);

it.for<[string, Changed, Options, string]>([
  ['the event does not name the pull request', [], { pullRequest: { isFork: true } }, 'that GitHub does not name'],
  ['it was pushed to since', docs(1), { newest: { headSha: 'f'.repeat(40) } }, 'has changed since'],
  ['its base was changed since', docs(1), { newest: { baseBranch: 'release' } }, 'has changed since'],
  ['GitHub counts more files than it lists', docs(100), { newest: { changedFiles: 150 } }, 'only 100 changed files'],
  ['GitHub lists nothing', [], { newest: { changedFiles: 1 } }, 'only 0 changed files'],
  ['a server does not count the files', docs(2), { newest: { changedFiles: undefined } }, 'only 2 changed files'],
  ['it changes more than GitHub lists', docs(2), { isCut: true }, 'only 2 changed files'],
  ['the base may have moved what it changes', [['modified', 'media/old/gone.PNG']], {}, 'media/old/gone.PNG'],
  ['it changes how Git converts files', [['added', 'media/.gitattributes']], {}, 'media/.gitattributes'],
  ['it stops converting files', [['removed', '.gitattributes']], {}, '.gitattributes'],
  ['it renames what converts files', [['renamed', 'a.txt', 'media/.gitattributes']], {}, 'media/.gitattributes'],
])('all files are checked, with a notice, if %s', async ([, changed, options, reason], { narrow }) => {
  const { files, notices } = await narrow(changed, options);
  expect(files).toEqual(ALL);
  expect(notices).toContain('all 3 matched files are checked.');
  expect(notices).toContain(reason);
});

const ONE = { isCut: false, items: [{ status: 'added', filename: 'a.png' }] };
const api = { pullRequestFiles: async () => ONE, pullRequest: async () => pull() };

it.for<[string, string, boolean]>([
  ['a listed file', 'media/a.png', true],
  ['a file that is not listed', 'media/b.png', false],
  ['a file in a listed folder, such as a submodule', 'media/library/c.png', true],
  ['a submodule that was not checked out, whose path ends in a slash', 'media/library/', true],
  ['what a listed link leads to', 'media/target.png', true],
  ['a file in the folder that a listed link leads to', 'media/films/d.mp4', true],
])('names are compared from the top of the checkout: %s', async ([, file, expected], { makeFolder }) => {
  const checkoutRoot = await makeFolder({
    'site/media/target.png': 'x',
    'site/media/films/d.mp4': 'y',
    'media/b.png': 'z',
  });
  await symlink('../site/media/target.png', path.join(checkoutRoot, 'media/link.png'));
  await symlink('media/films', path.join(checkoutRoot, 'site/folder'));
  const names = ['site/media/a.png', 'media/b.png', 'site/media/library', 'media/link.png', 'site/folder'];
  const items = names.map((filename) => ({ status: 'modified', filename }));
  const run = { ...RUN, searchRoot: path.join(checkoutRoot, 'site'), checkoutRoot };
  const listing = { ...api, pullRequestFiles: async () => ({ items, isCut: false }) };
  const changed = await readChangedFiles(run, new FilePatterns(['**/*.txt']), listing);
  expect(changed).toMatchObject({ kind: 'unknown', why: expect.stringContaining('media/a.png') });
  await writeFile(path.join(checkoutRoot, 'site/media/a.png'), 'x');
  const known = await readChangedFiles(run, new FilePatterns(['**/*.txt']), listing);
  expect(changesIn(known)(file)).toBe(expected);
  expect(changesIn(changed)(file)).toBeUndefined();
});

it.for<[string, Error, string]>([
  ['GitHub does not respond', new GitHubError('list', { trouble: 'outage', problem: 'no', fix: '' }), 'unknown'],
  ['the action has a defect', new Error('defect'), 'Error: defect'],
])('the changes are unknown, and only a defect ends the run: %s', async ([, error, expected]) => {
  const failing = { ...api, pullRequestFiles: async (): Promise<never> => await Promise.reject(error) };
  const run = { ...RUN, searchRoot: '/a', checkoutRoot: '/a' };
  const reading = readChangedFiles(run, new FilePatterns(PATTERNS), failing);
  expect(await reading.then(({ kind }) => kind, String)).toBe(expected);
});

it.for([
  ['in no checkout', { checkoutRoot: undefined }],
  ['for no pull request', { pullRequest: undefined }],
])('the changes are unknown %s', async ([, change]) => {
  const run = { ...RUN, searchRoot: '/a', checkoutRoot: '/a', ...Object(change) };
  expect((await readChangedFiles(run, new FilePatterns(PATTERNS), api)).kind).toBe('unknown');
});

it('a pull request whose base branch was changed ends the run, and one that cannot be read as well', async () => {
  await assertSameBase(RUN, { pullRequest: async () => pull({ baseBranch: 'main' }) });
  const moved = assertSameBase(RUN, { pullRequest: async () => pull({ baseBranch: 'release' }) });
  await expect(moved).rejects.toMatchObject({
    causes: [{ reason: 'github', message: expect.stringContaining('from main to release') }],
  });
  const error = new GitHubError('read the pull request', { trouble: 'refused', problem: 'no', fix: 'Permit it.' });
  await expect(assertSameBase(RUN, { pullRequest: async () => await Promise.reject(error) })).rejects.toBe(error);
});

it.for([
  ['merge_group', 'queue/x/pr-1-a/pr-104-929f8209', 104],
  ['merge_group', 'queue', undefined],
  ['pull_request', 'x/pr-1-a', undefined],
  ['push', 'x/pr-1-a', 7],
] as const)('the pull request that was merged: %s of %s', async ([event, branch, expected]) => {
  const found = await findMerged(
    { event, branch, commit: 'a'.repeat(40) },
    {
      pullRequest: async (number) => pull({ number }),
      pullRequestsOf: async () => [pull({ number: 6 }), pull({ number: 7, isMerged: true })],
    },
  );
  expect(found?.number).toBe(expected);
});
