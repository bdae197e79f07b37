import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/scenario.ts';
import { it } from '../harness/fixtures.ts';
import { images, png } from '../harness/media.ts';

const FILES = images('film', 'other');

const CRITICAL = { severity: 'CRITICAL', ruleCode: 'AD-17' };
const WARN = { 'on-service-error': 'warn' };

describe.concurrent('a terminal submission', () => {
  it('that is complete while an asset never finishes ends soon, and is not forgiven', async ({ gate }) => {
    const scenario: Scenario = { statusWhileUnfinished: 'complete', files: [{ match: 'film', reads: 1_000_000 }] };
    const run = await gate({ files: FILES, scenario, inputs: WARN });
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'results', 'submission-status': 'complete' });
    expect(run.text).toContain('film.png: The service reports the status "processing" for this file, not complete.');
    expect(run.text).not.toContain('still analysing');
    expect(run.exitCode).toBe(1);
    // It is read every two seconds, for twenty seconds.
    expect(run.count('submissions/read')).toBeLessThanOrEqual(12);
  });

  it('that is failed while another asset is still analysed waits for it', async ({ gate }) => {
    const scenario: Scenario = {
      statusWhileUnfinished: 'failed',
      files: [
        { match: 'other', fails: { isRetryable: false } },
        { match: 'film', reads: 30, issues: [CRITICAL] },
      ],
    };
    const run = await gate({ files: FILES, scenario });
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'critical-count': '1', 'assets-failed': '1' });
  });
});

describe.concurrent('a key that is refused while the submission is open', () => {
  it.for([401, 402])('(%i) ends the run, and the message names the submission', async (status, { gate }) => {
    const scenario: Scenario = {
      faults: [{ on: 'submissions/read', nth: [2, 1_000_000], status }],
      default: { reads: 9 },
    };
    const run = await gate({ files: FILES, scenario });
    const [submission] = run.service.submissions;
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: status === 401 ? 'auth' : 'plan' });
    expect(run.text).toContain(`The service may still be analysing submission ${submission?.submissionId}.`);
  });
});

describe.concurrent('a failed asset', () => {
  it('in a complete submission is retried', async ({ gate }) => {
    const scenario: Scenario = {
      statuses: Array(99).fill('complete'),
      files: [{ match: 'film', fails: { times: 1 }, issues: [CRITICAL] }],
    };
    const run = await gate({ files: FILES, scenario });
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'critical-count': '1', 'assets-failed': '0' });
    expect(run.count('assets/retry')).toBe(1);
  });

  it('whose retry is refused with 409 is final after twenty seconds', async ({ gate }) => {
    const scenario: Scenario = {
      files: [{ match: 'film', fails: {} }],
      faults: [{ on: 'assets/retry', status: 409 }],
    };
    const run = await gate({ files: FILES, scenario });
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'asset-failed', 'assets-failed': '1' });
    expect(run.text).toContain('It was not retried: The service answered 409 while retrying an asset');
    expect(run.count('assets/retry')).toBe(1);
    expect(run.count('submissions/read')).toBeLessThanOrEqual(20);
  });

  it('whose retry succeeded is judged, although the list still shows the old error', async ({ gate }) => {
    const scenario: Scenario = {
      files: [{ match: 'film', fails: { times: 1, errorStays: true }, issues: [CRITICAL] }],
    };
    const run = await gate({ files: FILES, scenario });
    expect(run.outputs).toMatchObject({
      verdict: 'fail',
      reason: 'issues',
      'critical-count': '1',
      'assets-failed': '0',
    });
  });
});

describe('a creation that does not find an earlier version', () => {
  it('which can be read is repeated once without any link', async ({ startSeries }) => {
    const series = await startSeries({ 'a.png': png('a') });
    await series.run();
    await series.write({ 'a.png': png('a2') });
    series.service.load({ linkVersions: 'not-found' });
    const run = await series.run({ clockFactor: 40 });
    expect(run.outputs).toMatchObject({ verdict: 'pass', 'files-submitted': '1' });
    const creations = run.requests.filter(({ endpoint }) => endpoint === 'submissions/create');
    expect(creations.map(({ status }) => status)).toEqual([404, 201]);
    expect(JSON.stringify(creations[1]?.json)).not.toContain('previousSubmissionId');
    expect(run.warnings).toContain('they are sent as first versions');
  });

  it('twice is refused', async ({ startSeries }) => {
    const series = await startSeries({ 'a.png': png('a') });
    await series.run();
    await series.write({ 'a.png': png('a2') });
    series.service.load({ faults: [{ on: 'submissions/create', status: 404 }] });
    const run = await series.run({ clockFactor: 40 });
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'refused' });
    expect(run.count('submissions/create')).toBe(2);
    expect(series.service.submissions).toHaveLength(1);
  });
});

describe('earlier submissions that cannot be found', () => {
  it('for a moment are still reused: nothing is sent or billed', async ({ startSeries }) => {
    const series = await startSeries(images('a', 'b'));
    await series.run();
    series.service.load({ faults: [{ on: 'submissions/read', status: 404, times: 5 }] });
    const run = await series.run({ clockFactor: 40 });
    expect(run.outputs).toMatchObject({ verdict: 'pass', 'files-reused': '2', 'files-submitted': '0' });
    expect(series.service.submissions).toHaveLength(1);
  });
});
