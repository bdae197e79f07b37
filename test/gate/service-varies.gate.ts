import { expect } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';

const ISSUES = [{ severity: 'CRITICAL', ruleCode: 'AD-17' }, { severity: 'MINOR' }];
const DISMISSED = { severity: 'CRITICAL', ruleCode: 'AD-17', status: 'DISMISSED' };
const RERUN = { GITHUB_RUN_ATTEMPT: '2' };
const WARN = { 'on-service-error': 'warn' };
/** Two minutes take a second. */
const FAST = { clockFactor: 120 };

it('an asset that is a file which was deleted since is explained', async ({ startSeries }) => {
  const files = [{ match: 'b-*', issues: [{ severity: 'CRITICAL' }] }];
  const series = await startSeries(images('a', 'b'), { scenario: { default: { reads: 40 }, files } });
  const late = { ...FAST, inputs: { ...WARN, 'wait-timeout-minutes': '1' } };
  expect((await series.run(late)).outputs).toMatchObject({ reason: 'timeout' });
  await series.write({ 'b.png': undefined });
  expect((await series.run(FAST)).outputs).toMatchObject({ verdict: 'pass', 'files-submitted': '0' });
});

it('a reused file is judged once its response no longer lags, and stays analysed if it fails', async ({
  startSeries,
}) => {
  const series = await startSeries(images('a'), { scenario: { default: { issues: [DISMISSED] } } });
  expect((await series.run()).outputs).toMatchObject({ verdict: 'pass' });
  const before = await series.readState();
  const asset = series.service.submissions[0]?.assets[0];
  const body = { ...asset, submissionId: series.service.submissions[0]?.submissionId, status: 'failed', issues: [] };
  const missing = { on: 'assets/issues', status: 404 } as const;
  const failing = { on: 'assets/read', status: 200, body } as const;
  series.service.load({ faults: [missing, failing].map((fault) => ({ ...fault, times: 2 })) });
  expect((await series.run(FAST)).outputs).toMatchObject({ verdict: 'pass', 'files-reused': '1' });
  series.service.load({ faults: [missing, failing] });
  const run = await series.run({ ...FAST, inputs: WARN });
  expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'results', 'files-reused': '1' });
  expect((await series.readState()).document.contents).toEqual(before.document.contents);
  series.service.load({});
  const after = await series.run({ ...FAST, env: RERUN });
  expect(after.outputs).toMatchObject({ verdict: 'pass', 'assets-submitted': '0' });
});

it('a timeout does not excuse a file for which the list shows an issue', async ({ gate }) => {
  const scenario = {
    statuses: Array.from({ length: 1_000 }, () => 'processing'),
    default: { issues: ISSUES, lateResultReads: 1_000_000 },
  };
  const run = await gate({ ...FAST, scenario, inputs: { ...WARN, 'wait-timeout-minutes': '1' } });
  expect(run.outputs, run.log).toMatchObject({ verdict: 'error', reason: 'results' });
});
