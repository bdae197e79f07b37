import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { EMULATOR } from '../../scripts/build.ts';
import { it as base, CRITICAL } from '../harness/fixtures.ts';
import { mp4, pdf, png } from '../harness/media.ts';
import { PUSH_TO_MAIN } from '../harness/run-step.ts';
import type { Files } from '../harness/workspace.ts';
import { onWindows, startWindows, type WindowsStep } from './wine.ts';

const it = base
  .extend('windows', { scope: 'file' }, async ({}, { onCleanup }) => {
    const windows = await startWindows();
    onCleanup(async () => await windows[Symbol.asyncDispose]());
    return windows;
  })
  .extend('startJob', ({ windows, emulator, makeFolder }) => async (files: Files) => {
    const inWorkspace = Object.entries(files).map(([name, content]) => [`workspace/${name}`, content] as const);
    const root = await makeFolder({ ...Object.fromEntries(inWorkspace), 'temp/empty': '' });
    const service = emulator.workspace({ scenario: CRITICAL });
    const common = { 'api-key': service.key, 'base-url': service.baseUrl };
    const run = async ({ inputs, ...step }: WindowsStep = {}) =>
      await windows.run(root, { ...step, inputs: { ...common, ...inputs } });
    return { root, workspace: path.join(root, 'workspace'), service, run };
  });

it('takes backslashes in every path input, and CRLF in every list and in waivers', async ({ startJob }) => {
  const waiver = '- rule: AD-17\n  path: media/a.png\n  owner: me\n  reason: agreed\n  expires: 2099-01-01\n';
  const job = await startJob({
    '.git/HEAD': PUSH_TO_MAIN.GITHUB_SHA,
    'site/media/a.png': png('a'),
    'site/media/old/b.png': png('b'),
    'site/rules/waivers.yml': waiver.replaceAll('\n', '\r\n'),
  });
  const { exitCode, outputs, log } = await job.run({
    inputs: {
      files: 'media\\**\\*.PNG\r\n!media\\old\\**\r\n',
      'working-directory': '.\\site\\',
      'waivers-file': 'rules\\waivers.yml',
      'state-file': '..\\state\\gate.json',
      'sidekick-ids': '6f1c4d7e-0d5b-4d3e-9a53-0a9f5d1c2b3a\r\n7f1c4d7e-0d5b-4d3e-9a53-0a9f5d1c2b3a',
      'ignore-statuses': 'RESOLVED\r\nDISMISSED\r\n',
      metadata: '{\r\n  "team": "shop"\r\n}',
    },
  });
  expect(outputs, log).toMatchObject({
    verdict: 'pass',
    'files-matched': '1',
    'state-file': onWindows(path.join(job.root, 'state/gate.json')),
  });
  expect(exitCode).toBe(0);
  expect(job.service.submissions[0]?.assets[0]?.filename).toMatch(/^media-a-[0-9a-f]{32,}\.png$/);
});

it('takes drive letters, and reuses the analyses of a `state-file`', async ({ startJob }) => {
  const job = await startJob({ 'spots/a.mp4': mp4('a', 11_000_000), 'docs/b.pdf': pdf('b') });
  const inputs = {
    'working-directory': onWindows(job.workspace),
    'state-file': onWindows(path.join(job.root, 'state.json')),
  };
  const first = await job.run({ inputs });
  expect(first.outputs, first.log).toMatchObject({ verdict: 'fail', reason: 'issues', 'files-submitted': '2' });
  expect(first.exitCode).toBe(1);
  expect(first.annotations.flatMap(({ file }) => file ?? []).toSorted()).toEqual(['docs/b.pdf', 'spots/a.mp4']);
  expect(first.summary).toContain('spots/a.mp4');

  const second = await job.run({ inputs });
  expect(second.outputs, second.log).toMatchObject({ verdict: 'fail', 'files-submitted': '0', 'files-reused': '2' });
  expect(job.service.submissions).toHaveLength(1);
});

it('refuses a `working-directory` on another drive', async ({ startJob }) => {
  const job = await startJob({ 'a.png': png('a') });
  const { exitCode, outputs, log } = await job.run({ inputs: { 'working-directory': 'C:\\windows' } });
  expect(outputs, log).toMatchObject({ verdict: 'error', reason: 'bad-input' });
  expect(exitCode).toBe(1);
  expect(job.service.requests).toEqual([]);
});

it('checks a link, and a file whose path is longer than 260 characters', async ({ startJob }) => {
  const folder = Array.from({ length: 8 }, (_, index) => String(index).repeat(50)).join('/');
  const job = await startJob({ 'real/a.png': png('a'), [`${folder}/b.png`]: png('b') });
  await symlink('real/a.png', path.join(job.workspace, 'link.png'));
  const { outputs, log, annotations } = await job.run();
  expect(outputs, log).toMatchObject({ verdict: 'fail', 'files-matched': '3', 'critical-count': '2' });
  expect(annotations.map(({ file }) => file)).toContain(`${folder}/b.png`);
  expect(log).toContain('link.png');
});

it('the emulator outlives its step, serves the gate, and ends with its post step', async ({ startJob }) => {
  const job = await startJob({
    'a.png': png('a'),
    'scenario.json': '{ "default": { "issues": [{ "severity": "CRITICAL" }] } }',
  });
  const started = await job.run({ action: EMULATOR, inputs: { scenario: 'scenario.json' } });
  expect(started.exitCode, started.log).toBe(0);
  const inputs = { 'api-key': started.outputs['live-key'] ?? '', 'base-url': started.outputs['base-url'] ?? '' };
  const { outputs, log } = await job.run({ inputs });
  expect(outputs, log).toMatchObject({ verdict: 'fail', reason: 'issues', 'files-submitted': '1' });
  const ended = await job.run({ action: EMULATOR, env: started.postEnv });
  expect(ended.log).toContain('POST /api/integrations/submissions 201');
  await expect(fetch(inputs['base-url'])).rejects.toThrow('fetch failed');
});
