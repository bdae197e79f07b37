import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, type Scenario, startEmulator } from '../../emulator/emulator.ts';
import { ENDPOINTS, type Endpoint } from '../../emulator/record.ts';
import { makeWorkspace } from '../gate/gate.ts';
import { type Json, startFront, storageAt } from '../gate/front.ts';
import { mp4, png } from '../gate/media.ts';
import { type Break, startBreakingLine } from './broken-line.ts';
import { expectationOf } from './expectation.ts';
import { FAULT_CASES, type FaultCase, titleOf } from './fault-cases.ts';
import { expectHeld, type HeldRun, runHeld, serviceFor } from './held-run.ts';
import { workOn } from './pool.ts';

const AT_ONCE = 5;
/** Two minutes of patience pass in two seconds. */
const CLOCK_FACTOR = 60;
const CRITICAL = { severity: 'CRITICAL', ruleCode: 'AD-17' } as const;

/** What it takes for an endpoint to be asked, and for its answer to matter. */
const SCENARIOS: Partial<Record<Endpoint, Scenario>> = {
  'assets/issues': { default: { issues: [CRITICAL], resultShort: 0 } },
  'assets/topics': { default: { issues: [CRITICAL, { severity: 'MINOR' }] } },
  'assets/retry': { default: { fails: { times: 1 }, issues: [CRITICAL] } },
};

/** The request whose answer is the last one before an endpoint is asked for the first time. */
const BEFORE: Readonly<Record<Endpoint, Endpoint | undefined>> = {
  'uploads/url': undefined,
  'uploads/direct': undefined,
  'storage/put': 'uploads/url',
  'submissions/create': 'uploads/direct',
  'submissions/read': 'submissions/create',
  'assets/read': 'submissions/read',
  'assets/issues': 'assets/read',
  'assets/topics': 'assets/issues',
  'submissions/versions': 'assets/issues',
  'assets/retry': 'submissions/read',
  'sandbox/fire': 'assets/read',
};

let emulator: Emulator;
let small: Awaited<ReturnType<typeof makeWorkspace>>;
let large: Awaited<ReturnType<typeof makeWorkspace>>;
let runOf: (each: FaultCase) => Promise<HeldRun>;
beforeAll(async () => {
  emulator = await startEmulator();
  small = await makeWorkspace({ 'a.png': png('a') });
  large = await makeWorkspace({ 'a.mp4': mp4('a', 10_000_001) });
  runOf = workOn(FAULT_CASES, AT_ONCE, runCase);
});
afterAll(async () => {
  await Promise.all([emulator.close(), small.remove(), large.remove()]);
});

async function runCase({ endpoint, fault, lasting }: FaultCase): Promise<HeldRun> {
  const isLarge = endpoint === 'uploads/url' || endpoint === 'storage/put';
  const isSandbox = endpoint === 'sandbox/fire';
  const strikes = fault.strike && { on: endpoint, ...fault.strike, ...(lasting === 'once' && { nth: 1 }) };
  const scenario: Scenario = {
    default: { issues: [CRITICAL] },
    ...SCENARIOS[endpoint],
    ...(strikes && { faults: [strikes] }),
  };
  await using line = strikes ? await honestLine(endpoint) : await brokenLine(endpoint, breakOf(fault.name));
  return await runHeld({
    workspace: (isLarge ? large : small).path,
    service: serviceFor(emulator, scenario, isSandbox ? 'sandbox' : 'live'),
    baseUrl: line.url,
    clockFactor: CLOCK_FACTOR,
    env: line.env,
    inputs: {
      'wait-timeout-minutes': '2',
      // Green then means that the service alone is to blame.
      'on-service-error': 'warn',
      ...(isSandbox && { 'sandbox-event': 'asset.processing.completed' }),
    },
  });
}

interface Line extends AsyncDisposable {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
}

async function honestLine(endpoint: Endpoint): Promise<Line> {
  // Only a second version has versions to be asked for.
  if (endpoint === 'submissions/versions') return { ...(await startFront(emulator.baseUrl, { edit: secondVersions })), env: {} };
  return { url: emulator.baseUrl, env: {}, [Symbol.asyncDispose]: async () => undefined };
}

function secondVersions(_: string, json: Json): Json | undefined {
  return 'issueCount' in json ? { ...json, versionNumber: 2 } : undefined;
}
