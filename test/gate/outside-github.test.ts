import { expect, it, onTestFinished } from 'vitest';
import { startEmulator } from '../../emulator/emulator.ts';
import { png } from '../harness/media.ts';
import { runAction } from '../harness/run-action.ts';
import { makeWorkspace } from '../harness/workspace.ts';

const NO_RUNNER = { GITHUB_OUTPUT: '', GITHUB_STEP_SUMMARY: '', GITHUB_STATE: '', GITHUB_EVENT_NAME: '' };

it('outside GitHub the log is plain text, without the key and without workflow commands', async () => {
  const emulator = await startEmulator();
  onTestFinished(async () => await emulator.close());
  await using workspace = await makeWorkspace({ 'a.png': png('a') });
  const run = await runAction({
    emulator,
    workspace: workspace.path,
    scenario: { default: { issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] } },
    inputs: { 'only-changed': 'true' },
    env: NO_RUNNER,
  });

  expect(run.exitCode).toBe(1);
  // The toolkit's walk prints lines for debugging, which a runner hides.
  expect(run.log).not.toMatch(/^::(?!debug::)/m);
  expect(run.log).not.toContain(run.service.key);
  expect(run.log).toMatch(/^Error: a\.png: CRITICAL AD-17/m);
  expect(run.log).toMatch(/^verdict: fail$/m);
  expect(run.log).toMatch(/^No job summary is written, because this is not a GitHub runner\./m);
  expect(run.log).toContain('This run is not for a pull request.');
  expect(run.log.trimEnd().split('\n').slice(-2)).toEqual([
    'Error: FAIL: 1 CRITICAL issue in 1 of 1 file',
    '1 analysed, 0 reused, 0 paid twice, verdict fail',
  ]);
});
