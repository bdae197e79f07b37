import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { bundleFile } from '../harness/action-process.ts';
import { it } from '../harness/fixtures.ts';

const DEMO = fileURLToPath(new URL('../../scripts/demo/main.ts', import.meta.url));

it('the demo shows a failing gate, then a second run that sends one file, and exits with 0', async ({ makeFolder }) => {
  // The demo keeps its report, so its TMPDIR is a folder that the test removes.
  const env = { ...process.env, GATE_BUNDLE: await bundleFile(), TMPDIR: await makeFolder(), NO_COLOR: '1' };
  const { stdout } = await promisify(execFile)(process.execPath, [DEMO], { env });
  // GitHub prints only the message of an annotation.
  expect(stdout).toMatch(/^▾ Uploading 13 files$/m);
  expect(stdout).toMatch(/^Error: .*prevents colds/m);
  expect(stdout).not.toContain('hero.mp4:1');
  expect(stdout).toContain('The transcript was not ready in time');
  expect(stdout).not.toMatch(/^::/m);
  expect(stdout).not.toContain('sk_live_');
  expect(stdout).toMatch(/^reason +issues$/m);
  expect(stdout).toMatch(/^issue-count +6\ncritical-count +1$/m);
  expect(stdout).toMatch(/^1 billed, 12 reused, verdict pass$/m);
  expect(stdout).not.toContain('did not link');
  expect(stdout).toMatch(/^First run: fail\..*\nSecond run: pass\./m);
});
