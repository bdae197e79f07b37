import { describe, expect, it } from 'vitest';
import type { Deadline, ServiceClient } from '../../src/service/client.ts';
import { answer, clientOf } from './things.ts';

const deadline: Deadline = { signal: new AbortController().signal, until: Date.now() + 60_000 };
const SUBMISSION = { submissionId: 'S', status: 'complete', assets: [] };
const ASSET = { assetId: 'a', submissionId: 'S', filename: 'a.png', status: 'complete' };

const readSubmission = async (client: ServiceClient): Promise<unknown> => await client.readSubmission('S', deadline);
const readAsset = async (client: ServiceClient): Promise<unknown> => await client.readAsset('S', 'a', deadline);

describe('an answer about another resource is not read', () => {
  it.each([
    ['another submission', readSubmission, { ...SUBMISSION, submissionId: 'T' }, '`submissionId`'],
    ['another asset', readAsset, { ...ASSET, assetId: 'b' }, '`assetId`'],
    ['an asset of another submission', readAsset, { ...ASSET, submissionId: 'T' }, '`submissionId`'],
  ])('%s', async (_, read, body, field) => {
    const { client } = clientOf(() => answer(200, body));
    await expect(read(client)).rejects.toThrow(`${field} is not the requested one`);
  });

  it('an asset need not name its submission', async () => {
    const { client } = clientOf(() => answer(200, { ...ASSET, submissionId: null }));
    expect(await readAsset(client)).toMatchObject({ assetId: 'a' });
  });
});

it('an answer of another shape is refused by the name of its field', async () => {
  const { client } = clientOf(() => answer(200, { ...SUBMISSION, assets: [{}] }));
  await expect(readSubmission(client)).rejects.toThrow('`assets.0.assetId` is missing or has the wrong type');
});

it('an error that is nested too deeply is still an error', async () => {
  const nested = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const { client } = clientOf(() => ({
    ...answer(200),
    text: `{"submissionId":"S","status":"failed","assets":[],"errorMessage":${nested}}`,
  }));
  expect(await readSubmission(client)).toMatchObject({ errorMessage: 'an error in an unreadable form' });
});

it('an id stays one part of the path, whatever it holds', async () => {
  const { client, requests } = clientOf(() => answer(200, []));
  await client.readIssues('../x?', 'a/\ud800', deadline);
  await client.readVersions('../x?', deadline);
  expect(requests).toEqual([
    'GET /submissions/..%2Fx%3F/assets/a%2F%EF%BF%BD/issues',
    'GET /submissions/..%2Fx%3F/versions',
  ]);
});
