import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readAction } from '../../scripts/action-yml.ts';
import { parseTrial } from '../../scripts/try/options.ts';
import { mp4, pdf, png } from '../harness/media.ts';
import { makeWorkspace } from '../harness/workspace.ts';

const TRY = fileURLToPath(new URL('../../scripts/try/main.ts', import.meta.url));
const action = readAction(await readFile(new URL('../../action.yml', import.meta.url), 'utf8'));

describe('the flags of npm run try', () => {
  it.each<[string, readonly string[], object]>([
    ['a dry run', ['../media', '--dry-run'], { folder: '../media', inputs: { 'dry-run': 'true' } }],
    ['a switch before the folder', ['--dry-run', 'a'], { folder: 'a', inputs: { 'dry-run': 'true' } }],
    ['a scenario', ['a', '--scenario', 'outage'], { scenario: 'outage', inputs: {} }],
    ['an input', ['a', '--scenario=x', '--fail-on-severity', 'MAJOR'], { inputs: { 'fail-on-severity': 'MAJOR' } }],
    [
      'a switch turned off',
      ['a', '--scenario=x', '--report-artifact', 'false'],
      { inputs: { 'report-artifact': 'false' } },
    ],
    [
      'two lines of one input',
      ['a', '--dry-run', '--files', '**/*.png', '--files=!old/**'],
      { inputs: { files: '**/*.png\n!old/**' } },
    ],
    ['a real service', ['a', '--base-url', 'https://x', '--api-key', 'k'], { inputs: { 'base-url': 'https://x' } }],
  ])('take %s', (_what, args, expected) => {
    expect(parseTrial(args, action)).toMatchObject(expected);
  });

  it.each<[string, readonly string[], RegExp]>([
    ['an unknown flag', ['a', '--port', '--dry-run'], /'--port'/],
    ['an input that GitHub fills in', ['a', '--matrix', '{}'], /'--matrix'/],
    ['a flag without its value', ['a', '--scenario'], /'--scenario/],
    ['no folder', ['--dry-run'], /Name one folder/],
    ['two folders', ['a', 'b', '--dry-run'], /Name one folder.* Got: a b$/],
    ['no service', ['a'], /--dry-run \(none\), --scenario NAME .*or --base-url URL with --api-key KEY\. Put -- before/],
    ['a service without a key', ['a', '--base-url', 'https://x.example'], /with --api-key KEY/],
    ['two services', ['a', '--scenario', 'x', '--base-url', 'https://x.example'], /leave out either/],
  ])('refuse %s', (_what, args, message) => {
    expect(() => parseTrial(args, action)).toThrow(message);
  });
});

describe('npm run try', () => {
  it('prints the headline, what stops the check and the address of the page, and exits as the step does', async () => {
    await using workspace = await makeWorkspace({ 'a.png': png('a'), 'b.pdf': pdf('b'), 'c.mp4': mp4('c') });
    const { status, stdout } = await tryIt([workspace.path, '--scenario', 'mixed']);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^Uploading 3 files$/m);
    expect(stdout).toMatch(/^❌ FAIL: 1 CRITICAL issue in 1 of 3 files\n\nc\.mp4: CRITICAL HEALTH-02/m);
    expect(stdout).not.toMatch(/\[1\/3\]|b\.pdf|^::|sk_live_/m);
    const [, report = ''] = /^Report: (file:.+)$/m.exec(stdout) ?? [];
    expect(existsSync(new URL(report))).toBe(true);
    expect(stdout).toMatch(/The verdict is fail, so the step ends with exit status 1, as it would on GitHub\.$/m);
  });

  it('prints log and summary with --verbose', async () => {
    await using workspace = await makeWorkspace({ 'a.png': png('a') });
    const { stdout } = await tryIt([workspace.path, '--scenario', 'everything-is-bad', '--verbose']);
    expect(stdout).toMatch(/^▾ Uploading 1 file\n +\[1\/1\] a\.png/m);
    expect(stdout).toMatch(/^Error: .*CRITICAL/m);
    expect(stdout).toMatch(/What to do now/);
    expect(stdout).not.toMatch(/^::|sk_live_/m);
  });

  it('reuses what an earlier run with the same state file sent', async () => {
    await using workspace = await makeWorkspace({ 'media/a.png': png('a'), 'media/b.mp4': mp4('b') });
    const again = async () =>
      await tryIt(['media', '--scenario', 'mixed', '--state-file', 's.json'], { INIT_CWD: workspace.path });
    const first = await again();
    expect(first.stdout).toContain(`State: ${path.join(workspace.path, 's.json')} (written because of --state-file)`);
    expect(first.stdout).toMatch(/^2 analysed, 0 reused, 0 paid twice, verdict fail$/m);
    expect((await again()).stdout).toMatch(/^0 analysed, 2 reused, 0 paid twice, verdict fail$/m);
  });

  it('sends nothing in a dry run, whatever the environment of a runner says', async () => {
    await using workspace = await makeWorkspace({ 'a.png': png('a') });
    const env = { 'INPUT_DRY-RUN': 'false', GITHUB_WORKSPACE: '/nowhere' };
    const { status, stdout } = await tryIt([workspace.path, '--dry-run'], env);
    expect(stdout).toMatch(/NOT CHECKED/);
    expect(status).toBe(0);
  });

  it.each([
    [['no/such/folder', '--dry-run'], /no\/such\/folder is no folder\./],
    [['.', '--scenario', 'outrage'], /^There is no scenario "outrage".*outage/],
    [['.', '--prot'], /^Unknown option '--prot'/],
  ])('refuses %j in one sentence', async (args, message) => {
    const { status, stderr } = await tryIt(args);
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^ +at /m);
  });
});

it('--help lists the flags in the groups of action.yml', async () => {
  const { stdout } = await tryIt(['--help']);
  expect(stdout).toMatch(/^Needed\n {2}--api-key .*\n[^]*^Common\n[^]*^Advanced\n[^]*^Testing\n/m);
  expect(stdout).toMatch(/^ {2}--dry-run +\S/m);
  expect(stdout).not.toContain('--matrix');
});

it('a wrong field of a scenario is named', async () => {
  await using workspace = await makeWorkspace({ 'scenario.json': '{"fault": [], "default": {"ms": "1"}}' });
  const { stderr } = await tryIt(['.', '--scenario', path.join(workspace.path, 'scenario.json')]);
  expect(stderr).toContain('default.ms: Expected number, got "1".\nfault: There is no such field.');
});

async function tryIt(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  // The report is left for people to open; a test removes it.
  const folder = await mkdtemp(path.join(tmpdir(), 'try-test-'));
  onTestFinished(async () => await rm(folder, { recursive: true }));
  return await new Promise<{ status: number; stdout: string; stderr: string }>((resolve) => {
    const { INIT_CWD: _, ...own } = process.env;
    execFile(
      process.execPath,
      [TRY, ...args],
      { env: { ...own, TMPDIR: folder, NO_COLOR: '1', ...env } },
      (error, stdout, stderr) => resolve({ status: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}
