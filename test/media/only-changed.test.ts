import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PullRequest } from '../../src/github/context.ts';
import { onlyChanged } from '../../src/media/only-changed.ts';
import { connect } from '../harness/connect.ts';
import { type GitHubModel, startGitHub } from '../harness/github-server.ts';
import { patternsOf, search } from './search.ts';

const HEAD = 'a'.repeat(40);
const PULL: PullRequest = { number: 7, headSha: HEAD, isFork: false, isDependabot: false };
/** Leads to media/a.png, so it changes with it. */
const LINK = 'media/link.png';
const DECOMPOSED = 'media/Caf\u0065\u0301.png';

let workspace: string;
beforeAll(async () => {
  workspace = await mkdtemp(path.join(tmpdir(), 'gate-changed-'));
  for (const file of ['media/a.png', 'media/b.PNG', 'media/old/c.png', 'notes.txt', DECOMPOSED]) {
    await mkdir(path.dirname(path.join(workspace, file)), { recursive: true });
    await writeFile(path.join(workspace, file), 'x');
  }
  await symlink('a.png', path.join(workspace, LINK));
  await mkdir(path.join(workspace, '.git'));
});
afterAll(async () => await rm(workspace, { recursive: true }));

const PATTERNS = ['media/**/*.png', '!media/old/**'];

interface Narrowed {
  readonly files: readonly string[];
  readonly notices: string;
}

async function narrow(
  changed: readonly (readonly [status: string, filename: string])[],
  options: { model?: GitHubModel; pullRequest?: PullRequest; alsoThere?: string } = {},
): Promise<Narrowed> {
  await using github = await startGitHub({
    pulls: { 7: { headSha: HEAD, files: changed.map(([status, filename]) => ({ status, filename })) } },
    ...options.model,
  });
  const api = connect(github);
  const discovery = await search(PATTERNS, workspace, { isDefault: true });
  const alsoThere = options.alsoThere === undefined ? undefined : path.join(workspace, options.alsoThere);
  if (alsoThere !== undefined) await writeFile(alsoThere, 'x');
  const { pullRequest = PULL } = options;
  const result = await onlyChanged({ files: discovery.files, notices: [] }, patternsOf(PATTERNS, { windows: false }), {
    run: { event: 'pull_request', pullRequest, searchRoot: workspace },
    api,
  }).finally(async () => {
    if (alsoThere !== undefined) await rm(alsoThere);
  });
  return { files: result.files.map((file) => file.path), notices: result.notices.join('\n') };
}

const ALL = expect.arrayContaining(['media/a.png', 'media/b.PNG', DECOMPOSED]);

describe('the files that a pull request adds or changes', () => {
  it.each([
    ['added', 'media/a.png', ['media/a.png', LINK]],
    ['copied', 'media/b.PNG', ['media/b.PNG']],
    ['changed', 'media/a.png', ['media/a.png', LINK]],
    ['removed', 'media/a.png', []],
    ['modified', 'notes.txt', []],
    ['modified', 'media/old/c.png', []],
    ['modified', 'medi', []],
  ])('%s %s', async (status, filename, expected) => {
    expect(await narrow([[status, filename]])).toEqual({ files: expected, notices: '' });
  });

  it('of a status that GitHub does not have yet', async () => {
    const body = [{ status: 'something new', filename: 'media/a.png' }];
    const model = { faults: [{ on: 'pulls/7/files', status: 200, body }] };
    expect(await narrow([], { model })).toEqual({ files: ['media/a.png', LINK], notices: '' });
  });

  it('a name that Git keeps in another Unicode form', async () => {
    expect((await narrow([['added', DECOMPOSED.normalize('NFC')]])).files).toEqual([DECOMPOSED]);
  });

  it('a submodule, which is listed by its folder alone: all of it', async () => {
    expect(await narrow([['modified', 'media']])).toEqual({ files: ALL, notices: '' });
  });
});

describe('a changed file that is not in the workspace', () => {
  it('is an error if a case-insensitive disk has it under another name', async () => {
    // Like such a disk: the listing has one spelling, and both open the file.
    await expect(narrow([['added', 'media/A.png']], { alsoThere: 'media/A.png' })).rejects.toThrow('media/A.png');
  });

  it.each([
    ['removed', 'media/gone.png'],
    ['added', 'media/old/gone.png'],
    ['added', 'gone.txt'],
    ['added', 'node_modules/media/gone.png'],
  ])('%s %s is no problem', async (status, filename) => {
    expect((await narrow([[status, filename]])).files).toEqual([]);
  });
});

it('all files are checked, with the reason, if the event does not name the pull request of a fork', async () => {
  const { files, notices } = await narrow([], { pullRequest: { ...PULL, number: undefined } });
  expect(files).toEqual(ALL);
  expect(notices).toContain('all 4 matched files are checked. For a fork, GitHub does not say');
});

it('a list one file short of the limit is used', async () => {
  const many = Array.from({ length: 2_999 }, (_, index) => ['added', `docs/${index}.md`] as const);
  expect(await narrow(many)).toEqual({ files: [], notices: '' });
});
