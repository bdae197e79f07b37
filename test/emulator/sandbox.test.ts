import { expect } from 'vitest';
import { it, text } from './caller.ts';

const ISSUES = { default: { issues: [{}] } };

it('a sandbox analyses nothing: its issues are not counted, and a fired event changes nothing', async ({ setUp }) => {
  const { caller } = setUp({ mode: 'sandbox', scenario: ISSUES });
  const { submissionId } = await caller.submit('a.png');
  const eventType = 'asset.processing.failed';
  const fired = await caller.post('/sandbox/events/fire', { eventType, submissionId, errorMessage: 'Broken.' });
  expect([fired.status, fired.json]).toEqual([200, { dispatched: 0 }]);
  const { json } = await caller.get(`/submissions/${submissionId}`);
  expect(json).toMatchObject({ status: 'complete', assets: [{ issueCount: null }] });
});

it('a sandbox delays the end by simulationDelaySeconds', async ({ setUp }) => {
  const { caller } = setUp({ mode: 'sandbox' });
  const assets = [{ blobPath: await caller.upload('a.png') }];
  const { json } = await caller.post('/submissions?simulationDelaySeconds=1', { assets });
  const status = async () => (await caller.get(`/submissions/${text(json['submissionId'])}`)).json['status'];
  expect(await status()).toBe('submitted');
  await expect.poll(status).toBe('complete');
});
