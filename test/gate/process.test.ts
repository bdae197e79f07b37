import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { bundleFile } from '../harness/action-process.ts';
import { CRITICAL, it, ONE_FILE } from '../harness/fixtures.ts';

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
  const files = { 'media/a.png': 'x' };
  const run = await gate({ files, inputs: { 'dry-run': 'true' }, env, clockFactor: 0 });
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

it('the post step saves what a killed run has paid for', async ({ startRepository, makeFolder }) => {
  const world = await startRepository({
    scenario: CRITICAL,
    trouble: (step, nth) => (step === 'FinalizeArtifact' && nth === 1 ? 'silence' : undefined),
  });
  const [workspace, temp] = [await makeFolder(ONE_FILE), await makeFolder()];
  const killed = await world.push({
    branch: 'main',
    workspace,
    temp,
    onStart: (kill) => void world.artifacts.begun('FinalizeArtifact').then(() => kill('SIGKILL')),
  });
  expect(killed.exitCode).toBeNull();
  expect(world.artifacts.artifacts).toEqual([]);
  const { exitCode, log } = await killed.post();
  expect(exitCode, log).toBe(0);
  expect(log).toContain('It is saved now, and the next run continues from it');
  expect(world.artifacts.artifacts).toHaveLength(1);

  const next = await world.push({ branch: 'main', workspace, temp: await makeFolder() });
  expect(next.outputs, next.log).toMatchObject({ verdict: 'fail', 'files-submitted': '0' });
  expect(world.service.submissions).toHaveLength(1);
  // After a run that has saved its state, the post step does nothing.
  const before = [...world.artifacts.steps];
  expect(await next.post()).toMatchObject({ exitCode: 0, log: '' });
  expect(world.artifacts.steps).toEqual(before);
});

it('a submission that the post step cannot save either is a warning', async ({ startRepository, makeFolder }) => {
  const world = await startRepository({ trouble: (_, nth) => (nth === 1 ? 'silence' : 403) });
  const killed = await world.push({
    branch: 'main',
    workspace: await makeFolder(ONE_FILE),
    temp: await makeFolder(),
    onStart: (kill) => void world.artifacts.begun('CreateArtifact').then(() => kill('SIGKILL')),
  });
  const { exitCode, warnings } = await killed.post();
  expect(exitCode).toBe(0);
  expect(warnings).toContain('it cannot be saved now either: ');
});
