import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, type Scenario, startEmulator } from '../../emulator/emulator.ts';
import { ENDPOINTS, type Endpoint } from '../../emulator/http.ts';
import { type Break, type LastAnswer, startBreakingConnection } from '../harness/broken-connection.ts';
import { startFront, storageAt } from '../harness/front.ts';
import { expectInvariants, runWithSecrets } from '../harness/invariants.ts';
import { mp4, png } from '../harness/media.ts';
import { workOn } from '../harness/pool.ts';
import type { ServiceRun } from '../harness/run-action.ts';
import { makeWorkspace } from '../harness/workspace.ts';
import { type Expectation, expectationOf } from './expectation.ts';
import { FAULT_CASES, type FaultCase, titleOf } from './fault-cases.ts';
import { LONG_WAITS, type LongWait } from './real-clock.ts';

const AT_ONCE = 6;
/** The two minutes of retries take two seconds. */
const CLOCK_FACTOR = 60;
const CRITICAL = { severity: 'CRITICAL', ruleCode: 'AD-17' } as const;

/** What makes the gate use an endpoint, and its response matter. */
const SCENARIOS: Partial<Record<Endpoint, Scenario>> = {
  'assets/issues': { default: { issues: [CRITICAL], resultShort: 0 } },
  'assets/topics': { default: { issues: [CRITICAL, { severity: 'MINOR' }] } },
  'assets/retry': { default: { fails: { times: 1 }, issues: [CRITICAL] } },
  // Versions are read only for a file that is not in its first version.
  'submissions/versions': { default: { issues: [CRITICAL] }, versionsBefore: 1 },
};

/** The last response before the first request to an endpoint. */
const BEFORE: Readonly<Record<Exclude<Endpoint, 'storage/put'>, LastAnswer | undefined>> = {
  'uploads/url': undefined,
  'uploads/direct': undefined,
  'submissions/create': { of: 'uploads/direct', nth: 1 },
  'submissions/read': { of: 'submissions/create', nth: 1 },
  'assets/read': { of: 'submissions/read', nth: 1 },
  'assets/issues': { of: 'assets/read', nth: 1 },
  'assets/topics': { of: 'assets/issues', nth: 1 },
  'submissions/versions': { of: 'assets/issues', nth: 1 },
  'assets/retry': { of: 'submissions/read', nth: 1 },
  // Without counts, the sandbox's assets are read twice: for their status and for their file names.
  'sandbox/fire': { of: 'assets/read', nth: 2 },
};

let emulator: Emulator;
let small: Awaited<ReturnType<typeof makeWorkspace>>;
let large: Awaited<ReturnType<typeof makeWorkspace>>;
let runOf: (each: FaultCase) => Promise<ServiceRun>;
let longWaitOf: (wait: LongWait) => Promise<TimedRun>;
beforeAll(async () => {
  emulator = await startEmulator();
  small = await makeWorkspace({ 'a.png': png('a') });
  large = await makeWorkspace({ 'a.mp4': mp4('a', 10_000_001) });
  // Started at once: they sleep nearly all the time.
  longWaitOf = workOn(LONG_WAITS, LONG_WAITS.length, runLongWait);
  for (const each of LONG_WAITS) void longWaitOf(each).catch(() => undefined);
  runOf = workOn(FAULT_CASES, AT_ONCE, runCase);
});
afterAll(async () => {
  await Promise.all([emulator.close(), small.remove(), large.remove()]);
});

async function runCase({ endpoint, fault, lasting }: FaultCase): Promise<ServiceRun> {
  const isLarge = endpoint === 'uploads/url' || endpoint === 'storage/put';
  const isSandbox = endpoint === 'sandbox/fire';
  const strikes = fault.strike && { on: endpoint, ...fault.strike, ...(lasting === 'once' && { nth: 1 }) };
  const scenario: Scenario = {
    default: { issues: [CRITICAL] },
    ...SCENARIOS[endpoint],
    ...(strikes && { faults: [strikes] }),
  };
  await using broken = strikes ? undefined : await brokenLine(endpoint, breakOf(fault.name));
  const line: Line = broken ?? { url: emulator.baseUrl };
  return await runWithSecrets({
    workspace: (isLarge ? large : small).path,
    service: emulator.workspace({ scenario, mode: isSandbox ? 'sandbox' : 'live' }),
    baseUrl: line.url,
    clockFactor: CLOCK_FACTOR,
    ...(line.env && { env: line.env }),
    inputs: {
      'wait-timeout-minutes': '2',
      // A pass then means that the service is the only cause.
      'on-service-error': 'warn',
      ...(isSandbox && { 'sandbox-event': 'asset.processing.completed' }),
    },
  });
}

interface TimedRun extends ServiceRun {
  readonly seconds: number;
}

async function runLongWait({ faults }: LongWait): Promise<TimedRun> {
  const begun = performance.now();
  const run = await runWithSecrets({
    workspace: small.path,
    service: emulator.workspace({ scenario: { default: { issues: [CRITICAL] }, faults } }),
    baseUrl: emulator.baseUrl,
    clockFactor: 1,
  });
  return { ...run, seconds: (performance.now() - begun) / 1000 };
}

interface Line {
  readonly url: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The connection breaks before the request to the endpoint; the one to storage never worked. */
async function brokenLine(endpoint: Endpoint, how: Break): Promise<Line & AsyncDisposable> {
  if (endpoint !== 'storage/put') return await startBreakingConnection(emulator.baseUrl, how, BEFORE[endpoint]);
  const nowhere = how === 'connection refused' ? 'http://127.0.0.1:9' : 'https://nowhere.invalid';
  return await startFront(emulator.baseUrl, { edit: storageAt(emulator.storageUrl, nowhere) });
}

function breakOf(name: string): Break {
  return name === 'unknown host' ? 'unknown host' : 'connection refused';
}

function outcomeOf(run: ServiceRun): Record<keyof Expectation, unknown> {
  const { verdict, reason } = run.outputs;
  const requests = run.count('submissions/create');
  return { verdict, reason, creations: requests > 3 ? 'several' : requests };
}

describe.each(ENDPOINTS)('%s', (endpoint) => {
  const cases = FAULT_CASES.filter((each) => each.endpoint === endpoint);
  it.each(cases.map((each) => [titleOf(each), each] as const))('%s', async (_, each) => {
    const expected = expectationOf(each);
    const run = await runOf(each);
    expect(outcomeOf(run), run.text).toEqual(expected);
    expectInvariants(run);
    // Only a refused request is repeated.
    expect(run.service.submissions.length).toBeLessThanOrEqual(1);
  });
});

it.each(LONG_WAITS)(
  'with the real clock: $name',
  async (wait) => {
    const run = await longWaitOf(wait);
    expect(run.outputs, run.text).toMatchObject({ verdict: wait.verdict, reason: wait.reason });
    expectInvariants(run);
    expect(run.seconds).toBeGreaterThan(wait.atLeast);
  },
  300_000,
);
