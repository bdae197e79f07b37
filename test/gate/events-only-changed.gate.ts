import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { it as base, CRITICAL } from '../harness/fixtures.ts';
import { git } from '../harness/git.ts';
import { type GitHubModel, SERVER_KINDS } from '../harness/github-model.ts';
import { png } from '../harness/media.ts';
import { HEAD, pullRequest } from '../harness/payloads.ts';

const FILES = {
  '.git/HEAD': 'ref: refs/heads/x\n',
  'media/a.png': png('a'),
  'media/b.png': png('b'),
  'media/c.png': png('c'),
};

type Changed = readonly (readonly [status: string, filename: string])[];

const it = base.extend(
  'run',
  ({ gate, startGitHub }) =>
    async (changed: Changed, model: GitHubModel, inputs: Readonly<Record<string, string>> = {}) => {
      const files = changed.map(([status, filename]) => ({ status, filename }));
      const github = await startGitHub({ pulls: { 2: { headSha: HEAD, files } }, ...model });
      return await gate({ files: FILES, event: pullRequest(), github, inputs: { 'only-changed': 'true', ...inputs } });
    },
);

describe.concurrent.for(SERVER_KINDS)('only-changed at %s', (kind) => {
  it('sends what the pull request adds, changes or renames', async ({ run }) => {
    // Gitea lists fewer files than this on one page.
    const docs = Array.from({ length: 40 }, (_, n) => ['added', `docs/${n}.md`] as const);
    const changed: Changed = [['renamed', 'media/b.png'], ['removed', 'media/gone.png'], ...docs];
    const result = await run([...changed, ['modified', 'media/c.png']], { kind });
    expect(result.outputs, result.log).toMatchObject({ verdict: 'pass', 'files-matched': '2' });
    expect(result.sent).toEqual(['media-b.png', 'media-c.png']);
    expect(result.notices).not.toContain('only-changed');
  });
});

it('only-changed passes without a check if no media changed, whatever if-no-files-found says', async ({ run }) => {
  const result = await run([['modified', 'README.md']], {}, { 'if-no-files-found': 'error' });
  expect(result.outputs).toMatchObject({ verdict: 'skipped', reason: 'no-files' });
  expect(result.readableSummary).toContain('none of the 3 files');
  expect(result.log).toContain('0 files to check');
  expect(result.annotations).toEqual([]);
  expect(result.sent).toEqual([]);
});

describe.concurrent('a pull request changes how Git converts files that GitHub does not list', () => {
  it.for<[string, { status: string; filename: string; previous_filename?: string }]>([
    ['removes .gitattributes', { status: 'removed', filename: 'media/.gitattributes' }],
    ['renames it', { status: 'renamed', filename: 'media/old.txt', previous_filename: 'media/.gitattributes' }],
  ])(
    'it %s: the other bytes are checked, and nobody is said not to have changed them',
    async ([, file], { emulator, gate, makeFolder, startGitHub }) => {
      const svg = '<svg xmlns="http://www.w3.org/2000/svg"><!-- $Id$ --></svg>';
      const files = { 'media/.gitattributes': '*.svg ident\n', 'media/a.svg': svg };
      const repository = await makeFolder(files);
      const commit = async (): Promise<string> => {
        await git(repository, 'add', '--all');
        await git(repository, 'commit', '--quiet', '--message', 'Change');
        return await git(repository, 'rev-parse', 'HEAD');
      };
      await git(repository, 'init', '--quiet', '--initial-branch=main');
      const base = await commit();
      await git(repository, 'rm', '--quiet', 'media/.gitattributes');
      if (file.status === 'renamed')
        await writeFile(path.join(repository, 'media/old.txt'), files['media/.gitattributes']);
      const head = await commit();
      const checkOut = async (sha: string): Promise<string> => {
        const workspace = await makeFolder();
        await git(workspace, 'clone', '--quiet', '--no-checkout', repository, '.');
        await git(workspace, 'checkout', '--quiet', sha);
        return workspace;
      };
      // On main, the bytes with the id of the blob were checked.
      const service = emulator.workspace({ scenario: CRITICAL });
      const stateFile = path.join(await makeFolder(), 'state.json');
      const inputs = { 'state-file': stateFile };
      const before = await gate({ workspace: await checkOut(base), service, inputs, env: { GITHUB_SHA: base } });
      const workspace = await checkOut(head);
      const event = pullRequest({ 'pull_request.head.sha': head });
      const github = await startGitHub({ pulls: { 2: { headSha: head, files: [file] } } });
      const run = async (more: Readonly<Record<string, string>>) =>
        await gate({ workspace, service, event, github, inputs: { ...inputs, ...more }, env: { GITHUB_SHA: head } });
      const narrow = await run({ 'only-changed': 'true' });
      expect(narrow.outputs, narrow.log).toMatchObject({ verdict: 'fail', 'files-submitted': '1' });
      expect(narrow.notices).toContain('media/.gitattributes');
      const wide = await run({});
      expect(wide.outputs).toMatchObject({ verdict: 'fail', 'files-reused': '1' });
      expect(wide.summary + wide.text).not.toContain('not changed by this pull request');
      expect(before.outputs).toMatchObject({ 'files-submitted': '1' });
    },
  );
});
