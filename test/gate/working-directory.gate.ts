import { mkdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { it as base } from '../harness/fixtures.ts';
import { png } from '../harness/media.ts';
import { HEAD, payload } from '../harness/payloads.ts';

const FILES = {
  'outside.png': png('outside'),
  'media/a.png': png('a'),
  'waivers.yml': '[]',
  'site/.git/HEAD': HEAD,
  'site/media/a.png': png('a'),
  'site/waivers.yml': '- { rule: R1, path: media/b.png, owner: ann, reason: Agreed., expires: 2999-12-31 }\n',
};

const it = base.extend(
  'run',
  ({ gate, makeFolder, startGitHub }) =>
    async (folder: string, inputs: Readonly<Record<string, string>> = {}, event = 'push') => {
      const workspace = await makeFolder(FILES);
      await mkdir(path.join(workspace, 'empty'));
      await symlink(tmpdir(), path.join(workspace, 'link'));
      // For the system, `jump/..` is the folder above the target of the link.
      const outside = await makeFolder({ 'folder/a.txt': '', 'media/secret.png': png('secret'), 'waivers.yml': '[]' });
      await symlink(path.join(outside, 'folder'), path.join(workspace, 'jump'));
      await symlink('jump/../media', path.join(workspace, 'escape'));
      await symlink('../jump/../waivers.yml', path.join(workspace, 'site/outside.yml'));
      const files = [{ status: 'added', filename: inputs['only-changed'] ? 'media/a.png' : 'waivers.yml' }];
      const run = await gate({
        workspace,
        event: { name: event, payload: event === 'push' ? {} : payload('pull_request') },
        github: await startGitHub({ pulls: { 2: { headSha: HEAD, files } } }),
        scenario: { default: { issues: [{ severity: 'CRITICAL', ruleCode: 'R1' }] } },
        inputs: { 'working-directory': folder, ...inputs },
      });
      return { ...run, workspace };
    },
);

describe.concurrent('working-directory', () => {
  it('is the root for patterns, annotations and waivers', async ({ run }) => {
    const seen = await run('site', {
      files: '*.png\nmedia/*.png',
      'waivers-file': 'waivers.yml',
      'state-file': 'state.json',
    });
    const { outputs, annotations, sent, log, workspace } = seen;
    expect(sent).toEqual(['media-a.png']);
    expect(outputs, log).toMatchObject({ verdict: 'fail', 'files-matched': '1' });
    expect(annotations.map(({ file }) => file)).toContain('media/a.png');
    expect(seen.file('report.html')).toContain(png('a').toString('base64'));
    expect(log).toContain('"*.png" of the input `files` matches no file');
    // The path of this input stays relative to the workspace.
    expect(outputs['state-file']).toBe(path.join(workspace, 'state.json'));
  });

  it('may be a folder below the top of the checkout: links and annotations name the path in the repository', async ({
    run,
  }) => {
    const { annotations, summary, sent } = await run('site/media', { files: '*.png' });
    expect(sent).toEqual(['a.png']);
    expect(annotations.map(({ file }) => file)).toContain('media/a.png');
    expect(summary).toMatch(/\/blob\/[0-9a-f]{40}\/media\/a\.png"><code>a\.png/);
  });

  it('makes only-changed work for a checkout in a folder', async ({ run }) => {
    const inside = await run('site', { 'only-changed': 'true' }, 'pull_request');
    expect(inside.sent).toEqual(['media-a.png']);
    expect(inside.notices).not.toContain('was not applied');
    const untouched = await run('site', {}, 'pull_request');
    expect(untouched.summary).toContain('not changed by this pull request');
    const files = '**/*.png\n!link\n!jump\n!escape';
    const outside = await run('', { 'only-changed': 'true', files }, 'pull_request');
    expect(outside.notices).toMatch(/was not applied.*Set `working-directory` to the/);
  });

  it.for([
    ['empty', 'checkout', 'actions/checkout'],
    ['escape', 'bad-input', 'which is not a folder inside the workspace'],
  ] as const)('is refused if it is %s', async ([folder, reason, problem], { run }) => {
    const { outputs, readableSummary, sent } = await run(folder);
    expect(outputs).toMatchObject({ verdict: 'error', reason });
    expect(readableSummary).toContain(problem);
    expect(sent).toEqual([]);
  });

  it('and a waivers-file outside of it are refused', async ({ run }) => {
    const { outputs, readableSummary } = await run('site', { 'waivers-file': 'outside.yml' });
    expect(outputs).toMatchObject({ verdict: 'error', reason: 'bad-input' });
    expect(readableSummary).toContain('waivers-file');
  });
});
