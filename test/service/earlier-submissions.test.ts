import { expect } from 'vitest';
import type { HttpResponse } from '../../src/http/http.ts';
import { readSubmissions } from '../../src/service/earlier-submissions.ts';
import { listedAsset } from '../builders/analyses.ts';
import { clientOf, deadlineIn, inFakeTime, it, response } from './fake-service.ts';

const MISSING = response(404);

function found(submissionId: string, ...assetIds: readonly string[]): HttpResponse {
  return response(200, { submissionId, status: 'complete', assets: assetIds.map((id) => listedAsset(id)) });
}

/** Reads the submissions S, with the asset a, and T. */
async function readAt(service: (id: string, seconds: number, nth: number) => HttpResponse) {
  const startedAt = Date.now();
  const { client } = clientOf((request, nth) =>
    service(request.slice('GET /submissions/'.length), (Date.now() - startedAt) / 1000, nth),
  );
  const wanted = [
    { submissionId: 'S', assetIds: ['a'] },
    { submissionId: 'T', assetIds: [] },
  ];
  const { value, ms } = await inFakeTime(
    async () => await readSubmissions(wanted, { client, deadline: deadlineIn(5) }),
  );
  const short = [
    ...[...value.found.values()].map(({ submissionId, assets }) => `${submissionId} has ${assets.length}`),
    ...[...value.missing].map((id) => `${id} missing`),
    ...[...value.unread].map(([id, { failureClass }]) => `${id} ${failureClass}`),
  ];
  return { short, seconds: Math.round(ms / 1000) };
}

const T = found('T');

// biome-ignore format: a table
it.for<[string, Parameters<typeof readAt>[0], readonly string[], number]>([
  ['all there: each is read once',              (id) => (id === 'S' ? found('S', 'b', 'a') : T),                                 ['S has 2', 'T has 0'], 0],
  ['its asset is missing for good',             (id) => (id === 'S' ? found('S') : T),                                           ['S has 0', 'T has 0'], 20],
  ['gone (410) is missing as well',             (id) => (id === 'S' ? response(410) : T),                                        ['T has 0', 'S missing'], 20],
  ['found once, then missing: it is not lost',  (id, _, nth) => (id === 'S' ? (nth === 1 ? found('S') : MISSING) : T),           ['S has 0', 'T has 0'], 20],
  ['given up at one: the others are not gone',  (id) => (id === 'S' ? response(429, {}, '3600') : MISSING),                      ['S rate limit', 'T rate limit'],     2],
])('%s', async ([, service, expected, seconds]) => {
  expect(await readAt(service)).toMatchObject({ short: expected, seconds });
});

it('once the service is given up, no other submission is asked for', async () => {
  const wanted = Array.from({ length: 20 }, (_, index) => ({ submissionId: `${index}`, assetIds: [] }));
  const { client, requests } = clientOf(() => response(503));
  const { value } = await inFakeTime(async () => await readSubmissions(wanted, { client, deadline: deadlineIn(5) }));
  expect(value.unread.size).toBe(20);
  expect(new Set(requests).size).toBe(8);
});
