import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AssetFacts } from '../../src/service/asset-outcome.ts';
import { AssetReader, withGrace } from '../../src/service/asset-reader.ts';
import { ServiceError } from '../../src/service/service-error.ts';
import { answer, clientOf, issues, refusal, type Service } from './things.ts';

const MINUTE = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const ISSUES = 'GET /submissions/S/assets/a/issues';
const TOPICS = 'GET /submissions/S/assets/a/topics';
const A = { submissionId: 'S', assetId: 'a' };
const CLEAN: AssetFacts = { isNamed: true, status: 'complete', counts: [0], lists: [], error: undefined };
const LIST = { items: issues('own'), size: 1 };

/** What some reading returns and asks for. */
async function reading<T>(service: Service, work: (reader: AssetReader) => Promise<T>, minutes = 30) {
  const { client, requests } = clientOf(service);
  const deadline = { signal: new AbortController().signal, until: Date.now() + minutes * MINUTE };
  const working = work(new AssetReader(client, deadline));
  await vi.advanceTimersByTimeAsync(60 * MINUTE);
  return { value: await working, requests };
}

describe('the list of issues', () => {
  // biome-ignore format: a table
  it.each<[string, Partial<AssetFacts>, number, boolean]>([
    ['is not read if there are none',            {},                                             0, false],
    ['is read if there are some',                { counts: [0, 2] },                             0, true],
    ['is read if nothing counts them',           { counts: [null] },                             0, true],
    ['is not read before the analysis has ended', { counts: [null], status: 'processing' },      0, false],
    ['is read if the asset itself lists one',    { lists: [LIST] },                              0, true],
    ['is read if there were some before',        {},                                             2, true],
  ])('%s', async (_, facts, before, expected) => {
    const { value, requests } = await reading(
      () => answer(200, [{ id: 'listed', severity: 'MINOR' }]),
      async (reader) => await reader.withIssues(A, { ...CLEAN, ...facts }, before),
    );
    expect(requests).toEqual(expected ? [ISSUES] : []);
    // The list has more fields than the asset itself, so it comes first.
    const ids = value.lists.flatMap(({ items }) => items.map(({ id }) => id));
    expect(ids).toEqual([...(expected ? ['listed'] : []), ...(facts.lists ? ['own'] : [])]);
  });

  it.each([
    ['is why it is unknown', undefined, 404],
    ['does not hide an earlier error', new ServiceError('reading an asset', refusal(500)), 500],
  ])('that cannot be read %s', async (_, error, expected) => {
    const { value } = await reading(
      () => answer(404),
      async (reader) => await reader.withIssues(A, { ...CLEAN, counts: [1], error }),
    );
    expect(value.error?.status).toBe(expected);
  });
});

const service: Service = () =>
  answer(200, { versions: [{ versionGroupId: 'g' }, { versionGroupId: 'g' }, { versionGroupId: 'h' }] });

describe('versions', () => {
  const second = { versionNumber: 2, versionGroupId: 'g' };
  it('of a first version are not read', async () => {
    const { value, requests } = await reading(
      service,
      async (reader) => await reader.versionCount('S', { ...second, versionNumber: 1 }),
    );
    expect([value, requests]).toEqual([undefined, []]);
  });

  it('are read once for each submission, and of twenty submissions', async () => {
    const ids = Array.from({ length: 21 }, (_, index) => `S${index}`);
    const { value, requests } = await reading(service, async (reader) => {
      const counts = [];
      for (const id of [...ids, ...ids]) counts.push(await reader.versionCount(id, second));
      return counts;
    });
    expect(requests).toHaveLength(20);
    expect(value.slice(0, 21)).toEqual([...Array<number>(20).fill(2), undefined]);
    expect(value.slice(21)).toEqual(value.slice(0, 21));
  });
});

const both = async (reader: AssetReader): Promise<readonly unknown[]> => [
  (await reader.answer(A)).ok,
  (await reader.answer({ ...A, assetId: 'b' })).ok,
  await reader.topics(A, issues('x', 'y')),
];

describe('after an error', () => {
  it('that is about one asset, the others are read', async () => {
    const { requests } = await reading(() => answer(404), both);
    expect(requests).toEqual(['GET /submissions/S/assets/a', 'GET /submissions/S/assets/b', TOPICS]);
  });

  it('that all requests would meet, nothing more is asked', async () => {
    const { value, requests } = await reading(() => answer(429, {}, '3600'), both);
    expect([value, requests]).toEqual([[false, false, []], ['GET /submissions/S/assets/a']]);
  });
});

const topicsThenVersions = async (reader: AssetReader): Promise<void> => {
  await reader.topics(A, issues('x', 'y'));
  await reader.versionCount('S', { versionNumber: 2, versionGroupId: 'g' });
};

describe('topics and versions', () => {
  const VERSIONS = 'GET /submissions/S/versions';

  // biome-ignore format: a table
  it.each<[string, Service, number, readonly string[]]>([
    ['are separate if one is missing',              () => answer(404),           30,  [TOPICS, VERSIONS]],
    ['are not worth a wait of more than 15 s',      () => answer(429, {}, '16'), 30,  [TOPICS]],
    ['are not worth a wait beyond the time limit',  () => answer(429, {}, '10'), 0.1, [TOPICS]],
    ['are worth a short wait',                      (_, nth) => (nth === 1 ? answer(429, {}, '10') : answer(200, [])), 30, [TOPICS, TOPICS, VERSIONS, VERSIONS]],
  ])('%s', async (_, service, minutes, expected) => {
    expect((await reading(service, topicsThenVersions, minutes)).requests).toEqual(expected);
  });
});

it('the last reading has half a minute, or the time that is left', () => {
  const { signal } = new AbortController();
  const times = [-1, 0.2, 2].map((minutes) => withGrace({ signal, until: Date.now() + minutes * MINUTE }).until);
  expect(times.map((time) => time - Date.now())).toEqual([30_000, 30_000, 120_000]);
});
