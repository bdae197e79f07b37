import { expect } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';

it('a sandbox that completes without results passes, and says that nothing was analysed', async ({ gate }) => {
  const scenario = { faults: [{ on: 'assets/read' as const, status: 404 }] };
  const inputs = { 'simulation-delay-seconds': '1', 'state-file': '${{ runner.temp }}/state.json' };
  const run = await gate({ scenario, mode: 'sandbox', inputs });
  expect(run.outputs).toMatchObject({ verdict: 'pass', reason: '', mode: 'sandbox', 'submission-status': 'complete' });
  const creation = run.service.requests.find(({ endpoint }) => endpoint === 'submissions/create');
  expect(creation?.query).toEqual({ simulationDelaySeconds: '1' });
  expect(run.summary.split('\n')[0]).toContain('nothing was analysed');
  expect(run.warnings).toContain('nothing was analysed');
  expect(run.summary, 'Nothing is said about money.').not.toMatch(/bill|paid|cost/i);
  expect(run.log).toMatch(/^1 sent, 0 reused, verdict pass$/m);
});

const EVENT = 'asset.processing.failed';

it('sandbox-event is fired once, as the last request', async ({ startSeries }) => {
  const series = await startSeries(images('one'), { mode: 'sandbox' });
  const inputs = { 'sandbox-event': EVENT, 'sandbox-error-message': 'Broken.' };
  const first = await series.run({ inputs });
  const { 'submission-id': submissionId = '' } = first.outputs;
  const fired = { endpoint: 'sandbox/fire', json: { eventType: EVENT, submissionId, errorMessage: 'Broken.' } };
  expect(first.count('sandbox/fire')).toBe(1);
  expect(first.requests.at(-1)).toMatchObject({ ...fired, status: 200 });
  expect(first.log).toContain(`Firing ${EVENT} for ${submissionId}: it reaches every active subscription`);
  expect(first.log).toContain(`${EVENT}: dispatched to 0 subscriptions`);

  const second = await series.run({ inputs });
  expect(second.outputs).toMatchObject({ verdict: 'pass', 'files-reused': '1', 'files-submitted': '0' });
  expect(second.requests.at(-1)).toMatchObject(fired);

  // A run that ends before its verdict fires no event.
  await series.write({ 'empty.png': '' });
  const stopped = await series.run({ inputs });
  expect(stopped.outputs).toMatchObject({ verdict: 'error', reason: 'pre-flight', 'files-reused': '1' });
  expect(stopped.count('sandbox/fire')).toBe(0);
  expect(stopped.warnings, 'Only a pass could be taken for more than it is.').toBe('');
});
