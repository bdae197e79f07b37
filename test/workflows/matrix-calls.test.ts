import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, type Scenario, startEmulator } from '../../emulator/emulator.ts';
import { png } from '../harness/media.ts';
import { makeWorkspace } from '../harness/workspace.ts';
import { workflowFile } from './files.ts';
import { runJob } from './job.ts';

const CRITICAL: Scenario = { default: { issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] } };

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(async () => await emulator.close());

/** A job that continues after its gate and fails later. */
const WORKFLOW = `
on: push
jobs:
  media:
    runs-on: ubuntu-latest
    steps:
      - uses: your-org/media-compliance-gate@v1
        id: gate
        continue-on-error: true
        with:
          api-key: \${{ secrets.COMPLIANCE_API_KEY }}
          base-url: BASE_URL
      - run: echo "verdict=$VERDICT" >> "$GITHUB_OUTPUT"
        id: later
        env:
          VERDICT: \${{ steps.gate.outputs.verdict }}
      - run: exit 1
        if: steps.gate.outcome == 'failure'
        id: decision
`;

describe.skipIf(process.platform !== 'linux')('a gate with continue-on-error', () => {
  it.each([
    ['fail', CRITICAL, 'failure'],
    ['pass', {}, 'success'],
  ] as const)(
    'sets its outputs for later steps, and its outcome is the check: %s',
    async (verdict, scenario, outcome) => {
      const service = emulator.workspace({ scenario });
      await using workspace = await makeWorkspace({ 'a.png': png('a') });
      const file = workflowFile('continue.yml', WORKFLOW.replace('BASE_URL', emulator.baseUrl));
      const { result, steps } = await runJob(file, 'media', {
        workspace: workspace.path,
        contexts: { secrets: { COMPLIANCE_API_KEY: service.key } },
      });
      expect(steps['gate']).toMatchObject({ outcome, outputs: { verdict } });
      expect(steps['later']).toMatchObject({ outcome: 'success', outputs: { verdict } });
      expect(steps['decision']?.outcome).toBe(outcome === 'failure' ? 'failure' : 'skipped');
      expect(result).toBe(outcome);
    },
  );
});
