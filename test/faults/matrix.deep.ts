import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { ENDPOINTS, type Endpoint } from '../../emulator/http.ts';
import { it as base, ONE_FILE } from '../harness/fixtures.ts';
import { type Manner, rewriteField } from '../harness/manners.ts';
import { mp4 } from '../harness/media.ts';
import { runWithSecrets } from '../harness/run-action.ts';
import { FAULT_CASES, type FaultCase } from './fault-cases.ts';

/** The two minutes of retries take two seconds. */
const CLOCK_FACTOR = 60;
const CRITICAL = { severity: 'CRITICAL', ruleCode: 'AD-17' } as const;

/** Scenarios that make the gate use an endpoint and depend on its response. */
const SCENARIOS: Partial<Record<Endpoint, Scenario>> = {
  'assets/topics': { default: { issues: [CRITICAL, { severity: 'MINOR' }] } },
  'assets/retry': { default: { fails: { times: 1 }, issues: [CRITICAL] } },
};

/** Versions are read only for a file that is not in its first version. */
const MANNERS: Partial<Record<Endpoint, Manner>> = {
  'assets/issues': rewriteField('issues', () => [], 'assets/read'),
  'submissions/versions': rewriteField('versionNumber', () => 2),
};

const it = base.extend('runCase', ({ emulator, makeFolder }) => async ({ endpoint, strike }: FaultCase) => {
  const isLarge = endpoint === 'uploads/url' || endpoint === 'storage/put';
  const isSandbox = endpoint === 'sandbox/fire';
  const scenario: Scenario = {
    default: { issues: [CRITICAL] },
    ...SCENARIOS[endpoint],
    faults: [{ on: endpoint, ...strike }],
  };
  const service = emulator.workspace({ scenario, mode: isSandbox ? 'sandbox' : 'live' });
  service.handler = MANNERS[endpoint]?.handler?.(service);
  return await runWithSecrets({
    workspace: await makeFolder(isLarge ? { 'a.mp4': mp4('a', 10_000_001) } : ONE_FILE),
    service,
    clockFactor: CLOCK_FACTOR,
    inputs: {
      'wait-timeout-minutes': '2',
      // With `warn`, the exit code also shows whether the service is the only cause.
      'on-service-error': 'warn',
      ...(isSandbox && { 'sandbox-event': 'asset.processing.completed' }),
    },
  });
});

describe.concurrent.for(ENDPOINTS)('%s', (endpoint) => {
  const cases = FAULT_CASES.filter((each) => each.endpoint === endpoint);
  it.for(cases.map((each) => [each.title, each] as const))('%s', async ([, each], { runCase }) => {
    const { reason, creations } = each;
    const run = await runCase(each);
    // Without a fault, the service finds a CRITICAL issue, and the sandbox finds nothing.
    const verdict = { '': 'pass', issues: 'fail' }[reason] ?? 'error';
    expect(run.outputs, run.text).toMatchObject({ verdict, reason });
    const requests = run.count('submissions/create');
    const { submissions } = run.service;
    if (endpoint === 'submissions/create') {
      expect(requests > 3 ? 'several' : requests).toBe(creations);
      expect(submissions.length).toBeLessThanOrEqual(1);
    } else {
      const isUpload = endpoint.startsWith('uploads/') || endpoint === 'storage/put';
      expect(submissions).toHaveLength(isUpload && reason !== 'issues' ? 0 : 1);
    }
    if (submissions.length > 0 && run.outputs['submission-id'] === '')
      expect(run.text).toMatch(/One submission (may exist and be|exists and is) billed/);
  });
});
