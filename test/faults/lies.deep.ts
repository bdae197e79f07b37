import path from 'node:path';
import { describe, expect } from 'vitest';
import type { Endpoint } from '../../emulator/http.ts';
import { endpointOf } from '../harness/endpoint.ts';
import { it as base } from '../harness/fixtures.ts';
import { type FrontFault, startFront } from '../harness/front.ts';
import { expectInvariants, runWithSecrets } from '../harness/invariants.ts';
import { images } from '../harness/media.ts';
import type { ServiceRun } from '../harness/run-action.ts';
import { HIDING, HUGE, type Lie, UNJUDGED } from './lies.ts';

const FOUND = { verdict: 'fail', reason: 'issues', 'critical-count': '1' };
const ONE_ISSUE = { files: [{ match: 'two-', issues: [{ severity: 'CRITICAL' }] }] };

const it = base.extend(
  'runAgainst',
  ({ emulator, makeFolder, end }) =>
    async ({ scenario = ONE_ISSUE, edits, isLater }: Lie, clockFactor = 40) => {
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
      const front = await end(startFront(emulator.baseUrl, { fault }));
      const trial = {
        workspace: await makeFolder(images('one', 'two')),
        service: emulator.workspace({ scenario }),
        clockFactor,
        inputs: { 'wait-timeout-minutes': '2', 'state-file': path.join(await makeFolder(), 'state.json') },
      };
      if (isLater) await runWithSecrets({ ...trial, baseUrl: emulator.baseUrl });
      return await runWithSecrets({ ...trial, baseUrl: front.url });
    },
);

function expectSeenThrough(run: ServiceRun, { isLater }: Lie, outputs: object): void {
  expect(run.outputs, run.text.slice(0, 10_000)).toMatchObject(outputs);
  expect(run.exitCode).toBe(1);
  expectInvariants(run);
  expect(run.service.submissions.length).toBeLessThanOrEqual(isLater ? 2 : 1);
}

describe.concurrent('a service with wrong responses', () => {
  it.for(HIDING)('$name: the CRITICAL issue is found', async (lie, { runAgainst }) => {
    expectSeenThrough(await runAgainst(lie), lie, FOUND);
  });

  it.for(UNJUDGED)('$name: the file is not judged', async (lie, { runAgainst }) => {
    const run = await runAgainst(lie);
    expectSeenThrough(run, lie, { verdict: 'error', reason: lie.reason });
    expect(run.log).toMatch(lie.says);
  });
});

it(HUGE.name, async ({ runAgainst }) => {
  expectSeenThrough(await runAgainst(HUGE, 1), HUGE, FOUND);
});
