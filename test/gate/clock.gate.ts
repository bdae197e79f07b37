import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { png } from '../harness/media.ts';

const DAY_MS = 86_400_000;
const CRITICAL = { issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] };

/** A line of the waivers file that accepts the issue until this many days from now. */
function waiver(days: number): string {
  const expires = new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  return `- { rule: AD-17, path: a.png, owner: legal, reason: agreed, expires: ${expires} }\n`;
}

describe.concurrent('a clock that jumps while the run waits', () => {
  it.for([
    ['back', -20],
    ['forward', 20],
  ] as const)('%s neither ends the wait nor extends it', async ([, days], { gate }) => {
    const run = await gate({
      scenario: { default: { reads: 1_000_000 } },
      inputs: { 'wait-timeout-minutes': '2' },
      // One after each line of the log.
      jumps: Array.from({ length: 20 }, (_, line) => [line + 1, days * DAY_MS]),
    });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'error', reason: 'timeout' });
    // The pauses between two reads grow to an eighth of the wait.
    expect(run.count('submissions/read')).toBeGreaterThan(7);
  });
});

describe.concurrent('a clock that is wrong for good', () => {
  it('makes no expired waiver count, and a warning says so', async ({ gate, makeFolder }) => {
    const HEAD = '0123456789abcdef0123456789abcdef01234567';
    const workspace = await makeFolder({ 'a.png': png('a'), '.git/HEAD': HEAD, 'waivers.yml': waiver(-10) });
    const stateFile = path.join(workspace, 'state.json');
    const inputs = { 'waivers-file': 'waivers.yml', 'state-file': stateFile };
    const run = await gate({ workspace, inputs, scenario: { default: CRITICAL }, jumps: [[0, -20 * DAY_MS]] });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'fail', 'critical-count': '1' });
    expect(run.warnings).toContain('is 480 hours behind the clock of the service');
    expect(run.log).not.toContain(new Date(Date.now() - 20 * DAY_MS).toISOString().slice(0, 10));
    expect(await readFile(stateFile, 'utf8')).not.toContain('waived');
  });
});
