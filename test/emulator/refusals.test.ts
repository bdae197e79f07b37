import { expect } from 'vitest';
import type { WorkspaceOptions } from '../../emulator/emulator.ts';
import { mp4, png } from '../harness/media.ts';
import { type Caller, it } from './caller.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const JPEG = Buffer.from('ffd8ffe000104a46494600', 'hex');
const SANDBOX = { mode: 'sandbox' } as const;

type Row = readonly [status: number, what: string, send: Send, options?: WorkspaceOptions];
type Send = (caller: Caller) => Promise<{ readonly status: number }>;

const JSON_TYPE = { 'content-type': 'application/json' };

function post(path: string, body: object): Send {
  return async (caller) => await caller.post(path, body);
}

function announce(fields: object): Send {
  return post('/uploads/url', { filename: 'a.png', contentType: 'image/png', ...fields });
}

/** A PUT to a presigned URL after a change to the URL. */
function put(change: (url: URL) => unknown, headers: Readonly<Record<string, string>> = {}): Send {
  return async (caller) => {
    const { json } = await caller.post('/uploads/url', { filename: 'a.png', contentType: 'image/png' });
    const url = new URL(json.uploadUrl);
    change(url);
    const all = { 'x-ms-blob-type': 'BlockBlob', ...headers };
    return await fetch(url, { method: 'PUT', headers: all, body: new Uint8Array(png('a')) });
  };
}

const UPLOADS: readonly Row[] = [
  [403, 'a filename with a slash', announce({ filename: 'a/b.png' })],
  [403, 'a filename of 256 characters', announce({ filename: `${'a'.repeat(252)}.png` })],
  [422, 'an empty filename', announce({ filename: '' })],
  [422, 'an unknown field', announce({ sizeBytes: 7 })],
  [422, 'a body that is not JSON', async (caller) => await caller.send('POST', '/uploads/url', '{', JSON_TYPE)],
  [415, 'a type outside the allowlist', announce({ contentType: 'application/x-thing' })],

  [403, 'a bad filename, sent directly', async (caller) => await caller.direct('.png', png('a'), 'image/png')],
  [413, 'over 10 MB', async (caller) => await caller.direct('a.mp4', mp4('a', 10_000_001), 'video/mp4')],

  [403, 'no signature', put((url) => url.searchParams.delete('sig'))],
  [403, 'a later expiry', put((url) => url.searchParams.set('se', new Date(Date.now() + 1e9).toISOString()))],
  [403, 'a signature for another name', put((url) => (url.pathname += 'x'))],
  [403, 'an expired URL', put(() => undefined), { scenario: { uploadUrlSeconds: 0 } }],
  [400, 'another type of blob', put(() => undefined, { 'x-ms-blob-type': 'PageBlob' })],
  [400, 'an API key for storage', put(() => undefined, { 'x-api-key': 'sk_live_leaked' })],
];

function create(fields: object): Send {
  return post('/submissions', { assets: [{ blobPath: 'x' }], ...fields });
}

/** A creation with a valid asset, and an asset of these bytes. */
function createFrom(filename: string, bytes: Uint8Array, type: string): Send {
  return async (caller) => {
    const blobPaths = [await caller.upload('good.png'), await caller.upload(filename, bytes, type)];
    return await caller.post('/submissions', { assets: blobPaths.map((blobPath) => ({ blobPath })) });
  };
}

async function createAnnounced(caller: Caller) {
  const { json } = await caller.post('/uploads/url', { filename: 'a.png', contentType: 'image/png' });
  return await caller.post('/submissions', { assets: [{ blobPath: json.blobPath }] });
}

/** A creation with a valid asset, apart from these fields. */
function createOne(fields: object, query = ''): Send {
  return async (caller) =>
    await caller.post(`/submissions${query}`, { assets: [{ blobPath: await caller.upload('a.png'), ...fields }] });
}

function fire(fields: object): Send {
  const body = { eventType: 'asset.processing.completed', submissionId: NOBODY };
  return post('/sandbox/events/fire', { ...body, ...fields });
}

const SUBMISSIONS: readonly Row[] = [
  [422, 'no assets', create({ assets: [] })],
  [422, 'a filename beside the path', create({ assets: [{ blobPath: 'x', filename: 'a.png' }] })],
  [422, 'a null previous submission', create({ assets: [{ blobPath: 'x', previousSubmissionId: null }] })],
  [422, 'a sidekick that is no UUID', create({ sidekickIds: ['me'] })],
  [422, 'an unknown field', create({ priority: 'high' })],
  [403, 'a path that was only announced', createAnnounced],
  [404, 'an unknown previous submission', createOne({ previousSubmissionId: NOBODY })],
  [413, 'over its cap', createFrom('a.png', Buffer.alloc(50_000_001), 'image/png'), { scenario: { directCap: 1e9 } }],
  [415, 'a JPEG called PNG', createFrom('a.png', JPEG, 'image/png')],
  [415, 'a PNG called text', createFrom('a.txt', png('a'), 'text/plain')],
  [415, 'an empty file', createFrom('a.png', Buffer.alloc(0), 'image/png')],
  [400, 'a simulated delay with a live key', createOne({}, '?simulationDelaySeconds=0')],
  [422, 'a delay of 31 seconds', createOne({}, '?simulationDelaySeconds=31'), SANDBOX],
  [403, 'an event with a live key', fire({})],
  [404, 'an event of an unknown submission', fire({}), SANDBOX],
  [422, 'an event of no UUID', fire({ submissionId: '1' }), SANDBOX],
];

it.for(UPLOADS)('an upload is refused with %i for %s, and leaves nothing', async (row, { setUp }) => {
  const [status, , send, options] = row;
  const { workspace, caller } = setUp(options);
  expect((await send(caller)).status).toBe(status);
  expect(workspace.blobs()).toEqual([]);
});

it.for(SUBMISSIONS)('a creation is refused with %i for %s, and creates nothing', async (row, { setUp }) => {
  const [status, , send, options] = row;
  const { workspace, caller } = setUp(options);
  expect((await send(caller)).status).toBe(status);
  expect(workspace.submissions).toEqual([]);
});
