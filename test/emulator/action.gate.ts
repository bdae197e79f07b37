import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { EMULATOR, freshBuild } from '../../scripts/build.ts';
import { it as base } from '../harness/fixtures.ts';
import { parseFileCommands } from '../harness/workflow-command.ts';

/** Runs a step of a job. Returns its log, exit status and outputs, and what it keeps for the post step. */
const it = base.extend('startJob', ({ makeFolder }) => async () => {
  const folder = await makeFolder({ output: '', state: '', 'slow.json': '{ "default": { "ms": 5 } }' });
  const script = path.join(await freshBuild(EMULATOR), 'index.js');
  const valuesIn = async (name: string) => parseFileCommands(await readFile(path.join(folder, name), 'utf8'));
  return async (env: Readonly<Record<string, string>>) => {
    const child = spawn(process.execPath, [script], {
      cwd: folder,
      env: { ...process.env, RUNNER_TEMP: folder, GITHUB_OUTPUT: 'output', GITHUB_STATE: 'state', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise((resolve) => child.on('close', resolve));
    const log = await text(child.stdout);
    return { log, status: await ended, outputs: await valuesIn('output'), state: await valuesIn('state') };
  };
});

it('the main step starts the emulator, and the post step prints its log and ends it', async ({ startJob }) => {
  const run = await startJob();
  const { status, log, outputs, state } = await run({ INPUT_SCENARIO: 'slow.json' });
  expect({ status, outputs }, log).toMatchObject({
    status: 0,
    outputs: { 'live-key': expect.stringMatching(/^sk_live_/), 'sandbox-key': expect.stringMatching(/^sk_test_/) },
  });
  const url = `${outputs['base-url']}/api/integrations/submissions/00000000-0000-4000-8000-000000000000`;
  const read = async () => (await fetch(url, { headers: { 'x-api-key': outputs['live-key'] ?? '' } })).status;
  expect(await read()).toBe(404);
  await fetch(`${outputs['base-url']}/%0D%23%23[warning]x`);
  const ended = await run({ STATE_pid: state['pid'] ?? '', STATE_log: state['log'] ?? '' });
  expect(ended).toMatchObject({ status: 0, log: expect.stringMatching(/GET \/api\/integrations\/submissions/) });
  expect(ended.log).toMatch(/GET \/\\r\S+warning\]x 404/);
  expect(ended.log).not.toContain('##[');
  await expect.poll(async () => await read().catch(() => 'ended')).toBe('ended');
});

it('a scenario with a field that is a command fails the step, and is escaped', async ({ startJob }) => {
  const run = await startJob();
  const { status, log, outputs } = await run({ INPUT_SCENARIO: '{ "\\r::warning::x": 1 }' });
  expect([status, outputs]).toEqual([1, {}]);
  expect(log).toMatch(/^::error::The scenario is not valid.%0A%0D::warning::x: There is no such field/);
});
