import { symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { Interruption } from '../../src/causes/cause.ts';
import type { Pull } from '../../src/github/api.ts';
import { GitHubError } from '../../src/github/connect.ts';
import type { PullRequest } from '../../src/github/context.ts';
import { findBaseChange, findChanged, onlyChanged, readChangedPaths } from '../../src/github/pull-request.ts';
import { pull } from '../builders/github.ts';
import { it as base } from '../harness/fixtures.ts';
import { patternsOf, search } from '../media/search.ts';

const PULL: PullRequest = { number: 7, headSha: 'a'.repeat(40), isFork: false };
/** A link to media/a.png. It is checked whatever the pull request changes. */
const LINK = 'media/link.png';
const DECOMPOSED = 'media/Caf\u0065\u0301.png';
const MEDIA = ['media/a.png', 'media/b.PNG', 'media/old/c.png', DECOMPOSED];
const FILES = [...MEDIA, '.git/HEAD', 'notes.txt', 'moved.png/readme'];
const PATTERNS = ['media/**/*.{png,srt}', '!media/old/**'];

type Changed = readonly (readonly [status: string, filename: string])[];

interface Options {
  readonly pullRequest?: PullRequest;
  /** Changes of the pull request while its files are listed. */
  readonly newest?: Partial<Pull>;
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
      await symlink('a.png', path.join(searchRoot, LINK));
      const found = await search(PATTERNS, searchRoot);
      if (alsoThere !== undefined) await writeFile(path.join(searchRoot, alsoThere), 'x');
      const run = { pullRequest, baseBranch: 'main', searchRoot, checkoutRoot: searchRoot };
      let now = pull();
      const paths = await readChangedPaths(run, {
        pullRequestFiles: async () => {
          now = pull(newest);
          return { items: changed.map(([status, filename]) => ({ status, filename })), isCut };
        },
        pullRequest: async () => now,
      });
      const { files, notices } = await onlyChanged(found, paths, { patterns: patternsOf(PATTERNS), searchRoot });
      return { files: files.map((file) => file.path), notices: notices.join('\n') };
    },
);

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
  expect({ notices, link: files.includes(LINK) }).toEqual({ notices: '', link: true });
  expect(files.filter((file) => file !== LINK)).toEqual(expected);
});

it.for([0, 1])('a number of files that is not too high means nothing: %i', async (changedFiles, { narrow }) => {
  const { files, notices } = await narrow([['added', 'media/b.PNG']], { newest: { changedFiles } });
  expect([files, notices]).toEqual([['media/b.PNG', LINK], '']);
});

it('a changed file that a case-insensitive disk has under another name is an error', async ({ narrow }) => {
  // On a case-insensitive disk, only one spelling is listed, but both open the file.
  await expect(narrow([['added', 'media/A.png']], { alsoThere: 'media/A.png' })).rejects.toMatchObject({
    causes: [{ reason: 'checkout', path: 'media/A.png' }],
  });
});

const docs = (length: number): Changed => Array.from({ length }, (_, index) => ['added', `docs/${index}.md`]);

it.for<[string, Changed, Options, string]>([
  [
    'the event does not name the pull request',
    [],
    { pullRequest: { ...PULL, number: undefined } },
    'that GitHub does not name',
  ],
  ['it was pushed to since', docs(1), { newest: { headSha: 'f'.repeat(40) } }, 'has changed since'],
  ['its base was changed since', docs(1), { newest: { baseBranch: 'release' } }, 'has changed since'],
  ['GitHub counts more files than it lists', docs(100), { newest: { changedFiles: 150 } }, 'only 100 changed files'],
  ['GitHub lists nothing', [], { newest: { changedFiles: 1 } }, 'only 0 changed files'],
  ['it changes more than GitHub lists', docs(2), { isCut: true }, 'only 2 changed files'],
  ['the base may have moved what it changes', [['modified', 'media/old/gone.PNG']], {}, 'media/old/gone.PNG'],
  ['the base may have moved what only `files` names', [['modified', 'raw/gone.srt']], {}, 'raw/gone.srt'],
  ['it changes how Git converts files', [['added', 'media/.gitattributes']], {}, 'media/.gitattributes'],
  ['the base has a folder in its place', [['modified', 'moved.png']], {}, 'moved.png'],
])('all files are checked, with a notice, if %s', async ([, changed, options, reason], { narrow }) => {
  const { files, notices } = await narrow(changed, options);
  expect(files).toEqual(ALL);
  expect(notices).toContain('all 4 matched files are checked.');
  expect(notices).toContain(reason);
});

const unasked = async (): Promise<never> => await Promise.reject(new Error('asked'));

const api = { pullRequestFiles: unasked, pullRequest: unasked };
const run = { pullRequest: PULL, baseBranch: 'main', searchRoot: '/a/b', checkoutRoot: '/a' };

it.for<[string, string[] | undefined, unknown]>([
  ['the pull request changes one of them', ['a.png'], [true, false, false]],
  ['a path through links is never called changed', ['linked.png'], [false, false, false]],
  ['GitHub lists a submodule without the slash at the end', ['films'], [false, false, true]],
  ['a changed file is missing, so another one may have been changed', ['a.png', 'moved.png'], []],
  ['the changes are unknown', undefined, []],
])('no request is made if the changes were read: %s', async ([, paths, expected], { makeFolder }) => {
  const known = paths ? ({ kind: 'known', paths } as const) : ({ kind: 'unknown', why: '' } as const);
  const searchRoot = await makeFolder({ 'a.png': 'x', 'b.png': 'y', 'films/.git': 'z' });
  await symlink('b.png', path.join(searchRoot, 'linked.png'));
  const files = [{ path: 'a.png' }, { path: 'linked.png', realPath: 'b.png' }, { path: 'b.png' }, { path: 'films/' }];
  const found = files.map((file) => ({ ...file, absolutePath: path.join(searchRoot, file.path) }));
  expect([...(await findChanged(found, known, { ...run, searchRoot }, api)).values()]).toEqual(expected);
});

it.for<[string, Error, string]>([
  ['GitHub does not respond', new GitHubError('list', { trouble: 'unavailable', problem: 'no', fix: '' }), 'unknown'],
  ['the run is cancelled', new Interruption('SIGTERM'), 'unknown'],
  ['the action has a defect', new Error('defect'), 'Error: defect'],
])('the changes are unknown, and only a defect ends the run: %s', async ([, error, expected]) => {
  const failing = { ...api, pullRequestFiles: async (): Promise<never> => await Promise.reject(error) };
  const reading = readChangedPaths({ ...run, checkoutRoot: run.searchRoot }, failing);
  expect(await reading.then(({ kind }) => kind, String)).toBe(expected);
});

it('nothing is requested from GitHub outside the root of the checkout, or for no pull request', async () => {
  expect(await readChangedPaths(run, api)).toMatchObject({ why: expect.stringContaining('Set `working-directory`') });
  expect(await readChangedPaths({ ...run, pullRequest: undefined }, api)).toMatchObject({ kind: 'unknown' });
});

it.for([
  ['main', undefined],
  ['release', expect.stringContaining('from main to release')],
])('a pull request into main that now goes into %s', async ([baseBranch = '', why]) => {
  const api = { pullRequest: async () => pull({ baseBranch }) };
  const found = await findBaseChange({ pullRequest: PULL, baseBranch: 'main' }, api);
  expect(found.baseChange?.why).toEqual(why);
});

it.for<[GitHubError['trouble'], 'ends the run' | 'is a notice']>([
  ['unavailable', 'ends the run'],
  ['rate-limit', 'ends the run'],
  ['permission', 'is a notice'],
  ['not-found', 'is a notice'],
])('a base branch that cannot be compared because of %s %s', async ([trouble, expected]) => {
  const failing = async (): Promise<never> => {
    throw new GitHubError('read the pull request', { trouble, problem: 'no', fix: 'Permit it.' });
  };
  const done = await findBaseChange({ pullRequest: PULL, baseBranch: 'main' }, { pullRequest: failing }).then(
    ({ notice }) => (notice === undefined ? 'says nothing' : 'is a notice'),
    () => 'ends the run',
  );
  expect(done).toBe(expected);
});
