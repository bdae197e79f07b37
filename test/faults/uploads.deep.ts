import { describe, expect } from 'vitest';
import { it, ONE_FILE } from '../harness/fixtures.ts';
import { expectInvariants } from '../harness/invariants.ts';
import { UPLOAD_CASES } from './upload-cases.ts';

describe.concurrent('an artifact that cannot be uploaded is a warning, in bounded time', () => {
  it.for(UPLOAD_CASES)(
    '$step, $trouble, $lasting',
    async ({ step, trouble, lasting }, { startRepository, makeFolder }) => {
      const world = await startRepository({
        scenario: { default: { issues: [{ severity: 'CRITICAL' }] } },
        trouble: (asked, nth) => (asked === step && (lasting === 'always' || nth === 1) ? trouble : undefined),
        clockFactor: 60,
      });
      const run = await world.push({ branch: 'main', workspace: await makeFolder(ONE_FILE) });
      expect(run.outputs, run.log).toMatchObject({ verdict: 'fail', reason: 'issues', 'critical-count': '1' });
      expectInvariants(run);
      expect(world.service.submissions).toHaveLength(1);
      const isLost = lasting === 'always';
      expect(world.artifacts.artifacts.some(({ name }) => name.includes('-state-'))).toBe(!isLost);
      if (isLost) expect(run.log).toMatch(/^::warning::The state could not be saved/m);
    },
  );
});
