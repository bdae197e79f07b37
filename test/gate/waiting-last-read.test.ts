import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { it as base } from '../harness/fixtures.ts';
import { assetsIn, type Edit, type Json, startFront } from '../harness/front.ts';
import { images, png } from '../harness/media.ts';

const FILES = images('one', 'two');
const CRITICAL = { severity: 'CRITICAL', ruleCode: 'AD-17' };
const STUCK = { reads: 1_000_000 };
const WARN = { 'on-service-error': 'warn', 'wait-timeout-minutes': '2' };

const isSubmission = (path: string): boolean => /\/submissions\/[^/]+$/.test(path);
const isAsset = (path: string): boolean => /\/assets\/[^/]+$/.test(path);

const it = base.extend(
  'runBehind',
  ({ emulator, gate, end }) =>
    async (edit: Edit, inputs: Readonly<Record<string, string>> = WARN) => {
      const front = await end(startFront(emulator.baseUrl, { edit }));
      return await gate({ files: FILES, baseUrl: front.url, inputs });
    },
);

describe.concurrent('results that can be read at the end of the wait', () => {
  it('an asset that is complete by its own result is judged, even if the submission never counts its issues', async ({
    gate,
  }) => {
    const run = await gate({
      files: FILES,
      scenario: {
        files: [
          { match: 'one-', issues: [CRITICAL], nullIssueCountReads: 1_000_000 },
          { match: 'two-', ...STUCK },
        ],
      },
      inputs: WARN,
    });
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'critical-count': '1' });
    expect(run.exitCode).toBe(1);
  });

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
      inputs: WARN,
    });
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'critical-count': '1' });
    expect(run.exitCode).toBe(1);
  });

  it('an asset that only the creation named is read, if the submission never can be', async ({ gate }) => {
    const run = await gate({
      files: FILES,
      scenario: { files: [{ match: 'one-', issues: [CRITICAL] }], faults: [{ on: 'submissions/read', status: 503 }] },
      inputs: WARN,
    });
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'critical-count': '1', 'submission-status': 'unknown' });
    expect(run.annotations).toContainEqual(expect.objectContaining({ level: 'error', file: 'one.png' }));
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

it('a key that is refused by the last read is not forgiven as a timeout', async ({ gate }) => {
  const run = await gate({
    files: FILES,
    scenario: { default: STUCK, faults: [{ on: 'assets/read', status: 401 }] },
    inputs: WARN,
  });
  expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'auth' });
  expect(run.exitCode).toBe(1);
});

it.for<[string, NonNullable<Scenario['default']>, string]>([
  ['is judged by them', {}, 'pass'],
  ['fails on their issues', { issues: [CRITICAL] }, 'fail'],
])('a submission that failed although all its assets are complete %s', async ([, rule, verdict], { gate }) => {
  const scenario: Scenario = { default: rule, statuses: Array(1000).fill('failed') };
  const run = await gate({ files: FILES, scenario });
  expect(run.outputs).toMatchObject({ verdict, 'submission-status': 'failed' });
});

describe('a stuck asset', () => {
  it('that is no longer in the repository does not block another one', async ({ startSeries }) => {
    const scenario: Scenario = { files: [{ match: 'stuck-', ...STUCK }] };
    const files = images('clean', 'stuck');
    const series = await startSeries(files, { scenario });
    const options = { clockFactor: 60, inputs: { 'wait-timeout-minutes': '1' } };
    expect((await series.run(options)).outputs).toMatchObject({ verdict: 'error', reason: 'timeout' });
    await series.write({ 'stuck.png': undefined });
    const second = await series.run(options);
    expect(second.outputs).toMatchObject({ verdict: 'pass', 'files-reused': '1' });
    expect(second.sent).toEqual([]);
  });
});

describe.concurrent('responses that disagree', () => {
  it('an asset whose result is older than the submission is read again', async ({ runBehind }) => {
    let reads = 0;
    const run = await runBehind((path, json) => {
      if (!isAsset(path) || !String(json['filename']).startsWith('two-')) return undefined;
      reads += 1;
      return reads > 2 ? undefined : { ...json, status: 'processing', issueCount: null, issues: [] };
    });
    expect(run.outputs).toMatchObject({ verdict: 'pass' });
    expect(reads).toBe(3);
  });
});

describe.concurrent('one time limit', () => {
  it('covers waiting and reading: a rate limit while reading does not restart it', async ({ gate }) => {
    const run = await gate({
      files: FILES,
      scenario: {
        // The polls take more than ten seconds of the three minutes, so this limit is not waited for.
        files: [{ match: 'two-', issues: [CRITICAL], reads: 20 }],
        progress: Array(20).fill(0),
        faults: [{ on: 'assets/issues', status: 429, headers: { 'retry-after': '170' } }],
      },
      inputs: { 'wait-timeout-minutes': '3' },
    });
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'critical-count': '1' });
    expect(run.count('assets/issues')).toBe(1);
  });
});

function inAnotherGroup(asset: Json): Json {
  return { ...asset, versionGroupId: '00000000-0000-4000-8000-000000000000' };
}

describe.concurrent('details of the submission', () => {
  it('its own error message and its workflow are shown', async ({ runBehind }) => {
    const run = await runBehind(
      (path, json) => (isSubmission(path) ? { ...json, errorMessage: 'One worker was restarted.' } : undefined),
      { files: '*.png\n*.flac' },
    );
    expect(run.notices).toContain('*.flac');
    expect(run.summary.split('One worker was restarted.')).toHaveLength(2);
    expect(run.log).toContain('One worker was restarted.');
    expect(run.log).toContain(`(workflow ${run.service.submissions[0]?.workflowId})`);
  });

  it('a new version that the service returned in another group is reported as not linked', async ({
    startSeries,
    emulator,
  }) => {
    const series = await startSeries({ 'a.png': png('a') });
    expect((await series.run()).summary).not.toContain('did not link');
    await series.write({ 'a.png': png('a2') });
    await using front = await startFront(emulator.baseUrl, {
      edit: (path, json) =>
        isSubmission(path)
          ? { ...json, assets: assetsIn(json).map(inAnotherGroup) }
          : isAsset(path)
            ? inAnotherGroup(json)
            : undefined,
    });
    const run = await series.run({ inputs: { 'base-url': front.url } });
    expect(run.outputs['verdict']).toBe('pass');
    for (const text of [run.log, run.summary]) expect(text).toContain('did not link 1 file to the earlier version');
  });
});

const ENDLESS: Edit = (path, json) =>
  path.endsWith('/issues') ? { issues: Array.from({ length: 300_000 }, () => ({})) } : json;

it('a list without an end is not read to the end, and its file is not judged', async ({ gate, emulator, end }) => {
  const front = await end(startFront(emulator.baseUrl, { edit: ENDLESS }));
  const scenario: Scenario = { files: [{ match: 'two-', issues: [{ severity: 'MINOR' }] }] };
  const run = await gate({ files: FILES, baseUrl: front.url, scenario });
  expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'results' });
  expect(run.text).toContain('The service counts 300,000 issues, but only 1 could be read.');
});
