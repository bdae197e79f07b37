import { expect } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';

const FILES = images('one', 'two');

it('a sandbox that completes without results passes, and says that nothing was analysed', async ({ gate }) => {
  const scenario = { faults: [{ on: 'assets/read' as const, status: 404 }] };
  const run = await gate({ files: FILES, scenario, mode: 'sandbox', inputs: { 'simulation-delay-seconds': '1' } });

  expect(run.outputs).toMatchObject({ verdict: 'pass', reason: '', mode: 'sandbox', 'submission-status': 'complete' });
  const creation = run.service.requests.find(({ endpoint }) => endpoint === 'submissions/create');
  expect(creation?.query).toEqual({ simulationDelaySeconds: '1' });
  expect(run.summary.split('\n')[0]).toContain('nothing was analysed');
  expect(run.warnings).toContain('nothing was analysed');
});

const EVENT = 'asset.processing.failed';

it('sandbox-event is fired once, as the last request, and the log names its receivers', async ({ gate }) => {
  const inputs = { 'sandbox-event': EVENT, 'sandbox-error-message': 'Broken.' };
  const run = await gate({ files: FILES, mode: 'sandbox', inputs });

  const submissionId = run.outputs['submission-id'];
  expect(run.outputs['verdict']).toBe('pass');
  expect(run.count('sandbox/fire')).toBe(1);
  expect(run.service.requests.at(-1)).toMatchObject({
    endpoint: 'sandbox/fire',
    json: { eventType: EVENT, submissionId, errorMessage: 'Broken.' },
    status: 200,
  });
  expect(run.log).toContain(
    `Firing ${EVENT} for submission ${submissionId}: it reaches every active subscription of the workspace`,
  );
  expect(run.log).toContain(`${EVENT}: dispatched to 0 subscriptions`);
});

it('the event is fired for the earlier submission if everything is reused', async ({ startSeries }) => {
  const series = await startSeries({}, { mode: 'sandbox' });
  await series.addAnalysed(images('one'));
  const second = await series.run({ inputs: { 'sandbox-event': EVENT } });
  expect(second.outputs).toMatchObject({ verdict: 'pass', 'files-reused': '1', 'files-submitted': '0' });
  expect(second.requests.at(-1)).toMatchObject({
    endpoint: 'sandbox/fire',
    json: { eventType: EVENT, submissionId: series.service.submissions[0]?.submissionId },
  });
  await series.write(images('two'));
  const limit = { status: 429, headers: { 'retry-after': '20' } };
  series.service.load({ faults: [{ on: 'sandbox/fire', nth: 1, ...limit }] });
  const mixed = await series.run({ inputs: { 'sandbox-event': EVENT } });
  const submissionId = series.service.submissions[1]?.submissionId;
  expect(mixed.requests.at(-1), 'What this run has sent comes first.').toMatchObject({
    json: { submissionId },
    status: 200,
  });
  // A check that ends before its verdict fires none.
  await series.write({ 'empty.png': '' });
  const third = await series.run({ inputs: { 'sandbox-event': EVENT } });
  expect(third.outputs).toMatchObject({ verdict: 'error', reason: 'pre-flight', 'files-reused': '2' });
  expect(third.count('sandbox/fire')).toBe(0);
  expect(third.warnings, 'Only a pass could be taken for more than it is.').toBe('');
});
