import { expect, it } from 'vitest';
import type { Deadline, ServiceClient } from '../../src/service/client.ts';
import { clientOf, response } from './things.ts';

const deadline: Deadline = { signal: new AbortController().signal, until: Date.now() + 60_000 };
const SUBMISSION = { submissionId: 'S', status: 'complete', assets: [] };
const ASSET = { assetId: 'a', submissionId: 'S', filename: 'a.png', status: 'complete' };
const readSubmission = async (client: ServiceClient): Promise<unknown> => await client.readSubmission('S', deadline);
const readAsset = async (client: ServiceClient): Promise<unknown> => await client.readAsset('S', 'a', deadline);

it.each([
  ['another submission', readSubmission, { ...SUBMISSION, submissionId: 'T' }, '`submissionId`'],
  ['another asset', readAsset, { ...ASSET, assetId: 'b' }, '`assetId`'],
  ['an asset of another submission', readAsset, { ...ASSET, submissionId: 'T' }, '`submissionId`'],
  ['a list of another shape', readSubmission, { ...SUBMISSION, assets: [{}] }, '`assets.0.assetId`'],
])('%s is refused by the name of its field', async (_, read, body, field) => {
  const { client } = clientOf(() => response(200, body));
  await expect(read(client)).rejects.toThrow(`${field} is not what was expected`);
});

it('an asset need not name its submission', async () => {
  const { client } = clientOf(() => response(200, { ...ASSET, submissionId: null }));
  expect(await readAsset(client)).toMatchObject({ assetId: 'a' });
});

it('an id stays one part of the path, whatever it holds', async () => {
  const { client, requests } = clientOf(() => response(200, []));
  await client.readIssues('../x?', 'a/\ud800', deadline);
  expect(requests).toEqual(['GET /submissions/..%2Fx%3F/assets/a%2F%EF%BF%BD/issues']);
});
