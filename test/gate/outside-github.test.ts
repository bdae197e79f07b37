import { expect, it, onTestFinished } from 'vitest';
import { startEmulator } from '../../emulator/emulator.ts';
import { png } from '../harness/media.ts';
import { runAction } from '../harness/run-action.ts';
import { makeWorkspace } from '../harness/workspace.ts';

it('on a machine without a runner the key is not printed', async () => {
  const emulator = await startEmulator();
  onTestFinished(async () => await emulator.close());
  await using workspace = await makeWorkspace({ 'a.png': png('a') });
  const env = { GITHUB_OUTPUT: '', GITHUB_STEP_SUMMARY: '', GITHUB_STATE: '', GITHUB_EVENT_NAME: '' };
  const run = await runAction({ emulator, workspace: workspace.path, env });
  expect(run.exitCode).toBe(0);
  expect(run.log).not.toContain(run.service.key);
});
