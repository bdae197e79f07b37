import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import { png } from '../harness/media.ts';
import { runAction } from '../harness/run-action.ts';
import { makeWorkspace } from '../harness/workspace.ts';

let emulator: Emulator;
let outside: string;

beforeAll(async () => {
  emulator = await startEmulator();
  outside = await mkdtemp(path.join(tmpdir(), 'gate-outside-'));
});
afterAll(async () => {
  await Promise.all([emulator.close(), rm(outside, { recursive: true })]);
});

it.each([
  ['the folder itself', 'reports'],
  ['a folder above it', 'out'],
  ['a file in it', 'reports/report.html'],
])('a report is not written through a link that a pull request commits: %s', async (_, link) => {
  await using workspace = await makeWorkspace({ 'a.png': png('a') });
  const target = path.join(outside, 'report.html');
  await writeFile(target, 'precious');
  const isFile = link.endsWith('.html');
  if (isFile) await mkdir(path.join(workspace.path, 'reports'));
  await symlink(isFile ? target : outside, path.join(workspace.path, link));
  const reportDir = link === 'out' ? 'out/reports' : 'reports';

  const run = await runAction({
    emulator,
    workspace: workspace.path,
    inputs: { 'report-dir': reportDir, files: '*.png' },
  });

  expect(await readFile(target, 'utf8')).toBe('precious');
  expect(run.outputs).toMatchObject({ verdict: 'pass', 'report-dir': '' });
  expect(run.warnings).toContain(`leads through a symbolic link in the workspace: ${link}`);
});
