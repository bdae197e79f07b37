import { existsSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { CRITICAL, it, ONE_FILE } from '../harness/fixtures.ts';
import { runStep } from '../harness/run-step.ts';

/** Every write to it fails, as on a full disk. */
const FULL = '/dev/full';

describe.skipIf(!existsSync(FULL))('on a full disk', () => {
  it.for([
    ['the summary', { GITHUB_STEP_SUMMARY: FULL }, /^::warning::Could not write the job summary/m],
    ['the outputs', { GITHUB_OUTPUT: FULL }, /^::warning::Could not write the outputs/m],
  ] as const)(
    'a failed write of %s is a warning, and the verdict stands',
    async ([, env, says], { makeFolder, emulator }) => {
      const { key, baseUrl } = emulator.workspace({ scenario: CRITICAL });
      const access = { 'api-key': key, 'base-url': baseUrl };
      const run = await runStep({ workspace: await makeFolder(ONE_FILE), env, inputs: access });
      expect(run.log).toContain('verdict fail');
      expect(run.log).toMatch(says);
      expect(run.exitCode).toBe(1);
    },
  );
});
