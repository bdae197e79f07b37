import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Cause } from '../../src/lib/cause.ts';
import type { ContentResult } from '../../src/service/asset-outcome.ts';
import { trackAsset } from '../../src/service/asset-tracker.ts';
import { type AssetResult, assign, collect } from '../../src/service/collect.ts';
import type { AssetAnswer, AssetStatus } from '../../src/service/responses.ts';
import { ServiceError } from '../../src/service/service-error.ts';
import type { WaitedAsset } from '../../src/service/wait.ts';
import { answer, assetResult, assetStatus, clientOf, content, issues, refusal } from './things.ts';

const [a, b, c] = [content('a'), content('b'), content('c')];
const submission = { submissionId: 'S', contents: [a, b, c], isNew: true };
const ALL = [assetResult('1', a.name), assetResult('2', b.name), assetResult('3', c.name)] as const;
const FAILED: Cause = { reason: 'asset-failed', message: 'It failed.', fix: '' };
const OUTAGE: Cause = { reason: 'service', message: 'It was not there.', fix: '' };
const TIMEOUT: Cause = { reason: 'timeout', message: 'Too late.', fix: '' };

/** What each file has, and the messages beside it. */
function assigned(results: readonly AssetResult[], interruptedBy?: Cause, isNew = true) {
  const found = assign({ submission: { ...submission, isNew }, interruptedBy }, results);
  return { found, short: found.map(inShort), messages: found.flatMap(messagesOf) };
}

function inShort({ content: { paths }, outcome, assetId }: ContentResult): string {
  return `${paths[0]} ${outcome} ${assetId ?? '-'}`;
}

function messagesOf({ causes }: ContentResult): readonly string[] {
  return causes.map(({ path, message }) => `${path ?? ''}: ${message}`);
}

function nameless(ids: readonly string[], facts: Partial<AssetResult>): readonly AssetResult[] {
  return ids.map((id) => assetResult(id, undefined, { outcome: 'unjudged', ...facts }));
}

describe('which asset is which file', () => {
  it('the file name alone decides, in any order', () => {
    expect(assigned(ALL.toReversed())).toMatchObject({
      short: ['a judged 1', 'b judged 2', 'c judged 3'],
      messages: [],
    });
  });

  it('two with one name: the file is unjudged, and the issues of both count', () => {
    const twice = [
      assetResult('1', a.name, { issues: issues('x') }),
      assetResult('9', a.name, { issues: issues('x', 'y') }),
    ];
    const { found, short, messages } = assigned([...twice, ...ALL.slice(1)]);
    expect(short).toEqual(['a unjudged 1', 'b judged 2', 'c judged 3']);
    expect(found[0]?.issues.map(({ id }) => id).toSorted()).toEqual(['x', 'y']);
    expect(messages).toEqual([expect.stringMatching(/^a: Submission S has 2 assets with the name .*\(1, 9\)/)]);
  });

  it('one missing: its file is unjudged', () => {
    const { short, messages } = assigned(ALL.slice(0, 2));
    expect(short).toEqual(['a judged 1', 'b judged 2', 'c unjudged -']);
    expect(messages).toEqual(['c: Submission S has no asset with the name of this file: c.']);
  });

  it('an unknown name: the file is unjudged, and the name is shown', () => {
    const { short, messages } = assigned([...ALL.slice(0, 2), assetResult('3', 'stranger.png')]);
    expect(short).toEqual(['a judged 1', 'b judged 2', 'c unjudged -']);
    expect(messages).toEqual([expect.stringContaining('others that were never sent: stranger.png')]);
  });

  it.each([
    ['with a name', assetResult('4', 'stranger.png'), 'stranger.png'],
    ['without a name', assetResult('4', undefined, { outcome: 'unjudged' }), 'asset 4'],
  ])('one more than was sent, %s: no file of the submission is judged', (_, extra, name) => {
    const { short, messages } = assigned([...ALL, extra]);
    expect(short).toEqual(['a unjudged 1', 'b unjudged 2', 'c unjudged 3']);
    expect(messages).toEqual([expect.stringContaining(`: Submission S has assets that were never sent: ${name}`)]);
  });

  it('one more than was sent: the cause of each file stays, and a wait that was cut short explains it', () => {
    const results = [
      assetResult('1', a.name, { outcome: 'failed', cause: FAILED }),
      ALL[1],
      ALL[2],
      assetResult('4', 'x.png'),
    ];
    const { short, messages } = assigned(results);
    expect(short).toEqual(['a failed 1', 'b unjudged 2', 'c unjudged 3']);
    expect(messages).toEqual([expect.stringContaining('never sent: x.png'), 'a: It failed.']);
    expect(assigned(results, TIMEOUT).short).toEqual(['a failed 1', 'b judged 2', 'c judged 3']);
  });

  it('an earlier run’s submission may hold other files', () => {
    expect(assigned([...ALL, assetResult('4', 'deleted-since.png')], undefined, false)).toMatchObject({
      short: ['a judged 1', 'b judged 2', 'c judged 3'],
      messages: [],
    });
  });
});

describe('assets without a name', () => {
  it('the only one belongs to the only remaining file', () => {
    const { short, messages } = assigned([ALL[0], ALL[1], ...nameless(['3'], { outcome: 'failed', cause: FAILED })]);
    expect(short).toEqual(['a judged 1', 'b judged 2', 'c failed 3']);
    expect(messages).toEqual(['c: It failed.']);
  });

  it('several with one cause: it is reported once, for all remaining files', () => {
    const { short, messages } = assigned([ALL[0], ...nameless(['2', '3'], { cause: OUTAGE })]);
    expect(short).toEqual(['a judged 1', 'b unjudged -', 'c unjudged -']);
    expect(messages).toEqual([': It was not there. The service does not say which file that is: one of b, c.']);
  });

  it.each([undefined, TIMEOUT])('several that all failed: each remaining file has failed', (interruptedBy) => {
    const failed = nameless(['2', '3'], { outcome: 'failed', cause: FAILED });
    const { short, messages } = assigned([ALL[0], ...failed], interruptedBy);
    expect(short).toEqual(['a judged 1', 'b failed -', 'c failed -']);
    expect(messages).toEqual([': It failed. The service does not say which file that is: one of b, c.']);
  });

  it('several with different causes: all of them are reported', () => {
    const both = [...nameless(['2'], { cause: FAILED }), ...nameless(['3'], { cause: OUTAGE })];
    const { messages } = assigned([ALL[0], ...both]);
    expect(messages).toEqual([expect.stringContaining('It failed.'), expect.stringContaining('It was not there.')]);
  });

  it('fewer of them than files: that a file has no asset is reported as well', () => {
    const { messages } = assigned(nameless(['1'], { cause: OUTAGE }));
    expect(messages).toEqual([
      expect.stringContaining('It was not there.'),
      ': Submission S has no asset with the name of this file: a, b, c.',
    ]);
  });

  it('their issues count, for the first possible file', () => {
    const { found } = assigned([ALL[0], ...nameless(['2'], { issues: issues('x') }), ...nameless(['3'], {})]);
    expect(found.map((each) => each.issues.map(({ id }) => id))).toEqual([[], ['x'], []]);
    const both = [...nameless(['3'], { issues: issues('x') }), ...nameless(['4'], { issues: issues('y') })];
    expect(
      assigned([ALL[0], ALL[1], ...both])
        .found[2]?.issues.map(({ id }) => id)
        .toSorted(),
    ).toEqual(['x', 'y']);
  });
});

describe('a wait that was cut short', () => {
  it('is the one cause for all files without a result', () => {
    expect(assigned([ALL[0]], TIMEOUT)).toMatchObject({
      short: ['a judged 1', 'b unjudged -', 'c unjudged -'],
      messages: [],
    });
  });

  it('does not hide that an asset without a name failed', () => {
    const results = [ALL[0], ...nameless(['2'], { outcome: 'failed', cause: FAILED }), ...nameless(['3'], {})];
    const { short, messages, found } = assigned(results, TIMEOUT);
    expect(short).toEqual(['a judged 1', 'b unjudged -', 'c unjudged -']);
    expect(messages).toEqual([': It failed. The service does not say which file that is: one of b, c.']);
    expect(found[1]?.causes).toMatchObject([{ reason: 'asset-failed' }]);
  });
});

function waited(listed: Partial<AssetStatus>, facts: Partial<WaitedAsset> = {}, id = '1'): WaitedAsset {
  return { ...trackAsset('S', assetStatus(id, listed), 'live'), state: 'ended', ...facts };
}

describe('what is read of an asset', () => {
  const OWN: AssetAnswer = {
    assetId: '1',
    filename: a.name,
    status: 'complete',
    issueCount: 0,
    versionNumber: 3,
    versionGroupId: 'own',
  };
  const ERROR = new ServiceError('reading an asset', refusal(500));

  /** Collects a submission of one file, or of all, and returns what was requested. */
  async function collected(assets: readonly WaitedAsset[], { isTrusted = true, contents = [a], isLate = false } = {}) {
    const { client, requests } = clientOf((request, nth) => {
      if (isLate && nth === 1) return answer(429, {}, '10');
      if (request.endsWith('/issues')) return answer(200, [{ id: 'x', severity: 'MINOR' }]);
      if (request.endsWith('/versions')) return answer(200, [1, 2, 3]);
      if (request.endsWith('/topics')) return answer(200, { topics: [{ title: 'Health', issues: ['x', 'y'] }] });
      const assetId = request.split('/').at(-1);
      return answer(200, { ...OWN, assetId, filename: assetId === '1' ? a.name : b.name });
    });
    const results = await collect(
      {
        submission: { submissionId: 'S', contents, isNew: true },
        status: 'complete',
        errorMessage: undefined,
        workflowId: undefined,
        assets,
        isTrusted,
        interruptedBy: undefined,
      },
      { client, deadline: { signal: new AbortController().signal, until: isLate ? 0 : Date.now() + 60_000 } },
    );
    return { results, short: results.map(inShort), messages: results.flatMap(messagesOf), requests };
  }

  const ASSET = 'GET /submissions/S/assets/1';
  const VERSIONS = 'GET /submissions/S/versions';

  // biome-ignore format: a table
  it.each<[string, Partial<AssetStatus>, Partial<WaitedAsset>, string, readonly string[]]>([
    ['one that has ended, its own answer',         { issueCount: 0 },                {},                                    'a judged 1',   [ASSET]],
    ['one that was read before, no more',          { issueCount: 0 },                { answer: OWN },                       'a judged 1',   []],
    ['one with issues, the list',                  { issueCount: 1 },                { answer: OWN },                       'a judged 1',   [`${ASSET}/issues`]],
    ['one that could not be read, only its list',  { issueCount: 1 },                { readError: ERROR, filename: a.name }, 'a unjudged 1', [`${ASSET}/issues`]],
    ['one that has failed, its name',              { errorType: 'E' },               { state: 'failed' },                   'a failed 1',   [ASSET]],
    ['one that has failed and has a name, nothing', { errorType: 'E' },              { state: 'failed', filename: a.name }, 'a failed 1',   []],
    ['one that is not finished, nothing',          { issueCount: 1 },                { state: 'unfinished', filename: a.name }, 'a unjudged 1', []],
    ['one that a retry moved, under its first id', { issueCount: 0 },                { assetId: undefined },                'a judged 1',   [ASSET]],
    ['one with earlier versions, their number',    { issueCount: 0, versionNumber: 2 }, { answer: OWN },                    'a judged 1',   [VERSIONS]],
    ['an unjudged one, not the versions',          { issueCount: 5, versionNumber: 2 }, { answer: OWN },                    'a unjudged 1', [`${ASSET}/issues`]],
  ])('%s', async (_, listed, facts, expected, expectedRequests) => {
    const { short, requests } = await collected([waited({ versionNumber: 1, ...listed }, facts)]);
    expect([short, requests]).toEqual([[expected], expectedRequests]);
  });

  it('the version that the list names, or else the asset itself', async () => {
    const named = await collected([
      waited({ issueCount: 0, versionNumber: 2, versionGroupId: 'listed' }, { answer: OWN }),
    ]);
    expect(named.results).toMatchObject([{ versionNumber: 2, versionGroupId: 'listed', versionCount: 3 }]);
    const other = await collected([waited({ issueCount: 0, versionNumber: null }, { answer: OWN })]);
    expect(other.results).toMatchObject([{ versionNumber: 3, versionGroupId: 'own' }]);
  });

  it('if the submission cannot be trusted, no asset is judged, and a failed one stays failed', async () => {
    const assets = [
      waited({ issueCount: 1 }, { answer: OWN }),
      waited({ errorType: 'E' }, { state: 'failed', filename: b.name }, '2'),
    ];
    const { short, results } = await collected(assets, { isTrusted: false, contents: [a, b] });
    expect(short).toEqual(['a unjudged 1', 'b failed 2']);
    expect(results[0]?.issues.map(({ id }) => id)).toEqual(['x']);
  });

  it('the name that its own answer gives now, or gave before', async () => {
    const now = await collected([waited({ issueCount: 0 }, {}, '2'), waited({ issueCount: 0 })], { contents: [a, b] });
    expect(now.short).toEqual(['a judged 1', 'b judged 2']);
    const failed = { errorType: 'E' };
    const before = await collected(
      [
        waited(failed, { state: 'failed', filename: b.name }, '2'),
        waited(failed, { state: 'failed', filename: a.name }),
      ],
      { contents: [a, b] },
    );
    expect(before.short).toEqual(['a failed 1', 'b failed 2']);
  });

  it('what half a minute after the deadline is enough for', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const reading = collected([waited({ issueCount: 0 })], { isLate: true });
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await reading).short).toEqual(['a judged 1']);
  });

  it('the topics of several issues', async () => {
    const own = { ...OWN, issueCount: 2, issues: [{ id: 'y', severity: 'MINOR' }] };
    const { results } = await collected([waited({ issueCount: 2 }, { answer: own })]);
    expect(results).toMatchObject([{ outcome: 'judged', topics: [{ title: 'Health', issueIds: ['x', 'y'] }] }]);
  });

  it('what could not be read before comes last', async () => {
    const assets = [
      waited({ issueCount: 1 }, { readError: ERROR, filename: a.name }),
      waited({ issueCount: 1 }, { answer: { ...OWN, assetId: '2', filename: b.name } }, '2'),
    ];
    const { requests, messages } = await collected(assets, { contents: [a, b] });
    expect(requests).toEqual(['GET /submissions/S/assets/2/issues', 'GET /submissions/S/assets/1/issues']);
    expect(messages).toEqual([expect.stringMatching(/^a: The service answered 500 while reading an asset/)]);
  });

  it('one that is not finished has no cause besides the one that ended the wait', async () => {
    const { messages } = await collected([
      waited({ issueCount: 0 }, { state: 'unfinished', answer: { ...OWN, status: 'processing' } }),
    ]);
    expect(messages).toEqual([]);
  });

  // biome-ignore format: a table
  it.each<[number, string | undefined, string]>([
    [0, undefined, 'could not analyse the file: E.'],
    [1, undefined, 'could not analyse the file after 1 retry: E.'],
    [0, 'No',      'could not analyse the file: E. It was not retried: No.'],
    [2, 'No',      'could not analyse the file after 2 retries: E. It was not retried again: No.'],
  ])('why it failed, after %i retries and a refusal: %s', async (retries, refusalText, expected) => {
    const pendingRetry = refusalText === undefined ? undefined : { until: 0, retryCount: 0, refusal: refusalText, isPostponed: false };
    const { messages } = await collected([
      waited({ errorType: 'E' }, { state: 'failed', filename: a.name, retries, pendingRetry }),
    ]);
    expect(messages).toEqual([`a: The service ${expected}`]);
  });
});
