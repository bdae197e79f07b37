import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import { makeWorkspace } from '../harness/workspace.ts';
import { ROOT, readText, workflowFile } from './files.ts';
import { runJob } from './job.ts';

// Their jobs run on Linux.
describe.skipIf(process.platform !== 'linux')('workflows against the emulator', () => {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator();
  });
  afterAll(async () => await emulator.close());

  it('the job of CI that uses the action sees what it expects', async () => {
    const text = (await readText('.github/workflows/ci.yml')).replace(/(delay-seconds): 1/, '$1: 0');
    const { result, steps, log } = await runJob(workflowFile('ci.yml', text), 'action');
    expect(log).toContain('[What later steps would read: success]');
    expect(result).toBe('success');
    expect(steps['fail']?.outcome).toBe('failure');
  });

  it('the sandbox test passes with a sandbox key, and fires the event', async () => {
    const service = emulator.workspace({ mode: 'sandbox' });
    await using workspace = await media();
    const text = (await readText('examples/workflows/sandbox-test.yml'))
      .replace('https://compliance.example.com', emulator.baseUrl)
      .replace('simulation-delay-seconds: 5', 'simulation-delay-seconds: 0');
    const { log, result } = await runJob(workflowFile('sandbox-test.yml', text), 'sandbox', {
      workspace: workspace.path,
      contexts: { secrets: { COMPLIANCE_SANDBOX_KEY: service.key } },
    });
    expect(log).toContain('[What later steps rely on: success]');
    expect(result).toBe('success');
    expect(service.requests.map(({ path }) => path)).toContain('/api/integrations/sandbox/events/fire');
  });

  it('the sandbox test fails with a live key', async () => {
    const service = emulator.workspace({ mode: 'live' });
    await using workspace = await media();
    const text = (await readText('examples/workflows/sandbox-test.yml'))
      .replace('https://compliance.example.com', emulator.baseUrl)
      .replace(/ +simulation-delay.*\n/, '')
      .replace(/ +sandbox-event.*\n/, '');
    const { log, result } = await runJob(workflowFile('sandbox-test.yml', text), 'sandbox', {
      workspace: workspace.path,
      contexts: { secrets: { COMPLIANCE_SANDBOX_KEY: service.key } },
    });
    expect(log).toContain('[What later steps rely on: failure]');
    expect(result).toBe('failure');
  });
});

async function media(): Promise<AsyncDisposable & { readonly path: string }> {
  const workspace = await makeWorkspace({ 'a/rose.png': await readFile(`${ROOT}examples/media/brand/rose.png`) });
  return { path: workspace.path, [Symbol.asyncDispose]: workspace.remove };
}
