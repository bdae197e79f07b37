import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import { makePullRequest, type PullRequestCommits } from '../harness/git.ts';
import { startGitHub } from '../harness/github-server.ts';
import { png } from '../harness/media.ts';
import { payload } from '../harness/payloads.ts';
import { runAction, type ServiceRun } from '../harness/run-action.ts';

const WAIVERS = `- rule: R1
  path: media/b.png
  owner: ann
  reason: Agreed with legal.
  expires: 2999-12-31
`;

let emulator: Emulator;
let workspace: string;
let commits: PullRequestCommits;
beforeAll(async () => {
  emulator = await startEmulator();
  workspace = await mkdtemp(path.join(tmpdir(), 'gate-folder-'));
  const base = { 'media/a.png': png('a'), 'waivers.yml': WAIVERS };
  commits = await makePullRequest(path.join(workspace, 'site'), base, { 'media/b.png': png('b') });
  await writeFile(path.join(workspace, 'outside.png'), png('outside'));
  await mkdir(path.join(workspace, 'empty'));
  await symlink(tmpdir(), path.join(workspace, 'link'));
});
afterAll(async () => {
  await rm(workspace, { recursive: true });
  await emulator.close();
});

async function run(folder: string, inputs: Readonly<Record<string, string>> = {}, event = 'push'): Promise<ServiceRun> {
  const service = emulator.workspace({ scenario: { default: { issues: [{ severity: 'CRITICAL', ruleCode: 'R1' }] } } });
  await using github = await startGitHub({
    pulls: { 2: { headSha: commits.head, files: [{ status: 'added', filename: 'media/a.png' }] } },
  });
  const pullRequest = payload('pull_request', { 'pull_request.head.sha': commits.head });
  return await runAction({
    event: { name: event, payload: event === 'push' ? {} : pullRequest },
    workspace,
    service,
    github,
    inputs: { 'working-directory': folder, ...inputs },
  });
}

describe('working-directory', () => {
  it('is the root for patterns, annotations, waivers and embedded media', async () => {
    const { outputs, annotations, written, sent, log } = await run('site', {
      files: '*.png\nmedia/*.png',
      'waivers-file': 'waivers.yml',
      'report-dir': 'reports',
      'state-file': 'state.json',
    });
    expect(sent).toEqual(['media-a.png']);
    expect(outputs, log).toMatchObject({ verdict: 'fail', 'files-matched': '1' });
    expect(annotations.map(({ file }) => file)).toContain('media/a.png');
    expect(log).toContain('"*.png" of the input `files` matches no file');
    // These two stay relative to the workspace.
    expect(outputs).toMatchObject({
      'report-dir': path.join(workspace, 'reports'),
      'state-file': path.join(workspace, 'state.json'),
    });
    expect(written).toBeDefined();
    await rm(path.join(workspace, 'reports'), { recursive: true });
    await rm(path.join(workspace, 'state.json'));
  });

  it('makes only-changed work for a checkout in a folder', async () => {
    const inside = await run('site', { 'only-changed': 'true' }, 'pull_request');
    expect(inside.sent).toEqual(['media-a.png']);
    expect(inside.notices).not.toContain('was not applied');
    const outside = await run('', { 'only-changed': 'true', files: '**/*.png\n!link' }, 'pull_request');
    expect(outside.notices).toContain('Set `working-directory` to the `path` of `actions/checkout`');
  });

  it('reports a checkout without files', async () => {
    expect((await run('empty')).outputs).toMatchObject({ verdict: 'error', reason: 'checkout' });
  });

  it.each(['missing', 'outside.png', '..', '/', 'link'])('is refused if it is %s', async (folder) => {
    const { outputs, readableSummary, sent } = await run(folder);
    expect(outputs).toMatchObject({ verdict: 'error', reason: 'bad-input' });
    expect(readableSummary).toContain('`working-directory`');
    expect(readableSummary).toContain('which is not a folder inside the workspace');
    expect(sent).toEqual([]);
  });
});
