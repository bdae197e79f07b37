import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import type { Endpoint } from '../../emulator/http.ts';
import { type Break, startBreakingConnection } from '../harness/broken-connection.ts';
import { expectInvariants, runWithSecrets } from '../harness/invariants.ts';
import { png } from '../harness/media.ts';
import { workOn } from '../harness/pool.ts';
import type { ServiceRun } from '../harness/run-action.ts';
import { makeWorkspace } from '../harness/workspace.ts';

const ISSUES = [{ severity: 'CRITICAL', ruleCode: 'AD-17' }, { severity: 'MINOR' }];
const AT_ONCE = 4;
const CLOCK_FACTOR = 60;

/** The last response of the service, and what was billed until then. */
const LAST_WORDS: readonly (readonly [Endpoint, number])[] = [
  ['uploads/direct', 0],
  ['submissions/create', 1],
  ['submissions/read', 1],
  ['assets/read', 1],
  ['assets/issues', 1],
];

interface Case {
  readonly last: Endpoint;
  readonly how: Break;
  readonly paid: number;
}

const CASES: readonly Case[] = (['connection refused', 'unknown host'] as const).flatMap((how) =>
  LAST_WORDS.map(([last, paid]) => ({ last, how, paid })),
);

interface Runs {
  readonly during: ServiceRun;
  /** Submissions by then. */
  readonly paid: number;
  readonly after: ServiceRun;
}

let emulator: Emulator;
let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
let runsOf: (each: Case) => Promise<Runs>;
beforeAll(async () => {
  emulator = await startEmulator();
  workspace = await makeWorkspace({ 'a.png': png('a') });
  runsOf = workOn(CASES, AT_ONCE, runCase);
});
afterAll(async () => {
  await Promise.all([emulator.close(), workspace.remove()]);
});

async function runCase({ last, how }: Case): Promise<Runs> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gate-gone-'));
  const service = emulator.workspace({ scenario: { default: { issues: ISSUES, resultShort: 0, reads: 1 } } });
  const common = {
    workspace: workspace.path,
    service,
    clockFactor: CLOCK_FACTOR,
    inputs: { 'state-file': path.join(folder, 'state.json'), 'wait-timeout-minutes': '5' },
  };
  try {
    await using line = await startBreakingConnection(emulator.baseUrl, how, { of: last, nth: 1 });
    const during = await runWithSecrets({ ...common, baseUrl: line.url, env: line.env });
    const paid = service.submissions.length;
    return { during, paid, after: await runWithSecrets({ ...common, baseUrl: emulator.baseUrl }) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('the service is gone in the middle of a run', () => {
  it.each(CASES)('$how after $last: an error, and the next run continues from there', async (each) => {
    const { during, paid, after } = await runsOf(each);
    // What was read until then counts: after the issues only the optional topics are missing.
    const isRead = each.last === 'assets/issues';
    expect(during.outputs, during.text).toMatchObject(
      isRead ? { verdict: 'fail', 'critical-count': '1' } : { verdict: 'error', reason: 'service' },
    );
    expectInvariants(during);
    expect(paid).toBe(each.paid);

    expect(after.outputs, after.text).toMatchObject({ verdict: 'fail', 'critical-count': '1', 'minor-count': '1' });
    expectInvariants(after);
    expect(after.service.submissions).toHaveLength(1);
    expect(after.count('submissions/create')).toBe(1 - each.paid);
  });
});
