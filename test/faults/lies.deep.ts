import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import type { Endpoint } from '../../emulator/http.ts';
import { endpointOf } from '../harness/endpoint.ts';
import { type FrontFault, startFront } from '../harness/front.ts';
import { expectInvariants, runWithSecrets } from '../harness/invariants.ts';
import { png } from '../harness/media.ts';
import { workOn } from '../harness/pool.ts';
import type { ServiceRun } from '../harness/run-action.ts';
import { makeWorkspace } from '../harness/workspace.ts';
import type { Lie } from './lie.ts';
import { LIES } from './lies.ts';

const AT_ONCE = 4;
const CLOCK_FACTOR = 40;
const [LONG, SHORT] = [LIES.filter(({ isHuge }) => isHuge), LIES.filter(({ isHuge }) => !isHuge)];

let emulator: Emulator;
let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
let runOf: (lie: Lie) => Promise<ServiceRun>;
beforeAll(async () => {
  emulator = await startEmulator();
  workspace = await makeWorkspace({ 'one.png': png('one'), 'two.png': png('two') });
  runOf = workOn(SHORT, AT_ONCE, async (lie) => await runAgainst(lie, CLOCK_FACTOR));
});
afterAll(async () => {
  await Promise.all([emulator.close(), workspace.remove()]);
});

async function runAgainst({ scenario, edits = {}, inputs, isLater }: Lie, clockFactor: number): Promise<ServiceRun> {
  const asked = new Map<Endpoint, number>();
  const fault = (line: string): FrontFault | undefined => {
    const endpoint = endpointOf(line);
    const edit = endpoint && edits[endpoint];
    if (!endpoint || !edit) return undefined;
    const nth = (asked.get(endpoint) ?? 0) + 1;
    asked.set(endpoint, nth);
    return (body) => {
      const edited = edit(JSON.parse(body), nth);
      return typeof edited === 'string' ? edited : JSON.stringify(edited);
    };
  };
  await using front = await startFront(emulator.baseUrl, { fault });
  const folder = await mkdtemp(path.join(tmpdir(), 'gate-lie-'));
  const trial = {
    workspace: workspace.path,
    service: emulator.workspace({ scenario: scenario ?? {} }),
    clockFactor,
    inputs: { 'wait-timeout-minutes': '2', 'state-file': path.join(folder, 'state.json'), ...inputs },
  };
  try {
    if (isLater) await runWithSecrets({ ...trial, baseUrl: emulator.baseUrl });
    return await runWithSecrets({ ...trial, baseUrl: front.url });
  } finally {
    await rm(folder, { recursive: true });
  }
}

function hasVerdict({ outputs }: ServiceRun, { verdict }: Lie): boolean {
  return (
    outputs['verdict'] === verdict || (verdict === 'failing' && ['fail', 'error'].includes(outputs['verdict'] ?? ''))
  );
}

function expectSeenThrough(run: ServiceRun, lie: Lie): void {
  const { reason, says, isLater } = lie;
  expect(hasVerdict(run, lie), run.text.slice(0, 10_000)).toBe(true);
  if (reason !== undefined) expect(run.outputs['reason']).toBe(reason);
  expect(run.exitCode).toBe(1);
  expectInvariants(run);
  expect(run.text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))).toMatch(says);
  expect(run.service.submissions.length).toBeLessThanOrEqual(isLater ? 2 : 1);
}

describe('a service with wrong responses', () => {
  it.each(SHORT.map((lie) => [lie.name, lie] as const))('%s', async (_, lie) => {
    expectSeenThrough(await runOf(lie), lie);
  });

  it.each(LONG.map((lie) => [lie.name, lie] as const))('%s', async (_, lie) => {
    expectSeenThrough(await runAgainst(lie, 1), lie);
  });
});
