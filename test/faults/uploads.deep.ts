import { describe, expect } from 'vitest';
import type { UploadStep } from '../harness/artifact-service.ts';
import { it, ONE_FILE } from '../harness/fixtures.ts';
import { expectInvariants } from '../harness/invariants.ts';

const STEPS: readonly UploadStep[] = ['CreateArtifact', 'put', 'FinalizeArtifact'];
const CASES = STEPS.flatMap((step) => [
  ...(['silence', 'reset', 403, 503] as const).map((trouble) => ({ step, trouble, lasts: 'always' })),
  { step, trouble: 500, lasts: 'once' } as const,
]);

describe.concurrent('an artifact that cannot be uploaded is a warning, in bounded time', () => {
  it.for(CASES)('$step, $trouble, $lasts', async ({ step, trouble, lasts }, { startRepository, makeFolder }) => {
    const isLost = lasts === 'always';
    const world = await startRepository({
      scenario: { default: { issues: [{ severity: 'CRITICAL' }] } },
      trouble: (asked, nth) => (asked === step && (isLost || nth === 1) ? trouble : undefined),
      clockFactor: 60,
    });
    const run = await world.push({ branch: 'main', workspace: await makeFolder(ONE_FILE) });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'fail', reason: 'issues', 'critical-count': '1' });
    expectInvariants(run);
    expect(world.service.submissions).toHaveLength(1);
    expect(world.artifacts.artifacts.some(({ name }) => name.includes('-state-'))).toBe(!isLost);
    if (isLost) expect(run.log).toMatch(/^::warning::The state could not be saved/m);
  });
});
