import * as fc from 'fast-check';
import { expect } from 'vitest';
import { ConnectionError } from '../../src/http/http.ts';
import { NO_RESPONSES, type PlanBasis, type RecordUse, useOf } from '../../src/plan/candidates.ts';
import { makePlan, previousSubmissions, withSource } from '../../src/plan/plan.ts';
import {
  earlierFailures,
  type QueryOptions,
  querySubmissions,
  readReused,
  retryFailures,
} from '../../src/plan/query.ts';
import { stepsAfterFailure } from '../../src/service/analysis.ts';
import type { Mode } from '../../src/service/endpoints.ts';
import type { Issue } from '../../src/service/issue.ts';
import { createReader } from '../../src/service/reader.ts';
import type { ListedAsset } from '../../src/service/responses.ts';
import type { ContentRecord, PathRecord } from '../../src/state/document.ts';
import { issue } from '../builders/analyses.ts';
import { content, file, sha } from '../builders/media.ts';
import { analysed, basis, daysAgo, failed, open, pathRecord } from '../builders/states.ts';
import { clientOf, deadlineIn, inFakeTime, it, response } from '../service/fake-service.ts';

/** By path: an HTTP status, a body, an error, or a function of the elapsed seconds that returns one of them. */
type Responses = Readonly<Record<string, unknown>>;

const DOWN = new ConnectionError('connection refused', 'no access');
const LIMITED = { retryAfter: '3600' };

/** A service with these responses. Every other asset is complete, and every other submission is missing. */
function serviceOf(responses: Responses, mode?: Mode) {
  const startedAt = performance.now();
  return clientOf((request) => {
    const path = request.replace(/^\w+ \/submissions\//, '');
    const [, assetId = ''] = /\/assets\/([^/]+)$/.exec(path) ?? [];
    const complete = { assetId, filename: `${assetId.replace('asset-', '')}.png`, status: 'complete' };
    const given = responses[path] ?? (assetId === '' ? 404 : complete);
    const value = typeof given === 'function' ? given((performance.now() - startedAt) / 1000) : given;
    if (value instanceof Error) throw value;
    if (value === LIMITED) return response(429, {}, LIMITED.retryAfter);
    if (typeof value === 'number') return response(value, {}, '10');
    return response(200, path.includes('/') ? value : { ...value, submissionId: path });
  }, mode);
}

interface Case extends Partial<Pick<QueryOptions, 'failOnSeverity'>> {
  readonly mode?: Mode;
  /** The files of the run. The seed `A` stands for the content of a.png. */
  readonly seeds?: readonly string[];
  readonly records: readonly (ContentRecord | readonly ContentRecord[])[];
  readonly paths?: readonly PathRecord[];
  readonly responses: Responses;
  readonly minutes?: number;
  readonly rules?: Partial<PlanBasis>;
  /** The records that are known after all states have been loaded, if these are more. */
  readonly later?: readonly ContentRecord[];
}

/** Queries the submissions, repeats that with the later records, plans, and reads the issues of reused files. */
async function queried({ seeds = ['A', 'B', 'C'], records, paths = [], responses, later, rules, ...given }: Case) {
  const { minutes = 5, mode, ...changes } = given;
  const service = serviceOf(responses, mode);
  const files = seeds.map((seed) => file(`${seed.toLowerCase()}.png`, seed));
  const first = basis(files, { contents: records.flat(), paths: [...paths] }, rules);
  const last = later ? basis(files, { contents: [...later], paths: [...paths] }) : first;
  const { value, ms } = await inFakeTime(async () => {
    const reader = createReader(service);
    const options = { failOnSeverity: 'CRITICAL', ...changes, reader, deadline: deadlineIn(minutes) } as const;
    let heard = NO_RESPONSES;
    for (const each of new Set([first, last]))
      heard = await querySubmissions(each, await retryFailures(each, heard, options), options);
    const plan = makePlan(last, heard);
    const failures = earlierFailures(plan, heard, mode === 'sandbox');
    return { heard, plan, analyses: [...(await readReused(plan, options)), ...failures] };
  });
  const useIn = (submissionId: string, seed: string): RecordUse | undefined => {
    const record = last.earlierState.records.get(sha(seed))?.find((each) => each.submissionId === submissionId);
    return record && useOf(record, value.heard, last);
  };
  const reads = service.requests.map((request) => request.replace(/^\w+ \/submissions\//, ''));
  return { ...value, useIn, reads, seconds: Math.round(ms / 1000) };
}

/** The response about a submission. `assets` has the entry of each asset, by the seed of its content. */
function listing(status: string, assets: Readonly<Record<string, Partial<ListedAsset>>> = {}) {
  const listed = Object.entries(assets).map(([seed, facts]) => ({ assetId: `asset-${seed}`, ...facts }));
  return { status, assets: listed };
}

/** A response that changes after ten seconds. */
function lagging(before: unknown, after: unknown): (seconds: number) => unknown {
  return (seconds) => (seconds < 10 ? before : after);
}

function counted(issueCount: number | null, facts: Partial<ListedAsset> = {}) {
  return listing('complete', { A: { issueCount, ...facts } });
}

const own = (facts: object) => ({ assetId: 'asset-A', filename: 'A.png', status: 'complete', ...facts });
const ISSUE = issue({ id: 'i1' });
const [DISMISSED, SECOND] = [{ ...ISSUE, status: 'DISMISSED' }, issue({ id: 'i2' })];
const [FAILING, LATE] = [own({ status: 'failed' }), own({ status: 'processing' })];
const NEVER = { failOnSeverity: 'never' } as const;
const [UNCOUNTED, BROKEN] = [counted(null), counted(1, { errorMessage: 'It broke.' })];

interface Reading extends Partial<Case> {
  /** The issues in the record of the earlier run. */
  readonly before?: Issue[];
  /** The responses about the submission, the asset and its issues. */
  readonly list?: unknown;
  readonly own?: unknown;
  readonly issues?: unknown;
}

// biome-ignore format: a table
it.for<[string, Reading, string]>([
  ['dismissed since', { issues: [DISMISSED] }, 'judged DISMISSED'],
  ['an issue where there was none', { before: [], issues: [SECOND] }, 'judged OPEN'],
  ['another issue, of the same count', { issues: [SECOND], own: own({ status: 'processing' }) }, 'judged OPEN'],
  ['an issue that is counted, but not listed', { list: counted(2), issues: [ISSUE] }, 'unjudged OPEN results'],
  ['a count of the asset alone', { list: UNCOUNTED, own: own({ issueCount: 1 }), issues: [ISSUE] }, 'judged OPEN'],
  ['no count, and no issue before', { before: [], list: UNCOUNTED, issues: [] }, 'unjudged results'],
  ['being analysed again', { list: UNCOUNTED, own: LATE }, 'unjudged results'],
  ['its status lags', { list: UNCOUNTED, own: lagging(LATE, own({ issueCount: 1 })), issues: [ISSUE] }, 'judged OPEN'],
  ['its list lags', { list: lagging(BROKEN, counted(1)), own: FAILING, issues: [ISSUE] }, 'judged OPEN'],
  ['its status and its list lag, and the list counts more',
    { list: lagging(UNCOUNTED, counted(2)), own: lagging(LATE, own({ issueCount: 1 })), issues: [ISSUE] },
    'unjudged OPEN results'],
  ['an error text, and it has failed', { list: BROKEN, own: FAILING, issues: [ISSUE] }, 'unjudged results'],
  ['an error text, and it is complete', { list: BROKEN, issues: [ISSUE] }, 'judged OPEN'],
  ['it has failed and can be retried', { list: counted(1, { isRetryable: true }), own: FAILING }, 'unjudged results'],
  ['no enriched list, but its own has all', { own: own({ issues: [DISMISSED] }) }, 'judged DISMISSED'],
  ['an item that cannot be read', { issues: [ISSUE, {}] }, 'unjudged OPEN results'],
  ['its submission is refused', { list: 403 }, 'unjudged refused'],
  ['its asset is missing', { own: 404 }, 'unjudged results'],
  ['an error text where there was no issue',
    { before: [], list: counted(0, { errorMessage: 'It broke.' }), own: FAILING }, 'unjudged results'],
  ['nothing counted in a sandbox', { list: UNCOUNTED, mode: 'sandbox' }, 'judged'],
  ['an outage', { list: DOWN }, 'unread service'],
  ['an outage of the issues', { issues: DOWN }, 'unread service'],
  ['an outage, and none is counted', { list: counted(0), own: DOWN, issues: DOWN }, 'unread service'],
  ['an outage, and more are listed', { list: counted(2), own: DOWN }, 'unjudged results'],
  ['an outage, and the list has an error text', { list: BROKEN, own: DOWN }, 'unjudged results'],
  ['an outage, and there was no issue', { before: [], list: DOWN }, 'unread service'],
  ['a rate limit that does not end, and there was no issue', { before: [], list: LIMITED }, 'unread service'],
  ['no issue, and no list yet', { before: [], list: { status: 'complete', assets: null }, own: own({ issueCount: 0 }) },
    'judged'],
  ['an outage, and the asset counts more', { list: UNCOUNTED, own: own({ issueCount: 2 }), issues: DOWN },
    'unjudged results'],
  ['an outage, and the asset lists another of another rule',
    { list: UNCOUNTED, own: own({ issueCount: 2, issues: [{ ...SECOND, ruleCode: 'AD-2' }] }), issues: DOWN },
    'unread OPEN service'],
  ['an outage, and the asset lists another of the same rule',
    { list: UNCOUNTED, own: own({ issueCount: 2, issues: [SECOND] }), issues: DOWN },
    'unjudged OPEN results'],
  ['a rate limit that does not end', { list: LIMITED }, 'unread service'],
  ['a rate limit that ends', { issues: lagging(429, [DISMISSED]), ...NEVER }, 'judged DISMISSED'],
  ['no time left', { issues: [DISMISSED], minutes: 0 }, 'unread timeout'],
  ['no time left, and an issue is listed', { before: [], minutes: 0 }, 'unjudged results'],
])('the issues of a reused file: %s', async ([, given, expected]) => {
  const { before = [ISSUE], list = counted(1), own: ofAsset = own({}), issues = 404, ...options } = given;
  const records = [analysed('A', { submissionId: 's', issues: before })];
  const responses = { s: list, 's/assets/asset-A': ofAsset, 's/assets/asset-A/issues': issues };
  const { analyses } = await queried({ seeds: ['A'], records, responses, ...options });
  const short = analyses.map(({ outcome, issues, causes }) => {
    const reasons = causes.map(({ reason }) => reason);
    return [outcome, ...issues.map(({ status }) => status), ...reasons].join(' ');
  });
  expect(short).toEqual([expected]);
  expect(analyses[0]?.isFailedForGood, 'A reading never makes worse what is paid for.').toBe(false);
});

it('a reused file without issues costs no request of its own, and one with issues one', async () => {
  const records = [analysed('A', { submissionId: 's', issues: [ISSUE] }), analysed('B', { submissionId: 's' })];
  const list = listing('complete', { A: { issueCount: 1 }, B: { issueCount: 0 } });
  const { reads } = await queried({ records, responses: { s: list, 's/assets/asset-A/issues': [ISSUE] } });
  expect(reads).toEqual(['s', 's/assets/asset-A/issues']);
});

it('an asset that lacks a fact is not read again after an outage', async () => {
  const records = [analysed('A', { submissionId: 's', issues: [ISSUE] })];
  const { seconds } = await queried({ records, responses: { s: counted(2), 's/assets/asset-A': DOWN } });
  expect(seconds).toBe(0);
});

it('an analysis that could not be read keeps its version and topics', async () => {
  const topics = [{ title: 'Claims', issueIds: ['i1'] }];
  const facts = { submissionId: 's', topics, versionNumber: 3, versionGroupId: 'g' };
  const { analyses } = await queried({ records: [analysed('A', facts)], responses: { s: DOWN } });
  expect(analyses).toMatchObject([{ ...facts, assetId: 'asset-A', outcome: 'unread' }]);
});

const TOO_DARK = { errorMessage: 'Too dark.' };
const STILL_FAILED = listing('failed', { A: TOO_DARK });
const RETRYABLE = listing('failed', { A: { ...TOO_DARK, isRetryable: true } });
const RETRIED = listing('failed', { A: { ...TOO_DARK, isRetryable: true, retryCount: 1 } });
const ALL_FAILED = { ...listing('failed', { A: {} }), errorMessage: 'Disk full.' };

// biome-ignore format: a table
it.for<[string, Responses, string, reads: number, Mode?]>([
  ['its submission is missing', {}, 'No pixels.', 1],
  ['the service does not respond', { s: DOWN }, 'No pixels.', 1],
  ['it is still failed, in new words', { s: STILL_FAILED, 's/assets/asset-A': FAILING }, 'the file: Too dark.', 2],
  ['only the submission says why', { s: ALL_FAILED, 's/assets/asset-A': FAILING },
    'about the whole submission: Disk full.', 2],
  ['in a sandbox', { s: DOWN }, 'No pixels.', 1, 'sandbox'],
])('an earlier failure is shown again: %s', async ([, responses, message, count, mode = 'live']) => {
  const records = [failed('A', { submissionId: 's', message: 'No pixels.' })];
  const { analyses, reads } = await queried({ records, responses, mode });
  const isFileToBlame = !message.startsWith('about the whole');
  const steps = stepsAfterFailure({ isForGood: true, isFileToBlame, isSandbox: mode === 'sandbox' });
  const cause = { reason: 'asset-failed', path: 'a.png', steps };
  expect(analyses).toMatchObject([{ outcome: 'failed', isFailedForGood: true, causes: [cause] }]);
  const cost = mode === 'live' ? ', so nothing was billed' : '';
  const text = `${message} That was on 2026-11-14. The file was not sent again${cost}. A re-run`;
  expect(analyses[0]?.causes[0]?.message).toContain(text);
  expect(reads).toHaveLength(count);
});

const FREE = { s: RETRYABLE, 's/assets/asset-A': FAILING };
const RETRY = 's/assets/asset-A/retry';

// biome-ignore format: a table
it.for<[string, Responses, RecordUse, retries?: number, seconds?: number]>([
  ['complete', { s: listing('complete', { A: { issueCount: 0 } }) }, 'finished'],
  ['complete in a failed submission', { s: listing('failed', { A: { issueCount: 0 } }) }, 'finished'],
  ['being analysed', { s: listing('processing', { A: {} }), 's/assets/asset-A': LATE }, 'awaited', 0, 20],
  ['failed beside a file that is being analysed', { s: listing('processing', { A: TOO_DARK }),
    's/assets/asset-A': FAILING }, 'failed'],
  ['in a submission with a status that nobody knows', { s: listing('paused', { A: {} }) }, 'failed'],
  ['complete, and a fact is missing', { s: counted(2) }, 'failed', 0, 20],
  ['being analysed in a failed submission', { s: listing('failed', { A: {} }), 's/assets/asset-A': LATE },
    'awaited', 0, 20],
  ['failed in a complete submission', { s: listing('complete', { A: TOO_DARK }), 's/assets/asset-A': FAILING },
    'failed'],
  ['not readable', { s: listing('failed', { A: {} }), 's/assets/asset-A': DOWN }, 'failed'],
  ['retryable, and the retry is accepted', { ...FREE, [RETRY]: { submissionId: 's' } }, 'awaited', 1],
  ['retryable, and the retry is refused', { ...FREE, [RETRY]: 403 }, 'failed', 1],
  ['retryable, and the retry is refused (409)', { ...FREE, [RETRY]: 409 }, 'failed', 1, 20],
  ['retryable, and one is in flight (409)', { ...FREE, s: lagging(RETRYABLE, RETRIED),
    's/assets/asset-A': lagging(FAILING, LATE), [RETRY]: 409 }, 'awaited', 1, 10],
  ['retryable, and an outage prevents the retry', { ...FREE, [RETRY]: DOWN }, 'failed', 1],
  ['retried six times', { ...FREE, s: listing('failed', { A: { ...TOO_DARK, isRetryable: true, retryCount: 6 } }) },
    'failed'],
])('a file that failed before is now %s', async ([, responses, expected, retries = 0, least = 0]) => {
  const { useIn, reads, seconds } = await queried({ records: [failed('A', { submissionId: 's' })], responses });
  expect(useIn('s', 'A')).toBe(expected);
  expect(reads.filter((path) => path === RETRY)).toHaveLength(retries);
  expect(Math.floor(seconds / 10)).toBe(least / 10);
});

it.for<[string, Responses, string]>([
  ['its retry is refused', { [RETRY]: 403 }, 'sent'],
  ['an outage prevents its retry, which is free', { [RETRY]: DOWN }, 'failed'],
  ['a rate limit prevents its retry', { [RETRY]: LIMITED }, 'failed'],
  ['a rate limit prevents that its asset is read', { 's/assets/asset-A': LIMITED }, 'failed'],
  [
    'it runs on in a submission that has ended',
    { s: listing('complete', { A: {} }), 's/assets/asset-A': LATE },
    'sent',
  ],
  ['it runs again', { s: listing('processing', { A: {} }), 's/assets/asset-A': LATE }, 'awaited'],
  ['its retry is refused as a bad request', { [RETRY]: 400 }, 'sent'],
  ['its retry goes on in another submission', { [RETRY]: { submissionId: 't' } }, 'awaited'],
])('what a re-run does with a failed file if %s', async ([, responses, expected]) => {
  const records = [failed('A', { submissionId: 's' })];
  const rerun = { isRerun: true };
  const { heard } = await queried({ seeds: ['A'], records, responses: { ...FREE, ...responses }, rules: rerun });
  const plan = makePlan(basis([file('a.png', 'A')], { contents: records }, rerun), heard);
  expect(plan.contents.map(({ source }) => source.kind)).toEqual([expected]);
});

it('a re-run sends a failed file although the asset of another one cannot be read', async () => {
  const s = listing('failed', { A: { errorMessage: 'No pixels.' }, B: { errorMessage: 'No pixels.' } });
  const records = ['A', 'B'].map((seed) => failed(seed, { submissionId: 's' }));
  const responses = { s, 's/assets/asset-A': FAILING, 's/assets/asset-B': 503 };
  const { plan } = await queried({ seeds: ['A', 'B'], records, responses, rules: { isRerun: true } });
  expect(plan.contents.map(({ source }) => source.kind)).toEqual(['sent', 'failed']);
});

it('after the deadline, the wait for a refused retry has pauses', async () => {
  const records = [failed('A', { submissionId: 's' })];
  const { reads } = await queried({ records, responses: { ...FREE, [RETRY]: 409 }, minutes: 0 });
  expect(reads.filter((path) => path === 's').length).toBeLessThan(30);
});

it('an outage that prevented a read does not end the wait for another file of the submission', async () => {
  const listed = { A: { issueCount: 1 }, B: { issueCount: 0 } };
  const service = serviceOf({
    s: lagging(listing('processing', listed), listing('complete', listed)),
    's/assets/asset-A/issues': DOWN,
    's/assets/asset-A': DOWN,
    's/assets/asset-B': lagging(b('processing'), b('complete')),
  });
  const first = basis([file('a.png', 'A')], { contents: [analysed('A', { submissionId: 's', issues: [ISSUE] })] });
  const { value } = await inFakeTime(async () => {
    const reader = createReader(service);
    const options = { failOnSeverity: 'CRITICAL', reader, deadline: deadlineIn(5) } as const;
    await readReused(makePlan(first, await querySubmissions(first, NO_RESPONSES, options)), options);
    const contents = [{ ...content('B'), name: 'B.png' }];
    const awaited = { submissionId: 's', contents, otherFiles: { names: [], assetKeys: new Set(['asset-A']) } };
    return await reader.read([awaited], { ...options, purpose: 'wait' });
  });
  expect(value.flatMap(({ analyses }) => analyses)).toMatchObject([{ outcome: 'judged' }]);
});

it('what can change the verdict is read first; after an outage, no other asset is read', async () => {
  const ids = [...Array.from({ length: 12 }, (_, index) => `n${index}`), 'urgent'];
  const [minor, critical] = [issue({ severity: 'MINOR' }), issue({ severity: 'CRITICAL' })];
  const records = ids.map((id) =>
    analysed(id, { submissionId: id, issues: id === 'urgent' ? [minor, critical] : [minor] }),
  );
  const responses = ids.flatMap((id) => [
    [id, listing('complete', { [id]: { issueCount: 1 } })],
    [`${id}/assets/asset-${id}`, DOWN],
    [`${id}/assets/asset-${id}/issues`, id === 'urgent' ? [DISMISSED] : DOWN],
  ]);
  const { analyses, reads } = await queried({ seeds: ids, records, responses: Object.fromEntries(responses) });
  const urgent = analyses.find(({ submissionId }) => submissionId === 'urgent');
  const ofIssues = reads.filter((path) => path.endsWith('/issues'));
  expect([reads[0], ofIssues[0]]).toEqual(['urgent', 'urgent/assets/asset-urgent/issues']);
  expect(urgent?.issues).toMatchObject([{ status: 'DISMISSED' }]);
  expect(ofIssues.length).toBeLessThan(12);
});

it.for([
  [503, 8],
  [403, 20],
])('only an outage stops the others: after a %i, %i of 20 submissions are read', async ([status, read]) => {
  const seeds = Array.from({ length: 20 }, (_, index) => `${index}`);
  const records = seeds.map((seed) => analysed(seed, { submissionId: seed }));
  const responses = Object.fromEntries(seeds.map((seed) => [seed, status]));
  const { reads, analyses } = await queried({ seeds, records, responses });
  expect([new Set(reads).size, analyses.length]).toEqual([read, 20]);
});

/** The response about a submission of A and B, in which A has no issues. */
function at(status: string, ofB: Partial<ListedAsset> = {}) {
  return listing(status, { A: { issueCount: 0 }, B: ofB });
}

function b(status: string): object {
  return { assetId: 'asset-B', filename: 'B.png', status };
}

const DONE = { issueCount: 0 };

// biome-ignore format: a table
it.for<[string, number, readonly [s: unknown, ofB: unknown], string]>([
  ['still being analysed', 0.5, [at('processing'), 404], 'awaited awaited'],
  ['complete', 0.5, [at('complete'), 404], 'finished finished'],
  ['failed for good', 0.5, [at('failed'), b('failed')], 'finished failed'],
  ['failed, and can be retried', 0.5, [at('failed', { isRetryable: true }), b('failed')], 'finished awaited'],
  ['failed, and cannot be read', 0.5, [at('failed'), 404], 'finished failed'],
  ['failed, and a gateway refuses the read', 0.5, [at('failed'), 403], 'finished awaited'],
  ['failed, and listed late', 0.5, [lagging(listing('failed', { A: DONE }), at('failed', DONE)), b('complete')],
    'finished finished'],
  ['complete for seven days, but not this file', 7, [at('complete'), b('processing')], 'finished failed'],
  ['in a status that nobody knows for seven days', 7, [at('paused'), b('complete')], 'failed failed'],
  ['failed for seven days, retryable', 7, [at('failed', { isRetryable: true }), b('failed')], 'finished given up'],
  ['complete for less than seven days', 6.99, [at('complete'), b('processing')], 'finished finished'],
  ['for seven days, and the status lags', 7, [at('complete', DONE), lagging(b('processing'), b('complete'))],
    'finished finished'],
  ['without a list', 0.5, [{ status: 'complete', assets: null }, 404], 'finished finished'],
  ['in a status that nobody knows', 0.5, [at('paused'), 404], 'awaited awaited'],
  ['unfinished after seven days', 7, [listing('processing'), 404], 'given up given up'],
  ['unfinished after less', 6.99, [listing('processing'), 404], 'awaited awaited'],
  ['missing', 0.5, [404, 404], 'missing missing'],
  ['missing for ten seconds', 0.5, [lagging(404, at('processing')), 404], 'awaited awaited'],
  ['refused', 6.99, [403, 404], 'awaited awaited'],
  ['refused for seven days', 7, [403, 404], 'given up given up'],
  ['an outage', 7, [DOWN, 404], 'awaited awaited'],
  ['an outage of its assets', 7, [at('failed'), DOWN], 'finished awaited'],
])('the files of an open submission: %s', async ([, days, [s, ofB], expected]) => {
  const records = [open('s', ['A', 'B'], { at: daysAgo(days) })];
  const { useIn } = await queried({ records, responses: { s, 's/assets/asset-B': ofB } });
  expect(`${useIn('s', 'A')} ${useIn('s', 'B')}`).toBe(expected);
});

it('a file is given up by the age of its own record', async () => {
  const records = [failed('A', { submissionId: 's', at: daysAgo(1) }), open('s', ['B'], { at: daysAgo(7) })];
  const { useIn } = await queried({ records, responses: { s: listing('processing') } });
  expect([useIn('s', 'A'), useIn('s', 'B')]).toEqual(['failed', 'given up']);
});

const onlyA = listing('complete', { A: { issueCount: 0 } });
const old = analysed('A', { submissionId: 'old', at: daysAgo(2) });
const [newer, sent] = [analysed('A', { submissionId: 'n' }), open('n', ['A'])];
const [done, broke] = ['complete', 'failed'].map((status) => listing(status, { A: { issueCount: 0 } }));

// biome-ignore format: a table
it.for<[string, Partial<Case>, number]>([
  ['is waited for', {}, 20],
  ['is waited for if only its asset is missing', { responses: { old: listing('complete') } }, 20],
  ['is waited for although an older one is there', { records: [analysed('A', { submissionId: 'new' }), old] }, 20],
  ['is waited for if a newer one failed', { records: [sent, old], responses: { n: listing('failed') } }, 20],
  ['is waited for beside a newer failure', { records: [failed('A'), old] }, 20],
  ['shares the time with others', { records: [old, open('x', ['B']), analysed('C', { submissionId: 'y' })] }, 20],
  ['is not waited for if a newer analysis is there', { records: [newer, old], responses: { n: done } }, 0],
  ['is not waited for if a newer one failed with an analysis', { records: [newer, old], responses: { n: broke } }, 0],
  ['is not waited for if a newer one is open',
    { records: [sent, old], responses: { n: listing('processing') } }, 0],
  ['is not waited for if a newer one cannot be read', { records: [newer, old], responses: { n: 403 } }, 0],
  ['is not waited for if it failed', { records: [sent], responses: { n: broke, 'n/assets/asset-A': FAILING } }, 0],
  ['is not waited for if it is only to be linked', { records: [], paths: [pathRecord('a.png', 'X')] }, 0],
])('a missing submission %s', async ([, given, expected]) => {
  expect((await queried({ records: [old], responses: {}, ...given })).seconds).toBe(expected);
});

it('a missing submission is asked for again although another one cannot be read', async () => {
  const responses = { x: 503, old: (seconds: number) => (seconds < 1 ? 404 : onlyA) };
  const { analyses } = await queried({ seeds: ['A', 'B'], records: [old, open('x', ['B'])], responses });
  expect(analyses).toMatchObject([{ outcome: 'judged' }]);
});

it('in a submission of reused files, no other asset is retried', async () => {
  const records = [analysed('A', { submissionId: 's' })];
  const s = listing('failed', { A: { issueCount: 0 }, B: { errorMessage: 'It broke.', isRetryable: true } });
  const { reads } = await queried({ seeds: ['A'], records, responses: { s } });
  expect(reads).toEqual(['s']);
});

it('a missing submission is not linked', async () => {
  const paths = ['a', 'b'].map((name) => pathRecord(`${name}.png`, 'X', { submissionId: name }));
  const { plan } = await queried({ seeds: ['A', 'B'], records: [], paths, responses: { b: listing('complete') } });
  expect([...previousSubmissions(plan)]).toEqual([[sha('B'), 'b']]);
});

it('a submission that was read once is not missing later: only its asset is', async () => {
  const records = [analysed('A', { submissionId: 's' }), analysed('B', { submissionId: 's' })];
  const { useIn } = await queried({ records, responses: { s: (seconds: number) => (seconds < 1 ? onlyA : 404) } });
  expect([useIn('s', 'A'), useIn('s', 'B')]).toEqual(['reused', 'missing']);
});

it('a second query reads missing and failed submissions only once, and finds new analyses of an open one', async () => {
  const result = analysed('B', { submissionId: 's', at: daysAgo(0.4) });
  const given = [old, ...sent];
  const { reads, useIn, seconds, plan } = await queried({
    seeds: ['A', 'B'],
    records: [given, open('s', ['B'], { at: daysAgo(0.5) })],
    later: [...given, result],
    responses: { s: at('processing', DONE), n: broke, 'n/assets/asset-A': FAILING },
  });
  const statuses = [useIn('old', 'A'), useIn('n', 'A'), useIn('s', 'B')];
  expect([...statuses, seconds]).toEqual(['missing', 'failed', 'reused', 20]);
  expect(plan.contents.map(({ source }) => source.kind)).toEqual(['failed', 'reused']);
  for (const path of ['s', 'n/assets/asset-A']) expect(reads.filter((each) => each === path)).toHaveLength(1);
});

const SEEDS = ['A', 'B'];
const ID = fc.constantFrom('s1', 's2', 's3');
const RECORD = fc
  .record({
    kind: fc.constantFrom('open', 'analysed', 'failed'),
    seed: fc.constantFrom(...SEEDS),
    sent: fc.record({ submissionId: ID, at: fc.constantFrom(0.1, 0.5, 2, 8, 95).map(daysAgo) }),
  })
  .map(({ kind, seed, sent }): readonly ContentRecord[] => {
    if (kind === 'open') return open(sent.submissionId, [seed], sent);
    return [kind === 'failed' ? failed(seed, sent) : analysed(seed, { ...sent, issues: [ISSUE] })];
  });
const SUBMISSION = fc.record({
  id: ID,
  status: fc.constantFrom('processing', 'complete', 'failed', 404, 403, DOWN),
  listed: fc.subarray(SEEDS),
  broken: fc.subarray(SEEDS),
});
const SUBMISSIONS = fc.uniqueArray(SUBMISSION, { selector: ({ id }) => id });
const RECORDS = fc.array(RECORD, { maxLength: 5 });

it('random states and responses: nothing missing is judged, nothing is sent that the service has', async () => {
  const property = fc.asyncProperty(RECORDS, RECORDS, SUBMISSIONS, async (records, more, submissions) => {
    const responses = submissions.flatMap(({ id, status, listed, broken }) => {
      const assets = Object.fromEntries(listed.map((seed) => [seed, { issueCount: 1 }]));
      const ofAssets = listed.map((seed) => {
        const result = { assetId: `asset-${seed}`, filename: `${seed}.png`, issues: [ISSUE] };
        return [`${id}/assets/asset-${seed}`, { ...result, status: broken.includes(seed) ? 'failed' : 'complete' }];
      });
      return [[id, typeof status === 'string' ? listing(status, assets) : status], ...ofAssets];
    });
    const later = [...records, ...more].flat();
    const given = { seeds: SEEDS, records, later, responses: Object.fromEntries(responses) };
    const { analyses, plan, reads } = await queried(given);
    const mayHave = ({ submissionId, sha256 }: Pick<ContentRecord, 'submissionId' | 'sha256'>): boolean => {
      const { status = 404, listed = [] } = submissions.find(({ id }) => id === submissionId) ?? {};
      return typeof status === 'string' ? listed.some((seed) => sha(seed) === sha256) : status !== 404;
    };
    for (const { outcome, submissionId, content } of analyses) {
      const isUsed = outcome === 'judged' || outcome === 'unread';
      expect(isUsed && !mayHave({ submissionId, sha256: content.sha256 })).toBe(false);
    }
    for (const { content, source } of withSource(plan, 'sent')) {
      const ofContent = later.filter(({ sha256 }) => sha256 === content.sha256);
      const same = ofContent.filter((each) => each.kind === 'analysed');
      const isSentInVain = same.some((each) => each.at > daysAgo(90) && mayHave(each));
      expect(isSentInVain, source.why).toBe(false);
    }
    for (const { id, status, listed, broken } of submissions) {
      // A submission is read again if it or an asset failed, is older than seven days, or lacks an asset. So is
      // one with an asset that no record explains.
      const isEnded = status === 'processing' || status === 'complete';
      const isExplained = listed.every((seed) =>
        records.flat().some((each) => each.submissionId === id && each.sha256 === sha(seed)),
      );
      const isPlain = isEnded && isExplained && listed.length === SEEDS.length && broken.length === 0;
      const isOld = later.some((each) => each.submissionId === id && each.at < daysAgo(7));
      expect(isPlain && !isOld && reads.filter((path) => path === id).length > 1, 'Each is read once.').toBe(false);
    }
  });
  await fc.assert(property);
});
