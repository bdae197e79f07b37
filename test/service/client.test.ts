import { expect } from 'vitest';
import type { ServiceClient } from '../../src/service/client.ts';
import { orError } from '../../src/service/service-error.ts';
import type { Deadline } from '../../src/service/tries.ts';
import { inFakeTime, it } from '../builders/fake-time.ts';
import { clientOf, response } from '../builders/service.ts';

const deadline: Deadline = { signal: new AbortController().signal, until: performance.now() + 60_000 };
const SUBMISSION = { submissionId: 'S', status: 'complete', assets: [] };
const listing = (assetId: string): object => ({ ...SUBMISSION, assets: [{ assetId }] });
const ASSET = { assetId: 'a', submissionId: 'S', filename: 'a.png', status: 'complete' };
const readSubmission = async (client: ServiceClient): Promise<unknown> => await client.readSubmission('S', deadline);
const readAsset = async (client: ServiceClient): Promise<unknown> => await client.readAsset('S', 'a', deadline);
const askForAddress = async (client: ServiceClient): Promise<unknown> => await client.uploadUrl('a', 'b', deadline);
const uploadDirect = async (client: ServiceClient): Promise<unknown> =>
  await client.uploadDirect(() => ({ headers: {}, body: '' }), deadline);

it.for<[string, (client: ServiceClient) => Promise<unknown>, object, string]>([
  ['another submission', readSubmission, { ...SUBMISSION, submissionId: 'T' }, '`submissionId`'],
  ['another asset', readAsset, { ...ASSET, assetId: 'b' }, '`assetId`'],
  ['an asset of another submission', readAsset, { ...ASSET, submissionId: 'T' }, '`submissionId`'],
  ['a list of another shape', readSubmission, { ...SUBMISSION, assets: [{}] }, '`assets.0.assetId`'],
  ['an asset whose id is too long', readSubmission, listing('a'.repeat(65)), '`assets.0.assetId`'],
  ['an asset whose id is a path', readSubmission, listing('../x'), '`assets.0.assetId`'],
  ['a count that is none', readAsset, { ...ASSET, issueCount: '3' }, '`issueCount`'],
  ['a negative count', readAsset, { ...ASSET, issueCount: -1 }, '`issueCount`'],
  ['an upload address that is none', askForAddress, { uploadUrl: 'storage', blobPath: 'ws/a' }, '`uploadUrl`'],
  ['an upload address without a path', askForAddress, { uploadUrl: 'https://x', blobPath: '' }, '`blobPath`'],
  ['an upload without a path', uploadDirect, { blobPath: '', sizeBytes: 1 }, '`blobPath`'],
])('%s is refused by the name of its field', async ([, read, body, field]) => {
  const { client } = clientOf(() => response(200, body));
  const { value: error } = await inFakeTime(async () => await read(client).catch(String), 1);
  expect(error).toContain(`${field} is not what was expected`);
});

it('what is only shown may be missing or wrong; only a clear yes makes an asset one to retry', async () => {
  const wrong = { versionNumber: 'two', errorType: 7, retryCount: 'x', isRetryable: 'yes' };
  // An id may be any 64 letters, digits, dashes and underscores.
  const assetId = `-_aZ9${'a'.repeat(59)}`;
  const body = { ...SUBMISSION, progressPercent: '50 %', assets: [{ assetId, ...wrong }] };
  const { client } = clientOf(() => response(200, body));
  expect(await readSubmission(client)).toMatchObject({
    progressPercent: null,
    assets: [{ assetId, versionNumber: null, errorType: null, retryCount: 0, isRetryable: false }],
  });
});

it('an id stays one part of the path, whatever it holds', async () => {
  const { client, requests } = clientOf(() => response(200, []));
  await client.readList('readIssues', ['../x?', 'a/\ud800'], deadline);
  expect(requests).toEqual(['GET /submissions/..%2Fx%3F/assets/a%2F%EF%BF%BD/issues']);
});

it('the enriched list is not requested again once the service was given up there', async () => {
  const { client, requests } = clientOf(() => response(503));
  const read = async (id: string): Promise<unknown> =>
    await client.readList('readIssues', ['S', id], deadline).catch((error: unknown) => error);
  const { value: first } = await inFakeTime(async () => await read('a'));
  expect(await read('b')).toBe(first);
  expect(new Set(requests)).toEqual(new Set(['GET /submissions/S/assets/a/issues']));
});

it('the signature of an upload address is masked as it is and decoded', async () => {
  const signature = 'a+/='.repeat(4);
  const uploadUrl = `https://x/?sig=${encodeURIComponent(signature)}`;
  const { client, masks } = clientOf(() => response(200, { uploadUrl, blobPath: 'ws/a' }));
  await askForAddress(client);
  expect(masks).toEqual(expect.arrayContaining([signature, encodeURIComponent(signature)]));
});

const EVENT = { eventType: 'asset.processing.failed', submissionId: 'S', errorMessage: 'It broke' } as const;

async function fired(service: Parameters<typeof clientOf>[0], { signal } = new AbortController()) {
  const { client, warnings } = clientOf(service);
  await inFakeTime(async () => await client.fireEvent(EVENT, signal));
  return { warnings };
}

it('firing a sandbox event ends in a warning if it is refused or the run is stopped', async () => {
  const { warnings } = await fired(() => response(403, { detail: 'No' }));
  expect(warnings).toEqual([
    'The sandbox event was not fired: The compliance service responded with 403 while firing the sandbox event: No.',
  ]);
  const stop = new AbortController();
  const stopped = await fired(() => {
    stop.abort(new Error('stopped by SIGINT'));
    return response(429, {}, '50');
  }, stop);
  expect(stopped.warnings).toEqual(['The sandbox event was not fired: stopped by SIGINT.']);
});

it('a list that names an asset twice cannot be read', async () => {
  const id = '0000000a-000b-000c-000d-00000000000e';
  const assets = [id, 'other', id.toUpperCase()].map((assetId) => ({ assetId, issueCount: 0 }));
  const { client } = clientOf(() => response(200, { ...SUBMISSION, assets }));
  const { value } = await inFakeTime(async () => await orError(client.readSubmission('S', deadline)));
  expect(value).toMatchObject({ failureClass: 'wrong JSON' });
});
