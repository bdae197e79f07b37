import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { EMULATOR, freshBuild } from '../../scripts/build.ts';
import { it as base } from '../harness/fixtures.ts';
import { parseFileCommands } from '../harness/workflow-command.ts';

const it = base.extend('job', ({ makeFolder }) => async (scenario: string) => {
  const folder = await makeFolder({ output: '', state: '', 'slow.json': '{ "default": { "ms": 5 } }' });
  const script = path.join(await freshBuild(EMULATOR), 'index.js');
  const valuesIn = async (name: string) => parseFileCommands(await readFile(path.join(folder, name), 'utf8'));
  const step = async (env: Readonly<Record<string, string>>) => {
    const child = spawn(process.execPath, [script], {
      cwd: folder,
      env: { ...process.env, RUNNER_TEMP: folder, GITHUB_OUTPUT: 'output', GITHUB_STATE: 'state', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise((resolve) => child.on('close', resolve));
    return { log: await text(child.stdout), status: await ended };
  };
  return {
    main: async () => ({ ...(await step({ INPUT_SCENARIO: scenario })), outputs: await valuesIn('output') }),
    post: async () => {
      const { pid = '', log = '' } = await valuesIn('state');
      return await step({ STATE_pid: pid, STATE_log: log });
    },
  };
});

it.for(['slow.json', ''])(
  'the main step starts the emulator with the scenario %j, and the post step ends it',
  async (scenario, { job }) => {
    const { main, post } = await job(scenario);
    const { status, log, outputs } = await main();
    expect({ status, outputs }, log).toMatchObject({
      status: 0,
      outputs: { 'live-key': expect.stringMatching(/^sk_live_/), 'sandbox-key': expect.stringMatching(/^sk_test_/) },
    });
    const url = `${outputs['base-url']}/api/integrations/submissions/00000000-0000-4000-8000-000000000000`;
    const read = async () => (await fetch(url, { headers: { 'x-api-key': outputs['live-key'] ?? '' } })).status;
    expect(await read()).toBe(404);
    await fetch(`${outputs['base-url']}/%0D%23%23[warning]x`);
    const ended = await post();
    expect(ended).toMatchObject({ status: 0, log: expect.stringMatching(/GET \/api\/integrations\/submissions/) });
    expect(ended.log).toMatch(/GET \/\\r\S+warning\]x 404/);
    expect(ended.log).not.toContain('##[');
    await expect.poll(async () => await read().catch(() => 'ended')).toBe('ended');
  },
);

it.for([
  ['an unknown name', 'nothing-like-it', /^::error::There is no scenario "nothing-like-it"/],
  [
    'a field that is a command',
    '{ "\\r::warning::x": 1 }',
    /^::error::The scenario is not valid.%0A%0D::warning::x: There is no such field/,
  ],
] as const)('the step fails with a scenario of %s', async ([, scenario, message], { job }) => {
  const { main } = await job(scenario);
  expect(await main()).toMatchObject({ status: 1, log: expect.stringMatching(message), outputs: {} });
});
