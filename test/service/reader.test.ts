import { expect } from 'vitest';
import { ConnectionError } from '../../src/http/http.ts';
import type { Mode } from '../../src/service/endpoints.ts';
import { withExtras } from '../../src/service/extras.ts';
import { createReader } from '../../src/service/reader.ts';
import type { ListedAsset } from '../../src/service/responses.ts';
import { issues, listedAsset } from '../builders/analyses.ts';
import { inFakeTime, it } from '../builders/fake-time.ts';
import { content } from '../builders/media.ts';
import { deadlineIn, LIMITED, type Reply, response, type Said, serviceOf, steps } from '../builders/service.ts';
import { analysed } from '../builders/states.ts';

const FAILED = { errorType: 'E', errorMessage: 'It broke.', isRetryable: true };
const FINAL = { ...FAILED, isRetryable: false };
const SILENT = { issueCount: null };
const ACCEPTED = { submissionId: 'S' };
const ISSUES = ['x', 'y'].map((id) => ({ id, severity: 'MINOR' }));
const PAGE = { ...response(403), text: '<html><h1>Forbidden</h1></html>' };

/** The list of the assets of a and b, which have no issues. */
function list(
  a: Partial<ListedAsset> = {},
  b: Partial<ListedAsset> = {},
): Readonly<Record<string, Partial<ListedAsset>>> {
  return { a: { issueCount: 0, ...a }, b: { issueCount: 0, versionGroupId: 'other', ...b } };
}

interface Look {
  readonly minutes?: number;
  readonly mode?: Mode;
  /** Whether the submission is asked for once, as before the plan. Default: the run waits for it. */
  readonly isAsked?: boolean;
  /** The issues that an earlier run has read, by file: ids, or none. A file that is not named has no result yet. */
  readonly known?: Readonly<Record<string, readonly string[]>>;
}

/** Reads submissions with these files, or one with the files a and b. */
async function look(
  service: ReturnType<typeof serviceOf>,
  { minutes = 30, isAsked = false, known = {} }: Look = {},
  files: Readonly<Record<string, readonly string[]>> = { S: ['a', 'b'] },
) {
  const { client, log, asked, lines } = service;
  const needed = Object.entries(files).map(([submissionId, names]) => ({
    submissionId,
    files: names.map((name) => {
      const ids = known[name];
      const earlier = ids && analysed(name, { assetId: `asset-${name}`, issues: [...issues(...ids)] });
      return { content: { ...content(name), name: `${name}.png` }, earlier };
    }),
    knownAssets: new Set(Object.keys(known).map((name) => `asset-${name}`)),
  }));
  const reader = createReader({ client, log, failOnSeverity: 'CRITICAL' });
  const { value: results, ms } = await inFakeTime(
    async () => await (isAsked ? reader.ask : reader.wait)(needed, deadlineIn(minutes)),
  );
  const analyses = results.flatMap((each) => each.analyses);
  const countOf = (ending: string): number => asked.filter(({ path }) => path.endsWith(ending)).length;
  return {
    /** The outcome of each file and its reason, for example "result, unclear results". */
    outcomes: analyses.map(({ outcome, cause }) => [outcome, ...(cause ? [cause.reason] : [])].join(' ')).join(', '),
    retries: countOf('/retry'),
    countOf,
    seconds: ms / 1000,
    /** When a path was requested, in seconds. */
    askedAt: (path: string): readonly number[] =>
      asked.filter((each) => each.path === path).map(({ seconds }) => seconds),
    asked: asked.map(({ path }) => path),
    analyses,
    results,
    lines,
  };
}

/** Reads a submission of a and b about which the service says this. */
async function lookAt(said: Said, { mode, ...options }: Look = {}) {
  return await look(serviceOf({ S: { listed: list(), 'a/issues': ISSUES, ...said } }, { mode }), options);
}

/** `seconds` is how long it takes: exactly, or at least and at most. */
type Row = readonly [title: string, said: Said, ending: string, seconds: number | readonly [number, number], Look?];

async function checkRow([, said, ending, seconds, options]: Row): Promise<void> {
  const result = await lookAt(said, options);
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
  const { askedAt } = await lookAt({ status: 'processing' });
  for (const [index, pause] of pauses(askedAt('S')).slice(0, -1).entries())
    expect(pause).toBeCloseTo(Math.min(Math.max((askedAt('S')[index] ?? 0) / 8, 1), 60), 1);
});

const SANDBOX = { mode: 'sandbox' } as const;

// biome-ignore format: a table
it.for<Row>([
  ['complete', { status: steps('processing', [2, 'complete']) }, 'result, result', 2],
  ['failed, and every asset is complete', { status: 'failed' }, 'result, result', 0],
  ['complete, and one fact after the other: there is one window',
    { b: steps(404, [15, 'processing'], [30, 'complete']) }, 'result, unclear results', 20],
  ['complete, and an asset never finishes', { b: 'processing' }, 'result, unclear results', 20],
  ['complete, and an asset has a status that nobody knows', { b: 'paused' }, 'result, unclear results', 20],
  ['complete, without any count of issues', { listed: list(SILENT), 'a/issues': [] }, 'unclear results, result', 20],
  ['complete, with fewer issues than are counted', { listed: list({ issueCount: 3 }) }, 'unclear results, result', 20],
  ['complete, with fewer issues than its own list has',
    { listed: list({ issueCount: 1 }), a: { issues: [...ISSUES, { id: 'z' }] } }, 'unclear results, result', 20],
  ['complete, and the list of issues is missing', { listed: list({ issueCount: 2 }), 'a/issues': 404 },
    'unclear results, result', 20],
  ['complete, and the asset itself has all issues', { listed: list({ issueCount: 2 }), a: { issues: ISSUES }, 'a/issues': 503 },
    'result, result', [90, 125]],
  ['complete, with two lists that are only together whole',
    { listed: list({ issueCount: 2 }), a: { issues: ISSUES.slice(1) }, 'a/issues': ISSUES.slice(0, 1) }, 'result, result', 0],
  ['complete, and its list has each issue twice',
    { listed: list({ issueCount: 2 }), a: { issueCount: 2 }, 'a/issues': [...ISSUES, ...ISSUES] }, 'result, result', 0],
  ['complete, and two assets have the name of the file',
    { listed: { ...list(), c: { issueCount: 0 } }, c: { filename: 'a.png' } }, 'unclear results, result', 20],
  ['complete, and a file has no asset', { listed: { a: { issueCount: 0 } } }, 'result, unclear results', 20],
  ['complete, and an asset of no file has an issue',
    { listed: { ...list(), c: { issueCount: 1 } }, c: { filename: 'c.jpg' } }, 'unclear results, unclear results', 20],
  ['failed, and another file ends within 20 s',
    { status: 'failed', listed: list(FINAL), a: 'failed', b: steps('processing', [12, 'complete']) },
    'failed asset-failed, result', 12],
  ['failed, and an outage hides one file', { status: 'failed', listed: list(SILENT), a: 503 },
    'unread service, result', [90, 125]],
  ['an unknown status, until the end', { status: steps('paused', [60, 'complete']) }, 'result, result', [60, 70]],
  ['an unknown status, until the deadline', { status: 'paused' }, 'unclear results, unclear results', 60,
    { minutes: 1 }],
  ['complete, and the work goes on while a fact is awaited',
    { status: steps('complete', [4, 'processing'], [40, 'complete']), b: steps('processing', [30, 'complete']) },
    'result, result', [40, 50]],
  ['a list that never comes', { listed: null }, 'unclear results, unclear results', 20],
  ['a list that names an asset twice', { status: { assets: [listedAsset('x'), listedAsset('x')], status: 'complete' } },
    'unclear results, unclear results', [0, 10]],
  ['processing until the deadline', { status: 'processing', b: 'processing' }, 'result, working timeout', 1_800],
  ['processing, and the last reading takes a moment', { status: 'processing', b: steps(503, [63, 'complete']) },
    'result, result', [63, 70], { minutes: 1 }],
  ['missing twice, each time for a moment', { status: steps(404, [10, 'processing'], [13, 404], [27, 'complete']) },
    'result, result', [27, 30]],
  ['missing for 20 s', { status: 404 }, 'missing results, missing results', [20, 22]],
  ['missing until the time is up', { status: 404 }, 'unclear results, unclear results', [6, 8], { minutes: 0.1 }],
  ['a web page with 404', { status: { ...PAGE, status: 404 } }, 'unread service, unread service', [90, 125]],
  ['a web page with 403', { status: PAGE }, 'unread service, unread service', [90, 125]],
  ['a refusal', { status: 403 }, 'unread refused, unread refused', 0],
  ['a response that cannot be read', { status: { status: 7 } }, 'unclear results, unclear results', [0, 10]],
  ['a rate limit that ends too late', { status: LIMITED }, 'unread service, unread service', 0],
  ['a rate limit that ends too late, while assets are read', { b: LIMITED }, 'result, unread service', 0],
  ['an outage: what could be read is judged', { status: steps<Reply>('processing', [2, 503]), b: 'processing' },
    'unread service, unread service', [90, 125]],
  ['sandbox: processing until the deadline', { status: 'processing', a: 404, b: 404 },
    'working timeout, working timeout', 60, { ...SANDBOX, minutes: 1 }],
  ['sandbox: complete, and nothing can be read', { listed: list(SILENT), a: 404, b: 404 }, 'result, result', 0, SANDBOX],
])('a wait: %s', checkRow);

const again = (seconds: number): Partial<ListedAsset> => ({ ...FAILED, retryCount: Math.floor(seconds) });
const RETRIED = { status: 'failed', listed: list(FAILED), 'a/retry': ACCEPTED };
const shownAt = (seconds: number): Said => ({
  status: steps('failed', [seconds, 'processing'], [seconds + 20, 'complete']),
  listed: steps(list(FAILED), [seconds, list({ retryCount: 1 })]),
  a: steps('failed', [seconds, 'processing'], [seconds + 20, 'complete']),
});

// biome-ignore format: a table
it.for<Row>([
  ['succeeds', { a: steps('failed', [1, 'complete']) }, '1 retry: result', 1],
  ['shows only after 140 s', shownAt(140), '1 retry: result', [160, 190]],
  ['shows only after 300 s', shownAt(300), '1 retry: result', [320, 360]],
  ['succeeds, and its submission goes on',
    { status: steps('failed', [1, 'processing'], [3, 'complete']), a: steps('failed', [1, 'complete']) },
    '1 retry: result', 3],
  ['succeeds under a new id',
    { listed: steps(list(FAILED), [1, { c: { issueCount: 0 }, b: list()['b'] ?? {} }]), a: 'failed',
      c: { filename: 'a.png' } }, '1 retry: result', 1],
  ['succeeds as a new version beside the old one',
    { listed: steps(list(FAILED), [1, { ...list(FAILED), c: { issueCount: 0, versionNumber: 2 } }]), a: 'failed',
      c: { filename: 'a.png' } }, '1 retry: result', 1],
  ['runs until the deadline', { a: steps('failed', [1, 'processing']) }, '1 retry: working timeout', 1_800],
  ['shows no effect until the deadline: no other is requested', { a: 'failed' }, '1 retry: working timeout', 1_800],
  ['fails again: twice at most', { listed: (now) => list(again(now)), a: 'failed' }, '2 retries: retryable asset-failed',
    [22, 26]],
  ['fails again, for good', { listed: steps(list(FAILED), [1, list({ ...FINAL, retryCount: 1 })]), a: 'failed' },
    '1 retry: failed asset-failed', [1, 3]],
  ['shows by its status, and fails again', { a: (now) => (now < 1 || now > 5 ? 'failed' : 'processing') },
    '2 retries: working timeout', 1_800],
  ['is refused (409)', { a: 'failed', 'a/retry': 409 }, '1 retry: retryable asset-failed', 20],
  ['is refused (409), because one is running that shows at once',
    { status: steps('failed', [1, 'processing'], [60, 'complete']), a: steps('failed', [60, 'complete']), 'a/retry': 409 },
    '1 retry: result', [60, 75]],
  ['is refused (403)', { a: 'failed', 'a/retry': 403 }, '1 retry: retryable asset-failed', 20],
  ['runs, and its asset cannot be read meanwhile',
    { listed: steps(list(FAILED), [1, list({ ...SILENT, retryCount: 1 })], [60, list({ retryCount: 1 })]),
      a: steps<Reply>('failed', [1, 404], [60, 'complete']) }, '1 retry: result', [60, 70]],
])('a retry that %s', async ([title, said, outcome, seconds]) => {
  await checkRow([title, { ...RETRIED, ...said }, `${outcome}, result`, seconds]);
});

it('a retry that the service moves is enough', async () => {
  const said: Said = { status: 'failed', listed: list(FAILED), a: 'failed' };
  const [S, T] = ['T', 'U'].map((submissionId): Said => ({ ...said, 'a/retry': { submissionId } }));
  const { results } = await look(serviceOf({ S: S ?? {}, T: T ?? {} }));
  expect(results.map(({ submissionId }) => submissionId)).toEqual(['S', 'T']);
});

it('an error about a moved retry ends the run, also while another file is read', async () => {
  const said: Said = { status: 'failed', listed: list(FAILED), a: 'failed', b: 'processing' };
  const service = serviceOf({ S: { ...said, 'a/retry': { submissionId: 'T' } }, T: { status: 401 } });
  await expect(look(service)).rejects.toMatchObject({ endsRun: true });
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
  const { analyses, retries } = await look(service, {}, { S: names });
  return { outcomes: analyses.map(({ outcome }) => outcome), retries };
}

it('files are retried one after the other if the service takes one at a time', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `f${index}`);
  expect((await retryInTurn(names)).outcomes).toEqual(names.map(() => 'result'));
});

it('a refusal is not final if the service accepts the retry of another file', async () => {
  expect(await retryInTurn(['a', 'b'], 1)).toEqual({ outcomes: ['result', 'result'], retries: 3 });
});

it('a failed file that somebody else has retried is read again', async () => {
  const done = { retryCount: 1 };
  const said = {
    status: steps('failed', [1, 'processing'], [9, 'complete']),
    listed: steps(list(FAILED, FAILED), [1, list(done, done)]),
    a: steps('failed', [5, 'complete']),
    b: steps('failed', [5, 'complete']),
  };
  expect((await lookAt({ ...said, 'a/retry': ACCEPTED, 'b/retry': 409 })).outcomes).toBe('result, result');
});

it.for<[string, Said, Look?]>([
  ['before the plan', { a: 'failed' }, { isAsked: true }],
  ['of a file that is not checked here', { a: { filename: 'other.png', status: 'failed' } }],
  ['at the deadline', { a: 'failed' }, { minutes: 0 }],
  ['of an unfinished asset', { a: 'processing' }, { minutes: 1 }],
])('a retry is not requested: %s', async ([, said, options]) => {
  expect(await lookAt({ ...RETRIED, ...said }, options)).toMatchObject({ retries: 0 });
});

const CLEAN = { isAsked: true, known: { a: [], b: [] } };
const KNOWN = { isAsked: true, known: { a: ['x', 'y'], b: [] } };
const TWO = list({ issueCount: 2 });

// biome-ignore format: a table
it.for<Row>([
  ['that has no issues any more', { 'a/issues': [], a: 503 }, 'result, result', 0, KNOWN],
  ['that has no issues any more while its submission is at work', { status: 'processing', 'a/issues': [] },
    'unclear results, result', 0, KNOWN],
  ['with an issue that cannot be read, above the count', { listed: list({ issueCount: 1 }), 'a/issues': [ISSUES[0], {}],
    a: { issues: [ISSUES[0]] } }, 'unclear results, result', 20, KNOWN],
  ['that has issues now', { listed: TWO }, 'result, result', 0, CLEAN],
  ['whose count is not in the list', { listed: list(SILENT), a: { issueCount: 2 } }, 'result, result', 0, KNOWN],
  ['that only its own list shows', { listed: TWO, 'a/issues': 404, a: { issues: ISSUES } }, 'result, result', 0, KNOWN],
  ['in a submission that is at work on another file', { status: 'processing', listed: TWO }, 'result, result', 0, KNOWN],
  ['in a failed submission', { status: 'failed', listed: TWO }, 'result, result', 0, KNOWN],
  ['of a missing submission', { status: 404 }, 'missing results, missing results', [20, 22], KNOWN],
  ['of a submission with an unknown status', { status: 'paused' }, 'unclear results, unclear results', 0, KNOWN],
  ['that the list does not have any more', { listed: {} }, 'unclear results, unclear results', 20, KNOWN],
  ['that failed', { listed: list(FAILED), a: 'failed' }, 'unclear results, result', 20, KNOWN],
  ['with an error text, and complete', { listed: list({ ...FAILED, issueCount: 2 }), a: { issues: ISSUES } },
    'result, result', 0, KNOWN],
  ['with more issues than can be read', { listed: list({ issueCount: 3 }) }, 'unclear results, result', 20, KNOWN],
  ['in an outage of the service', { status: 503 }, 'last-known service, last-known service', [90, 125], KNOWN],
  ['in an outage of its lists', { listed: TWO, a: 503, 'a/issues': 503 }, 'last-known service, result', [180, 250],
    KNOWN],
  ['in an outage, with a higher count', { listed: list({ issueCount: 3 }), a: 503, 'a/issues': 503 },
    'unclear results, result', [180, 250], KNOWN],
  ['in an outage, with an error text', { listed: list({ ...FAILED, issueCount: 2 }), a: 503 }, 'unclear results, result',
    [90, 125], KNOWN],
  ['behind a rate limit', { listed: TWO, a: LIMITED, 'a/issues': LIMITED }, 'last-known service, result', 0, KNOWN],
  ['that is refused', { status: 403 }, 'unread refused, unread refused', 0, KNOWN],
  ['without time', {}, 'last-known timeout, last-known timeout', 0, { ...KNOWN, minutes: 0 }],
  ['in a sandbox', { a: 404, 'a/issues': 404 }, 'result, result', 0, { ...KNOWN, ...SANDBOX }],
])('a reused file %s', checkRow);

it.for<[string, Said, Look | undefined, boolean]>([
  ['an outage', { b: 503 }, undefined, false],
  ['an outage and a count', { listed: list({}, { issueCount: 1 }), b: 503 }, undefined, true],
  ['an outage and an error text', { listed: list({}, { ...SILENT, ...FINAL }), b: 503 }, undefined, true],
  [
    'an outage and a count of an asset of no file',
    { listed: { ...list(), c: { issueCount: 2 } }, c: { filename: 'c.jpg' }, 'c/issues': ISSUES, b: 503 },
    undefined,
    true,
  ],
  [
    'an outage of a reused file, and a count of an asset of no file',
    {
      listed: { ...list({}, { issueCount: 1 }), c: { issueCount: 1 } },
      c: { filename: 'c.jpg' },
      b: 503,
      'b/issues': 503,
    },
    { known: { b: ['x'] } },
    true,
  ],
  ['an outage in a failed submission', { status: 'failed', listed: list({}, SILENT), b: 503 }, undefined, true],
  ['an outage and a text about the submission', { status: { errorMessage: 'Bad.' }, b: 503 }, undefined, true],
  [
    'an outage and the known count',
    { listed: list({}, { issueCount: 1 }), b: 503, 'b/issues': 503 },
    { isAsked: true, known: { b: ['x'] } },
    false,
  ],
])('whether the service has reported something against a file: %s', async ([, said, options, expected]) => {
  const { analyses } = await lookAt(said, options);
  expect(analyses[1]).toMatchObject({ outcome: expect.not.stringMatching(/^result$/), isSuspicious: expected });
});

const NO_ACCESS = new ConnectionError('The certificate is not trusted', 'no access');

it.for<[string, Reply]>([
  ['401', 401],
  ['402', 402],
  ['a certificate that is not trusted', NO_ACCESS],
])('%s ends the run', async ([, status]) => {
  for (const said of [{ status }, { a: status }, { ...RETRIED, a: 'failed', 'a/retry': status }])
    await expect(lookAt(said)).rejects.toMatchObject({ endsRun: true });
});

it.for([
  [40, 'processing, 40 %.'],
  [0, 'processing.'],
] as const)('a timeout names what the service said last (%i %%); the log has a line every minute', async (row) => {
  const [progressPercent, text] = row;
  const status = { status: 'processing', progressPercent };
  const { analyses, lines } = await lookAt({ status, a: 'processing' });
  const message = `The analysis was not finished in time: ${text}`;
  expect(analyses[0]?.cause).toMatchObject({ message, submission: 'open' });
  expect(lines.length).toBeGreaterThan(30);
});

// biome-ignore format: a table
it.for<[string, Said, message: string, steps: readonly RegExp[]]>([
  ['failed, which the file may be to blame for', { status: 'failed', listed: list(FINAL), a: 'failed' },
    'The service could not analyse the file: It broke.',
    [/^Check that \{file\} can be opened/, /re-run this job\. It sends and bills the same bytes again\.$/]],
  ['failed without a text about it', { status: { status: 'failed', errorMessage: 'No power.' }, listed: list({}, {}), a: 'failed' },
    'The service could not analyse the file: it says about the whole submission: No power.',
    [/^Re-run this job\. It sends and bills/, /support/]],
  ['failed, and may be retried', { ...RETRIED, a: 'failed', 'a/retry': 409 },
    'The service could not analyse the file: It broke. It was not retried: The compliance service responded with 409 while retrying an asset.',
    [/retries at no cost what has failed/, /support/, /`reuse-days: 0` and with nothing else in `files`\. It sends and bills/]],
  ['unclear', { a: 404 },
    '1 asset of the submission could not be read, so it is unknown which is this file: asset-a (The compliance service responded with 404 while reading an asset).',
    [/read the results again\. It sends nothing again/, /support/, /`reuse-days: 0` and with nothing else/]],
  ['missing', { status: 404 }, 'The compliance service responded with 404 while reading the submission.',
    [/It sends and bills the file again/, /support/]],
  ['unread', { status: 503 }, 'The compliance service is down (503).',
    [/^Re-run this job later/]],
])('what is said about a file that is %s', async ([, said, message, expected]) => {
  const { analyses } = await lookAt(said);
  const { cause } = analyses[0] ?? {};
  expect(cause?.message).toBe(message);
  expect(cause?.steps.map(({ text }) => text)).toEqual(expected.map((text) => expect.stringMatching(text)));
});

it('the log says how far the analysis is until it has ended, and what the service says about it', async () => {
  const facts = { progressPercent: 40, errorMessage: 'Slow.' };
  const status = steps({ status: 'processing', ...facts }, [1, { status: 'complete', ...facts }]);
  const { lines } = await lookAt({
    status,
    listed: list(FAILED),
    a: steps('failed', [2, 'complete']),
    'a/retry': ACCEPTED,
  });
  expect(lines.slice(0, 3)).toEqual([
    'Submission S: processing, 40 %. The service says: Slow. (after 0 s)',
    'Submission S: complete. The service says: Slow. (after 1 s)',
    'a failed (It broke); retry 1 was accepted',
  ]);
});

const NO_EXTRAS = { topics: [], versionCount: undefined };
const TOPICS = [{ title: 'Health', issueIds: ['x', 'y'] }];
/** Three versions belong to the version group `g`, which is that of asset a. */
const VERSIONS = ['g', 'g', 'other', 'g'].map((versionGroupId) => ({ versionGroupId }));

// biome-ignore format: a table
it.for<[string, number, object, [versions: number, topics: number], issues?: number, version?: number]>([
  ['are added', 200, { topics: TOPICS, versionCount: 3 }, [1, 1]],
  ['are left out if one cannot be read', 404, NO_EXTRAS, [1, 1]],
  ['are not worth an outage', 503, NO_EXTRAS, [6, 5]],
  ['are not asked for before the second issue and version', 200, NO_EXTRAS, [0, 0], 1, 1],
])('topics and versions %s', async ([, status, expected, counts, issueCount = 2, versionNumber = 2]) => {
  const listed = list({ issueCount, versionNumber, versionGroupId: 'g' });
  const extras = {
    'a/topics': response(status, { topics: [{ title: 'Health', issues: ['x', 'y'] }] }),
    versions: response(status, VERSIONS),
  };
  const service = serviceOf({ S: { listed, ...extras, 'a/issues': ISSUES.slice(0, issueCount) } });
  const { analyses } = await look(service);
  const calls = { ...service, deadline: deadlineIn(30) };
  const { value, ms } = await inFakeTime(async () => await withExtras('S', analyses, calls));
  expect(value).toMatchObject([{ outcome: 'result', versionNumber, ...expected }, NO_EXTRAS]);
  const paths = service.asked.map(({ path }) => path);
  expect(['/versions', '/topics'].map((end) => paths.filter((path) => path.endsWith(end)).length)).toEqual(counts);
  expect(ms).toBeLessThan(15_000);
});

it('assets of which none gets a response are not read to the end', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `${index}`);
  const listed = Object.fromEntries(names.map((name) => [name, { issueCount: 0 }]));
  const broken = Object.fromEntries(names.map((name) => [name, 503]));
  const { outcomes, asked } = await look(serviceOf({ S: { listed, ...broken } }), {}, { S: names });
  expect(outcomes).toBe(names.map(() => 'unread service').join(', '));
  expect(new Set(asked).size - 1).toBe(9);
});

it('the time for missing facts begins again when the submission has worked on', async () => {
  const status = steps('complete', [4, 'processing'], [60, 'complete']);
  const said: Said = { status, listed: { a: { issueCount: 0 } }, a: steps<Reply>(404, [70, 'complete']) };
  expect((await look(serviceOf({ S: said }), {}, { S: ['a'] })).outcomes).toBe('result');
});

it('a wait reads again only what the run does not know, and nothing that an earlier run has read', async () => {
  const { client, log, asked } = serviceOf({
    S: { listed: { ...list({ issueCount: 2 }), c: { issueCount: 2 } }, b: 404, 'a/issues': ISSUES },
  });
  const reader = createReader({ client, log, failOnSeverity: 'CRITICAL' });
  const files = ['a', 'b'].map((name) => ({ content: { ...content(name), name: `${name}.png` } }));
  const needed = [{ submissionId: 'S', files, knownAssets: new Set(['asset-c']) }];
  await inFakeTime(async () => await reader.ask(needed, deadlineIn(5)));
  const before = asked.length;
  await inFakeTime(async () => await reader.wait(needed, deadlineIn(30)));
  const paths = new Set(asked.slice(before).map(({ path }) => path));
  expect([...paths].toSorted()).toEqual(['S', 'S/b']);
  expect(asked.some(({ path }) => path.startsWith('S/c'))).toBe(false);
});
