import path from 'node:path';
import { describe, expect } from 'vitest';
import type { Endpoint } from '../../emulator/http.ts';
import { endpointOf } from '../harness/endpoint.ts';
import { it as base } from '../harness/fixtures.ts';
import { type FrontFault, startFront } from '../harness/front.ts';
import { expectInvariants, runWithSecrets } from '../harness/invariants.ts';
import { images } from '../harness/media.ts';
import type { ServiceRun } from '../harness/run-action.ts';
import type { Lie } from './lie.ts';
import { LIES } from './lies.ts';

const CLOCK_FACTOR = 40;
const [LONG, SHORT] = [LIES.filter(({ isHuge }) => isHuge), LIES.filter(({ isHuge }) => !isHuge)];

const it = base.extend(
  'runAgainst',
  ({ emulator, makeFolder, end }) =>
    async ({ scenario, edits = {}, inputs, isLater }: Lie, clockFactor: number) => {
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
        service: emulator.workspace({ scenario: scenario ?? {} }),
        clockFactor,
        inputs: { 'wait-timeout-minutes': '2', 'state-file': path.join(await makeFolder(), 'state.json'), ...inputs },
      };
      if (isLater) await runWithSecrets({ ...trial, baseUrl: emulator.baseUrl });
      return await runWithSecrets({ ...trial, baseUrl: front.url });
    },
);

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

describe.concurrent('a service with wrong responses', () => {
  it.for(SHORT.map((lie) => [lie.name, lie] as const))('%s', async ([, lie], { runAgainst }) => {
    expectSeenThrough(await runAgainst(lie, CLOCK_FACTOR), lie);
  });
});

it.for(LONG.map((lie) => [lie.name, lie] as const))('%s', async ([, lie], { runAgainst }) => {
  expectSeenThrough(await runAgainst(lie, 1), lie);
});
