import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { it as base, CRITICAL } from '../harness/fixtures.ts';
import { git, makePullRequest } from '../harness/git.ts';
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

  it('checks all files if the list is cut short', async ({ run }) => {
    const files = [{ status: 'modified', filename: 'media/a.png' }];
    const result = await run([], { kind, pulls: { 2: { headSha: HEAD, files, changedFiles: 2 } } });
    expect(result.outputs, result.log).toMatchObject({ verdict: 'pass', 'files-matched': '3' });
    expect(result.notices).toMatch(/all 3 matched files are checked.*GitHub listed only/);
  });

  it('is an error for a changed file that is not in the workspace', async ({ run }) => {
    const result = await run([['added', 'media/new.png']], { kind });
    expect(result.outputs).toMatchObject({ verdict: 'error', reason: 'checkout' });
    expect(result.annotations).toContainEqual(expect.objectContaining({ level: 'error', file: 'media/new.png' }));
    expect(result.sent).toEqual([]);
  });
});

describe.concurrent('only-changed', () => {
  it('passes without a check if no media changed, whatever if-no-files-found says', async ({ run }) => {
    const result = await run([['modified', 'README.md']], {}, { 'if-no-files-found': 'error' });
    expect(result.outputs).toMatchObject({ verdict: 'skipped', reason: 'no-files' });
    expect(result.readableSummary).toContain('none of the 3 files');
    expect(result.log).toContain('0 files to check');
    expect(result.annotations).toEqual([]);
    expect(result.sent).toEqual([]);
  });

  it('checks a file that the base branch has moved', async ({ gate, makeFolder, startGitHub }) => {
    const workspace = await makeFolder();
    const [good, bad] = [png('x'.repeat(1_000)), png(`${'x'.repeat(999)}y`)];
    const { head, merge, changed } = await makePullRequest(
      workspace,
      { 'assets/hero.png': good, 'media/a.png': png('a') },
      { 'assets/hero.png': bad },
      { 'assets/hero.png': undefined, 'media/hero.png': good },
    );
    expect(changed).toEqual([{ status: 'modified', filename: 'assets/hero.png' }]);
    await git(workspace, 'checkout', '--quiet', merge);
    const result = await gate({
      workspace,
      github: await startGitHub({ pulls: { 2: { headSha: head, files: changed } } }),
      event: pullRequest({ 'pull_request.head.sha': head }),
      inputs: { files: 'media/**', 'only-changed': 'true' },
    });
    expect(result.outputs, result.log).toMatchObject({ verdict: 'pass', 'files-matched': '2' });
    expect(result.notices).toMatch(/all 2 matched files are checked.*assets\/hero\.png.*may have moved/);
  });

  it('checks every file behind a link, and blames nobody for it', async ({ gate, makeFolder, startGitHub }) => {
    const workspace = await makeFolder({
      '.git/HEAD': 'ref: refs/heads/x\n',
      'd/.gitkeep': '',
      'store/hero.png': png('1'),
      'other.png': png('2'),
    });
    // The pull request replaces the link `d`, and so `hero.png` is another file than before.
    symlinkSync('d/../store/hero.png', path.join(workspace, 'hero.png'));
    const files = [{ status: 'modified', filename: 'd/.gitkeep' }];
    const result = await gate({
      workspace,
      github: await startGitHub({ pulls: { 2: { headSha: HEAD, files } } }),
      event: pullRequest(),
      scenario: CRITICAL,
      inputs: { files: '*.png', 'only-changed': 'true' },
    });
    expect(result.outputs, result.log).toMatchObject({ verdict: 'fail', 'files-matched': '1' });
    expect(result.annotations).toContainEqual(expect.objectContaining({ file: 'hero.png', level: 'error' }));
    expect(result.summary).not.toContain('changed by this pull request');
  });
});
