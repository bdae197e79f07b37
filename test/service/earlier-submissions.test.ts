import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { HttpResponse } from '../../src/http/http.ts';
import { readSubmissions } from '../../src/service/earlier-submissions.ts';
import { clientOf, inFakeTime, listedAsset, response } from './things.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

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
  const deadline = { signal: new AbortController().signal, until: startedAt + 5 * 60_000 };
  const wanted = [
    { submissionId: 'S', assetIds: ['a'] },
    { submissionId: 'T', assetIds: [] },
  ];
  const { value, ms } = await inFakeTime(async () => await readSubmissions(wanted, { client, deadline }));
  const short = [
    ...[...value.found.values()].map(({ submissionId, assets }) => `${submissionId} has ${assets.length}`),
    ...[...value.missing].map((id) => `${id} missing`),
    ...[...value.unread].map(([id, { status }]) => `${id} ${status}`),
  ];
  return { short, seconds: Math.round(ms / 1000) };
}

const T = found('T');

// biome-ignore format: a table
it.each<[string, Parameters<typeof readAt>[0], readonly string[], number]>([
  ['all there: each is read once',              (id) => (id === 'S' ? found('S', 'b', 'a') : T),                                 ['S has 2', 'T has 0'], 0],
  ['its asset is missing for good',             (id) => (id === 'S' ? found('S') : T),                                           ['S has 0', 'T has 0'], 20],
  ['found once, then missing: it is not lost',  (id, _, nth) => (id === 'S' ? (nth === 1 ? found('S') : MISSING) : T),           ['S has 0', 'T has 0'], 20],
  ['given up at one: the others are not gone',  (id) => (id === 'S' ? response(429, {}, '3600') : MISSING),                      ['S 429', 'T 429'],     2],
])('%s', async (_, service, expected, seconds) => {
  expect(await readAt(service)).toMatchObject({ short: expected, seconds });
});
