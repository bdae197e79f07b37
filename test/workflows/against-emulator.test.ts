import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { startEmulator } from '../../emulator/emulator.ts';
import { makeWorkspace } from '../gate/gate.ts';
import { ROOT, readText, readWorkflow, workflowFile } from './files.ts';
import { runJob } from './job.ts';

// Their scripts are for bash.
describe.skipIf(process.platform === 'win32')('workflows against the emulator', () => {
  it('the job of CI that uses the action sees what it expects', async () => {
    const { result, steps, log } = await runJob(await readWorkflow('.github/workflows/ci.yml'), 'action');
    expect(log).toContain('[What later steps would read: success]');
    expect(result).toBe('success');
    expect(steps['fail']?.outcome).toBe('failure');
    expect(steps['pass']?.outputs['base-url']).toBeUndefined();
  });

  it('that job would notice another verdict', async () => {
    const text = (await readText('.github/workflows/ci.yml')).replace('"match": "hero"', '"match": "gradient"');
    const { result, log } = await runJob(workflowFile('ci.yml', text), 'action');
    expect(log).toContain('[What later steps would read: failure]');
    expect(result).toBe('failure');
  });

  it('the sandbox test passes with a sandbox key, and fires the event', async () => {
    await using emulator = await startEmulator();
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
    await using emulator = await startEmulator();
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
