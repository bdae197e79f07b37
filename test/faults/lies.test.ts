import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import type { Endpoint } from '../../emulator/record.ts';
import { makeWorkspace } from '../gate/gate.ts';
import { png } from '../gate/media.ts';
import { endpointOf } from './endpoint.ts';
import { expectHeld, type HeldRun, runHeld, serviceFor } from './held-run.ts';
import { LIES, type Lie } from './lies.ts';
import { workOn } from './pool.ts';
import { startTroubledFront } from './troubled-front.ts';

const AT_ONCE = 4;
const CLOCK_FACTOR = 40;

let emulator: Emulator;
let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
let runOf: (lie: Lie) => Promise<HeldRun>;
beforeAll(async () => {
  emulator = await startEmulator();
  workspace = await makeWorkspace({ 'one.png': png('one'), 'two.png': png('two') });
  runOf = workOn(LIES, AT_ONCE, runAgainst);
});
afterAll(async () => {
  await Promise.all([emulator.close(), workspace.remove()]);
});

async function runAgainst({ scenario, edits = {}, inputs }: Lie): Promise<HeldRun> {
  const asked = new Map<Endpoint, number>();
  await using front = await startTroubledFront(emulator.baseUrl, (line) => {
    const endpoint = endpointOf(line);
    const edit = endpoint && edits[endpoint];
    if (!endpoint || !edit) return undefined;
    const nth = (asked.get(endpoint) ?? 0) + 1;
    asked.set(endpoint, nth);
    return (body) => {
      const told = edit(JSON.parse(body), nth);
      return typeof told === 'string' ? told : JSON.stringify(told);
    };
  });
  return await runHeld({
    workspace: workspace.path,
    service: serviceFor(emulator, scenario),
    baseUrl: front.url,
    clockFactor: CLOCK_FACTOR,
    inputs: { 'wait-timeout-minutes': '2', ...inputs },
  });
}

describe('a service that does not tell the truth', () => {
  it.each(LIES.map((lie) => [lie.name, lie] as const))('%s', async (_, lie) => {
    const run = await runOf(lie);
    const { verdict, reason } = run.outputs;
    expect(lie.verdict === 'red' ? ['fail', 'error'] : [lie.verdict], run.text.slice(0, 10_000)).toContain(verdict);
    if (lie.reason !== undefined) expect(reason).toBe(lie.reason);
    expect(run.exitCode).toBe(1);
    expectHeld(run);
    expect(run.text.replaceAll(/&#(\d+);/g, (__, code) => String.fromCodePoint(Number(code)))).toMatch(lie.says);
    expect(run.service.submissions.length).toBeLessThanOrEqual(1);
  });
});
