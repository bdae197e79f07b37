import assert from 'node:assert/strict';
import { expect } from 'vitest';
import type { HttpResponse } from '../../src/http/http.ts';
import { inheritRetries } from '../../src/service/asset-retries.ts';
import type { Mode } from '../../src/service/endpoints.ts';
import { withExtras } from '../../src/service/extras.ts';
import { unreadAsset } from '../../src/service/read-asset.ts';
import { createReader, pollDelay } from '../../src/service/reader.ts';
import type { ListedAsset } from '../../src/service/responses.ts';
import { listedAsset } from '../builders/analyses.ts';
import { content } from '../builders/media.ts';
import { clientOf, deadlineIn, inFakeTime, it, response } from './fake-service.ts';

type At<T> = T | ((seconds: number) => T);

/** How a service reports a submission of the files a and b. A function gets the seconds since the wait began. */
interface Life {
  /** The status of the submission. A number is the HTTP status of the response. Default: complete. */
  readonly status?: At<string | number>;
  /** The entries of a and b in the submission's list of assets. Default: no issues. */
  readonly listed?: At<Partial<ListedAsset>>;
  readonly listedB?: Partial<ListedAsset>;
  /** The status of each asset, or the HTTP status of the response about it. A retry can replace a with c. */
  readonly a?: At<string | number | HttpResponse>;
  readonly b?: At<string | number | HttpResponse>;
  readonly c?: At<string | number | HttpResponse>;
  readonly retry?: HttpResponse | ((assetId: string) => HttpResponse);
  /** The number of issues in the enriched list of a. */
  readonly issues?: At<number>;
  /** The HTTP status of the responses about topics and versions. */
  readonly extras?: number;
  /** The list of assets is null until then. */
  readonly noListUntil?: number;
  /** The `errorMessage` of the submission. */
  readonly says?: string;
  /** The `progressPercent` of the submission. Default: 40. */
  readonly percent?: number;
  readonly minutes?: number;
  readonly mode?: Mode;
  /** An earlier run created the submission, and this run only reads its results. */
  readonly isEarlier?: boolean;
}

const FAILED = { errorType: 'E', errorMessage: 'It broke.', isRetryable: true };
const SILENT = { issueCount: null };
const ACCEPTED = response(202, { submissionId: 'S' });
const CONFLICT = response(409, { detail: 'Already in flight.' });
const MISSING = response(404);
/** Three versions belong to the version group `g`, which is that of asset a. */
const VERSIONS = ['g', 'g', 'other', 'g'].map((versionGroupId) => ({ versionGroupId }));

const ISSUES = ['x', 'y'].map((id) => ({ id, severity: 'MINOR' }));

function own(assetId: string, filename: string, status: string, issueCount?: number): HttpResponse {
  return response(200, { assetId, filename, status, issueCount });
}

const CLEAN = own('a', content('a').name, 'complete', 0);

/** A value that changes with time: `steps(x, [5, y])` is x, and after five seconds it is y. */
function steps<T, U = T>(first: T, ...later: readonly (readonly [number, T | U])[]): (seconds: number) => T | U {
  return (now) => later.findLast(([second]) => now >= second)?.[1] ?? first;
}

async function waitFor({ minutes = 30, mode = 'live', ...life }: Life) {
  const startedAt = performance.now();
  const now = <T extends string | number | object>(value: At<T>): T =>
    typeof value === 'function' ? value((performance.now() - startedAt) / 1000) : value;
  const polledAt: number[] = [];
  const { client, log, requests, lines } = clientOf((request) => {
    if (request.endsWith('/S')) polledAt.push((performance.now() - startedAt) / 1000);
    const [, retried] = /\/(.)\/retry$/.exec(request) ?? [];
    if (retried !== undefined) return (typeof life.retry === 'function' ? life.retry(retried) : life.retry) ?? MISSING;
    if (request.endsWith('/issues')) return response(200, ISSUES.slice(0, now(life.issues ?? 2)));
    if (request.endsWith('/topics'))
      return response(life.extras ?? 404, [{ title: 'Health', issues: ['x', 'y'] }], '60');
    if (request.endsWith('/versions')) return response(life.extras ?? 404, VERSIONS, '60');
    const id = /\/assets\/(.)$/.exec(request)?.[1];
    const value = now((id === undefined ? life.status : { a: life.a, b: life.b, c: life.c }[id]) ?? 'complete');
    if (typeof value === 'object') return value;
    if (typeof value === 'number') return response(value, {}, '7200');
    if (id !== undefined) return own(id, content(id === 'c' ? 'a' : id).name, value);
    const assets = [
      listedAsset('a', { issueCount: 0, ...now(life.listed ?? {}) }),
      listedAsset('b', { issueCount: 0, versionGroupId: 'other', ...life.listedB }),
    ];
    const list = (performance.now() - startedAt) / 1000 < (life.noListUntil ?? 0) ? null : assets;
    const progress = { status: value, progressPercent: life.percent ?? 40, errorMessage: life.says };
    return response(200, { submissionId: 'S', ...progress, assets: list });
  }, mode);
  const options = { client, log, deadline: deadlineIn(minutes) };
  const contents = [content('a'), content('b')];
  const open = { submissionId: 'S', createdAt: '', contents, assetIds: ['a', 'b'] };
  const purpose = life.isEarlier ? 'plan' : 'wait';
  const { value: waited, ms } = await inFakeTime(async () => {
    const results = await createReader({ client, log }).read([open], { ...options, purpose });
    return await withExtras(results, options);
  });
  const countOf = (ending: string): number => requests.filter((request) => request.endsWith(ending)).length;
  const analyses = waited.flatMap((each) => each.analyses);
  return {
    /** The outcome of each file and its reasons, for example "judged, unjudged results". */
    outcomes: analyses
      .map(({ outcome, causes }) => [outcome, ...causes.map(({ reason }) => reason)].join(' '))
      .join(', '),
    isFailedForGood: analyses.map((each) => each.isFailedForGood),
    isPrevented: analyses.some((each) => each.isPrevented),
    retries: countOf('/retry'),
    countOf,
    seconds: ms / 1000,
    /** When the submission was requested, in seconds. */
    polledAt,
    analyses,
    lines,
  };
}

/** `seconds` is how long the wait takes: exactly, or at least and at most. */
type Row = readonly [title: string, life: Life, ending: string, seconds: number | readonly [number, number]];

async function checkRow([, life, ending, seconds]: Row): Promise<void> {
  const result = await waitFor(life);
  const retries = result.retries === 0 ? '' : `${result.retries === 1 ? '1 retry' : `${result.retries} retries`}: `;
  expect(retries + result.outcomes).toBe(ending);
  const [least, most] = typeof seconds === 'number' ? [seconds, seconds] : seconds;
  expect(result.seconds).toBeGreaterThanOrEqual(least);
  expect(result.seconds).toBeLessThanOrEqual(most);
}

it('the interval between two polls is an eighth of the elapsed time, at least a second and at most a minute', () => {
  expect([0, 8, 16, 480, 9_999].map((seconds) => pollDelay(seconds * 1000) / 1000)).toEqual([1, 1, 2, 60, 60]);
});

it('the interval between two polls is short again after a retry', async () => {
  const status = steps('processing', [600, 'failed']);
  const { polledAt } = await waitFor({ status, listed: FAILED, a: 'failed', retry: ACCEPTED });
  const intervals = polledAt.slice(1).map((at, index) => at - (polledAt[index] ?? 0));
  expect(Math.max(...intervals)).toBe(60);
  expect(Math.max(...intervals.slice(-8))).toBeLessThan(4);
});

// biome-ignore format: a table
it.for<Row>([
  ['complete', { status: steps('processing', [2, 'complete']) }, 'judged, judged', 2],
  ['failed, and every asset is complete', { status: 'failed' }, 'judged, judged', 0],
  ['complete, and a name appears', { b: steps(404, [8, 'complete']) }, 'judged, judged', 8],
  ['complete, and one fact after the other: there is one window',
    { b: steps(404, [15, 'processing'], [30, 'complete']) }, 'judged, unjudged results', 20],
  ['complete, and an asset never finishes', { b: 'processing' }, 'judged, unjudged results', 20],
  ['complete, and a count rises',
    { listed: steps({ issueCount: 0 }, [4, { issueCount: 3 }]), b: steps('processing', [8, 'complete']) },
    'unjudged results, judged', 20],
  ['failed, and another file ends within 20 s',
    { status: 'failed', a: 'failed', b: steps('processing', [12, 'complete']) }, 'failed asset-failed, judged', 12],
  ['an unknown status, until the end', { status: steps('paused', [60, 'complete']) }, 'judged, judged', [60, 70]],
  ['an unknown status without a list, until the deadline',
    { status: 'paused', noListUntil: 9_999, a: 404, b: 404, minutes: 1 }, 'unjudged results, unjudged results', 60],
  ['a list that comes last', { noListUntil: 9 }, 'judged, judged', [8, 12]],
  ['a list that never comes, although the submission failed', { status: 'failed', noListUntil: 9_999, a: 404 },
    'unjudged results, unjudged results', 20],
  ['a list that never comes', { noListUntil: 9_999 }, 'unjudged results, unjudged results', 20],
  ['failed, without a word about the file', { status: 'failed', listed: SILENT, a: 404 },
    'failed asset-failed, judged', 20],
  ['failed, and an outage hides one file', { status: 'failed', listed: SILENT, a: 503 }, 'unjudged results, judged',
    [90, 125]],
  ['processing until the deadline', { status: 'processing', b: 'processing' }, 'judged, unjudged timeout', 1_800],
  ['processing, and the last reading takes a moment',
    { status: 'processing', b: steps(503, [63, 'complete']), minutes: 1 }, 'judged, judged', [63, 70]],
  ['missing twice, each time for a moment', { status: steps(404, [10, 'processing'], [13, 404], [27, 'complete']) },
    'judged, judged', [27, 30]],
  ['missing for good: nothing is proven', { status: 404 }, 'unjudged results, unjudged results', [20, 22]],
  ['missing until the time is up', { status: 404, minutes: 0.1 }, 'unjudged results, unjudged results', [6, 8]],
  ['refused: nothing is proven', { status: 403, a: CLEAN, b: own('b', content('b').name, 'complete', 0) },
    'unjudged refused, unjudged refused', 0],
  ['a rate limit that ends too late', { status: 429 }, 'unjudged service, unjudged service', 0],
  ['a rate limit that ends too late, while assets are read', { b: 429 }, 'judged, unjudged service', 0],
  ['an outage: what can be read is judged', { status: steps('processing', [2, 503]), b: 'processing' },
    'judged, unjudged service', [90, 125]],
  ['sandbox: processing until the deadline', { mode: 'sandbox', status: 'processing', a: 404, b: 404, minutes: 1 },
    'unjudged timeout, unjudged timeout', 60],
  ['sandbox: complete, and nothing can be read', { mode: 'sandbox', listed: { issueCount: null }, a: 404, b: 404 },
    'judged, judged', 0],
  ['sandbox: complete, and issues are counted but cannot be read',
    { mode: 'sandbox', listed: { issueCount: 2 }, a: 404, b: 404 }, 'judged, judged', 0],
])('a wait: %s', checkRow);

const again = (seconds: number): Partial<ListedAsset> => ({ ...FAILED, retryCount: Math.floor(seconds) });
const life = { status: 'failed', listed: FAILED, retry: ACCEPTED };

// biome-ignore format: a table
it.for<Row>([
  ['succeeds', { a: steps('failed', [1, 'complete']) }, '1 retry: judged', 1],
  ['succeeds, and its submission goes on',
    { status: steps('failed', [1, 'processing'], [3, 'complete']), a: steps('failed', [1, 'complete']) },
    '1 retry: judged', 3],
  ['succeeds, and the asset can be read only then',
    { listed: steps<Partial<ListedAsset>>(FAILED, [9, {}]), a: steps(404, [9, 'complete']) }, '1 retry: judged',
    [9, 12]],
  ['succeeds under a new id', { listed: steps<Partial<ListedAsset>>(FAILED, [1, { assetId: 'c' }]), a: 'failed' },
    '1 retry: judged', 1],
  ['fails under new ids: twice at most',
    { listed: (now) => ({ ...FAILED, assetId: 'ac'[Math.floor(now) % 2] ?? '' }), a: 'failed', c: 'failed' },
    '2 retries: failed asset-failed', [2, 4]],
  ['runs until the deadline', { a: steps('failed', [1, 'processing']) }, '1 retry: unjudged results', 1_800],
  ['fails again: twice at most', { listed: again, a: 'failed' }, '2 retries: failed asset-failed', [2, 4]],
  ['fails again, and only the list says so', { listed: (now) => ({ ...again(now), ...SILENT }), a: 404 },
    '2 retries: failed asset-failed', [22, 24]],
  ['shows by its status, and fails again', { a: (now) => (now === 1 ? 'processing' : 'failed') },
    '2 retries: failed asset-failed', [20, 25]],
  ['shows no effect for 20 s', { a: 'failed' }, '1 retry: failed asset-failed', [20, 23]],
  ['is refused (409) and nothing shows for 20 s', { a: 'failed', retry: CONFLICT }, '1 retry: failed asset-failed',
    [20, 23]],
  ['is refused (409), because one is running', { a: steps('failed', [9, 'complete']), retry: CONFLICT },
    '1 retry: judged', [9, 12]],
  ['is running after a server error', { a: steps('failed', [9, 'complete']), retry: response(504) },
    '1 retry: judged', [9, 12]],
  ['runs for a while, and its count comes late',
    { listed: steps({ ...FAILED, ...SILENT }, [45, {}]), a: steps('failed', [1, 'processing'], [30, 'complete']) },
    '1 retry: judged', [45, 50]],
  ['is refused (403)', { a: 'failed', retry: response(403) }, '1 retry: failed asset-failed', 0],
  ['goes on in another submission', { a: 'failed', retry: response(202, { submissionId: 'T' }) },
    '1 retry: unjudged results', 20],
])('a retry that %s', async ([title, facts, outcome, seconds]) => {
  await checkRow([title, { ...life, ...facts }, `${outcome}, judged`, seconds]);
});

const isRunning = (at: number): boolean => Date.now() < at + 5_000;

/**
 * A service that takes one retry at a time: each takes five seconds, and every file fails once.
 *
 * @param refused how many requests are refused first, because of a retry that somebody else requested
 */
async function retryInTurn(names: readonly string[], refused = 0) {
  const contents = names.map((name) => content(name));
  const retriedAt = new Map<string, number>();
  const { client, log, requests } = clientOf((request) => {
    const [, id = ''] = /\/assets\/([^/]+)/.exec(request) ?? [];
    const at = retriedAt.get(id);
    if (request.endsWith('/retry')) {
      const count = requests.filter((each) => each.endsWith('/retry')).length;
      if (count <= refused || [...retriedAt.values()].some(isRunning)) return CONFLICT;
      retriedAt.set(id, Date.now());
      return ACCEPTED;
    }
    if (id !== '')
      return own(id, content(id).name, at === undefined ? 'failed' : isRunning(at) ? 'processing' : 'complete', 0);
    const assets = names.map((name) => listedAsset(name, retriedAt.has(name) ? { retryCount: 1 } : FAILED));
    return response(200, { submissionId: 'S', status: 'failed', assets });
  });
  const open = { submissionId: 'S', createdAt: '', contents, assetIds: [] };
  const options = { client, log, deadline: deadlineIn(30) };
  const reader = createReader({ client, log });
  const { value } = await inFakeTime(async () => await reader.read([open], { ...options, purpose: 'wait' }));
  const outcomes = value.flatMap(({ analyses }) => analyses.map(({ outcome }) => outcome));
  return { outcomes, retries: requests.filter((request) => request.endsWith('/retry')).length };
}

it('files are retried one after the other, with one refusal for each, if the service takes one at a time', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `f${index}`);
  expect(await retryInTurn(names)).toEqual({ outcomes: names.map(() => 'judged'), retries: 119 });
});

it('an asset that a retry adds beside the old one, as its newer version, inherits the number of retries', () => {
  const [old, newer] = [1, 2].map((versionNumber) =>
    unreadAsset('S', listedAsset(`${versionNumber}`, { versionGroupId: 'g', versionNumber })),
  );
  assert(old && newer);
  const retry = { count: 1, requestedAt: 0, last: 'accepted' } as const;
  const [, inherited] = inheritRetries([old, newer], [{ ...old, retry }]);
  expect(inherited?.retry).toEqual({ ...retry, last: 'took effect' });
});

it('a refusal is not final if the service accepts the retry of another file', async () => {
  expect(await retryInTurn(['a', 'b'], 1)).toEqual({ outcomes: ['judged', 'judged'], retries: 3 });
});

it.for<[string, Life]>([
  ['of a file that is not checked here', { a: own('a', 'other.png', 'failed') }],
  ['at the deadline', { a: 'failed', minutes: 0 }],
  ['once the service does not respond', { a: 'failed', b: 429 }],
  ['of an unfinished asset', { a: 'processing', minutes: 1 }],
])('a retry is not requested: %s', async ([, facts]) => {
  expect(await waitFor({ ...life, ...facts })).toMatchObject({ retries: 0 });
});

it('once the service does not respond to a retry, no other is requested', async () => {
  const both = { listed: FAILED, listedB: FAILED, a: 'failed', b: 'failed' };
  expect(await waitFor({ status: 'failed', ...both, retry: response(504) })).toMatchObject({ retries: 1 });
});

it('issues count even if the submission cannot be read', async () => {
  const { analyses } = await waitFor({ status: 503, a: own('a', content('a').name, 'complete', 2) });
  expect(analyses[0]).toMatchObject({ outcome: 'unjudged', issues: [{ id: 'x' }, { id: 'y' }] });
});

const onlyOfB = (assetId: string): HttpResponse => (assetId === 'b' ? ACCEPTED : CONFLICT);

// biome-ignore format: a table
it.for<[string, Life, boolean]>([
  ['it cannot be retried', { listed: { ...FAILED, isRetryable: false }, a: 'failed' }, true],
  ['it was retried in vain, and can be retried', { listed: FAILED, a: 'failed', retry: ACCEPTED }, false],
  ['it was retried six times', { listed: { ...FAILED, retryCount: 6 }, a: 'failed', retry: ACCEPTED }, true],
  ['all its retries were refused', { listed: FAILED, a: 'failed', retry: CONFLICT }, true],
  ['all its retries were refused, but that of another file was accepted',
    { listed: FAILED, listedB: FAILED, a: 'failed', b: steps('failed', [1, 'complete']), retry: onlyOfB }, false],
  ['the service says nothing about it', { listed: SILENT, a: 404 }, true],
  ['a rate limit refused its retry', { listed: FAILED, a: 'failed', retry: response(429, {}, '7200') }, false],
  ['there was no time for a retry', { listed: FAILED, a: 'failed', minutes: 0 }, false],
  ['the time was up before a retry could take effect',
    { listed: FAILED, a: 'failed', retry: CONFLICT, minutes: 0.1 }, false],
  ['an outage followed', { status: steps('failed', [1, 503]), listed: FAILED, a: 'failed', retry: ACCEPTED }, false],
])('whether a file has failed for good: %s', async ([, life, expected]) => {
  const { outcomes, isFailedForGood } = await waitFor({ status: 'failed', ...life });
  expect(outcomes).toBe('failed asset-failed, judged');
  expect(isFailedForGood).toEqual([expected, false]);
});

it.for([401, 402])('%i ends the run', async (status) => {
  for (const life of [{ status }, { a: status }, { listed: FAILED, a: 'failed', retry: response(status) }])
    await expect(waitFor(life)).rejects.toMatchObject({ endsRun: true });
});

it.for([
  [40, 'processing, 40 %.'],
  [0, 'processing.'],
] as const)('a timeout names what the service said last (%i %%); the log has a line every minute', async (row) => {
  const [percent, said] = row;
  const { analyses, lines } = await waitFor({ status: 'processing', a: 'processing', percent });
  const message = `The analysis was not finished after 30 minutes: ${said}`;
  expect(analyses[0]?.causes).toMatchObject([{ message, submissionId: 'S', submission: 'open' }]);
  expect(Math.round(lines.length / 10)).toBe(3);
});

it.for<[number, string | undefined]>([
  [503, 'open'],
  [404, undefined],
])('a wait that %i ends: whether the submission is still open', async ([status, expected]) => {
  const { analyses } = await waitFor({ status, a: 404 });
  expect(analyses[0]?.causes.map(({ submission }) => submission)).toEqual([expected]);
});

it('a submission of an earlier run gets a short time, and no retry', async () => {
  const result = await waitFor({ ...life, a: 'failed', b: 'processing', isEarlier: true });
  expect(result).toMatchObject({ outcomes: 'failed asset-failed, unjudged results', retries: 0, seconds: 20 });
});

it('the log says how far the analysis is until it has ended, and what the service says about it', async () => {
  const status = steps('processing', [1, 'complete']);
  const { lines } = await waitFor({ status, listed: { ...FAILED, ...SILENT }, a: 'failed', says: 'Slow.' });
  expect(lines.slice(0, 2)).toEqual([
    'Submission S: processing, 40 %. The service says: Slow. (after 0 s)',
    'Submission S: complete. The service says: Slow. (after 1 s)',
  ]);
});

// biome-ignore format: a table
it.for<[string, Life, boolean]>([
  ['the submission',  { status: steps('processing', [2, 503]) }, true],
  ['an asset',        { b: 429 },                             true],
  ['a missing asset', { b: 404 },                             false],
])('without a response about %s, more may be known later: %j', async ([, life, expected]) => {
  expect((await waitFor(life)).isPrevented).toBe(expected);
});

const NO_EXTRAS = { topics: [], versionCount: undefined };
const TOPICS = [{ title: 'Health', issueIds: ['x', 'y'] }];

// biome-ignore format: a table
it.for<[string, number, object, [versions: number, topics: number], issues?: number, version?: number]>([
  ['are added', 200, { topics: TOPICS, versionCount: 3 }, [1, 1]],
  ['are left out if one cannot be read', 404, NO_EXTRAS, [1, 1]],
  ['are left out if they are refused', 401, NO_EXTRAS, [1, 0]],
  ['are not worth an outage', 503, NO_EXTRAS, [6, 5]],
  ['are left out if the list of versions ends before that of the file', 200, { versionCount: undefined }, [1, 1], 2, 7],
  ['are not asked for before the second issue and version', 200, NO_EXTRAS, [0, 0], 1, 1],
])('topics and versions %s', async ([, extras, expected, counts, issues = 2, versionNumber = 2]) => {
  const listed = { issueCount: issues, versionNumber, versionGroupId: 'g' };
  const { analyses, countOf, seconds } = await waitFor({ listed, issues, extras });
  expect(analyses).toMatchObject([{ outcome: 'judged', versionNumber, ...expected }, NO_EXTRAS]);
  expect([countOf('/versions'), countOf('/topics')]).toEqual(counts);
  expect(seconds).toBeLessThan(15);
});

it.for<[string, number, readonly [errors: number, read: number]]>([
  ['that are missing do not keep the others from being read', 404, [8, 20]],
  ['for which the service does not respond are the last ones that are read', 503, [20, 8]],
])('assets %s', async ([, status, [errors, read]]) => {
  const ids = Array.from({ length: 20 }, (_, index) => `${index}`);
  const { client, log, requests } = clientOf((request) => {
    const assets = ids.map((id) => listedAsset(id, { issueCount: 0 }));
    if (request.endsWith('/S')) return response(200, { submissionId: 'S', status: 'complete', assets });
    const [, assetId = ''] = /\/assets\/(\d+)$/.exec(request) ?? [];
    return Number(assetId) < 8 ? response(status) : own(assetId, content(assetId).name, 'complete');
  });
  const open = { submissionId: 'S', contents: ids.map((id) => content(id)) };
  const reader = createReader({ client, log });
  const { value } = await inFakeTime(
    async () => await reader.read([open], { deadline: deadlineIn(30), purpose: 'wait' }),
  );
  const unjudged = value.flatMap(({ analyses }) => analyses).filter(({ outcome }) => outcome !== 'judged');
  const ofAssets = requests.filter((request) => /\/assets\/\d+$/.test(request));
  expect([unjudged.length, new Set(ofAssets).size]).toEqual([errors, read]);
});

/** Waits for several submissions with one file each. `reply` may respond instead of a service that is complete. */
async function waitForSeveral(
  ids: readonly string[],
  reply: (path: string, seconds: number) => HttpResponse | undefined,
) {
  const startedAt = performance.now();
  const { client, log, requests } = clientOf((request) => {
    const path = request.replace('GET /submissions/', '');
    const [id = '', , assetId] = path.split('/');
    const instead = reply(path, (performance.now() - startedAt) / 1000);
    if (instead) return instead;
    if (assetId !== undefined) return own(assetId, content(id).name, 'complete', 0);
    const assets = [listedAsset(`asset-${id}`, { issueCount: 0 })];
    return response(200, { submissionId: id, status: 'complete', assets });
  });
  const needed = ids.map((submissionId) => ({ submissionId, contents: [content(submissionId)] }));
  const reader = createReader({ client, log });
  const options = { deadline: deadlineIn(30), purpose: 'wait' } as const;
  const { value, ms } = await inFakeTime(async () => await reader.read(needed, options));
  const outcomes = value.map(({ analyses }) =>
    analyses.map(({ outcome, causes }) => [outcome, ...causes.map(({ reason }) => reason)].join(' ')).join(),
  );
  return { outcomes, requests, ms, ids: requests.map((request) => request.replace('GET /submissions/', '')) };
}

it('of submissions that are awaited together, one that cannot be read does not affect the others', async () => {
  let count = 0;
  const { outcomes } = await waitForSeveral(['late', 'missing', 'down', 'plain'], (path, seconds) => {
    if (path.startsWith('down')) return response(503);
    count += 1;
    if (count % 2 === 0) return response(429, {}, '1');
    if (path === 'late' && seconds < 600) return response(200, { submissionId: 'late', status: 'processing' });
    return path === 'missing' && seconds < 10 ? MISSING : undefined;
  });
  expect(outcomes).toEqual(['judged', 'judged', 'unjudged service', 'judged']);
});

it('a read that takes long does not hold up the polls of another submission', async () => {
  const polledAt: number[] = [];
  const { outcomes } = await waitForSeveral(['slow', 'other'], (path, seconds) => {
    if (path === 'other') polledAt.push(seconds);
    if (path === 'slow/assets/asset-slow' && seconds < 100) return response(503);
    return path === 'other' && seconds < 90
      ? response(200, { submissionId: 'other', status: 'processing' })
      : undefined;
  });
  expect(outcomes).toEqual(['judged', 'judged']);
  const pauses = polledAt.slice(1).map((at, index) => at - (polledAt[index] ?? 0));
  expect(Math.max(...pauses)).toBeLessThanOrEqual(90 / 8);
});
