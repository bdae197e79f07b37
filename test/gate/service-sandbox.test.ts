import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import { makeWorkspace } from './gate.ts';
import { png } from './media.ts';
import { tryGate } from './trial.ts';

let emulator: Emulator;
let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
beforeAll(async () => {
  emulator = await startEmulator();
  workspace = await makeWorkspace({ 'one.png': png('one'), 'two.png': png('two') });
});
afterAll(async () => {
  await Promise.all([emulator.close(), workspace.remove()]);
});

it('a sandbox that completes without results passes, and says that nothing was analysed', async () => {
  const run = await tryGate(emulator, {
    workspace: workspace.path,
    mode: 'sandbox',
    inputs: { 'simulation-delay-seconds': '1' },
  });

  expect(run.outputs).toMatchObject({ verdict: 'pass', reason: '', mode: 'sandbox', 'submission-status': 'complete' });
  const creation = run.service.requests.find(({ endpoint }) => endpoint === 'submissions/create');
  expect(creation?.query).toEqual({ simulationDelaySeconds: '1' });
  expect(run.text).toContain('nothing was analysed');
});

it('a live key is never sent with a simulated delay: the run ends before the first request', async () => {
  const run = await tryGate(emulator, { workspace: workspace.path, inputs: { 'simulation-delay-seconds': '1' } });

  expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'bad-input' });
  expect(run.service.requests).toEqual([]);
});

it('without a delay none is sent', async () => {
  const run = await tryGate(emulator, { workspace: workspace.path, mode: 'sandbox' });

  expect(run.outputs['verdict']).toBe('pass');
  expect(run.service.requests.find(({ endpoint }) => endpoint === 'submissions/create')?.query).toEqual({});
});
