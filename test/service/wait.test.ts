import { describe, expect } from 'vitest';
import type { HttpResponse } from '../../src/http/http.ts';
import { sleep } from '../../src/lib/clock.ts';
import { unjudged } from '../../src/service/analysis.ts';
import { withExtras } from '../../src/service/extras.ts';
import type { ListedAsset } from '../../src/service/responses.ts';
import type { OpenSubmission } from '../../src/service/submit.ts';
import { pollDelay, readEarlier, waitForAll } from '../../src/service/wait.ts';
import { clientOf, content, deadlineIn, inFakeTime, issues, it, listedAsset, response } from './things.ts';

/** A value that may depend on the seconds since the wait began. */
type At<T> = T | ((seconds: number) => T);

/** How the service describes a submission of the files a and b. By default both are complete, without issues. */
interface Life {
  /** Of the submission; a number is the status of the response. */
  readonly status?: At<string | number>;
  /** In the list. */
  readonly listed?: At<Partial<ListedAsset>>;
  /** What the asset itself says; a number is the status of the response. */
  readonly a?: At<string | number | HttpResponse>;
  readonly b?: At<string | number | HttpResponse>;
  readonly retry?: HttpResponse;
  /** How many issues the list of a has. */
  readonly issues?: At<number>;
  /** The status of the responses about topics and versions. */
  readonly extras?: number;
  /** Its `errorMessage`. */
  readonly says?: string;
  readonly minutes?: number;
  /** The submission is read for what an earlier run left in it. */
  readonly isEarlier?: boolean;
  readonly retriesBefore?: number;
}

const FAILED = { errorType: 'E', errorMessage: 'It broke.', isRetryable: true };
const ACCEPTED = response(202, { submissionId: 'S' });
const CONFLICT = response(409, { detail: 'Already in flight.' });
const GONE = response(404);
/** Three of the asset a. */
const VERSIONS = ['g', 'g', 'other', 'g'].map((versionGroupId) => ({ versionGroupId }));

function own(assetId: string, filename: string, status: string, issueCount?: number): HttpResponse {
  return response(200, { assetId, filename, status, issueCount });
}

const CLEAN = own('a', content('a').name, 'complete', 0);

/** The first value, and the second one from that second on. */
function from(seconds: number, first: string | number, second: string | number): At<string | number> {
  return (now) => (now < seconds ? first : second);
}

async function waitFor({ minutes = 30, retriesBefore = 0, ...life }: Life) {
  const startedAt = Date.now();
  const now = <T extends string | number | object>(value: At<T>): T =>
    typeof value === 'function' ? value((Date.now() - startedAt) / 1000) : value;
  const { client, log, requests, lines } = clientOf((request) => {
    if (request.endsWith('/retry')) return life.retry ?? GONE;
    if (request.endsWith('/issues')) return response(200, [{ id: 'x' }, { id: 'y' }].slice(0, now(life.issues ?? 2)));
    if (request.endsWith('/topics'))
      return response(life.extras ?? 404, [{ title: 'Health', issues: ['x', 'y'] }], '60');
    if (request.endsWith('/versions')) return response(life.extras ?? 404, VERSIONS, '60');
    const id = /\/assets\/(.)$/.exec(request)?.[1];
    const value = now((id === undefined ? life.status : id === 'a' ? life.a : life.b) ?? 'complete');
    if (typeof value === 'object') return value;
    if (typeof value === 'number') return response(value, {}, '7200');
    if (id !== undefined) return own(id, content(id).name, value);
    const assets = [
      listedAsset('a', { issueCount: 0, ...now(life.listed ?? {}) }),
      listedAsset('b', { issueCount: 0, versionGroupId: 'other' }),
    ];
    return response(200, { submissionId: 'S', status: value, progressPercent: 40, errorMessage: life.says, assets });
  });
  const moved: OpenSubmission[] = [];
  const options = {
    client,
    mode: 'live' as const,
    log,
    deadline: deadlineIn(minutes),
  };
  let requestsWhileSaving = 0;
  const onMoved = async (submission: OpenSubmission): Promise<void> => {
    const before = requests.length;
    await sleep(10_000, new AbortController().signal);
    requestsWhileSaving += requests.length - before;
    moved.push(submission);
  };
  const contents = [content('a'), content('b')];
  const open = { submissionId: 'S', createdAt: '', contents, assetIds: ['a', 'b'], retriesBefore };
  const { value: waited, ms } = await inFakeTime(async () =>
    life.isEarlier ? [await readEarlier(open, options)] : await waitForAll([open], options, onMoved),
  );
  const countOf = (ending: string): number => requests.filter((request) => request.endsWith(ending)).length;
  const analyses = waited.flatMap((each) => each.analyses);
  return {
    /** "judged, unjudged results" */
    outcomes: analyses
      .map(({ outcome, causes }) => [outcome, ...causes.map(({ reason }) => reason)].join(' '))
      .join(', '),
    isUnanswered: waited.some((each) => each.isUnanswered),
    retries: countOf('/retry'),
    countOf,
    seconds: ms / 1000,
    analyses,
    lines,
    moved,
    requestsWhileSaving,
  };
}

it('an eighth of the time between two polls, from a second to a minute', () => {
  expect([0, 8, 16, 480, 9_999].map((seconds) => pollDelay(seconds * 1000) / 1000)).toEqual([1, 1, 2, 60, 60]);
});

describe('how long is waited, and what is then judged', () => {
  // biome-ignore format: a table
  it.for<[string, Life, string, number, number]>([
    ['complete',                               { status: from(2, 'processing', 'complete') },                     'judged, judged',                    2,     2],
    ['failed, and every asset is complete',    { status: 'failed' },                                              'judged, judged',                    0,     0],
    ['complete, and a name appears',           { b: from(8, 404, 'complete') },                                   'judged, judged',                    8,     8],
    ['complete, and a status appears',         { b: from(8, 'processing', 'complete') },                          'judged, judged',                    8,     8],
    ['complete, and one fact after the other', { b: (now) => (now < 15 ? 404 : now < 30 ? 'processing' : 'complete') }, 'judged, judged',                   30,    30],
    ['complete late, and a name appears',      { status: from(60, 'processing', 'complete'), b: from(75, 404, 'complete') }, 'judged, judged',            75,    78],
    ['complete, and an asset never finishes',  { b: 'processing' },                                               'judged, unjudged results',          20,    20],
    ['complete, and a count is missing',       { listed: { issueCount: null } },                                  'unjudged results, judged',          20,    20],
    ['complete, and a count rises',            { listed: (now) => ({ issueCount: now < 4 ? 0 : 3 }), b: from(8, 'processing', 'complete') }, 'unjudged results, judged', 20, 30],
    ['complete at the deadline, not finished', { b: 'processing', minutes: 0.1 },                                 'judged, unjudged results',          6,     6],
    ['failed, and another one is analysed',    { status: 'failed', a: 'failed', b: from(300, 'processing', 'complete') }, 'failed asset-failed, judged', 300, 345],
    ['failed, and another one cannot be read', { status: 'failed', a: 'failed', b: from(300, 404, 'complete') },  'failed asset-failed, judged',       300,   345],
    ['failed, and that one cannot be read',    { status: 'failed', listed: { ...FAILED, issueCount: null }, a: 404 }, 'unjudged results, judged',      20,    20],
    ['processing until the deadline',          { status: 'processing', b: 'processing' },                         'judged, unjudged timeout',          1_800, 1_800],
    ['processing, and the last reading takes a moment', { status: 'processing', b: from(63, 503, 'complete'), minutes: 1 }, 'judged, judged',           63,    70],
    ['complete, and one issue after the other', { listed: { issueCount: 2 }, issues: (now) => (now < 15 ? 0 : now < 30 ? 1 : 2) }, 'judged, judged',          30,    30],
    ['missing for ten seconds',                { status: from(10, 404, 'complete') },                             'judged, judged',                    10,    12],
    ['missing twice, each time for a moment',  { status: (now) => (now < 10 ? 404 : now < 13 ? 'processing' : now < 27 ? 404 : 'complete') }, 'judged, judged', 27, 30],
    ['missing for good: nothing is proven',    { status: 404 },                                                   'unjudged results, unjudged results', 20,   22],
    ['refused: nothing is proven',             { status: 403, a: CLEAN, b: own('b', content('b').name, 'complete', 0) }, 'unjudged refused, unjudged refused', 0,    0],
    ['a rate limit that ends too late',        { status: 429 },                                                   'unjudged service, unjudged service', 0,    0],
    ['the same while assets are read',         { b: 429 },                                                        'judged, unjudged service',          0,     0],
    ['the same, and it ends in time',          { b: (now) => (now < 60 ? response(429, {}, '60') : 'complete') }, 'judged, judged',                    60,    60],
    ['an outage: what can be read is judged',  { status: from(2, 'processing', 503), b: 'processing' },           'judged, unjudged service',          90,    125],
  ])('%s', async ([, life, outcomes, least, most]) => {
    const result = await waitFor(life);
    expect(result.outcomes).toBe(outcomes);
    expect(result.retries).toBe(0);
    expect(result.seconds).toBeGreaterThanOrEqual(least);
    expect(result.seconds).toBeLessThanOrEqual(most);
  });
});

describe('a retry', () => {
  const again = (seconds: number): Partial<ListedAsset> => ({ ...FAILED, retryCount: Math.floor(seconds) });

  // biome-ignore format: a table
  it.for<[string, Life, string, number, [number, number]]>([
    ['succeeds',                                   { status: 'failed', listed: FAILED, a: from(1, 'failed', 'complete'), retry: ACCEPTED },   'judged', 1, [1, 1]],
    ['succeeds, and its submission goes on',        { status: from(1, 'failed', 'processing'), listed: FAILED, a: from(1, 'failed', 'complete'), retry: ACCEPTED }, 'judged', 1, [1, 1]],
    ['succeeds in a complete submission',          { listed: FAILED, a: from(1, 'failed', 'complete'), retry: ACCEPTED },                     'judged', 1, [1, 1]],
    ['runs for long in a complete submission',     { listed: FAILED, a: (now) => (now < 1 ? 'failed' : now < 300 ? 'processing' : 'complete'), retry: ACCEPTED }, 'judged', 1, [300, 345]],
    ['runs until the deadline',                    { status: 'failed', listed: FAILED, a: from(1, 'failed', 'processing'), retry: ACCEPTED }, 'unjudged timeout', 1, [1_800, 1_800]],
    ['fails again, twice at most',                 { status: 'failed', listed: again, a: 'failed', retry: ACCEPTED },                         'failed asset-failed', 2, [2, 4]],
    ['shows by its status, and fails again',       { status: 'failed', listed: FAILED, a: (now) => (now === 1 ? 'processing' : 'failed'), retry: ACCEPTED }, 'failed asset-failed', 2, [60, 75]],
    ['shows no effect for 60 s',                   { status: 'failed', listed: FAILED, a: 'failed', retry: ACCEPTED },                        'failed asset-failed', 1, [60, 75]],
    ['shows no effect, after one of another run',  { status: 'failed', listed: { ...FAILED, retryCount: 1 }, a: 'failed', retry: ACCEPTED }, 'failed asset-failed', 1, [60, 75]],
    ['is refused (409) and nothing shows for 20 s', { status: 'failed', listed: FAILED, a: 'failed', retry: CONFLICT },                       'failed asset-failed', 1, [20, 30]],
    ['is refused (409), because one is running',   { status: 'failed', listed: FAILED, a: from(9, 'failed', 'complete'), retry: CONFLICT },   'judged', 1, [9, 12]],
    ['is running after a server error',            { status: 'failed', listed: FAILED, a: from(9, 'failed', 'complete'), retry: response(504) }, 'judged', 1, [9, 12]],
    ['is running, and cannot be read',             { status: 'failed', listed: FAILED, a: from(9, 'failed', 'complete'), retry: response(202) }, 'judged', 1, [9, 12]],
    ['runs for a while, and its count comes late', { listed: (now) => (now < 45 ? { ...FAILED, issueCount: null } : {}), a: (now) => (now < 1 ? 'failed' : now < 30 ? 'processing' : 'complete'), retry: ACCEPTED }, 'judged', 1, [45, 50]],
    ['is not due after two elsewhere',             { status: 'failed', listed: FAILED, a: 'failed', retry: ACCEPTED, retriesBefore: 2 }, 'failed asset-failed', 0, [0, 0]],
    ['is refused (403)',                           { status: 'failed', listed: FAILED, a: 'failed', retry: response(403) },                   'failed asset-failed', 1, [0, 0]],
  ])('that %s', async ([, life, outcome, retries, [least, most]]) => {
    const result = await waitFor(life);
    expect(result.outcomes).toBe(`${outcome}, judged`);
    expect(result.retries).toBe(retries);
    expect(result.seconds).toBeGreaterThanOrEqual(least);
    expect(result.seconds).toBeLessThanOrEqual(most);
  });

  it.for<[string, Life]>([
    ['of two assets with one name', { a: 'failed', b: own('b', content('a').name, 'complete') }],
    ['of a file that is not checked here', { a: own('a', 'other.png', 'failed') }],
    ['at the deadline', { a: 'failed', minutes: 0 }],
    ['once the service does not answer', { a: 'failed', b: 429 }],
  ])('is not requested: %s', async ([, life]) => {
    expect(await waitFor({ listed: FAILED, retry: ACCEPTED, ...life })).toMatchObject({ retries: 0 });
  });

  it.for<[string, At<Partial<ListedAsset>>]>([
    ['shows nothing', FAILED],
    ['counts on', again],
  ])('in another submission is reported with the file that is awaited there, if the list %s', async ([, listed]) => {
    const retry = response(202, { submissionId: 'T', workflowId: 'W', assets: [{ assetId: 'n' }] });
    // From then on, what becomes of its asset here does not matter.
    const b = from(5, 'processing', 'complete');
    const result = await waitFor({ status: 'failed', listed, a: 'failed', b, retry });
    const { moved, outcomes, requestsWhileSaving, retries, lines, seconds } = result;
    expect(moved).toMatchObject([
      { submissionId: 'T', contents: [{ paths: ['a'] }], assetIds: ['n'], workflowId: 'W', retriesBefore: 1 },
    ]);
    // How long it is awaited counts from then on.
    expect(Date.parse(moved[0]?.createdAt ?? '')).toBeGreaterThan(0);
    // The other submission is unknown here.
    expect(outcomes).toBe('judged, unjudged results');
    expect(retries).toBe(1);
    expect(requestsWhileSaving).toBe(0);
    expect(seconds).toBeLessThan(50);
    expect(lines).toContain('a failed (E: It broke); retry 1 was accepted');
  });
});

it.for([401, 402])('%i ends the run, and the submission stays open', async (status) => {
  for (const life of [{ status }, { a: status }, { listed: FAILED, a: 'failed', retry: response(status) }])
    await expect(waitFor(life)).rejects.toMatchObject({
      causes: [
        {
          submissionId: 'S',
          submission: 'open',
          message: expect.stringMatching(/may still be analysing the submission\.$/),
        },
      ],
    });
});

it('a timeout names what the service said last; the log has a line every minute', async () => {
  const { analyses, lines } = await waitFor({ status: 'processing', a: 'processing' });
  expect(analyses[0]?.causes).toMatchObject([
    {
      message: 'The analysis was not finished after 30 minutes: processing, 40 %, 2 of 2 assets finished.',
      submissionId: 'S',
      submission: 'open',
    },
  ]);
  expect(Math.round(lines.length / 10)).toBe(3);
});

it('a submission of an earlier run gets a short time, and no retry', async () => {
  const life = { status: 'failed', listed: FAILED, a: 'failed', b: 'processing', retry: ACCEPTED };
  expect(await waitFor({ ...life, isEarlier: true })).toMatchObject({
    outcomes: 'failed asset-failed, unjudged timeout',
    retries: 0,
    seconds: 20,
  });
});

it('a wait of seconds counts as a minute', async () => {
  const { analyses } = await waitFor({ status: 'processing', a: 'processing', minutes: 0.1 });
  expect(analyses[0]?.causes[0]?.message).toContain('not finished after 1 minute: ');
});

it('the log says how far the analysis is until it has ended, and what the service says about it', async () => {
  const { lines } = await waitFor({ status: from(1, 'processing', 'complete'), says: 'It is slow.' });
  expect(lines).toEqual([
    'Submission S: processing, 40 %, 2 of 2 assets finished. The service says: It is slow. (after 0 s)',
    'Submission S: complete. The service says: It is slow. (after 1 s)',
  ]);
});

// biome-ignore format: a table
it.for<[string, Life, boolean]>([
  ['the submission',  { status: from(2, 'processing', 503) }, true],
  ['an asset',        { b: 429 },                             true],
  ['nothing',         {},                                     false],
  ['a missing asset', { b: 404 },                             false],
  ['an endless one',  { b: 'processing', minutes: 0.1 },      false],
])('without an answer about %s, more may be known later: %j', async ([, life, expected]) => {
  expect((await waitFor(life)).isUnanswered).toBe(expected);
});

// biome-ignore format: a table
it.for<[string, number, object, [versions: number, topics: number]]>([
  ['are added',                        200, { topics: [{ title: 'Health', issueIds: ['x', 'y'] }], versionCount: 3 }, [1, 1]],
  ['are left out if one cannot be read', 404, { topics: [], versionCount: undefined },                               [1, 1]],
  ['are left out after a rate limit',  429, { topics: [], versionCount: undefined },                                 [1, 0]],
  ['are left out if they are refused', 401, { topics: [], versionCount: undefined },                                 [1, 0]],
  ['are not worth an outage',          503, { topics: [], versionCount: undefined },                                 [6, 0]],
])('topics and versions %s', async ([, extras, expected, counts]) => {
  const { analyses, countOf, seconds } = await waitFor({
    listed: { issueCount: 2, versionNumber: 2, versionGroupId: 'g' },
    extras,
  });
  expect(analyses).toMatchObject([{ outcome: 'judged', ...expected }, { topics: [], versionCount: undefined }]);
  expect([countOf('/versions'), countOf('/topics')]).toEqual(counts);
  expect(seconds).toBeLessThan(15);
});

it('topics are asked for from the second issue on, versions from the second version on', async () => {
  const { countOf, outcomes } = await waitFor({ listed: { issueCount: 1, versionNumber: 1 }, issues: 1, extras: 200 });
  expect(outcomes).toBe('judged, judged');
  expect([countOf('/versions'), countOf('/topics')]).toEqual([0, 0]);
});

it('a run that is stopped while topics are read does not go on without them', async () => {
  const stop = new AbortController();
  const { client } = clientOf(() => {
    stop.abort(new Error('stopped'));
    return response(429, {}, '1');
  });
  const analysis = { ...unjudged(content('a'), 'S', []), assetId: 'a', issues: issues('x', 'y') };
  const reading = inFakeTime(async () => await withExtras([analysis], client, stop.signal), 1);
  await expect(reading).rejects.toThrow('stopped');
});

it('of a submission that is refused, the assets that its creation named are read, and their issues count', async () => {
  const { analyses } = await waitFor({ status: 403, a: own('a', content('a').name, 'complete', 2) });
  expect(analyses[0]).toMatchObject({
    outcome: 'unjudged',
    issues: [{ id: 'x' }, { id: 'y' }],
    causes: [{ reason: 'refused', message: expect.not.stringContaining('may still be analysing') }],
  });
});
