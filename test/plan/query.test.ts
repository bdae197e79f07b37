import * as fc from 'fast-check';
import { expect } from 'vitest';
import { ConnectionError } from '../../src/http/http.ts';
import { type PlanBasis, useOf } from '../../src/plan/candidates.ts';
import { awaitedSubmissions, otherFilesIn, previousSubmissions, withSource } from '../../src/plan/plan.ts';
import { earlierAnalyses, queryEarlier } from '../../src/plan/query.ts';
import type { Mode } from '../../src/service/endpoints.ts';
import type { Issue, Severity } from '../../src/service/issue.ts';
import { createReader } from '../../src/service/reader.ts';
import type { ListedAsset } from '../../src/service/responses.ts';
import type { ContentRecord, PathRecord } from '../../src/state/document.ts';
import { NO_HISTORY } from '../../src/state/store.ts';
import { issue } from '../builders/analyses.ts';
import { inFakeTime, it } from '../builders/fake-time.ts';
import { content, file, sha } from '../builders/media.ts';
import { deadlineIn, LIMITED, type Reply, response, type Said, serviceOf, steps } from '../builders/service.ts';
import { analysed, basis, daysAgo, failed, open, pathRecord } from '../builders/states.ts';

const DOWN = new ConnectionError('connection refused', 'no access');

interface Case {
  readonly failOnSeverity?: Severity | 'never';
  readonly mode?: Mode;
  /** The files of the run. The seed `A` stands for the content of a.png. */
  readonly seeds?: readonly string[];
  readonly records: readonly (ContentRecord | readonly ContentRecord[])[];
  readonly paths?: readonly PathRecord[];
  /** What the service says about each submission. All others are missing. */
  readonly says?: Readonly<Record<string, Said>>;
  readonly minutes?: number;
  readonly rules?: Partial<PlanBasis>;
  /** The records that are known after all states have been loaded, if these are more. */
  readonly later?: readonly ContentRecord[];
}

/** Why a file is sent again, in the words of the tables below. */
const SHORT_LOSSES: Readonly<Record<string, string>> = {
  'no longer at the service': 'missing',
  'earlier analysis failed': 'sent again',
  'earlier analysis never finished': 'given up',
};

/** Asks about the submissions, also with the later records if a file would be sent, and plans. */
async function queried({ seeds = ['A', 'B', 'C'], records, paths = [], says = {}, later, rules, ...given }: Case) {
  const { minutes = 5, mode, failOnSeverity = 'CRITICAL' } = given;
  const service = serviceOf(says, { mode });
  const files = seeds.map((seed) => file(`${seed.toLowerCase()}.png`, seed));
  const first = basis(files, { contents: records.flat(), paths: [...paths] }, rules);
  const last = later ? basis(files, { contents: [...later], paths: [...paths] }, rules) : first;
  const { value, ms } = await inFakeTime(async () => {
    const { responses, plan, reused } = await queryEarlier(
      { ...NO_HISTORY, earlierState: first.earlierState, hasMore: later !== undefined },
      {
        reader: createReader(service),
        failOnSeverity,
        basisOf: (earlierState) => ({ ...first, earlierState }),
        load: async () => ({ ...NO_HISTORY, earlierState: last.earlierState }),
        startDeadline: () => deadlineIn(minutes),
      },
    );
    return { responses, plan, analyses: [...reused, ...earlierAnalyses(plan, responses, mode === 'sandbox')] };
  });
  const useIn = (submissionId: string, seed: string) => {
    const record = last.earlierState.records.get(sha(seed))?.find((each) => each.submissionId === submissionId);
    const use = record && useOf(record, value.responses, last);
    return use && (SHORT_LOSSES[use] ?? use);
  };
  const reads = service.asked.map(({ path }) => path);
  return { ...value, useIn, reads, seconds: Math.round(ms / 1000) };
}

/** A response that changes after ten seconds. */
function lagging<T, U>(before: T, after: U): (seconds: number) => T | U {
  return steps<T, U>(before, [10, after]);
}

/** The list of a submission in which A has this many issues. */
function counted(issueCount: number | null, facts: Partial<ListedAsset> = {}) {
  return { A: { issueCount, ...facts } };
}

const ISSUE = issue({ id: 'i1' });
const [DISMISSED, SECOND] = [{ ...ISSUE, status: 'DISMISSED' }, issue({ id: 'i2' })];
const NEVER = { failOnSeverity: 'never' } as const;
const [UNCOUNTED, BROKEN] = [counted(null), counted(1, { errorMessage: 'It broke.' })];
const SANDBOX = { mode: 'sandbox' } as const;

// biome-ignore format: a table
it.for<[string, Said, string, before?: Issue[], changes?: Partial<Case>]>([
  ['dismissed since', { 'A/issues': [DISMISSED] }, 'judged DISMISSED'],
  ['an issue where there was none', { 'A/issues': [SECOND] }, 'judged OPEN', []],
  ['another issue, of the same count', { 'A/issues': [SECOND], A: 'processing' }, 'judged OPEN'],
  ['an issue that is counted, but not listed', { listed: counted(2), 'A/issues': [ISSUE] }, 'unjudged OPEN results'],
  ['a count of the asset alone', { listed: UNCOUNTED, A: { issueCount: 1 }, 'A/issues': [ISSUE] }, 'judged OPEN'],
  ['no count, and no issue before', { listed: UNCOUNTED, 'A/issues': [] }, 'unjudged results', []],
  ['being analysed again', { listed: UNCOUNTED, A: 'processing' }, 'unjudged results'],
  ['its status lags', { listed: UNCOUNTED, A: lagging('processing', { issueCount: 1 }), 'A/issues': [ISSUE] },
    'judged OPEN'],
  ['its list lags', { listed: lagging(BROKEN, counted(1)), A: 'failed', 'A/issues': [ISSUE] }, 'judged OPEN'],
  ['its status and its list lag, and the list counts more',
    { listed: lagging(UNCOUNTED, counted(2)), A: lagging('processing', { issueCount: 1 }), 'A/issues': [ISSUE] },
    'unjudged OPEN results'],
  ['an error text, and it has failed', { listed: BROKEN, A: 'failed', 'A/issues': [ISSUE] }, 'unjudged results'],
  ['an error text, and it is complete', { listed: BROKEN, 'A/issues': [ISSUE] }, 'judged OPEN'],
  ['it has failed and can be retried', { listed: counted(1, { isRetryable: true }), A: 'failed' },
    'unjudged results'],
  ['no enriched list, but its own has all', { A: { issues: [DISMISSED] } }, 'judged DISMISSED'],
  ['an item that cannot be read', { 'A/issues': [ISSUE, {}] }, 'unjudged OPEN results'],
  ['its submission is refused', { status: 403 }, 'unjudged refused'],
  ['its asset is missing', { A: 404 }, 'unjudged results'],
  ['an error text where there was no issue', { listed: counted(0, { errorMessage: 'It broke.' }), A: 'failed' },
    'unjudged results', []],
  ['nothing counted in a sandbox', { listed: UNCOUNTED }, 'judged', [ISSUE], SANDBOX],
  ['an outage', { status: DOWN }, 'unread service'],
  ['an outage of the issues', { 'A/issues': DOWN }, 'unread service'],
  ['an outage, and none is counted', { listed: counted(0), A: DOWN, 'A/issues': DOWN }, 'unread service'],
  ['an outage, and more are listed', { listed: counted(2), A: DOWN }, 'unjudged results'],
  ['an outage, and one of two is listed as open',
    { listed: counted(2), 'A/issues': [ISSUE], A: DOWN }, 'unread OPEN service',
    [DISMISSED, { ...SECOND, status: 'DISMISSED' }]],
  ['an outage, and the list has an error text', { listed: BROKEN, A: DOWN }, 'unjudged results'],
  ['an outage, and there was no issue', { status: DOWN }, 'unread service', []],
  ['a rate limit that does not end, and there was no issue', { status: LIMITED }, 'unread service', []],
  ['no issue, and no list yet', { listed: null, A: { issueCount: 0 } }, 'judged', []],
  ['an outage, and the asset counts more', { listed: UNCOUNTED, A: { issueCount: 2 }, 'A/issues': DOWN },
    'unjudged results'],
  ['an outage, and the asset lists another of another rule',
    { listed: UNCOUNTED, A: { issueCount: 2, issues: [{ ...SECOND, ruleCode: 'AD-2' }] }, 'A/issues': DOWN },
    'unread OPEN service'],
  ['an outage, and the asset lists another of the same rule',
    { listed: UNCOUNTED, A: { issueCount: 2, issues: [SECOND] }, 'A/issues': DOWN }, 'unjudged OPEN results'],
  ['a rate limit that does not end', { status: LIMITED }, 'unread service'],
  ['a rate limit that ends', { 'A/issues': lagging(429, [DISMISSED]) }, 'judged DISMISSED', [ISSUE], NEVER],
  ['no time left', { 'A/issues': [DISMISSED] }, 'unread timeout', [ISSUE], { minutes: 0 }],
  ['no time left, and an issue is listed', {}, 'unjudged results', [], { minutes: 0 }],
])('the issues of a reused file: %s', async ([, said, expected, issues = [ISSUE], changes = {}]) => {
  const records = [analysed('A', { submissionId: 's', issues })];
  const says = { s: { listed: counted(1), ...said } };
  const { analyses } = await queried({ seeds: ['A'], records, says, ...changes });
  const short = analyses.map(({ outcome, issues: read, causes }) => {
    const reasons = causes.map(({ reason }) => reason);
    return [outcome, ...read.map(({ status }) => status), ...reasons].join(' ');
  });
  expect(short).toEqual([expected]);
  expect(analyses[0]?.prospect, 'A reading never makes worse what is paid for.').not.toBe('failed for good');
});

it('a reused file without issues costs no request of its own, and one with issues one', async () => {
  const records = [analysed('A', { submissionId: 's', issues: [ISSUE] }), analysed('B', { submissionId: 's' })];
  const listed = { ...counted(1), B: { issueCount: 0 } };
  const { reads } = await queried({ records, says: { s: { listed, 'A/issues': [ISSUE] } } });
  expect(reads).toEqual(['s', 's/A/issues']);
});

it.for<[string, Said]>([
  ['an outage', { listed: counted(2), A: DOWN }],
  ['its asset was cancelled', { listed: UNCOUNTED, A: 'cancelled' }],
  ['its submission was cancelled', { status: 'cancelled', listed: counted(1), 'A/issues': [ISSUE] }],
])('a reused asset that lacks a fact is not read again: %s', async ([, said]) => {
  const records = [analysed('A', { submissionId: 's', issues: [ISSUE] })];
  const { analyses, seconds } = await queried({ records, says: { s: said } });
  expect([seconds, analyses[0]?.outcome]).toEqual([0, 'unjudged']);
});

it('an analysis that could not be read keeps its version and topics', async () => {
  const topics = [{ title: 'Claims', issueIds: ['i1'] }];
  const facts = { submissionId: 's', topics, versionNumber: 3, versionGroupId: 'g' };
  const records = [analysed('A', { ...facts, issues: [issue({ id: 'i1' })] })];
  const { analyses } = await queried({ records, says: { s: { status: DOWN } } });
  expect(analyses).toMatchObject([{ ...facts, assetId: 'asset-A', outcome: 'unread' }]);
});

const TOO_DARK = { errorMessage: 'Too dark.' };
const RETRYABLE = { A: { ...TOO_DARK, isRetryable: true } };

// biome-ignore format: a table
it.for<[string, Said, string, reads: number, Mode?]>([
  ['its submission is missing', { status: 404 }, 'No pixels.', 1],
  ['the service does not respond', { status: DOWN }, 'No pixels.', 2],
  ['it is still failed, in new words', { status: 'failed', listed: { A: TOO_DARK }, A: 'failed' },
    'the file: Too dark.', 2],
  ['only the submission says why', { status: { status: 'failed', errorMessage: 'Disk full.' }, A: 'failed' },
    'about the whole submission: Disk full.', 2],
  ['its asset does not respond', { status: 'failed', A: DOWN }, 'No pixels.', 2],
  ['in a sandbox', { status: DOWN }, 'No pixels.', 2, 'sandbox'],
])('an earlier failure is shown again: %s', async ([, said, message, count, mode = 'live']) => {
  const records = [failed('A', { submissionId: 's', message: 'No pixels.' })];
  const { analyses, reads } = await queried({ records, says: { s: { listed: { A: {} }, ...said } }, mode });
  const text = `It sends ${mode === 'live' ? 'and bills ' : ''}the same bytes again.`;
  const again = { actor: 'anyone', text: expect.stringContaining(text) };
  // Only the words of this run tell whether the file is to blame.
  const steps = message.startsWith('the file') ? [{ actor: 'author' }, again] : [again, { actor: 'workflow owner' }];
  const cause = { reason: 'asset-failed', path: 'a.png', steps };
  expect(analyses).toMatchObject([{ outcome: 'failed', prospect: 'failed for good', causes: [cause] }]);
  const cost = mode === 'live' ? ', so nothing was billed' : '';
  const told = `${message} There is no result since 2026-11-14. The file was not sent again${cost}. To send it`;
  expect(analyses[0]?.causes[0]?.message).toContain(told);
  expect(reads).toHaveLength(count);
});

it('a failure that only the service reports is shown in its own words', async () => {
  const says = { s: { status: 'failed', listed: { A: TOO_DARK }, A: 'failed' } };
  const { analyses } = await queried({ records: [open('s', ['A'])], says });
  expect(analyses[0]?.causes.map(({ message }) => message)).toEqual([
    'The service could not analyse the file: Too dark.',
  ]);
});

it('the topics of a reused file name its issues as they were read now', async () => {
  const [before, now] = ['0000000A-000B-000C-000D-00000000000E', '0000000a-000b-000c-000d-00000000000e'];
  const topics = [{ title: 'Claims', issueIds: [before] }];
  const records = [analysed('A', { submissionId: 's', issues: [issue({ id: before })], topics })];
  const says = { s: { listed: counted(1), 'A/issues': [issue({ id: now })] } };
  expect((await queried({ records, says })).analyses).toMatchObject([{ topics: [{ issueIds: [now] }] }]);
});

const FREE: Said = { status: 'failed', listed: RETRYABLE, A: 'failed' };
const RETRIED = { A: { ...RETRYABLE.A, retryCount: 1 } };

// biome-ignore format: a table
it.for<[string, Said, string, retries?: number, seconds?: number]>([
  ['complete', { listed: counted(0) }, 'result'],
  ['complete in a failed submission', { status: 'failed', listed: counted(0) }, 'result'],
  ['being analysed', { status: 'processing', A: 'processing' }, 'awaited'],
  ['failed beside a file that is being analysed', { status: 'processing', listed: { A: TOO_DARK }, A: 'failed' },
    'awaited'],
  ['in a submission with a status that nobody knows', { status: 'paused' }, 'failed'],
  ['complete, and a fact is missing', { listed: counted(2) }, 'result', 0, 20],
  ['being analysed in a failed submission', { status: 'failed', A: 'processing' }, 'awaited', 0, 20],
  ['failed in a complete submission', { listed: { A: TOO_DARK }, A: 'failed' }, 'failed'],
  ['not readable', { status: 'failed', A: DOWN }, 'failed'],
  ['retryable, and the retry is accepted', { ...FREE, 'A/retry': { submissionId: 's' } }, 'awaited', 1],
  ['retryable, and the retry is refused', { ...FREE, 'A/retry': 403 }, 'failed', 1],
  ['retryable, and the retry is refused (409)', { ...FREE, 'A/retry': 409 }, 'failed', 1, 20],
  ['retryable, and one is in flight (409)',
    { ...FREE, listed: lagging(RETRYABLE, RETRIED), A: lagging('failed', 'processing'), 'A/retry': 409 },
    'awaited', 1, 10],
  ['retryable, and the retry is running although its response was lost',
    { ...FREE, listed: lagging(RETRYABLE, RETRIED), A: lagging('failed', 'processing'), 'A/retry': 504 },
    'awaited', 1, 10],
  ['retryable, and an outage prevents the retry', { ...FREE, 'A/retry': DOWN }, 'failed', 1],
  ['retried six times', { ...FREE, listed: { A: { ...RETRYABLE.A, retryCount: 6 } } }, 'failed'],
])('a file that failed before is now %s', async ([, said, expected, retries = 0, least = 0]) => {
  const says = { s: { listed: { A: {} }, ...said } };
  const { useIn, reads, seconds } = await queried({ records: [failed('A', { submissionId: 's' })], says });
  expect(useIn('s', 'A')).toBe(expected);
  expect(reads.filter((path) => path === 's/A/retry')).toHaveLength(retries);
  expect(Math.floor(seconds / 10)).toBe(least / 10);
});

it.for<[string, Said, string]>([
  ['its retry is refused', { 'A/retry': 403 }, 'sent'],
  ['its retry is refused as a bad request', { 'A/retry': 400 }, 'sent'],
  ['its retry goes on in another submission', { 'A/retry': { submissionId: 't' } }, 'awaited'],
  ['an outage prevents its retry, which is free', { 'A/retry': DOWN }, 'failed'],
  ['a rate limit prevents its retry', { 'A/retry': LIMITED }, 'failed'],
  ['a page of a gateway prevents its retry', { 'A/retry': { ...response(403), text: '<html></html>' } }, 'failed'],
  ['a rate limit prevents that its asset is read', { A: LIMITED }, 'failed'],
  ['a rate limit prevents that its submission is read', { status: LIMITED }, 'failed'],
  ['it runs on in a submission that has ended', { status: 'complete', listed: { A: {} }, A: 'processing' }, 'awaited'],
  ['it runs again', { status: 'processing', listed: { A: {} }, A: 'processing' }, 'awaited'],
  [
    'a retry of it is in flight',
    { listed: lagging(RETRYABLE, RETRIED), A: lagging('failed', 'processing'), 'A/retry': 409 },
    'awaited',
  ],
])('what a re-run does with a failed file if %s', async ([, said, expected]) => {
  const records = [failed('A', { submissionId: 's' })];
  const rules = { isRerun: true };
  const { plan } = await queried({ seeds: ['A'], records, says: { s: { ...FREE, ...said } }, rules });
  expect(plan.contents.map(({ source }) => source.kind)).toEqual([expected]);
});

it('an accepted retry is awaited although a rate limit prevents that of another file', async () => {
  const records = ['A', 'B'].map((seed) => failed(seed, { submissionId: 's' }));
  const says = {
    s: {
      status: 'failed',
      listed: { ...RETRYABLE, B: RETRYABLE.A },
      A: 'failed',
      B: 'failed',
      'A/retry': { submissionId: 's' },
      'B/retry': LIMITED,
    },
  };
  const { plan } = await queried({ seeds: ['A', 'B'], records, says });
  expect(plan.contents.map(({ source }) => source.kind)).toEqual(['awaited', 'failed']);
});

it('an accepted retry of an asset without a name is awaited, once it shows however old its record is', async () => {
  for (const [days, A] of [
    [6, 404],
    [8, lagging(404, 'processing')],
  ] as const) {
    const records = open('s', ['A'], { at: daysAgo(days) });
    const says = { s: { ...FREE, A, 'A/retry': { submissionId: 's' } } };
    const { plan, analyses } = await queried({ seeds: ['A'], records: [records], says });
    expect(plan.contents.map(({ source }) => source.kind)).toEqual(['awaited']);
    expect(analyses, 'The file has not failed as long as its retry is running.').toEqual([]);
  }
});

// biome-ignore format: a table
it.for<[string, Case['records']]>([
  ['a failed one that has healed', [failed('A', { submissionId: 's' }), open('s', ['B'])]],
  ['one that is open', [open('s', ['A', 'B'])]],
])('what is read of a file does not depend on which others are read with it: %s', async ([, records]) => {
  const says = { s: { listed: DONE, B: 404 } };
  const { plan, useIn } = await queried({ seeds: ['A', 'B'], records, says, rules: { isRerun: true } });
  expect(plan.contents.map(({ source }) => source.kind)).toEqual(['awaited', 'awaited']);
  expect(useIn('s', 'A')).toBe('result');
});

it('a file is judged in a wait although the asset of another one, which has failed before, cannot be read', async () => {
  const { earlierState } = basis([], { contents: [...open('s', ['A']), failed('B', { submissionId: 's' })] });
  const service = serviceOf({ s: { listed: DONE, B: 404 } });
  const { value } = await inFakeTime(async () => {
    const contents = [{ ...content('A'), name: 'A.png' }];
    const awaited = { submissionId: 's', contents, otherFiles: otherFilesIn({ submissionId: 's' }, earlierState) };
    return await createReader(service).read([awaited], { deadline: deadlineIn(5), isPolled: true });
  });
  expect(value.flatMap(({ analyses }) => analyses)).toMatchObject([{ outcome: 'judged' }]);
});

it('issues of a file that is sent again count until it is read: an outage may end the run before', async () => {
  const says = { s: { status: 'processing', listed: counted(1), A: { status: 'processing', issues: [ISSUE] } } };
  const records = open('s', ['A'], { at: daysAgo(8) });
  const { plan, analyses } = await queried({ seeds: ['A'], records, says });
  expect(plan.contents.map(({ source }) => source.kind)).toEqual(['sent']);
  expect(analyses).toMatchObject([{ outcome: 'unjudged', issues: [{ id: 'i1' }] }]);
});

it('issues of a file that is being retried count: an outage may end the run before the wait', async () => {
  const failing = { status: 'failed', issues: [ISSUE] };
  const says = { s: { ...FREE, A: failing, 'A/retry': { submissionId: 's' } } };
  const { analyses } = await queried({ seeds: ['A'], records: [open('s', ['A'])], says });
  expect(analyses).toMatchObject([{ outcome: 'unjudged', issues: [{ id: 'i1' }], causes: [] }]);
});

it.for([
  [6.99, 'failed'],
  [7, 'sent'],
] as const)('after %d days, a failed file whose retry never gets a response is %s', async ([days, expected]) => {
  const records = ['A', 'B'].map((seed) => failed(seed, { submissionId: 's', at: daysAgo(days) }));
  const listed = { ...RETRYABLE, B: RETRYABLE.A };
  const says = { s: { status: 'failed', listed, A: 'failed', B: 'failed', 'A/retry': 500 } };
  const { plan } = await queried({ seeds: ['A', 'B'], records, says });
  expect(plan.contents.map(({ source }) => source.kind)).toEqual([expected, expected]);
});

it('a re-run sends a failed file although the asset of another one cannot be read', async () => {
  const listed = { A: { errorMessage: 'No pixels.' }, B: { errorMessage: 'No pixels.' } };
  const records = ['A', 'B'].map((seed) => failed(seed, { submissionId: 's' }));
  const says = { s: { status: 'failed', listed, A: 'failed', B: 503 } };
  const { plan } = await queried({ seeds: ['A', 'B'], records, says, rules: { isRerun: true } });
  expect(plan.contents.map(({ source }) => source.kind)).toEqual(['sent', 'failed']);
});

it('a re-run sends a file that failed for good although a rate limit prevents the retry of another one', async () => {
  const listed = { A: TOO_DARK, B: RETRYABLE.A };
  const records = ['A', 'B'].map((seed) => failed(seed, { submissionId: 's' }));
  const says = { s: { status: 'failed', listed, A: 'failed', B: 'failed', 'B/retry': LIMITED } };
  const { plan } = await queried({ seeds: ['A', 'B'], records, says, rules: { isRerun: true } });
  expect(plan.contents.map(({ source }) => source.kind)).toEqual(['sent', 'failed']);
});

it('an outage that is over before the files are planned hides no issue', async () => {
  const records = [failed('A', { submissionId: 's' }), analysed('B', { submissionId: 's', issues: [ISSUE] })];
  let requests = 0;
  const status = () => (++requests === 1 ? DOWN : 'failed');
  const says = { s: { status, listed: { A: TOO_DARK, B: { issueCount: 1 } }, A: 'failed', 'B/issues': [ISSUE] } };
  const { analyses } = await queried({ records, says });
  expect(analyses.map(({ outcome }) => outcome).toSorted()).toEqual(['failed', 'judged']);
});

it('after the deadline, the wait for a refused retry has pauses', async () => {
  const records = [failed('A', { submissionId: 's' })];
  const { reads } = await queried({ records, says: { s: { ...FREE, 'A/retry': 409 } }, minutes: 0 });
  expect(reads.filter((path) => path === 's').length).toBeLessThan(30);
});

it('a rate limit that prevented a retry before the plan does not keep the wait from retrying', async () => {
  const limited = steps<Reply>(response(429, {}, '400'), [400, { submissionId: 's' }]);
  const listed = counted(0, RETRYABLE.A);
  const service = serviceOf({ s: { ...FREE, listed, A: steps('failed', [401, 'complete']), 'A/retry': limited } });
  const { value } = await inFakeTime(async () => {
    const reader = createReader(service);
    const needed = [{ submissionId: 's', contents: [{ ...content('A'), name: 'A.png' }] }];
    const planned = await reader.read(needed, { deadline: deadlineIn(5) });
    const waited = await reader.read(needed, { deadline: deadlineIn(30), isPolled: true });
    return [...planned, ...waited];
  });
  expect(value.flatMap(({ analyses }) => analyses.map(({ outcome }) => outcome))).toEqual(['failed', 'judged']);
});

it('an outage that prevented a read does not end the wait for another file of the submission', async () => {
  const changing = lagging('processing', 'complete');
  const listed = { ...counted(1), B: { issueCount: 0 } };
  const service = serviceOf({ s: { status: changing, listed, 'A/issues': DOWN, A: DOWN, B: changing } });
  const reused = [{ content: content('A'), earlier: analysed('A', { submissionId: 's', issues: [ISSUE] }) }];
  const { value } = await inFakeTime(async () => {
    const reader = createReader(service);
    const deadline = deadlineIn(5);
    await reader.read([{ submissionId: 's', contents: [], reused }], { deadline, isPolled: false });
    const contents = [{ ...content('B'), name: 'B.png' }];
    const awaited = {
      submissionId: 's',
      contents,
      otherFiles: { names: [], assetKeys: new Set(['asset-A']), pending: [] },
    };
    return await reader.read([awaited], { deadline, isPolled: true });
  });
  expect(value.flatMap(({ analyses }) => analyses)).toMatchObject([{ outcome: 'judged' }]);
});

/** A submission whose only asset does not respond. */
const unreadable = (id: string): readonly [string, Said] => [
  id,
  { listed: { [id]: { issueCount: 1 } }, [id]: DOWN, [`${id}/issues`]: DOWN },
];

it.for<[string, Issue['severity'], count: number, firstRead: string]>([
  ['an issue that can fail the check', 'CRITICAL', 1, 'urgent'],
  ['another number of issues than before', 'MINOR', 2, 'n0'],
])('an asset with %s is read first; after an outage, no other asset is read', async (row) => {
  const [, severity, issueCount, firstRead] = row;
  const ids = [...Array.from({ length: 12 }, (_, index) => `n${index}`), 'urgent'];
  const records = ids.map((id) => {
    return analysed(id, { submissionId: id, issues: [issue({ severity: id === 'urgent' ? severity : 'MINOR' })] });
  });
  const urgent = { listed: { urgent: { issueCount } }, 'urgent/issues': [DISMISSED, SECOND].slice(0, issueCount) };
  const { analyses, reads } = await queried({
    seeds: ids,
    records,
    says: { ...Object.fromEntries(ids.map(unreadable)), urgent },
  });
  const ofIssues = reads.filter((path) => path.endsWith('/issues'));
  expect([reads[0], ofIssues[0]]).toEqual([firstRead, 'urgent/urgent/issues']);
  const read = analyses.find(({ submissionId }) => submissionId === 'urgent');
  expect(read?.issues[0]).toMatchObject({ status: 'DISMISSED' });
  expect(ofIssues.length).toBeLessThan(12);
});

it.for([
  [503, 8],
  [403, 20],
] as const)('only an outage stops the others: after a %i, %i of 20 submissions are read', async ([status, read]) => {
  const seeds = Array.from({ length: 20 }, (_, index) => `${index}`);
  const records = seeds.map((seed) => analysed(seed, { submissionId: seed }));
  const says = Object.fromEntries(seeds.map((seed) => [seed, { status }]));
  const { reads, analyses } = await queried({ seeds, records, says });
  expect([new Set(reads).size, analyses.length]).toEqual([read, 20]);
});

/** Lists of A, which has no issues, and B. */
const BOTH = { ...counted(0), B: {} };
const RETRIED_B = {
  status: 'failed',
  listed: { ...BOTH, B: { isRetryable: true } },
  B: 'failed',
  'B/retry': { submissionId: 's' },
};
const DONE = { ...counted(0), B: { issueCount: 0 } };

// biome-ignore format: a table
it.for<[string, number, Said, string]>([
  ['still being analysed', 0.5, { status: 'processing' }, 'awaited awaited'],
  ['complete', 0.5, {}, 'result awaited'],
  ['failed for good', 0.5, { status: 'failed', B: 'failed' }, 'result failed'],
  ['failed, and its retry is accepted', 0.5, RETRIED_B, 'result awaited'],
  ['failed, and its retry is refused', 0.5, { ...RETRIED_B, 'B/retry': 404 }, 'result failed'],
  ['failed, and cannot be read', 0.5, { status: 'failed' }, 'result failed'],
  ['failed, and a gateway refuses the read', 0.5, { status: 'failed', B: 403 }, 'result awaited'],
  ['failed, and listed late', 0.5, { status: 'failed', listed: lagging({ A: DONE.A }, DONE), B: 'complete' },
    'result result'],
  ['complete for seven days, but not this file', 7, { B: 'processing' }, 'result failed'],
  ['in a status that nobody knows for seven days', 7, { status: 'paused', B: 'complete' }, 'failed failed'],
  ['complete for seven days, and its retry is accepted', 7, { ...RETRIED_B, status: 'complete' }, 'result awaited'],
  ['complete for seven days, and its retry is refused', 7, { ...RETRIED_B, status: 'complete', 'B/retry': 404 },
    'result failed'],
  ['complete for seven days, and its retry has no effect', 7, { ...RETRIED_B, status: 'complete', 'B/retry': 400 },
    'result failed'],
  ['failed for seven days, and its retry is accepted', 7, { ...RETRIED_B, B: lagging('failed', 'processing') },
    'result awaited'],
  ['failed for seven days, and its retry is accepted without effect', 7, RETRIED_B, 'result given up'],
  ['failed for seven days, and its retry is refused', 7, { ...RETRIED_B, 'B/retry': 404 }, 'result sent again'],
  ['failed for seven days, and its retry is running although the response was lost', 7,
    { ...RETRIED_B, B: lagging('failed', 'processing'), 'B/retry': 504 }, 'result awaited'],
  ['failed, and an outage prevents its retry', 0.5, { ...RETRIED_B, 'B/retry': DOWN }, 'result awaited'],
  ['failed for seven days, and an outage prevents its retry', 7, { ...RETRIED_B, 'B/retry': DOWN },
    'result given up'],
  ['failed for seven days, and its retry has no effect', 7, { ...RETRIED_B, 'B/retry': 400 }, 'result given up'],
  ['complete for less than seven days', 6.99, { B: 'processing' }, 'result awaited'],
  ['for seven days, and the status lags', 7, { listed: DONE, B: lagging('processing', 'complete') },
    'result result'],
  ['without a list', 0.5, { listed: null }, 'awaited awaited'],
  ['in a status that nobody knows', 0.5, { status: 'paused' }, 'awaited awaited'],
  ['unfinished after seven days', 7, { status: 'processing', listed: {} }, 'given up given up'],
  ['unfinished after less', 6.99, { status: 'processing', listed: {} }, 'awaited awaited'],
  ['missing', 0.5, { status: 404 }, 'missing missing'],
  ['missing for ten seconds', 0.5, { status: lagging(404, 'processing') }, 'awaited awaited'],
  ['refused', 6.99, { status: 403 }, 'awaited awaited'],
  ['refused for seven days', 7, { status: 403 }, 'given up given up'],
  ['an outage', 7, { status: DOWN }, 'awaited awaited'],
  ['an outage of its assets', 7, { status: 'failed', B: DOWN }, 'result awaited'],
  ['complete for seven days, and an outage of its assets', 7, { B: DOWN }, 'result awaited'],
])('the files of an open submission: %s', async ([, days, said, expected]) => {
  const records = [open('s', ['A', 'B'], { at: daysAgo(days) })];
  const { useIn } = await queried({ records, says: { s: { listed: BOTH, B: 404, ...said } } });
  expect(`${useIn('s', 'A')} ${useIn('s', 'B')}`).toBe(expected);
});

it.for<[string, Said, string]>([
  ['has healed', {}, 'result'],
  ['has not', { A: 'failed' }, 'sent again'],
])('a re-run reads a failed file whose submission was missing for a moment: it %s', async ([, said, expected]) => {
  const records = [failed('A', { submissionId: 's' }), analysed('B', { submissionId: 's' })];
  const says = { s: { status: lagging(404, 'complete'), listed: DONE, ...said } };
  const { useIn } = await queried({ records, says, rules: { isRerun: true } });
  expect([useIn('s', 'A'), useIn('s', 'B')]).toEqual([expected, 'result']);
});

it('a file is given up by the age of its own record', async () => {
  const records = [failed('A', { submissionId: 's', at: daysAgo(1) }), open('s', ['B'], { at: daysAgo(7) })];
  const { useIn } = await queried({ records, says: { s: { status: 'processing' } } });
  expect([useIn('s', 'A'), useIn('s', 'B')]).toEqual(['awaited', 'given up']);
});

const old = analysed('A', { submissionId: 'old', at: daysAgo(2) });
const [newer, sent] = [analysed('A', { submissionId: 'n' }), open('n', ['A'])];
const DONE_A = { listed: counted(0) };
const BROKEN_A = { ...DONE_A, status: 'failed' };

// biome-ignore format: a table
it.for<[string, Partial<Case>, number]>([
  ['is waited for', {}, 20],
  ['is waited for if only its asset is missing', { says: { old: {} } }, 20],
  ['is waited for although an older one is there', { records: [analysed('A', { submissionId: 'new' }), old] }, 20],
  ['is waited for if a newer one failed', { records: [sent, old], says: { n: { status: 'failed' } } }, 20],
  ['is waited for beside a newer failure', { records: [failed('A'), old] }, 20],
  ['shares the time with others', { records: [old, open('x', ['B']), analysed('C', { submissionId: 'y' })] }, 20],
  ['is not waited for if a newer analysis is there', { records: [newer, old], says: { n: DONE_A } }, 0],
  ['is not waited for if a newer one failed with an analysis', { records: [newer, old], says: { n: BROKEN_A } }, 0],
  ['is not waited for if a newer one is open', { records: [sent, old], says: { n: { status: 'processing' } } }, 0],
  ['is not waited for if a newer one cannot be read', { records: [newer, old], says: { n: { status: 403 } } }, 0],
  ['is not waited for if it failed', { records: [sent], says: { n: { ...BROKEN_A, A: 'failed' } } }, 0],
  ['is not waited for if it is only to be linked', { records: [], paths: [pathRecord('a.png', 'X')] }, 0],
])('a missing submission %s', async ([, given, expected]) => {
  expect((await queried({ records: [old], ...given })).seconds).toBe(expected);
});

it('a submission whose id was saved in upper and in lower case is read once', async () => {
  const [upper, lower] = ['0000000A-000B-000C-000D-00000000000E', '0000000a-000b-000c-000d-00000000000e'];
  const records = [open(upper, ['A']), open(lower, ['B']), analysed('C', { submissionId: lower, issues: [ISSUE] })];
  const said = { status: 'processing', listed: { C: { issueCount: 1 } }, 'C/issues': [ISSUE] };
  const { reads, plan } = await queried({ records, says: { [upper]: said, [lower]: said } });
  expect(reads.map((path) => path.toLowerCase())).toEqual([lower, `${lower}/c/issues`]);
  expect(awaitedSubmissions(plan, basis([]).earlierState).map(({ contents }) => contents.length)).toEqual([2]);
});

it('a missing submission is asked for again although another one cannot be read', async () => {
  const says = { x: { status: 503 }, old: { ...DONE_A, status: steps<Reply>(404, [1, 'complete']) } };
  const { analyses } = await queried({ seeds: ['A', 'B'], records: [old, open('x', ['B'])], says });
  expect(analyses).toMatchObject([{ outcome: 'judged' }]);
});

it.for([
  ['complete', 'missing'],
  ['processing', 'result'],
  ['paused', 'result'],
] as const)(
  'an analysis whose asset is gone from the list of a submission that is %s is %s',
  async ([status, expected]) => {
    const { useIn } = await queried({ records: [old], says: { old: { status, listed: {} } } });
    expect(useIn('old', 'A')).toBe(expected);
  },
);

it('in a submission of reused files, no other asset is retried', async () => {
  const records = [analysed('A', { submissionId: 's' })];
  const listed = { ...counted(0), B: { errorMessage: 'It broke.', isRetryable: true } };
  const { reads } = await queried({ seeds: ['A'], records, says: { s: { status: 'failed', listed } } });
  expect(reads).toEqual(['s']);
});

it('a missing submission is not linked', async () => {
  const paths = ['a', 'b'].map((name) => pathRecord(`${name}.png`, 'X', { submissionId: name }));
  const { plan } = await queried({ seeds: ['A', 'B'], records: [], paths, says: { b: {} } });
  expect([...previousSubmissions(plan)]).toEqual([[sha('B'), 'b']]);
});

it('a submission that was read once is not missing later: only its asset is', async () => {
  const records = [analysed('A', { submissionId: 's' }), analysed('B', { submissionId: 's' })];
  const { useIn } = await queried({
    records,
    says: { s: { status: steps<Reply>('complete', [1, 404]), listed: counted(0) } },
  });
  expect([useIn('s', 'A'), useIn('s', 'B')]).toEqual(['result', 'missing']);
});

it('a second query reads missing and failed submissions only once, and finds new analyses of an open one', async () => {
  const result = analysed('B', { submissionId: 's', at: daysAgo(0.4) });
  const given = [old, ...sent];
  const { reads, useIn, seconds, plan } = await queried({
    seeds: ['A', 'B'],
    records: [given, open('s', ['B'], { at: daysAgo(0.5) })],
    later: [...given, result],
    says: { s: { status: 'processing', listed: DONE }, n: { ...BROKEN_A, A: 'failed' } },
  });
  const statuses = [useIn('old', 'A'), useIn('n', 'A'), useIn('s', 'B')];
  expect([...statuses, seconds]).toEqual(['missing', 'failed', 'result', 20]);
  expect(plan.contents.map(({ source }) => source.kind)).toEqual(['failed', 'reused']);
  for (const path of ['s', 'n/A']) expect(reads.filter((each) => each === path)).toHaveLength(1);
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
  status: fc.constantFrom('processing', 'complete', 'failed', 'cancelled', 'revoked', 'paused', 404, 403, DOWN),
  listed: fc.subarray(SEEDS),
  broken: fc.subarray(SEEDS),
});
const SUBMISSIONS = fc.uniqueArray(SUBMISSION, { selector: ({ id }) => id });
const RECORDS = fc.array(RECORD, { maxLength: 5 });

it('random states and responses: nothing missing is judged, nothing is sent that the service has', async () => {
  const property = fc.asyncProperty(RECORDS, RECORDS, SUBMISSIONS, async (records, more, submissions) => {
    const says = submissions.map(({ id, status, listed, broken }): readonly [string, Said] => {
      const assets = listed.map((seed) => [seed, { issueCount: 1 }]);
      const own = listed.map((seed) => {
        return [seed, { issues: [ISSUE], status: broken.includes(seed) ? 'failed' : 'complete' }];
      });
      return [id, { status, listed: Object.fromEntries(assets), ...Object.fromEntries(own) }];
    });
    const later = [...records, ...more].flat();
    const given = { seeds: SEEDS, records, later, says: Object.fromEntries(says) };
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
