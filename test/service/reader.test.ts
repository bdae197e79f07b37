import { expect } from 'vitest';
import { ConnectionError } from '../../src/http/http.ts';
import { createReader } from '../../src/service/reader.ts';
import { inFakeTime, it } from '../builders/fake-time.ts';
import { content, sentName } from '../builders/media.ts';
import { deadlineIn, LIMITED, type Reply, type Said, serviceOf, steps } from '../builders/service.ts';
import { ACCEPTED, checkRow, FAILED, FINAL, ISSUES, type Look, list, look, lookAt, type Row, SILENT } from './look.ts';

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
    { listed: { ...list(), c: { issueCount: 0 } }, c: { filename: sentName('a') } }, 'unclear results, result', 20],
  ['complete, and a file has no asset', { listed: { a: { issueCount: 0 } } }, 'result, unclear results', 20],
  ['complete, and an asset of no file has an issue',
    { listed: { ...list(), c: { issueCount: 1 } }, c: { filename: 'c.jpg' } }, 'unclear results, unclear results', 20],
  ['complete, and an asset of no file has an issue and cannot be read',
    { listed: { ...list(), c: { issueCount: 1 } }, c: 503 }, 'unclear results, unclear results', [90, 125]],
  ['failed, and another file ends within 20 s',
    { status: 'failed', listed: list(FINAL), a: 'failed', b: steps('processing', [12, 'complete']) },
    'failed asset-failed, result', 12],
  ['an unknown status, until the end', { status: steps('paused', [60, 'complete']) }, 'result, result', [60, 70]],
  ['an unknown status, until the deadline', { status: 'paused' }, 'unclear results, unclear results', 60,
    { minutes: 1 }],
  ['complete, and the work goes on while a fact is awaited',
    { status: steps('complete', [4, 'processing'], [40, 'complete']), b: steps('processing', [30, 'complete']) },
    'result, result', [40, 50]],
  ['a list that never comes', { listed: null }, 'unclear results, unclear results', 20],
  ['processing until the deadline', { status: 'processing', b: 'processing' }, 'result, working timeout', 1_800],
  ['missing twice, each time for a moment', { status: steps(404, [10, 'processing'], [13, 404], [27, 'complete']) },
    'result, result', [27, 30]],
  ['missing until the time is up', { status: 404 }, 'unclear results, unclear results', [6, 8], { minutes: 0.1 }],
  ['a refusal', { status: 403 }, 'unread refused, unread refused', 0],
  ['a rate limit that ends too late, while assets are read', { b: LIMITED }, 'result, unread service', 0],
  ['an outage: what could be read is judged', { status: steps<Reply>('processing', [2, 503]), b: 'processing' },
    'unread service, unread service', [90, 125]],
  ['sandbox: processing until the deadline', { status: 'processing', a: 404, b: 404 },
    'working timeout, working timeout', 60, { ...SANDBOX, minutes: 1 }],
  ['sandbox: complete, and nothing can be read', { listed: list(SILENT), a: 404, b: 404 }, 'result, result', 0, SANDBOX],
])('a wait: %s', checkRow);

const RETRIED = { status: 'failed', listed: list(FAILED), 'a/retry': ACCEPTED };
const CLEAN = { isAsked: true, known: { a: [], b: [] } };
const KNOWN = { isAsked: true, known: { a: ['x', 'y'], b: [] } };
const TWO = list({ issueCount: 2 });

// biome-ignore format: a table
it.for<Row>([
  ['that has no issues any more', { 'a/issues': [] }, 'result, result', 0, KNOWN],
  ['that has no issues any more while the service is at work on it',
    { status: 'processing', 'a/issues': [], a: 'processing' }, 'unclear results, result', 0, KNOWN],
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
  ['in an outage of its lists', { listed: TWO, a: 503, 'a/issues': 503 }, 'last-known service, result', [180, 250],
    KNOWN],
  ['in an outage, with a higher count', { listed: list({ issueCount: 3 }), a: 503, 'a/issues': 503 },
    'unclear results, result', [180, 250], KNOWN],
  ['in an outage, with an error text', { listed: list({ ...FAILED, issueCount: 2 }), a: 503 }, 'unclear results, result',
    [90, 125], KNOWN],
  ['that is refused', { status: 403 }, 'unread refused, unread refused', 0, KNOWN],
  ['without time', {}, 'last-known timeout, last-known timeout', 0, { ...KNOWN, minutes: 0 }],
])('a reused file %s', checkRow);

// biome-ignore format: a table
it.for<[string, Said, boolean, Look?]>([
  ['an outage', { b: 503 }, false],
  ['an outage and a count', { listed: list({}, { issueCount: 1 }), b: 503 }, true],
  ['an outage and an error text', { listed: list({}, { ...SILENT, ...FINAL }), b: 503 }, true],
  ['an outage and a count of an asset of no file',
    { listed: { ...list(), c: { issueCount: 2 } }, c: { filename: 'c.jpg' }, 'c/issues': ISSUES, b: 503 }, true],
  ['an outage of a reused file, and a count of an asset of no file',
    { listed: { ...list({}, { issueCount: 1 }), c: { issueCount: 1 } }, c: { filename: 'c.jpg' }, b: 503, 'b/issues': 503 },
    true, { known: { b: ['x'] } }],
  ['an outage in a failed submission', { status: 'failed', listed: list({}, SILENT), b: 503 }, true],
  ['an outage and a text about the submission', { status: { errorMessage: 'Bad.' }, b: 503 }, true],
  ['an outage and the known count', { listed: list({}, { issueCount: 1 }), b: 503, 'b/issues': 503 }, false,
    { isAsked: true, known: { b: ['x'] } }],
])('whether the service has reported something against a file: %s', async ([, said, expected, options]) => {
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

it('the log has a line every minute, and a timeout names what the service said last', async () => {
  const status = { status: 'processing', progressPercent: 40, errorMessage: 'Slow.' };
  const { analyses, lines } = await lookAt({ status, a: 'processing' });
  const message = 'The analysis was not finished in time: processing, 40 %. The service says: Slow.';
  expect(analyses[0]?.cause).toMatchObject({ message, submission: 'open' });
  expect(lines[0]).toBe('Submission S: processing, 40 %. The service says: Slow. (after 0 s)');
  expect(lines.length).toBeGreaterThan(30);
});

it('assets of which none gets a response are not read to the end', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `${index}`);
  const listed = Object.fromEntries(names.map((name) => [name, { issueCount: 0 }]));
  const broken = Object.fromEntries(names.map((name) => [name, 503]));
  const { outcomes, asked } = await look(serviceOf({ S: { listed, ...broken } }), {}, { S: names });
  expect(outcomes).toBe(names.map(() => 'unread service').join(', '));
  expect(new Set(asked).size - 1).toBe(9);
});

it('a wait reads again only what the run does not know, and nothing that an earlier run has read', async () => {
  const { client, log, asked } = serviceOf({
    S: { listed: { ...list({ issueCount: 2 }), c: { issueCount: 2 } }, b: 404, 'a/issues': ISSUES },
  });
  const reader = createReader({ client, log, failOnSeverity: 'CRITICAL' });
  const files = ['a', 'b'].map((name) => ({ content: content(name) }));
  const needed = [{ submissionId: 'S', files, knownAssets: new Set(['asset-c']) }];
  await inFakeTime(async () => await reader.ask(needed, deadlineIn(5)));
  const before = asked.length;
  await inFakeTime(async () => await reader.wait(needed, deadlineIn(30)));
  const paths = new Set(asked.slice(before).map(({ path }) => path));
  expect([...paths].toSorted()).toEqual(['S', 'S/b']);
  expect(asked.some(({ path }) => path.startsWith('S/c'))).toBe(false);
});
