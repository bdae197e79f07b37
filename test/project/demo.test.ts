import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

const DEMO = fileURLToPath(new URL('../../scripts/demo/main.ts', import.meta.url));

it('the demo shows a gate that fails, and itself goes well', async () => {
  // It leaves its report for people to open; a test has to clear up.
  const folder = await mkdtemp(path.join(tmpdir(), 'demo-test-'));
  onTestFinished(async () => await rm(folder, { recursive: true }));
  const env = { ...process.env, TMPDIR: folder, NO_COLOR: '1' };
  const { stdout } = await promisify(execFile)(process.execPath, [DEMO], { env });
  // The log, with its commands shown as the runner shows them.
  expect(stdout).toMatch(/^▾ Uploading 13 files$/m);
  expect(stdout).toMatch(/^Error: campaign\/hero\.mp4:1 {2}CRITICAL HEALTH-02$/m);
  expect(stdout).toContain('TRANSCRIPTION_TIMEOUT');
  expect(stdout).not.toMatch(/^::/m);
  expect(stdout).not.toContain('sk_live_');
  // The summary, as a page: no Markdown or HTML is left.
  expect(stdout).toMatch(/^❌ FAIL: 1 CRITICAL issue in 1 of 13 files$/m);
  expect(stdout).toMatch(/^▸ 9 files without any issue$/m);
  expect(stdout).not.toMatch(/<\/?\w+>|&#\d+;|^###/m);
  // The outputs and the end.
  expect(stdout).toMatch(/^critical-count +1$/m);
  expect(stdout).toContain("The gate's verdict is fail");
});
