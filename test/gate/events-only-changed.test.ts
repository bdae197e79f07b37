import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import { type GitHubModel, startGitHub } from '../harness/github-server.ts';
import { png } from '../harness/media.ts';
import { payload } from '../harness/payloads.ts';
import { runAction, type ServiceRun } from '../harness/run-action.ts';
import { makeWorkspace } from '../harness/workspace.ts';

const HEAD = 'ec26c3e57ca3a959ca5aad62de7213c562f8c821';
const ALL = ['media-a.png', 'media-b.png', 'media-c.png'];

let emulator: Emulator;
let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
beforeAll(async () => {
  emulator = await startEmulator();
  workspace = await makeWorkspace({
    '.git/HEAD': 'ref: refs/heads/x\n',
    'media/a.png': png('a'),
    'media/b.png': png('b'),
    'media/c.png': png('c'),
  });
});
afterAll(async () => {
  await workspace.remove();
  await emulator.close();
});

type Changed = readonly (readonly [status: string, filename: string])[];

async function run(
  changed: Changed,
  options: { model?: GitHubModel; event?: string; inputs?: Record<string, string> } = {},
): Promise<ServiceRun> {
  const { event = 'pull_request' } = options;
  const files = changed.map(([status, filename]) => ({ status, filename }));
  await using github = await startGitHub({ pulls: { 2: { headSha: HEAD, files } }, ...options.model });
  return await runAction({
    event: { name: event, payload: payload(event, {}, event === 'push' ? 4 : 0) },
    workspace: workspace.path,
    service: emulator.workspace(),
    github,
    baseUrl: emulator.baseUrl,
    inputs: { 'only-changed': 'true', ...options.inputs },
  });
}

describe('only-changed', () => {
  it('sends what the pull request adds, changes or renames', async () => {
    const result = await run([
      ['added', 'media/a.png'],
      ['renamed', 'media/b.png'],
      ['removed', 'media/gone.png'],
      ['modified', 'README.md'],
    ]);
    expect(result.outputs).toMatchObject({ verdict: 'pass', 'files-matched': '2' });
    expect(result.sent).toEqual(['media-a.png', 'media-b.png']);
    expect(result.notices).not.toContain('only-changed');
  });

  it('sends what is on a later page of the list, even if an earlier page is not full', async () => {
    const docs = Array.from({ length: 100 }, (_, index) => `docs/${index}.md`);
    const files = ['media/a.png', ...docs, 'media/b.png'].map((filename) => ({ status: 'added', filename }));
    const result = await run([], { model: { pulls: { 2: { headSha: HEAD, files } }, maxPerPage: 60 } });
    expect(result.sent).toEqual(['media-a.png', 'media-b.png']);
    expect(result.outputs).toMatchObject({ verdict: 'pass', 'files-matched': '2' });
  });

  it.each(['warn', 'error'])('passes without a check if no media changed (if-no-files-found: %s)', async (choice) => {
    const result = await run([['modified', 'README.md']], { inputs: { 'if-no-files-found': choice } });
    expect(result.outputs).toMatchObject({ verdict: 'skipped', reason: 'no-files' });
    expect(result.exitCode).toBe(0);
    expect(result.readableSummary).toContain('none of the 3 files');
    expect(result.annotations).toEqual([]);
    expect(result.sent).toEqual([]);
  });

  it('is an error for a changed file that is not in the workspace', async () => {
    const result = await run([
      ['modified', 'media/a.png'],
      ['added', 'media/new.png'],
    ]);
    expect(result.outputs).toMatchObject({ verdict: 'error', reason: 'checkout' });
    expect(result.annotations).toContainEqual(expect.objectContaining({ level: 'error', file: 'media/new.png' }));
    expect(result.exitCode).toBe(1);
    expect(result.sent).toEqual([]);
  });

  it.each<[string, Changed, Parameters<typeof run>[1], string]>([
    [
      'without permission',
      [],
      { model: { permissions: { 'pull-requests': 'none' } } },
      '`permissions: pull-requests: read`',
    ],
    [
      'at the limit of the list',
      Array.from({ length: 3_001 }, (_, index) => ['added', `docs/${index}.md`] as const),
      {},
      '3000 files or more',
    ],
    ['after a newer push', [], { model: { pulls: { 2: { headSha: 'f'.repeat(40) } } } }, 'pushed to since'],
    ['without a token', [], { inputs: { 'github-token': '' } }, '`github-token` is empty'],
    ['on a push', [], { event: 'push' }, 'This run (push) is not for a pull request'],
    ['in a merge queue', [], { event: 'merge_group' }, 'This run (merge_group) is not for a pull request'],
  ])('checks all files %s, with a notice', async (_, changed, options, message) => {
    const result = await run(changed, options);
    expect(result.outputs).toMatchObject({ verdict: 'pass' });
    expect(result.sent).toEqual(ALL);
    expect(result.notices).toContain('all 3 matched files are checked');
    expect(result.notices).toContain(message);
    expect(result.readableSummary).toContain(message);
  });
});
