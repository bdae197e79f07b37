import { existsSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { CRITICAL, it } from '../harness/fixtures.ts';

/** Every write to it fails, as on a full disk. */
const FULL = '/dev/full';

describe.skipIf(!existsSync(FULL))('on a full disk', () => {
  it('outputs that cannot be written are a warning, and the verdict stands', async ({ gate }) => {
    const run = await gate({ scenario: CRITICAL, env: { GITHUB_OUTPUT: FULL } });
    expect(run.log).toContain('verdict fail');
    expect(run.warnings).toContain('Could not write the outputs');
    expect(run.exitCode).toBe(1);
  });
});
