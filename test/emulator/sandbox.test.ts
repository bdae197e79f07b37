import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import { ServiceRequester, text } from './caller.ts';

let emulator: Emulator;
const servers: Server[] = [];
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(async () => emulator.close());
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** A subscriber that keeps what it gets and returns `status`. */
async function subscriber(status = 204) {
  const received: unknown[] = [];
  const waiting: (() => void)[] = [];
  const server = createServer(async (request, response) => {
    received.push(await json(request));
    for (const wake of waiting.splice(0)) wake();
    response.writeHead(status).end();
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const count = async (wanted: number): Promise<void> => {
    while (received.length < wanted) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  return { url: `http://127.0.0.1:${port}/hook`, received, count };
}

const NOBODY = '00000000-0000-4000-8000-000000000000';
const FIRE = '/sandbox/events/fire';

describe('a sandbox key', () => {
  it('completes without any result, whatever the scenario holds', async () => {
    const workspace = emulator.workspace({
      mode: 'sandbox',
      scenario: { default: { issues: [{}], ms: 60_000 }, files: [{ match: 'bad', fails: {} }] },
    });
    const caller = new ServiceRequester(emulator, workspace);
    const { submissionId, assetIds } = await caller.submit('a.png', 'bad.png');
    const submission = `/submissions/${submissionId}`;
    expect((await caller.get(submission)).json).toMatchObject({
      status: 'complete',
      assets: [
        { issueCount: null, errorType: null },
        { issueCount: null, errorType: null },
      ],
    });
    const asset = `${submission}/assets/${assetIds[0]}`;
    expect((await caller.get(asset)).json).toMatchObject({ status: 'complete', issues: [], issueCount: null });
    expect((await caller.get(`${asset}/issues`)).json).toEqual({ issues: [] });
    expect((await caller.get(`${asset}/topics`)).json).toMatchObject({ topics: [], orphanIssues: [] });
    expect(workspace.submissions[0]?.creditsSpent).toBe(0);
  });

  it('delays the end by simulationDelaySeconds', async () => {
    const caller = new ServiceRequester(emulator, emulator.workspace({ mode: 'sandbox' }));
    const assets = [{ blobPath: await caller.upload('a.png') }];
    const began = performance.now();
    const { json } = await caller.post('/submissions?simulationDelaySeconds=1', { assets });
    const path = `/submissions/${text(json['submissionId'])}`;
    expect((await caller.get(path)).json['status']).toBe('submitted');
    while ((await caller.get(path)).json['status'] === 'processing') {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(performance.now() - began).toBeGreaterThan(990);
    expect((await caller.get(path)).json['status']).toBe('complete');
  });

  it.each(['31', '-1', '1.5', 'x', ''])('refuses simulationDelaySeconds=%s with 422', async (seconds) => {
    const caller = new ServiceRequester(emulator, emulator.workspace({ mode: 'sandbox' }));
    const assets = [{ blobPath: await caller.upload('a.png') }];
    expect((await caller.post(`/submissions?simulationDelaySeconds=${seconds}`, { assets })).status).toBe(422);
    expect((await caller.post('/submissions?simulationDelaySeconds=0', { assets })).status).toBe(201);
  });

  it.each(['0', '30'])('and a live key with simulationDelaySeconds=%s is refused with 400', async (seconds) => {
    const workspace = emulator.workspace();
    const caller = new ServiceRequester(emulator, workspace);
    const assets = [{ blobPath: await caller.upload('a.png') }];
    expect((await caller.post(`/submissions?simulationDelaySeconds=${seconds}`, { assets })).status).toBe(400);
    expect(workspace.submissions).toEqual([]);
  });
});

describe('firing an event', () => {
  it('reaches every active subscription to it, once per asset, and counts them', async () => {
    const [all, failedOnly, inactive, broken] = [
      await subscriber(),
      await subscriber(),
      await subscriber(),
      await subscriber(500),
    ];
    const workspace = emulator.workspace({
      mode: 'sandbox',
      subscribers: [
        { url: all.url },
        { url: failedOnly.url, eventTypes: ['asset.processing.failed'] },
        { url: inactive.url, active: false },
        { url: broken.url, eventTypes: ['asset.processing.failed'] },
      ],
    });
    const caller = new ServiceRequester(emulator, workspace);
    const { submissionId, assetIds } = await caller.submit('a.png', 'b.png');
    const data = assetIds.map((asset_id) => ({ asset_id, submission_id: submissionId, workspace_id: workspace.id }));

    const completed = await caller.post(FIRE, { eventType: 'asset.processing.completed', submissionId });
    expect([completed.status, completed.json]).toEqual([200, { dispatched: 2 }]);
    expect(all.received).toHaveLength(2);
    expect(all.received).toContainEqual({
      type: 'asset.processing.completed',
      data: { ...data[0], status: 'complete', issue_count: null },
    });

    const failed = await caller.post(FIRE, { eventType: 'asset.processing.failed', submissionId });
    expect(failed.json).toEqual({ dispatched: 6 });
    for (const asset of data) {
      const event = { ...asset, status: 'failed', error_message: 'Sandbox simulated failure' };
      expect(failedOnly.received).toContainEqual({ type: 'asset.processing.failed', data: event });
    }
    expect(inactive.received).toEqual([]);
    expect(workspace.deliveries).toHaveLength(8);
    expect(workspace.deliveries.filter((it) => it.status === 500)).toHaveLength(2);
    expect((await caller.get(`/submissions/${submissionId}`)).json['status']).toBe('complete');
  });

  it('carries the message it is given; a subscriber out of reach does not stop it', async () => {
    const gone = await subscriber();
    for (const server of servers.splice(0)) server.close();
    const workspace = emulator.workspace({ mode: 'sandbox', subscribers: [{ url: gone.url }] });
    const caller = new ServiceRequester(emulator, workspace);
    const { submissionId } = await caller.submit('a.png');
    const body = { eventType: 'asset.processing.failed', submissionId, errorMessage: 'Out of ink' };
    expect((await caller.post(FIRE, body)).json).toEqual({ dispatched: 1 });
    expect(workspace.deliveries).toMatchObject([
      {
        event: { data: { error_message: 'Out of ink' } },
        status: undefined,
        error: expect.stringContaining('ECONNREFUSED'),
      },
    ]);
  });

  it('is refused: 403 to a live key, 404 for an unknown submission, 422 for a malformed body', async () => {
    const caller = new ServiceRequester(emulator, emulator.workspace({ mode: 'sandbox' }));
    const fire = { eventType: 'asset.processing.completed', submissionId: NOBODY };
    expect((await new ServiceRequester(emulator, emulator.workspace()).post(FIRE, fire)).status).toBe(403);
    expect((await caller.post(FIRE, fire)).status).toBe(404);
    for (const body of [
      {},
      { ...fire, eventType: 'asset.created' },
      { ...fire, submissionId: '1' },
      { ...fire, errorMessage: 1 },
      { ...fire, assetId: NOBODY },
    ]) {
      expect((await caller.post(FIRE, body)).status).toBe(422);
    }
  });
});

describe('real processing', () => {
  it('sends an event for every asset that ends, well or badly', async () => {
    const { url, received, count } = await subscriber();
    const workspace = emulator.workspace({
      subscribers: [{ url }],
      scenario: { files: [{ match: 'bad', fails: { errorMessage: 'No frames.' } }], default: { issues: [{}], ms: 5 } },
    });
    const { submissionId } = await new ServiceRequester(emulator, workspace).submit('a.png', 'bad.png');
    await count(2);
    const [good, bad] = workspace.submissions[0]?.assets ?? [];
    const common = { submission_id: submissionId, workspace_id: workspace.id };
    expect(received).toContainEqual({
      type: 'asset.processing.completed',
      data: { ...common, asset_id: good?.assetId, status: 'complete', issue_count: 1 },
    });
    expect(received).toContainEqual({
      type: 'asset.processing.failed',
      data: { ...common, asset_id: bad?.assetId, status: 'failed', error_message: 'No frames.' },
    });
  });
});
