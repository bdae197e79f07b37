import assert from 'node:assert/strict';
import { expect } from 'vitest';
import { sleep } from '../../src/lib/async.ts';
import { inheritRetries } from '../../src/service/asset-retries.ts';
import type { Mode } from '../../src/service/endpoints.ts';
import { withExtras } from '../../src/service/extras.ts';
import { unreadAsset } from '../../src/service/read-asset.ts';
import { createReader } from '../../src/service/reader.ts';
import type { ListedAsset } from '../../src/service/responses.ts';
import { issues, listedAsset, result } from '../builders/analyses.ts';
import { inFakeTime, it } from '../builders/fake-time.ts';
import { content } from '../builders/media.ts';
import { deadlineIn, LIMITED, type Reply, response, type Said, serviceOf, steps } from '../builders/service.ts';

const FAILED = { errorType: 'E', errorMessage: 'It broke.', isRetryable: true };
const SILENT = { issueCount: null };
const ACCEPTED = { submissionId: 'S' };
const ISSUES = ['x', 'y'].map((id) => ({ id, severity: 'MINOR' }));

/** The list of the assets of a and b, which have no issues. */
function list(
  a: Partial<ListedAsset> = {},
  b: Partial<ListedAsset> = {},
): Readonly<Record<string, Partial<ListedAsset>>> {
  return { a: { issueCount: 0, ...a }, b: { issueCount: 0, versionGroupId: 'other', ...b } };
}

interface Wait {
  readonly minutes?: number;
  readonly mode?: Mode;
  /** An earlier run created the submission, and this run only reads its results. */
  readonly isEarlier?: boolean;
}

/** Waits for submissions with these files, or for one with the files a and b, and reads their topics and versions. */
async function waitFor(
  service: ReturnType<typeof serviceOf>,
  { minutes = 30, isEarlier = false }: Wait = {},
  files: Readonly<Record<string, readonly string[]>> = { S: ['a', 'b'] },
) {
  const { client, log, asked, lines } = service;
  const needed = Object.entries(files).map(([submissionId, names]) => {
    const contents = names.map((name) => ({ ...content(name), name: `${name}.png` }));
    const assetIds = names.map((name) => `asset-${name}`);
    return { submissionId, contents, assetIds };
  });
  const calls = { client, log, deadline: deadlineIn(minutes) };
  const { value: analyses, ms } = await inFakeTime(async () => {
    const results = await createReader(calls).read(needed, { ...calls, isPolled: !isEarlier });
    return await withExtras(
      results.flatMap((each) => each.analyses),
      calls,
    );
  });
  const countOf = (ending: string): number => asked.filter(({ path }) => path.endsWith(ending)).length;
  return {
    /** The outcome of each file and its reasons, for example "judged, unjudged results". */
    outcomes: analyses
      .map(({ outcome, causes }) => [outcome, ...causes.map(({ reason }) => reason)].join(' '))
      .join(', '),
    isPrevented: analyses.some(({ prospect }) => prospect === 'prevented'),
    retries: countOf('/retry'),
    countOf,
    seconds: ms / 1000,
    /** When a path was requested, in seconds. */
    askedAt: (path: string): readonly number[] =>
      asked.filter((each) => each.path === path).map(({ seconds }) => seconds),
    asked: asked.map(({ path }) => path),
    analyses,
    lines,
  };
}

/** Waits for a submission of a and b about which the service says this. */
async function waitedFor(said: Said, { mode, ...wait }: Wait = {}) {
  return await waitFor(serviceOf({ S: { listed: list(), 'a/issues': ISSUES, ...said } }, { mode }), wait);
}

/** `seconds` is how long the wait takes: exactly, or at least and at most. */
type Row = readonly [
  title: string,
  said: Said,
  ending: string,
  seconds: number | readonly [number, number],
  wait?: Wait,
];

async function checkRow([, said, ending, seconds, wait]: Row): Promise<void> {
  const result = await waitedFor(said, wait);
  const retries = result.retries === 0 ? '' : `${result.retries === 1 ? '1 retry' : `${result.retries} retries`}: `;
  expect(retries + result.outcomes).toBe(ending);
  const [least, most] = typeof seconds === 'number' ? [seconds, seconds] : seconds;
  expect(result.seconds).toBeGreaterThanOrEqual(least);
  expect(result.seconds).toBeLessThanOrEqual(most);
}

/** The pauses between moments. */
function pauses(moments: readonly number[]): readonly number[] {
  return moments.slice(1).map((at, index) => at - (moments[index] ?? 0));
}

it('between two polls is an eighth of the elapsed time, at least a second and at most a minute', async () => {
  const { askedAt } = await waitedFor({ status: 'processing' });
  for (const [index, pause] of pauses(askedAt('S')).slice(0, -1).entries())
    expect(pause).toBeCloseTo(Math.min(Math.max((askedAt('S')[index] ?? 0) / 8, 1), 60), 1);
});

it('the interval between two polls is short again after a retry', async () => {
  const status = steps('processing', [600, 'failed']);
  const { askedAt } = await waitedFor({ status, listed: list(FAILED), a: 'failed', 'a/retry': ACCEPTED });
  const intervals = pauses(askedAt('S'));
  expect(Math.max(...intervals)).toBe(60);
  expect(Math.max(...intervals.slice(-8))).toBeLessThan(4);
});

const SANDBOX = { mode: 'sandbox' } as const;

// biome-ignore format: a table
it.for<Row>([
  ['complete', { status: steps('processing', [2, 'complete']) }, 'judged, judged', 2],
  ['failed, and every asset is complete', { status: 'failed' }, 'judged, judged', 0],
  ['complete, and a name appears', { b: steps(404, [8, 'complete']) }, 'judged, judged', 8],
  ['complete, and one fact after the other: there is one window',
    { b: steps(404, [15, 'processing'], [30, 'complete']) }, 'judged, unjudged results', 20],
  ['complete, and an asset never finishes', { b: 'processing' }, 'judged, unjudged results', 20],
  ['complete, and a count rises',
    { listed: steps(list(), [4, list({ issueCount: 3 })]), b: steps('processing', [8, 'complete']) },
    'unjudged results, judged', 20],
  ['failed, and another file ends within 20 s',
    { status: 'failed', a: 'failed', b: steps('processing', [12, 'complete']) }, 'failed asset-failed, judged', 12],
  ['an unknown status, until the end', { status: steps('paused', [60, 'complete']) }, 'judged, judged', [60, 70]],
  ['an unknown status without a list, until the deadline', { status: 'paused', listed: null, a: 404, b: 404 },
    'unjudged results, unjudged results', 60, { minutes: 1 }],
  ['complete, and the work goes on while a fact is awaited',
    { status: steps('complete', [4, 'processing'], [40, 'complete']), b: steps('processing', [30, 'complete']) },
    'judged, judged', [40, 50]],
  ['cancelled: nothing is retried or awaited, whatever its assets are',
    { status: steps('processing', [60, 'cancelled']), listed: list(FAILED), a: 'failed', 'a/retry': ACCEPTED },
    'failed asset-failed, failed asset-failed', [60, 70]],
  ['complete, and one asset is cancelled', { listed: list(FAILED), a: 'cancelled', 'a/retry': ACCEPTED },
    'failed asset-failed, judged', 0],
  ['failed, without a list that says whether it can be retried', { status: 'failed', listed: null, a: 'failed' },
    'unjudged results, unjudged results', 20],
  ['a list that comes last', { listed: steps(null, [9, list()]) }, 'judged, judged', [8, 12]],
  ['a list that never comes, although the submission failed', { status: 'failed', listed: null, a: 404 },
    'unjudged results, unjudged results', 20],
  ['a list that never comes', { listed: null }, 'unjudged results, unjudged results', 20],
  ['failed, without a word about the file', { status: 'failed', listed: list(SILENT), a: 404 },
    'failed asset-failed, judged', 20],
  ['failed, and an outage hides one file', { status: 'failed', listed: list(SILENT), a: 503 },
    'unjudged results, judged', [90, 125]],
  ['processing until the deadline', { status: 'processing', b: 'processing' }, 'judged, unjudged timeout', 1_800],
  ['processing, and the last reading takes a moment', { status: 'processing', b: steps(503, [63, 'complete']) },
    'judged, judged', [63, 70], { minutes: 1 }],
  ['missing twice, each time for a moment', { status: steps(404, [10, 'processing'], [13, 404], [27, 'complete']) },
    'judged, judged', [27, 30]],
  ['missing for good: nothing is proven', { status: 404 }, 'unjudged results, unjudged results', [20, 22]],
  ['missing until the time is up', { status: 404 }, 'unjudged results, unjudged results', [6, 8], { minutes: 0.1 }],
  ['refused: nothing is proven', { status: 403, a: { issueCount: 0 }, b: { issueCount: 0 } },
    'unjudged refused, unjudged refused', 0],
  ['a rate limit that ends too late', { status: LIMITED }, 'unjudged service, unjudged service', 0],
  ['a rate limit that ends too late, while assets are read', { b: LIMITED }, 'judged, unjudged service', 0],
  ['an outage: what can be read is judged', { status: steps<Reply>('processing', [2, 503]), b: 'processing' },
    'judged, unjudged service', [90, 125]],
  ['sandbox: processing until the deadline', { status: 'processing', a: 404, b: 404 },
    'unjudged timeout, unjudged timeout', 60, { ...SANDBOX, minutes: 1 }],
  ['sandbox: complete, and an asset is unfinished', { a: 'processing' }, 'judged, judged', 0, SANDBOX],
  ['sandbox: complete, and issues are counted but not listed', { listed: list({ issueCount: 2 }), 'a/issues': [] },
    'judged, judged', 0, SANDBOX],
  ['sandbox: complete, and nothing can be read', { listed: list(SILENT), a: 404, b: 404 }, 'judged, judged', 0,
    SANDBOX],
  ['sandbox: complete, and issues are counted but cannot be read', { listed: list({ issueCount: 2 }), a: 404, b: 404 },
    'judged, judged', 0, SANDBOX],
])('a wait: %s', checkRow);

const again = (seconds: number): Partial<ListedAsset> => ({ ...FAILED, retryCount: Math.floor(seconds) });
const RETRIED = { status: 'failed', listed: list(FAILED), 'a/retry': ACCEPTED };
/** The same file as another asset. */
const NEW_ID = { filename: 'a.png', status: 'failed' };

// biome-ignore format: a table
it.for<Row>([
  ['succeeds', { a: steps('failed', [1, 'complete']) }, '1 retry: judged', 1],
  ['succeeds, and its submission goes on',
    { status: steps('failed', [1, 'processing'], [3, 'complete']), a: steps('failed', [1, 'complete']) },
    '1 retry: judged', 3],
  ['succeeds, and the asset can be read only then',
    { listed: steps(list(FAILED), [9, list()]), a: steps<Reply>(404, [9, 'complete']) }, '1 retry: judged', [9, 12]],
  ['succeeds under a new id',
    { listed: steps(list(FAILED), [1, { c: { issueCount: 0 }, b: list()['b'] ?? {} }]), a: 'failed',
      c: { filename: 'a.png' } }, '1 retry: judged', 1],
  ['fails under new ids: twice at most',
    { listed: (now) => ({ ['ac'[Math.floor(now) % 2] ?? '']: { issueCount: 0, ...FAILED }, b: list()['b'] ?? {} }),
      a: 'failed', c: NEW_ID, 'c/retry': ACCEPTED }, '2 retries: failed asset-failed', [2, 4]],
  ['runs until the deadline', { a: steps('failed', [1, 'processing']) }, '1 retry: unjudged results', 1_800],
  ['fails again: twice at most', { listed: (now) => list(again(now)), a: 'failed' }, '2 retries: failed asset-failed',
    [2, 4]],
  ['fails again, and only the list says so', { listed: (now) => list({ ...again(now), ...SILENT }), a: 404 },
    '2 retries: failed asset-failed', [22, 24]],
  ['shows by its status, and fails again', { a: (now) => (now === 1 ? 'processing' : 'failed') },
    '2 retries: failed asset-failed', [20, 25]],
  ['shows no effect for 20 s', { a: 'failed' }, '1 retry: failed asset-failed', [20, 23]],
  ['is refused (409) and nothing shows for 20 s', { a: 'failed', 'a/retry': 409 }, '1 retry: failed asset-failed',
    [20, 23]],
  ['is refused (409), because one is running', { a: steps('failed', [9, 'complete']), 'a/retry': 409 },
    '1 retry: judged', [9, 12]],
  ['is running after a server error', { a: steps('failed', [9, 'complete']), 'a/retry': 504 }, '1 retry: judged',
    [9, 12]],
  ['runs for a while, and its count comes late',
    { listed: steps(list({ ...FAILED, ...SILENT }), [45, list()]),
      a: steps('failed', [1, 'processing'], [30, 'complete']) }, '1 retry: judged', [45, 50]],
  ['ends by a cancel', { a: steps('failed', [1, 'cancelled']) }, '1 retry: failed asset-failed', 1],
  ['runs, and its asset cannot be read meanwhile',
    { listed: steps(list(FAILED), [1, list({ ...SILENT, retryCount: 1 })], [60, list({ retryCount: 1 })]),
      a: steps<Reply>('failed', [1, 404], [60, 'complete']) }, '1 retry: judged', [60, 70]],
  ['is refused (403)', { a: 'failed', 'a/retry': 403 }, '1 retry: failed asset-failed', 0],
  ['goes on in another submission', { a: 'failed', 'a/retry': { submissionId: 'T' } }, '1 retry: unjudged results', 20],
  ['goes on in another submission, and is counted here',
    { listed: steps(list(FAILED), [1, list(again(1))]), a: 'failed', 'a/retry': { submissionId: 'T' } },
    '1 retry: unjudged results', 20],
])('a retry that %s', async ([title, said, outcome, seconds]) => {
  await checkRow([title, { ...RETRIED, ...said }, `${outcome}, judged`, seconds]);
});

/**
 * A service that takes one retry at a time: each takes five seconds, and every file fails once.
 *
 * @param refused how many requests are refused first, because of a retry that somebody else requested
 */
async function retryInTurn(names: readonly string[], refused = 0) {
  const retriedAt = new Map<string, number>();
  const isRunning = (name: string, now: number): boolean => now < (retriedAt.get(name) ?? -9) + 5;
  let requested = 0;
  const replies = names.flatMap((name) => {
    const asset = (now: number): Reply => {
      if (!retriedAt.has(name)) return 'failed';
      return isRunning(name, now) ? 'processing' : 'complete';
    };
    const retry = (now: number): Reply => {
      requested += 1;
      if (requested <= refused || names.some((each) => isRunning(each, now))) return 409;
      retriedAt.set(name, now);
      return ACCEPTED;
    };
    return [[name, asset] as const, [`${name}/retry`, retry] as const];
  });
  const factsOf = (name: string) => ({ issueCount: 0, ...(retriedAt.has(name) ? { retryCount: 1 } : FAILED) });
  const listed = () => Object.fromEntries(names.map((name) => [name, factsOf(name)]));
  const service = serviceOf({ S: { status: 'failed', listed, ...Object.fromEntries(replies) } });
  const { analyses, retries } = await waitFor(service, {}, { S: names });
  return { outcomes: analyses.map(({ outcome }) => outcome), retries };
}

it('a failed file that somebody else has retried is read again', async () => {
  const done = { ...FAILED, isRetryable: false, retryCount: 1 };
  const said = {
    status: steps('failed', [1, 'processing'], [9, 'complete']),
    listed: steps(list(FAILED, FAILED), [1, list(done, done)]),
    a: steps('failed', [5, 'complete']),
    b: steps('failed', [5, 'complete']),
  };
  const { outcomes } = await waitedFor({ ...said, 'a/retry': ACCEPTED, 'b/retry': 409 });
  expect(outcomes).toBe('judged, judged');
});

it('files are retried one after the other, with one refusal for each, if the service takes one at a time', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `f${index}`);
  expect(await retryInTurn(names)).toEqual({ outcomes: names.map(() => 'judged'), retries: 39 });
});

it.for([
  ['beside the old ones', 3],
  ['in the place of the old ones', 1],
] as const)('an asset that a retry adds %s inherits the highest number of retries', ([, listed]) => {
  const [one, other, newest] = ['1', '2', '3'].map((id) => unreadAsset('S', listedAsset(id)));
  assert(one && other && newest);
  const retry = { requestedAt: 0 };
  const before = new Map([
    ['1', { ...one, retry: { ...retry, count: 1 } }],
    ['2', { ...other, retry: { ...retry, count: 2 } }],
  ]);
  const inherited = inheritRetries([one, other, newest].slice(-listed), before);
  expect(inherited.slice(0, -1)).toEqual([one, other].slice(0, listed - 1));
  expect(inherited.at(-1)?.retry).toEqual({ count: 2, requestedAt: 0, isEffective: true });
});

it('a refusal is not final if the service accepts the retry of another file', async () => {
  expect(await retryInTurn(['a', 'b'], 1)).toEqual({ outcomes: ['judged', 'judged'], retries: 3 });
});

it.for<[string, Said, Wait?]>([
  ['of a file that is not checked here', { a: { filename: 'other.png', status: 'failed' } }],
  ['at the deadline', { a: 'failed' }, { minutes: 0 }],
  ['once the service does not respond', { a: 'failed', b: LIMITED }],
  ['of an unfinished asset', { a: 'processing' }, { minutes: 1 }],
])('a retry is not requested: %s', async ([, said, wait]) => {
  expect(await waitedFor({ ...RETRIED, ...said }, wait)).toMatchObject({ retries: 0 });
});

it('once the service does not respond to a retry, no other is requested', async () => {
  const both = { listed: list(FAILED, FAILED), a: 'failed', b: 'failed', 'a/retry': 504, 'b/retry': 504 };
  expect(await waitedFor({ status: 'failed', ...both })).toMatchObject({ retries: 1 });
});

it('issues count even if the submission cannot be read', async () => {
  const { analyses } = await waitedFor({ status: 503, a: { issueCount: 2 } });
  expect(analyses[0]).toMatchObject({ outcome: 'unjudged', issues: [{ id: 'x' }, { id: 'y' }] });
});

// biome-ignore format: a table
it.for<[string, Said, boolean, Wait?]>([
  ['it cannot be retried', { listed: list({ ...FAILED, isRetryable: false }) }, true],
  ['it was retried in vain, and can be retried', { 'a/retry': ACCEPTED }, false],
  ['it was retried six times', { listed: list({ ...FAILED, retryCount: 6 }), 'a/retry': ACCEPTED }, true],
  ['all its retries were refused', { 'a/retry': 409 }, true],
  ['all its retries were refused, but that of another file was accepted',
    { listed: list(FAILED, FAILED), b: steps('failed', [1, 'complete']), 'a/retry': 409, 'b/retry': ACCEPTED }, false],
  ['the service says nothing about it', { listed: list(SILENT), a: 404 }, true],
  ['a rate limit refused its retry', { 'a/retry': LIMITED }, false],
  ['there was no time for a retry', {}, false, { minutes: 0 }],
  ['the time was up before a retry could take effect', { 'a/retry': 409 }, false, { minutes: 0.1 }],
  ['an outage followed', { status: steps<Reply>('failed', [1, 503]), 'a/retry': ACCEPTED }, false],
])('whether a file has failed for good: %s', async ([, said, expected, wait]) => {
  const failed = { status: 'failed', listed: list(FAILED), a: 'failed' };
  const { outcomes, analyses } = await waitedFor({ ...failed, ...said }, wait);
  expect(outcomes).toBe('failed asset-failed, judged');
  expect(analyses.map(({ prospect }) => prospect === 'failed for good')).toEqual([expected, false]);
});

it.for([401, 402])('%i ends the run', async (status) => {
  for (const said of [{ status }, { a: status }, { ...RETRIED, a: 'failed', 'a/retry': status }])
    await expect(waitedFor(said)).rejects.toMatchObject({ endsRun: true });
});

it.for([
  [40, 'processing, 40 %.'],
  [0, 'processing.'],
] as const)('a timeout names what the service said last (%i %%); the log has a line every minute', async (row) => {
  const [progressPercent, text] = row;
  const status = { status: 'processing', progressPercent };
  const { analyses, lines } = await waitedFor({ status, a: 'processing' });
  const message = `The analysis was not finished after 30 minutes: ${text}`;
  expect(analyses[0]?.causes).toMatchObject([{ message, submissionId: 'S', submission: 'open' }]);
  expect(Math.round(lines.length / 10)).toBe(3);
});

it.for<[number, string | undefined]>([
  [503, 'open'],
  [404, undefined],
])('a wait that %i ends: whether the submission is still open', async ([status, expected]) => {
  const { analyses } = await waitedFor({ status, a: 404 });
  expect(analyses[0]?.causes.map(({ submission }) => submission)).toEqual([expected]);
});

it.for<[number | object, seconds: number]>([
  [ACCEPTED, 0],
  [400, 20],
])('a submission of an earlier run gets a short time, and a retry (%j)', async ([retry, seconds]) => {
  const said = { ...RETRIED, a: 'failed', b: 'processing', 'a/retry': retry };
  const result = await waitedFor(said, { isEarlier: true });
  expect(result).toMatchObject({ outcomes: 'failed asset-failed, unjudged results', retries: 1, seconds });
});

it('the log says how far the analysis is until it has ended, and what the service says about it', async () => {
  const facts = { progressPercent: 40, errorMessage: 'Slow.' };
  const status = steps({ status: 'processing', ...facts }, [1, { status: 'complete', ...facts }]);
  const { lines } = await waitedFor({ status, listed: list({ ...FAILED, ...SILENT }), a: 'failed' });
  expect(lines.slice(0, 2)).toEqual([
    'Submission S: processing, 40 %. The service says: Slow. (after 0 s)',
    'Submission S: complete. The service says: Slow. (after 1 s)',
  ]);
});

// biome-ignore format: a table
it.for<[string, Said, boolean]>([
  ['the submission',  { status: steps<Reply>('processing', [2, 503]), b: 'processing' }, true],
  ['an asset',        { b: LIMITED },                             true],
  ['a missing asset', { b: 404 },                                 false],
])('without a response about %s, more may be known later: %j', async ([, said, expected]) => {
  expect((await waitedFor(said)).isPrevented).toBe(expected);
});

const NO_EXTRAS = { topics: [], versionCount: undefined };
const TOPICS = [{ title: 'Health', issueIds: ['x', 'y'] }];
/** Three versions belong to the version group `g`, which is that of asset a. */
const VERSIONS = ['g', 'g', 'other', 'g'].map((versionGroupId) => ({ versionGroupId }));

// biome-ignore format: a table
it.for<[string, number, object, [versions: number, topics: number], issues?: number, version?: number]>([
  ['are added', 200, { topics: TOPICS, versionCount: 3 }, [1, 1]],
  ['are left out if one cannot be read', 404, NO_EXTRAS, [1, 1]],
  ['are left out if they are refused', 401, NO_EXTRAS, [1, 0]],
  ['are not worth an outage', 503, NO_EXTRAS, [6, 5]],
  ['are left out if the list of versions ends before that of the file', 200, { versionCount: undefined }, [1, 1], 2, 7],
  ['are not asked for before the second issue and version', 200, NO_EXTRAS, [0, 0], 1, 1],
])('topics and versions %s', async ([, status, expected, counts, issues = 2, versionNumber = 2]) => {
  const listed = list({ issueCount: issues, versionNumber, versionGroupId: 'g' });
  const extras = {
    'a/topics': response(status, [{ title: 'Health', issues: ['x', 'y'] }]),
    versions: response(status, VERSIONS),
  };
  const { analyses, countOf, seconds } = await waitedFor({ listed, ...extras, 'a/issues': ISSUES.slice(0, issues) });
  expect(analyses).toMatchObject([{ outcome: 'judged', versionNumber, ...expected }, NO_EXTRAS]);
  expect([countOf('/versions'), countOf('/topics')]).toEqual(counts);
  expect(seconds).toBeLessThan(15);
});

it.for<[string, number, readonly [errors: number, read: number]]>([
  ['that are missing do not keep the others from being read', 404, [8, 20]],
  ['for which the service does not respond are the last ones that are read', 503, [20, 8]],
])('assets %s', async ([, status, [errors, read]]) => {
  const names = Array.from({ length: 20 }, (_, index) => `${index}`);
  const listed = Object.fromEntries(names.map((name) => [name, { issueCount: 0 }]));
  const broken = Object.fromEntries(names.slice(0, 8).map((name) => [name, status]));
  const { analyses, asked } = await waitFor(serviceOf({ S: { listed, ...broken } }), {}, { S: names });
  const unjudged = analyses.filter(({ outcome }) => outcome !== 'judged');
  expect([unjudged.length, new Set(asked).size - 1]).toEqual([errors, read]);
});

/** A submission of one file without issues, which is called like the submission. */
const ofOne = (name: string, said: Said = {}): Said => ({ listed: { [name]: { issueCount: 0 } }, ...said });

it('of submissions that are awaited together, one that cannot be read does not affect the others', async () => {
  const submissions = {
    late: ofOne('late', { status: steps('processing', [600, 'complete']) }),
    missing: ofOne('missing', { status: steps<Reply>(404, [10, 'complete']) }),
    down: { status: 503, down: 503 },
    plain: ofOne('plain'),
  };
  let count = 0;
  const instead = (path: string): Reply | undefined => {
    if (!path.startsWith('down')) count += 1;
    return !path.startsWith('down') && count % 2 === 0 ? response(429, {}, '1') : undefined;
  };
  const files = Object.fromEntries(Object.keys(submissions).map((id) => [id, [id]]));
  const { outcomes } = await waitFor(serviceOf(submissions, { instead }), {}, files);
  expect(outcomes).toBe('judged, judged, unjudged service, judged');
});

it('a read that takes long does not hold up the polls of another submission', async () => {
  const service = serviceOf({
    slow: ofOne('slow', { slow: steps<Reply>(503, [100, 'complete']) }),
    other: ofOne('other', { status: steps('processing', [90, 'complete']) }),
  });
  const { outcomes, askedAt } = await waitFor(service, {}, { slow: ['slow'], other: ['other'] });
  expect(outcomes).toBe('judged, judged');
  expect(Math.max(...pauses(askedAt('other')))).toBeLessThanOrEqual(90 / 8);
});

it.for<[string, Said]>([
  ['an asset that says that it has failed', { status: 503, a: 'failed' }],
  ['a submission that had failed before', { status: steps<Reply>('failed', [1, 503]), listed: null, a: 'failed' }],
])('an outage does not excuse %s', async ([, said]) => {
  const { outcomes } = await waitFor(serviceOf({ S: said }), {}, { S: ['a'] });
  expect(outcomes).toBe('unjudged results');
});

it('a wait reads first what may have an issue', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `file-${index}`);
  const listed = Object.fromEntries(names.map((name) => [name, { issueCount: name === 'file-19' ? 2 : 0 }]));
  const { asked } = await waitFor(serviceOf({ S: { listed, 'file-19/issues': ISSUES } }), {}, { S: names });
  expect(asked[1]).toBe('S/file-19');
});

it('the time for missing facts begins again when the submission has worked on', async () => {
  const status = steps('complete', [4, 'processing'], [60, 'complete']);
  const said: Said = { status, listed: { a: { issueCount: 0 } }, a: steps<Reply>(404, [70, 'complete']) };
  expect((await waitFor(serviceOf({ S: said }), {}, { S: ['a'] })).outcomes).toBe('judged');
});

it('topics are left out once their time is over', async () => {
  const { client, log } = serviceOf({});
  let reads = 0;
  const readList = async () => {
    reads += 1;
    await sleep(4_000, new AbortController().signal);
    return [];
  };
  const analyses = Array.from({ length: 100 }, (_, index) => result(content(`${index}`), { issues: issues('x', 'y') }));
  const calls = { client: { ...client, readList }, log, deadline: deadlineIn(30) };
  await inFakeTime(async () => await withExtras(analyses, calls));
  // Eight at a time, in the first 15 s.
  expect(reads).toBe(4 * 8);
});
