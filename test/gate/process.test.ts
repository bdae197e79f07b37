import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { bundleFile } from '../harness/action-process.ts';
import { it, ONE_FILE } from '../harness/fixtures.ts';

it('a runner that stops reading the log costs nothing again', async ({ gate, makeFolder, emulator }) => {
  const [workspace, service] = [await makeFolder(ONE_FILE), emulator.workspace()];
  const inputs = { 'state-file': path.join(workspace, 'state.json'), files: '*.png' };
  const first = await gate({ service, workspace, inputs, closesOutputAfter: /^Submission .* created/ });
  expect(first.outputs).toMatchObject({ verdict: 'pass', 'state-file': inputs['state-file'] });
  expect(first.exitCode).toBe(0);
  const second = await gate({ service, workspace, inputs });
  expect(second.outputs).toMatchObject({ verdict: 'pass', 'files-reused': '1', 'state-file': inputs['state-file'] });
  expect(service.submissions).toHaveLength(1);
});

/** Loaded into the action's process: reading a directory never ends, and nothing else keeps the process alive. */
const NEVER = `data:text/javascript,${encodeURIComponent(`import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
fs.readdir = () => new Promise(() => {});
syncBuiltinESMExports();`)}`;

it('a run that ends before its verdict does not pass', async ({ gate }) => {
  const env = { NODE_OPTIONS: `--import=${NEVER}` };
  const run = await gate({ inputs: { 'dry-run': 'true' }, env, clockFactor: 0 });
  expect(run.exitCode).toBe(1);
  expect(run.outputs).toEqual({});
  expect(run.warnings).toContain('without a verdict');
});

it('a Node that is too old ends with one sentence', async () => {
  const old = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.1.0' } })`;
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(old)}`, await bundleFile()];
  const { code, stdout, stderr } = await promisify(execFile)(process.execPath, flags).catch((error: unknown) =>
    Object(error),
  );
  expect(stdout).toMatch(
    /^::error::Media Compliance Gate needs Node 24 or newer, .* Node 22\..*Update the runner.*\n$/,
  );
  expect([code, stderr]).toEqual([1, '']);
});
