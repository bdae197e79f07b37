import { describe, expect } from 'vitest';
import { it as base } from '../harness/fixtures.ts';
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
