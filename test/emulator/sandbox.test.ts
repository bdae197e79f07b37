import { createServer } from 'node:http';
import { json as readJson } from 'node:stream/consumers';
import { expect } from 'vitest';
import { listen } from '../../emulator/server.ts';
import { it as base, text } from './caller.ts';

/** A subscriber that keeps what it gets. */
const it = base.extend('subscriber', ({ end }) => async () => {
  const received: unknown[] = [];
  const server = createServer(async (request, response) => {
    received.push(await readJson(request));
    response.writeHead(204).end();
  });
  const { url, close } = await listen(server);
  await end(Promise.resolve({ [Symbol.asyncDispose]: close }));
  return { url: `${url}/hook`, received };
});

const FIRE = '/sandbox/events/fire';

it('a fired event reaches every subscriber, once per asset', async ({ subscriber, setUp }) => {
  const [one, other] = [await subscriber(), await subscriber()];
  const { workspace, caller } = setUp({
    mode: 'sandbox',
    // The sandbox ignores this scenario, because it analyses nothing.
    scenario: { default: { issues: [{}], ms: 60_000 } },
    subscribers: [one.url, other.url],
  });
  const { submissionId, assetIds } = await caller.submit('a.png', 'b.png');
  const data = assetIds.map((asset_id) => ({ asset_id, submission_id: submissionId, workspace_id: workspace.id }));

  const completed = await caller.post(FIRE, { eventType: 'asset.processing.completed', submissionId });
  expect([completed.status, completed.json]).toEqual([200, { dispatched: 4 }]);
  expect(one.received).toHaveLength(2);
  expect(one.received).toContainEqual({
    type: 'asset.processing.completed',
    data: { ...data[0], status: 'complete', issue_count: null },
  });

  const failed = await caller.post(FIRE, { eventType: 'asset.processing.failed', submissionId });
  expect(failed.json).toEqual({ dispatched: 4 });
  for (const asset of data) {
    const event = { ...asset, status: 'failed', error_message: 'Sandbox simulated failure' };
    expect(other.received).toContainEqual({ type: 'asset.processing.failed', data: event });
  }
  expect((await caller.get(`/submissions/${submissionId}`)).json['status']).toBe('complete');
});

it('a sandbox delays the end by simulationDelaySeconds', async ({ setUp }) => {
  const { caller } = setUp({ mode: 'sandbox' });
  const assets = [{ blobPath: await caller.upload('a.png') }];
  const { json } = await caller.post('/submissions?simulationDelaySeconds=1', { assets });
  const status = async () => (await caller.get(`/submissions/${text(json['submissionId'])}`)).json['status'];
  expect(await status()).toBe('submitted');
  await expect.poll(status).toBe('complete');
});

it('real processing sends an event for every asset that ends, well or badly', async ({ subscriber, setUp }) => {
  const { url, received } = await subscriber();
  const { caller } = setUp({
    subscribers: [url],
    scenario: { files: [{ match: 'bad', fails: { errorMessage: 'No frames.' } }], default: { issues: [{}], ms: 5 } },
  });
  const { assetIds } = await caller.submit('a.png', 'bad.png');
  await expect.poll(() => received.length).toBe(2);
  const good = { asset_id: assetIds[0], status: 'complete', issue_count: 1 };
  const bad = { asset_id: assetIds[1], status: 'failed', error_message: 'No frames.' };
  expect(received).toContainEqual({ type: 'asset.processing.completed', data: expect.objectContaining(good) });
  expect(received).toContainEqual({ type: 'asset.processing.failed', data: expect.objectContaining(bad) });
});
