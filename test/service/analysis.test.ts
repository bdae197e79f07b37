import assert from 'node:assert/strict';
import { expect, it } from 'vitest';
import type { Cause } from '../../src/causes/cause.ts';
import { type Analysis, analysesOf, failedBefore, reusedAnalysis } from '../../src/service/analysis.ts';
import { ENDPOINTS, type Mode } from '../../src/service/endpoints.ts';
import { countVersions } from '../../src/service/extras.ts';
import { parseTopics } from '../../src/service/issue.ts';
import { type AssetReading, type Retry, readAsset, unreadAsset } from '../../src/service/read-asset.ts';
import { type ListedAsset, statusOf } from '../../src/service/responses.ts';
import { orError, ServiceError } from '../../src/service/service-error.ts';
import type { SubmissionReading } from '../../src/service/submission-reading.ts';
import { issues, listedAsset, possibleStatus } from '../builders/analyses.ts';
import { content } from '../builders/media.ts';
import { deadlineIn, type Reply, refusal, response, serviceOf } from '../builders/service.ts';

interface Facts {
  readonly readings?: readonly AssetReading[];
  readonly earlyEnd?: Cause;
  readonly isSandbox?: boolean;
  /** The word of the submission, or `undefined` if it could not be read. Default: complete. */
  readonly status?: string | undefined;
  readonly error?: ServiceError;
  readonly errorMessage?: string | undefined;
}

const a = { ...content('a'), name: 'a.png' };

interface Responses {
  readonly listed?: Partial<ListedAsset>;
  /** The reply about the asset itself. */
  readonly own?: Reply;
  /** The reply with the enriched list of its issues. */
  readonly list?: Reply;
  readonly mode?: Mode;
  /** What an earlier poll has read of the asset. */
  readonly before?: AssetReading;
}

const FIRST = unreadAsset('S', listedAsset('asset-a', { issueCount: 1 }));
const BEFORE: AssetReading = {
  ...FIRST,
  own: { filename: a.name, status: statusOf('complete') },
  issues: issues('x'),
  enrichedIssues: { items: issues('x'), size: 2 },
};

function items(...ids: readonly string[]): readonly object[] {
  return ids.map((id) => ({ id, severity: 'MINOR' }));
}

/** Reads one asset from a service with these responses, and judges it. */
async function judged({ listed = { issueCount: 0 }, own = {}, list = 404, mode = 'live', before }: Responses) {
  const { client } = serviceOf({ S: { a: own, 'a/issues': list } }, { mode });
  const first = before ?? unreadAsset('S', listedAsset('asset-a', listed));
  const calls = { client, deadline: deadlineIn(30) };
  return analysisOf({ readings: [await readAsset(first, calls, async (send) => await orError(send()))] });
}

function submissionOf({ status, error, errorMessage, readings = [] }: Facts): SubmissionReading {
  const response =
    status === undefined ? undefined : { submissionId: 'S', status: possibleStatus(status), assets: [], errorMessage };
  const assets = new Map(readings.map((each) => [each.listed.assetId, each]));
  return { submissionId: 'S', contents: [a], response, error, assets };
}

function analysisOf(given: Facts): Analysis {
  const { earlyEnd, isSandbox = false, ...facts }: Facts = { status: 'complete', ...given };
  const [analysis] = analysesOf(submissionOf(facts), { earlyEnd, isSandbox });
  assert(analysis);
  return analysis;
}

function messageOf({ causes }: Analysis): string {
  return causes.map(({ message }) => message).join('\n');
}

it('the list of issues says more than the asset itself', async () => {
  const [own, list] = ['own', 'list'].map((summary) => ({ id: 'x', severity: 'MINOR', summary }));
  const { issues } = await judged({ listed: { issueCount: 1 }, own: { issues: [own] }, list: [list] });
  expect(issues).toMatchObject([{ id: 'x', summary: 'list' }]);
});

// biome-ignore format: a table
it.each<[string, Responses, string]>([
  ['no issues: their list is not read', {}, ''],
  ['as many issues as are counted', { listed: { issueCount: 2 }, list: items('x', 'y') }, ''],
  ['two lists that are only together whole',
    { listed: { issueCount: 2 }, own: { issues: items('x') }, list: items('y') }, ''],
  ['a count of the asset itself', { listed: {}, own: { issueCount: 0 } }, ''],
  ['no count in a sandbox', { listed: {}, mode: 'sandbox' }, ''],
  ['the asset itself has the highest count',
    { listed: { issueCount: 1 }, own: { issueCount: 3 }, list: items('x', 'y') },
    'counts 3 issues, but only 2 could be read'],
  ['the list of assets has the highest count',
    { listed: { issueCount: 3 }, own: { issueCount: 1 }, list: items('x', 'y') },
    'counts 3 issues, but only 2 could be read'],
  ['a list that is longer than the count', { listed: { issueCount: 1 }, list: [...items('x'), {}] },
    'lists an issue that could not be read'],
  ['an unreadable item, but the asset itself has every issue that is counted',
    { listed: { issueCount: 1 }, own: { issues: items('y') }, list: [...items('x'), {}] }, ''],
  ['an unreadable item of the asset itself', { listed: { issueCount: 1 }, own: { issues: [{}] }, list: items('x') },
    'lists an issue that could not be read'],
  ['an unreadable item in a sandbox', { listed: {}, mode: 'sandbox', own: { issues: [{}] } },
    'counts 1 issue, but only 0 could be read'],
  ['a count of null is not 0', { listed: {}, own: { issueCount: null }, list: [] }, 'not how many issues it found'],
  ['a list that is missing', { listed: { issueCount: 1 } }, 'responded with 404 while reading the issues'],
  ['an asset that is not complete', { own: { status: 'processing' } },
    'is still analysing this file: it reports the status "processing"'],
  ['an asset whose status nobody knows', { own: { status: 'paused' } },
    'reports the status "paused" for this file, which is none of its documented statuses, so this file does not'],
  ['every issue twice, and both counted', { listed: { issueCount: 4 }, list: items('x', 'y', 'x', 'y') }, ''],
  ['one of two issues twice', { listed: { issueCount: 3 }, list: items('x', 'y', 'x') },
    'counts 3 issues, but only 2 could be read'],
  ['every issue twice, and one more is counted', { listed: { issueCount: 5 }, list: items('x', 'y', 'x', 'y') },
    'counts 5 issues, but only 2 could be read'],
  ['an asset that is missing', { own: 404 },
    '1 asset of the submission could not be read, so it is unknown which is this file: asset-a (The'],
  ['a missing asset that was read earlier',
    { before: { ...BEFORE, enrichedIssues: { items: issues('x'), size: 1 } }, own: 404 }, ''],
  ['an issue that only an earlier response had',
    { before: { ...FIRST, issues: issues('z') }, own: { issueCount: 2 }, list: items('x') },
    'counts 2 issues, but only 1 could be read'],
  ['a missing asset that was read earlier, with an unreadable item', { before: BEFORE, own: 404 },
    'responded with 404 while reading an asset'],
  ['an earlier unreadable item, and the list is missing', { before: BEFORE, own: {} },
    'responded with 404 while reading the issues'],
  ['a later reading without an unreadable item',
    { before: BEFORE, own: { issues: items('x') }, list: items('x') }, ''],
  ['a later reading after an error',
    { before: { ...FIRST, error: new ServiceError(ENDPOINTS.create, refusal(404)) }, own: { status: 'processing' } },
    'has not confirmed that this file is complete, but says about it: it counts 1 issue'],
])('a file is judged only if all its issues were read: %s', async (_, responses, missing) => {
  const analysis = await judged(responses);
  expect(messageOf(analysis)).toContain(missing);
  expect(analysis.outcome).toBe(missing === '' ? 'judged' : 'unjudged');
  const causes = analysis.causes.map(({ reason, path }) => `${reason} ${path}`);
  expect(causes).toEqual(missing === '' ? [] : ['results a']);
});

const uuid = (id: string): string => `${id}0000000-0000-4000-8000-000000000000`;
const ITEMS = ['a', 'b'].map((id) => ({ id: uuid(id), severity: 'MINOR', referenceNumber: 7 }));

/** How a service may list two issues, whether both can be read, and whether an entry is left that is none. */
const FORMS: Readonly<Record<string, readonly [list: unknown, isReadable: boolean, hasRest?: true]>> = {
  bare: [ITEMS, true],
  named: [{ issues: ITEMS }, true],
  'named otherwise': [{ total: 2, findings: ITEMS }, true],
  'in two lists': [{ open: ITEMS.slice(0, 1), closed: ITEMS.slice(1) }, true],
  wrapped: [ITEMS.map((item) => ({ issue: item })), true],
  nested: [{ data: { page: { issues: ITEMS } } }, true],
  'beside links': [{ data: ITEMS, links: [{ rel: 'self' }, { rel: 'next' }, { rel: 'last' }] }, true],
  'by id': [Object.fromEntries(ITEMS.map(({ id, ...item }) => [id, item])), true],
  'numbers as texts': [ITEMS.map((item) => ({ ...item, referenceNumber: '7' })), true],
  'with a row for the sum': [[...ITEMS, { id: 'total', count: 2 }], true, true],
  'with null': [[...ITEMS, null], true, true],
  'with an id that is none': [[...ITEMS, { id: '$(a)', severity: 'MINOR' }], true, true],
  'ids alone': [ITEMS.map(({ id }) => id), false],
  'without ids': [ITEMS.map(({ severity }) => ({ severity })), false],
  'a text': ['2 issues', false],
  null: [null, false],
  'too deep': [[[[[[[[ITEMS]]]]]]], false],
};
const COUNTS = [{ listed: 2 }, { own: 2 }, { listed: 2, own: 2 }, {}] as const;
const CASES = Object.entries(FORMS).flatMap(([form, facts]) =>
  [true, false].flatMap((isOwn) => COUNTS.map((counts) => [form, isOwn, counts, facts] as const)),
);

it.each(CASES)('a separate list in the form "%s", with the asset\'s own issues: %s, counted %j', async (...given) => {
  const [, isOwn, counts, [list, isReadable, hasRest]] = given;
  const own = { ...(isOwn && { issues: ITEMS }), issueCount: 'own' in counts ? counts.own : null };
  const listed = { issueCount: 'listed' in counts ? counts.listed : null };
  const analysis = await judged({ listed, own, list: response(200, list) });
  const isCounted = Object.keys(counts).length > 0;
  expect(analysis.outcome === 'judged').toBe(isCounted && (isOwn || (isReadable && !hasRest)));
  expect(analysis.issues).toHaveLength(isOwn || isReadable ? 2 : 0);
  expect([typeof parseTopics(list, []), typeof (countVersions(list, {}) ?? 0)]).toEqual(['object', 'number']);
});

it('issues that were read count, whatever is missing', async () => {
  const { issues: read } = await judged({ listed: { issueCount: 5 }, own: { issues: items('x') }, list: items('y') });
  expect(read.map(({ id }) => id).toSorted()).toEqual(['x', 'y']);
});

it('the version is that of the list, or else of the asset itself', async () => {
  const own = { versionNumber: 3, versionGroupId: 'own' };
  expect(await judged({ listed: { issueCount: 0, versionNumber: 2 }, own })).toMatchObject({ versionNumber: 2 });
  expect(await judged({ listed: { issueCount: 0, versionNumber: null }, own })).toMatchObject(own);
});

const TIMEOUT: Cause = { reason: 'timeout', message: 'Too late.', steps: [] };
const DOWN = new ServiceError(ENDPOINTS.readAsset, refusal(503));
const REFUSED = new ServiceError(ENDPOINTS.readSubmission, refusal(403));
const GONE = new ServiceError(ENDPOINTS.readIssues, refusal(404));
const SURPLUS = 'has 1 asset that cannot be assigned to a file (2 ';
const NO_ASSET = 'The submission has no asset with the name of this file.';
const MOVED = { count: 1, requestedAt: 0, movedTo: 'T' };
const BROKEN = { errorType: 'E', errorMessage: 'It broke.' };

function ownOf(word: string, filename = a.name): Pick<AssetReading, 'own'> {
  return { own: { filename, status: possibleStatus(word) } };
}

/** An asset that was read: complete and without issues, unless `facts` says otherwise. */
function reading(facts: Partial<AssetReading>, listed: Partial<ListedAsset> = {}, id = '1'): AssetReading {
  return { ...unread(facts, listed, id), ...ownOf('complete'), issueCount: 0, ...facts };
}

function unread(facts: Partial<AssetReading>, listed: Partial<ListedAsset> = {}, id = '1'): AssetReading {
  return { ...unreadAsset('S', listedAsset(id, listed)), ...facts };
}

/** Returns a text such as "unjudged service open". */
function describeAnalysis({ outcome, causes }: Analysis): string {
  return [outcome, ...causes.flatMap(({ reason, submission }) => [reason, submission])].filter(Boolean).join(' ');
}

const LATE = { earlyEnd: TIMEOUT };
const FAILED = { status: 'failed' };
const LATE_AND_FAILED = { ...LATE, ...FAILED };
const UNKNOWN = { ...LATE, status: 'paused' };
const OPEN = reading(ownOf('processing'));

// biome-ignore format: a table
it.each<[string, readonly AssetReading[], Facts, string, message?: string]>([
  ['no assets at all', [], {}, 'unjudged results', NO_ASSET],
  ['two assets of one name', [reading({}), reading({}, {}, '2')], {}, 'unjudged results', 'has 2 assets with the name'],
  ['failed, with the words of the service', [reading(ownOf('failed'), BROKEN)], {}, 'failed asset-failed',
    'The service could not analyse the file: E: It broke.'],
  ['failed, and the wait was interrupted', [reading(ownOf('failed'), BROKEN)], LATE, 'failed asset-failed'],
  ['complete beside an old error text', [reading({}, BROKEN)], {}, 'judged'],
  ['complete with a fact missing', [reading({ issueCount: undefined })], LATE, 'unjudged results', 'not how many'],
  ['unfinished at the interruption', [OPEN], LATE, 'unjudged timeout', 'Too late.'],
  ['unread at the interruption', [unread({})], LATE, 'unjudged timeout', 'Too late.'],
  ['unread, and it may have failed', [unread({}, BROKEN)], LATE, 'unjudged results',
    'Its assets: 1 (E: It broke, not read).'],
  ['unread because of an outage', [unread({ error: DOWN })], {}, 'unjudged service open'],
  ['unread in an outage, and may have failed', [unread({ error: DOWN }, BROKEN)], {}, 'unjudged results'],
  ['an outage before the list of issues', [reading({ issueCount: 1, error: DOWN })], {}, 'unjudged results',
    `The service counts 1 issue, but only 0 could be read. ${DOWN.message}.`],
  ['an outage that hit another file', [reading({ ...ownOf('complete', 'other.png'), error: DOWN })], {},
    'unjudged results', `${NO_ASSET} Its assets: other.png.`],
  ['unread, and another file has failed', [unread({}), reading(ownOf('failed', 'other.png'), BROKEN, '2')], LATE,
    'unjudged timeout'],
  ['failed, and its retry goes on elsewhere', [reading({ ...ownOf('failed'), retry: MOVED })], {}, 'unjudged results',
    'goes on with the retry of this file in another submission (T)'],
  ['in a failed submission, no assets at all', [], FAILED, 'failed asset-failed',
    'it reports the status "failed" and no reason.'],
  ['in a failed submission, unread', [unread({ error: GONE }, BROKEN)], FAILED, 'failed asset-failed', 'E: It broke.'],
  ['in a failed submission, unread with results', [unread({ error: GONE, issueCount: 0 })], FAILED, 'unjudged results'],
  ['in a failed submission, unread in an outage', [unread({ error: DOWN })], FAILED, 'unjudged results'],
  ['in a failed submission, unread in an outage, with a text', [unread({ error: DOWN }, BROKEN)], FAILED,
    'failed asset-failed', 'E: It broke.'],
  ['in a failed submission, one of two with a text', [unread({}, BROKEN), unread({ error: DOWN }, {}, '2')], FAILED,
    'unjudged results', `2 assets of the submission could not be read`],
  ['in a failed submission, unfinished', [OPEN], LATE_AND_FAILED, 'unjudged results open'],
  ['in a failed submission, with issues that an outage hides', [reading({ issueCount: 1, error: DOWN })], FAILED,
    'unjudged results'],
  ['in a failed submission that alone gives a reason', [reading(ownOf('failed'))],
    { ...FAILED, errorMessage: 'No disk.' }, 'failed asset-failed', 'it says about the whole submission: No disk.'],
  ['in a submission of unknown status, unfinished', [OPEN], UNKNOWN, 'unjudged results open'],
  ['in a submission of unknown status, without an asset', [], UNKNOWN, 'unjudged results open',
    'status "paused" for the'],
  ['in a submission of unknown status, complete', [reading({})], UNKNOWN, 'unjudged results open',
    'so this file does not pass'],
  ['unfinished with an error text', [reading(ownOf('processing'), BROKEN)], LATE, 'unjudged results',
    'has not confirmed that this file is complete, but says about it: E: It broke.'],
  ['unfinished with an issue', [reading({ ...ownOf('processing'), issueCount: 1 })], LATE, 'unjudged results',
    'says about it: it counts 1 issue.'],
  ['unfinished with an issue that nobody counts',
    [reading({ ...ownOf('processing'), issueCount: undefined, issues: issues('x') })], LATE, 'unjudged results'],
  ['unread with an issue', [unread({ issueCount: 1 })], LATE, 'unjudged results', 'Its assets: 1 (1 issue, not read).'],
  ['unread in an outage, without issues', [unread({ issueCount: 0, error: DOWN })], {}, 'unjudged service open'],
  ['without a list at the end', [], { status: undefined }, 'unjudged results',
    'has not listed the submission'],
  ['failed, and its submission cannot be read', [reading(ownOf('failed'))], { status: undefined, error: REFUSED },
    'unjudged results', 'responded with 403 while reading the submission.'],
  ['cancelled after a retry', [reading({ ...ownOf('cancelled'), retry: { count: 1, requestedAt: 0 } }, BROKEN)], {},
    'failed asset-failed', 'which means that somebody stopped the analysis: E: It broke.'],
])('an analysis: %s', (_, readings, facts, expected, message = '') => {
  const analysis = analysisOf({ readings, ...facts });
  expect(describeAnalysis(analysis)).toBe(expected);
  expect(messageOf(analysis)).toContain(message);
});

const UNJUDGED = 'unjudged results';
const IS_OPEN = `${UNJUDGED} open`;
const FAILED_FOR_GOOD = 'failed asset-failed';

// biome-ignore format: a table
it.each([
  ['processing', 'judged',        IS_OPEN,         UNJUDGED,        'judged'],
  ['complete',   'judged',        'judged',        UNJUDGED,        'judged'],
  ['failed',     'judged',        FAILED_FOR_GOOD, FAILED_FOR_GOOD, 'judged'],
  ['paused',     IS_OPEN,         IS_OPEN,         IS_OPEN,         UNJUDGED],
  ['cancelled',  FAILED_FOR_GOOD, FAILED_FOR_GOOD, FAILED_FOR_GOOD, UNJUDGED],
  ['revoked',    FAILED_FOR_GOOD, FAILED_FOR_GOOD, FAILED_FOR_GOOD, UNJUDGED],
])('what becomes of a file under the status %s', (status, ...expected) => {
  const asset = reading({}, { isRetryable: true });
  const earlier = { name: a.name, assetId: '1', issues: [] };
  const analyses = [
    // Of its submission, if its asset is complete; of its asset, in a complete submission; of its submission alone.
    analysisOf({ status, readings: [asset] }),
    analysisOf({ readings: [reading(ownOf(status))] }),
    analysisOf({ status }),
    reusedAnalysis(submissionOf({ status }), { content: a, asset: { ...asset, earlier } }, { isSandbox: false }),
  ];
  expect(analyses.map(describeAnalysis)).toEqual(expected);
  const failed = analyses.filter(({ outcome }) => outcome === 'failed');
  expect(failed.filter(({ prospect }) => prospect !== 'failed for good')).toEqual([]);
});

it('a file that was cancelled itself has failed for good, even if its submission is not finished', () => {
  const { prospect } = analysisOf({ ...LATE, status: 'processing', readings: [reading(ownOf('cancelled'))] });
  expect(prospect).toBe('failed for good');
});

it.each([
  ['is running', 'processing', { issueCount: null }, 'retried'],
  ['is running, and its asset cannot be read', undefined, { issueCount: null, retryCount: 1 }, 'retried'],
  ['has failed again', 'failed', { ...BROKEN, isRetryable: true }, 'not healed'],
  ['has failed for the sixth time', 'failed', { ...BROKEN, isRetryable: true, retryCount: 6 }, 'failed for good'],
])('what is expected of a file whose accepted retry %s', (_, status, listed, expected) => {
  const retry = { count: 1, requestedAt: 0, isEffective: true } as const;
  const own = status === undefined ? { own: undefined, issueCount: undefined } : ownOf(status);
  const { prospect } = analysisOf({ ...FAILED, readings: [reading({ ...own, retry }, listed)] });
  expect(prospect).toBe(expected);
});

it.each([
  ['has failed, and may be retried', reading(ownOf('failed'), { ...BROKEN, isRetryable: true })],
  ['cannot be read', unread({ error: DOWN }, { isRetryable: true })],
  [
    'is unfinished after a retry',
    reading({ ...ownOf('processing'), retry: { count: 1, requestedAt: 0, isEffective: true } }),
  ],
  ['has an issue', reading({ issueCount: 1, issues: issues('x') })],
])('no result of a cancelled submission is expected, although the asset %s', (_, asset) => {
  const {
    outcome,
    prospect,
    causes,
    issues: counted,
  } = analysisOf({ status: 'cancelled', readings: [asset], earlyEnd: TIMEOUT });
  expect({ outcome, prospect }).toEqual({ outcome: 'failed', prospect: 'failed for good' });
  expect(causes[0]?.message).toContain('the status "cancelled" for the submission, which means that somebody stopped');
  expect(causes[0]?.steps.map(({ actor }) => actor)).toEqual(['anyone', 'workflow owner']);
  expect(counted).toEqual(asset.issues);
});

it.each([
  ['failed', 'anyone, workflow owner, workflow owner'],
  ['processing', 'anyone, workflow owner, workflow owner'],
  ['cancelled', 'workflow owner, workflow owner'],
])('who acts if a reused file is now %s: a re-run alone may not be enough', (status, actors) => {
  const asset = reading({ ...ownOf(status), earlier: { name: a.name, assetId: '1', issues: [] } });
  const { causes } = reusedAnalysis(submissionOf({ status: 'complete' }), { content: a, asset }, { isSandbox: false });
  expect(causes[0]?.steps.map(({ actor }) => actor).join(', ')).toBe(actors);
  expect(causes[0]?.steps.map(({ text }) => text).join(' ')).toContain('`reuse-days: 0`');
});

it.each([
  ['a file', a, 'To send it again, re-run this job when'],
  [
    'a Git LFS pointer',
    { ...a, file: undefined },
    'To send it again, check it out with `lfs: true` and re-run that job',
  ],
])('how %s is sent again that has failed for good', (_, given, expected) => {
  const saved = { submissionId: 'S', at: '2026-11-01T10:00:00Z', message: 'It broke.' };
  expect(messageOf(failedBefore(given, saved, undefined, false))).toContain(expected);
});

const AGAIN = 'It sends and bills the same bytes again.';

// biome-ignore format: a table
it.each<[string, Partial<ListedAsset>, Facts, actors: string, note: string | undefined]>([
  ['explains for its file', BROKEN, {}, 'author, anyone', AGAIN],
  ['explains for the whole submission', {}, {}, 'anyone, workflow owner', AGAIN],
  ['does not explain', {}, { errorMessage: undefined }, 'anyone, workflow owner', AGAIN],
  ['would retry', { ...BROKEN, isRetryable: true }, {}, 'anyone, workflow owner', undefined],
  ['simulates', BROKEN, { isSandbox: true }, 'anyone, workflow owner', 'It sends the same bytes again.'],
])('who acts on a failure that the service %s, and what a re-run does', (_, listed, facts, actors, note) => {
  const readings = [reading(ownOf('failed'), listed)];
  const [cause] = analysisOf({ readings, ...FAILED, errorMessage: 'No disk.', ...facts }).causes;
  expect(cause?.steps.map(({ actor }) => actor).join(', ')).toBe(actors);
  const again = cause?.steps.find(({ actor }) => actor === 'anyone')?.text;
  expect(again?.includes(note ?? 'bills')).toBe(note !== undefined);
});

it.each<[string, readonly AssetReading[], Facts['status'], string]>([
  ['it may be one of the file', [reading({}), unread({}, {}, '2')], 'complete', SURPLUS],
  ['it has results', [reading({}), unread({ issueCount: 0 }, {}, '2')], 'failed', SURPLUS],
  ['it has failed', [reading({}), unread({ error: GONE }, {}, '2')], 'failed', 'judged: '],
  ['a fact is missing as well', [reading({ issueCount: undefined }), unread({}, {}, '2')], 'complete', 'how many'],
  ['the list of assets is unknown', [reading({}), unread({}, {}, '2')], undefined, 'has not listed the submission'],
  ['there is none, and the list of assets is unknown', [reading({})], undefined, 'timeout: Too late.'],
])('an asset too many without a name: %s', (_, readings, status, expected) => {
  const analysis = analysisOf({ readings, earlyEnd: TIMEOUT, status });
  expect(`${describeAnalysis(analysis)}: ${messageOf(analysis)}`).toContain(expected);
});

const STRAY = 'The submission has 1 asset that cannot be assigned to a file (poster.jpg)';

// biome-ignore format: a table
it.each<[string, Partial<AssetReading>, string]>([
  ['without issues', {}, 'judged: '],
  ['with an issue', { issues: issues('x'), issueCount: 1 }, `unjudged results: ${STRAY}`],
  ['with a count, whose issues cannot be read', { issueCount: 1, error: GONE }, `unjudged results: ${STRAY}`],
  ['with an error text', { listed: listedAsset('2', BROKEN) }, 'judged: '],
])('an asset of our submission that is no file of ours, %s', (_, facts, expected) => {
  const stray = reading({ ...ownOf('complete', 'poster.jpg'), ...facts }, {}, '2');
  const analysis = analysisOf({ readings: [reading({}), stray] });
  expect(`${describeAnalysis(analysis)}: ${messageOf(analysis)}`).toContain(expected);
});

it.each([
  ['its own asset is missing', []],
  ['its own asset is running', [reading(ownOf('processing', a.name))]],
  ['its own asset has failed', [reading(ownOf('failed', a.name))]],
])('a timeout does not excuse a file beside an issue of no file of ours, if %s', (_, own) => {
  const stray = reading({ ...ownOf('complete', 'poster.jpg'), issueCount: 1 }, {}, '2');
  const analysis = analysisOf({ status: 'processing', readings: [...own, stray], earlyEnd: TIMEOUT });
  expect(describeAnalysis(analysis)).toBe('unjudged results');
});

it('if two assets have one name, the issues of both count', () => {
  const readings = [reading({ issues: issues('x') }), reading({ issues: issues('x', 'y') }, {}, '2')];
  const { issues: read } = analysisOf({ readings });
  expect(read.map(({ id }) => id).toSorted()).toEqual(['x', 'y']);
});

const NO = new ServiceError(ENDPOINTS.retryAsset, refusal(409));
const CONFLICT = 'The compliance service responded with 409 while retrying an asset';

it.each<[Omit<Retry, 'requestedAt'>, string]>([
  [{ count: 1, isEffective: true }, ' after 1 retry: E: It broke.'],
  [{ count: 1 }, ' after 1 retry: E: It broke.'],
  [{ count: 0, error: NO }, `: E: It broke. No retry was possible: ${CONFLICT}.`],
  [{ count: 2, error: NO }, ` after 2 retries: E: It broke. No other retry was possible: ${CONFLICT}.`],
])('a file failed with the retry %o', (retry, expected) => {
  const readings = [reading({ ...ownOf('failed'), retry: { ...retry, requestedAt: 0 } }, BROKEN)];
  expect(messageOf(analysisOf({ readings }))).toBe(`The service could not analyse the file${expected}`);
});
