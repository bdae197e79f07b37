import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import { runWithSecrets } from '../harness/invariants.ts';
import { png } from '../harness/media.ts';
import { makeWorkspace } from '../harness/workspace.ts';

/** Every write to it fails, as on a full disk. */
const FULL = '/dev/full';

let emulator: Emulator;
let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
beforeAll(async () => {
  emulator = await startEmulator();
  workspace = await makeWorkspace({ 'a.png': png('a') });
});
afterAll(async () => {
  await Promise.all([emulator.close(), workspace.remove()]);
});

describe.skipIf(!existsSync(FULL))('a disk that takes nothing', () => {
  it.each([
    ['the summary', { GITHUB_STEP_SUMMARY: FULL }, {}, /^::warning::Could not write the job summary/m],
    ['the outputs', { GITHUB_OUTPUT: FULL }, {}, /^::warning::Could not write the outputs/m],
    ['the report files', {}, { 'report-dir': `${FULL}/reports` }, /^::warning::Could not write the report files/m],
    ['the state', {}, { 'state-file': `${FULL}/state.json` }, /^::warning::The state could not be saved/m],
  ])('%s: a warning, and the verdict stands', async (_, env, inputs, says) => {
    const scenario = { default: { issues: [{ severity: 'CRITICAL' }] } };
    const service = emulator.workspace({ scenario });
    const trial = { workspace: workspace.path, service, baseUrl: emulator.baseUrl };
    const run = await runWithSecrets({ ...trial, env, inputs });
    expect(run.log).toContain('verdict fail');
    expect(run.log).toMatch(says);
    expect(run.exitCode).toBe(1);
  });
});
