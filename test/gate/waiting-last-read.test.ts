import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { it } from '../harness/fixtures.ts';
import { type FindFault, startFront } from '../harness/front.ts';
import { images, png } from '../harness/media.ts';

const FILES = images('one', 'two');
const CRITICAL = { severity: 'CRITICAL', ruleCode: 'AD-17' };
const STUCK = { reads: 1_000_000 };
/** Two minutes of waiting take a second. */
const IMPATIENT = { clockFactor: 120, inputs: { 'on-service-error': 'warn', 'wait-timeout-minutes': '2' } };

const isSubmission = (path: string): boolean => /\/submissions\/[^/]+$/.test(path);

describe.concurrent('results that can be read at the end of the wait', () => {
  it('a counted asset is read, even if the submission can no longer be read', async ({ gate }) => {
    const run = await gate({
      files: FILES,
      scenario: {
        files: [
          { match: 'one-', issues: [CRITICAL] },
          { match: 'two-', ...STUCK },
        ],
        faults: [{ on: 'submissions/read', nth: [2, 1_000_000], status: 503 }],
      },
      ...IMPATIENT,
    });
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'critical-count': '1' });
    expect(run.exitCode).toBe(1);
  });

  it('clean assets do not pass if the submission was never read, and the next run judges them', async ({
    startSeries,
  }) => {
    const scenario: Scenario = { faults: [{ on: 'submissions/read', status: 503 }] };
    const series = await startSeries({ 'a.png': png('a') }, { scenario });
    expect((await series.run({ clockFactor: 60 })).outputs).toMatchObject({ verdict: 'error', reason: 'service' });
    series.service.load({});
    const second = await series.run();
    expect(second.outputs).toMatchObject({ verdict: 'pass', 'submission-status': 'complete' });
    expect(second.sent).toEqual([]);
  });
});

it('a stuck asset that is no longer in the repository does not block another one', async ({ startSeries }) => {
  const series = await startSeries({}, { scenario: { files: [{ match: 'stuck-', ...STUCK }] } });
  await series.addAnalysed(images('clean', 'stuck'));
  await series.write({ 'stuck.png': undefined });
  const run = await series.run();
  expect(run.outputs).toMatchObject({ verdict: 'pass', 'files-reused': '1' });
  expect(run.sent).toEqual([]);
});

const restarted: FindFault = (line) =>
  isSubmission(line)
    ? (body) => JSON.stringify({ ...JSON.parse(body), errorMessage: 'One worker was restarted.' })
    : undefined;

describe.concurrent('details of the submission', () => {
  it('its own error message and its workflow are shown', async ({ gate, emulator, end }) => {
    const front = await end(startFront(emulator.baseUrl, { fault: restarted }));
    const run = await gate({ files: FILES, baseUrl: front.url, inputs: { files: '*.png\n*.flac' } });
    expect(run.notices).toContain('*.flac');
    expect(run.summary.split('One worker was restarted.')).toHaveLength(2);
    expect(run.log).toContain(`about submission ${run.outputs['submission-id']}: One worker was restarted.`);
    expect(run.log).toContain(`(workflow ${run.service.submissions[0]?.workflowId})`);
  });

  it('a new version that the service did not link to the earlier one is reported', async ({ startSeries }) => {
    const series = await startSeries({});
    await series.addAnalysed(images('a'));
    await series.write({ 'a.png': png('a2') });
    series.service.load({ linkVersions: 'never' });
    const run = await series.run();
    expect(run.outputs['verdict']).toBe('pass');
    for (const text of [run.log, run.summary]) expect(text).toContain('did not link 1 file to the earlier version');
  });
});
