import path from 'node:path';
import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import type { Endpoint } from '../../emulator/http.ts';
import { it as base, type GateOptions, slowCreation } from '../harness/fixtures.ts';
import { png } from '../harness/media.ts';
import type { ServiceRun } from '../harness/run-action.ts';

/** The time that a runner gives a cancelled step between SIGINT and SIGTERM. The tests kill the step after it. */
const RUNNER_WAITS_MS = 7_500;

interface Stop extends GateOptions {
  /** The signals are sent when this has begun. */
  readonly during: Endpoint;
  readonly signals?: readonly NodeJS.Signals[];
}

const it = base.extend(
  'stopped',
  ({ gate, emulator }) =>
    /** Stops a run with signals at once, in whatever order they arrive, and kills it if it does not end in time. */
    async ({ during, scenario = {}, signals = ['SIGINT', 'SIGTERM'], ...options }: Stop) => {
      const service = emulator.workspace({ scenario });
      return await gate({
        service,
        clockFactor: 1,
        killAfterMs: RUNNER_WAITS_MS,
        ...options,
        onStart: (kill) => {
          void service.waitFor(({ endpoint }) => endpoint === during).then(() => signals.map(kill));
        },
      });
    },
);

function expectStopped(run: ServiceRun): void {
  expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'cancelled' });
  expect(run.text).not.toMatch(/^\(node:|^Node\.js v/m);
}

describe.concurrent('a run that is cancelled while it creates its submission', () => {
  it('says that the submission may exist, and uploads no report', async ({ startArtifacts, stopped }) => {
    const artifacts = await startArtifacts();
    const scenario: Scenario = { faults: [{ on: 'submissions/create', stall: true, when: 'after-work' }] };
    // Without `reuse-days: 0` the run would need GitHub's list of earlier states.
    const inputs = { 'reuse-days': '0' };
    const run = await stopped({ during: 'submissions/create', scenario, artifacts, inputs });
    expectStopped(run);
    expect(artifacts.steps).toEqual([]);
    expect(run.service.submissions).toHaveLength(1);
    expect(run.text).toMatch(/confirmed none\..*the run was stopped before the response came/s);
    expect(run.text).toMatch(/One submission may exist and be billed.*another submission of these files/s);
    expect(run.text).not.toContain('before anything was submitted');
  });

  it('saves the id if the response comes within a second', async ({ gate, makeFolder, stopped }) => {
    const workspace = await makeFolder({ 'a.png': png('a') });
    const scenario: Scenario = { default: { ms: 3_000 } };
    const handler = slowCreation(1_000);
    const inputs = { 'state-file': path.join(workspace, 'state.json'), files: '*.png' };
    const run = await stopped({ workspace, during: 'submissions/create', scenario, handler, inputs });
    expectStopped(run);
    const [submission] = run.service.submissions;
    expect(run.outputs).toMatchObject({ 'submission-id': submission?.submissionId });
    expect(run.text).toContain('It waits for the analysis that is still running');
    const next = await gate({ service: run.service, workspace, inputs });
    expect(next.outputs).toMatchObject({ verdict: 'pass', 'submission-id': submission?.submissionId });
    expect(run.service.submissions).toHaveLength(1);
  });
});

it('a closed terminal stops a run like a cancelled job', async ({ gate, makeFolder, stopped }) => {
  const workspace = await makeFolder({ 'a.png': png('a') });
  const inputs = { 'state-file': path.join(workspace, 'state.json') };
  const run = await stopped({
    workspace,
    inputs,
    signals: ['SIGHUP'],
    during: 'submissions/read',
    scenario: { default: { ms: 2_000 } },
  });
  expectStopped(run);
  expect(run.text).toContain('The run was cancelled (SIGHUP) while the service was analysing the submission');
  const next = await gate({ service: run.service, workspace, inputs });
  expect(next.outputs, next.log).toMatchObject({ verdict: 'pass', 'files-submitted': '0' });
});
