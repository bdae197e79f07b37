import { describe, expect, it } from 'vitest';
import {
  canBeRetried,
  contentOf,
  hasAllFiles,
  needsAnswer,
  openSubmissions,
  retryProblemOf,
  stateOf,
  type TrackedAsset,
  trackAsset,
  withList,
  withRefusedRetry,
  withRetry,
} from '../../src/service/asset-tracker.ts';
import { type AssetAnswer, type AssetStatus, describeAssetError } from '../../src/service/responses.ts';
import { ServiceError } from '../../src/service/service-error.ts';
import { assetStatus, content, refusal } from './things.ts';

const FAILED = { errorType: 'E', errorMessage: 'It broke.', isRetryable: true };
const SECOND = 1_000;

function at(seconds: number): number {
  return seconds * SECOND;
}

function listed(asset: TrackedAsset, facts: Partial<AssetStatus> | undefined, now: number, status = 'failed') {
  const assets = facts ? [assetStatus(asset.assetId ?? 'a', facts)] : [];
  const answer = { submissionId: asset.submissionId, status, workflowId: null, progressPercent: 100, assets };
  return withList(asset, answer, now);
}

function answer(status: string, issueCount: number | null = null): AssetAnswer {
  return { assetId: 'a', filename: 'a.png', status, issueCount, versionNumber: 1, versionGroupId: null };
}

function tracked(facts: Partial<AssetStatus> = {}): TrackedAsset {
  return listed(trackAsset('S', assetStatus('a', facts), 'live'), facts, at(0));
}

function refused(status: number): ServiceError {
  return new ServiceError('retrying an asset', refusal(status, 'No.'));
}

describe('the state of an asset', () => {
  // biome-ignore format: a table
  it.each<[string, Partial<AssetStatus>, AssetAnswer | undefined, string]>([
    ['nothing is known',                        {},                            undefined,           'unfinished'],
    ['counted, and not yet read',               { issueCount: 0 },             undefined,           'unfinished'],
    ['counted and complete',                    { issueCount: 3 },             answer('complete'),     'ended'],
    ['complete, counted by itself only',        {},                            answer('complete', 4),  'ended'],
    ['complete without a count',                {},                            answer('complete'),     'unfinished'],
    ['counted, but itself not complete',        { issueCount: 0 },             answer('processing'),   'unfinished'],
    ['failed in the list',                      FAILED,                        undefined,           'failed'],
    ['failed with a type alone',                { errorType: 'E' },            undefined,           'failed'],
    ['failed in the list, but complete',        { ...FAILED, issueCount: 0 },  answer('complete', 0),  'failed'],
    ['failed by itself only',                   { issueCount: 0 },             answer('failed'),       'failed'],
    ['empty errors do not count',               { errorType: '', errorMessage: '', issueCount: 1 }, answer('complete'), 'ended'],
  ])('%s', (_, facts, own, expected) => {
    const asset = { ...tracked(facts), answer: own };
    expect(stateOf(asset, at(0))).toBe(expected);
  });

  it('a sandbox has no counts, so none is awaited', () => {
    expect(stateOf({ ...tracked(), mode: 'sandbox', answer: answer('complete') }, at(0))).toBe('ended');
  });

  it('an asset whose own resource cannot be read has ended', () => {
    expect(stateOf({ ...tracked(), readError: refused(500) }, at(0))).toBe('ended');
  });

  // biome-ignore format: a table
  it.each<[string, Partial<AssetStatus> | undefined, AssetAnswer | undefined]>([
    ['complete without a count',         {},                answer('complete')],
    ['counted, but itself not complete', { issueCount: 0 }, answer('processing')],
    ['missing everywhere',               undefined,         undefined],
  ])('%s: that is accepted after 20 s, not at once', (_, facts, own) => {
    const first = { ...tracked(facts), answer: own };
    const later = [1, 20, 21].map((seconds) => listed(listed(first, facts, at(1)), facts, at(seconds)));
    expect(later.map((asset, index) => stateOf(asset, at([1, 20, 21][index] ?? 0)))).toEqual(
      facts?.issueCount === 0 ? ['unfinished', 'ended', 'ended'] : ['unfinished', 'unfinished', 'ended'],
    );
  });
});

describe('when its own resource is read', () => {
  // biome-ignore format: a table
  it.each<[string, Partial<AssetStatus>, boolean, boolean]>([
    ['counted',                          { issueCount: 0 }, false, true],
    ['not counted, submission not over', {},                false, false],
    ['not counted, submission over',     {},                true,  true],
    ['failed',                           FAILED,            true,  false],
  ])('%s', (_, facts, isOver, expected) => {
    expect(needsAnswer(tracked(facts), isOver, at(0))).toBe(expected);
  });

  it('not again once it is complete, nor while a retry shows the old failure', () => {
    expect(needsAnswer({ ...tracked(), answer: answer('complete', 0) }, true, at(0))).toBe(false);
    const retried = withRetry(tracked(FAILED), { submissionId: 'S', workflowId: null, assets: [] }, 0);
    expect(needsAnswer(listed(retried, FAILED, at(1)), true, at(1))).toBe(false);
    expect(needsAnswer(listed(retried, { retryCount: 1 }, at(1)), true, at(1))).toBe(true);
  });
});

describe('a retry', () => {
  const accepted = { submissionId: 'S', workflowId: null, assets: [] };

  it('is made twice at most', () => {
    let asset = tracked(FAILED);
    for (const retryCount of [1, 2]) {
      expect(canBeRetried(asset, at(0))).toBe(true);
      asset = listed(withRetry(asset, accepted, 0), { ...FAILED, retryCount }, at(1));
    }
    expect([stateOf(asset, at(1)), canBeRetried(asset, at(1)), asset.retries]).toEqual(['failed', false, 2]);
  });

  it('is not made if the service does not allow it', () => {
    expect(canBeRetried(tracked({ ...FAILED, isRetryable: false }), at(0))).toBe(false);
  });

  // biome-ignore format: a table
  it.each<[string, Partial<AssetStatus>, string, number, string]>([
    ['shows no effect yet',                           FAILED,                         'failed',     119, 'unfinished'],
    ['shows no effect for two minutes',               FAILED,                         'failed',     120, 'failed'],
    ['has begun',                                     { retryCount: 1 },              'processing', 1,   'unfinished'],
    ['has failed again',                              { ...FAILED, retryCount: 1 },   'failed',     1,   'failed'],
  ])('that was accepted and %s', (_, facts, status, seconds, expected) => {
    const asset = listed(withRetry(tracked(FAILED), accepted, 0), facts, at(seconds), status);
    expect(stateOf(asset, at(seconds))).toBe(expected);
  });

  it('of an asset that an earlier run retried shows an effect only in a higher count', () => {
    const before = { ...FAILED, retryCount: 1 };
    const asset = listed(withRetry(tracked(before), accepted, 0), before, at(1));
    expect(stateOf(asset, at(1))).toBe('unfinished');
  });

  it('that was refused with 409 may be running, any other refusal is final', () => {
    const [conflict, final] = [409, 503].map((status) =>
      withRefusedRetry(tracked(FAILED), refused(status), { now: 0, deadline: 900 * SECOND }),
    );
    if (!conflict || !final) throw new Error('There are two.');
    expect([stateOf(conflict, at(1)), stateOf(final, at(1))]).toEqual(['unfinished', 'failed']);
    expect(stateOf(listed(final, FAILED, at(1), 'processing'), at(1))).toBe('failed');
    expect([canBeRetried(conflict, at(500)), canBeRetried(final, at(1))]).toEqual([false, false]);
    expect(retryProblemOf(final)).toContain('503');
  });

  // biome-ignore format: a table
  it.each<[string, string | undefined, string[]]>([
    ['a limit that ends in time',            '600',     ['unfinished -', 'unfinished -', 'failed again']],
    ['a limit that ends when it is too late', '900',     ['failed -', 'failed -', 'failed -']],
    ['a limit without a readable end',       'soon',    ['unfinished -', 'failed again', 'failed again']],
  ])('that met %s', (_, retryAfter, expected) => {
    const limited = new ServiceError('retrying an asset', refusal(429, 'slow down', retryAfter));
    const asset = withRefusedRetry(tracked(FAILED), limited, { now: 0, deadline: 900 * SECOND });
    const states = [0, 599, 600].map(at).map((moment) => {
      const later = listed(asset, FAILED, moment);
      return `${stateOf(later, moment)} ${canBeRetried(later, moment) ? 'again' : '-'}`;
    });
    expect(states).toEqual(expected);
    expect(retryProblemOf(asset)).toContain('429');
  });

  // biome-ignore format: a table
  it.each<[string, string[], string[], string | undefined]>([
    ['the answer names it',                     ['n'],      ['n'],      'n'],
    ['the answer names none, and there is one', [],         ['n'],      'n'],
    ['it kept its id among others',             ['x', 'a'], ['x', 'a'], 'a'],
    ['nothing says which one it is',            [],         ['x', 'y'], undefined],
  ])('in another submission: %s', (_, answered, listedIds, assetId) => {
    const answer = { submissionId: 'T', workflowId: null, assets: answered.map((id) => ({ assetId: id })) };
    const moved = withList(
      withRetry(tracked(FAILED), answer, 0),
      {
        submissionId: 'T',
        status: 'complete',
        workflowId: null,
        progressPercent: 100,
        assets: listedIds.map((id) => assetStatus(id, { issueCount: 0, retryCount: 1 })),
      },
      1 * SECOND,
    );
    expect([moved.submissionId, moved.assetId, moved.originalAssetId]).toEqual(['T', assetId, 'a']);
    expect(stateOf(moved, at(200))).toBe(assetId === undefined ? 'failed' : 'ended');
  });

  it('in another submission: what was known of the asset before no longer counts', () => {
    const before = { ...tracked(FAILED), answer: answer('failed'), readError: refused(500) };
    const moved = withRetry(before, { submissionId: 'T', workflowId: null, assets: [{ assetId: 'n' }] }, 0);
    expect(moved).toMatchObject({ answer: undefined, readError: undefined, unclearSince: undefined });
    expect(stateOf(listed(moved, { issueCount: 0 }, at(1)), at(1))).toBe('unfinished');
    expect(stateOf(listed(moved, FAILED, at(1)), at(1))).toBe('failed');
  });

  it('in the same submission: an earlier answer counts only if it alone reported the failure', () => {
    const counted = { issueCount: 0, isRetryable: true };
    const before = { unclearSince: at(0), readError: refused(500) };
    const byList = withRetry({ ...tracked(FAILED), ...before, answer: answer('complete', 0) }, accepted, at(30));
    expect(byList).toMatchObject({ answer: undefined, readError: undefined, unclearSince: undefined });
    const byItself = withRetry({ ...tracked(counted), ...before, answer: answer('failed') }, accepted, at(30));
    expect(byItself).toMatchObject({ answer: { status: 'failed' }, readError: undefined, unclearSince: undefined });
    expect(needsAnswer(listed(byItself, counted, at(31)), true, at(31))).toBe(true);
  });
});

describe('the files of a submission', () => {
  const [a, b] = [content('a'), content('b')];
  const ended = { ...tracked({ issueCount: 0 }), answer: answer('complete'), filename: a.name };
  const unfinished = { ...tracked(), filename: undefined };

  // biome-ignore format: a table
  it.each<[string, readonly TrackedAsset[], boolean, boolean]>([
    ['all assets have ended',                        [ended, ended],      true,  true],
    ['one has not',                                  [ended, unfinished], true,  false],
    ['one is missing',                               [ended],             true,  false],
    ['one too many, in an earlier run’s submission', [ended, { ...ended, filename: b.name }, unfinished], false, true],
    ['one too many, in a new submission',            [ended, { ...ended, filename: b.name }, unfinished], true,  false],
  ])('%s: %s', (_, assets, isNew, expected) => {
    expect(hasAllFiles({ submissionId: 'S', contents: [a, b], isNew }, assets, at(0))).toBe(expected);
  });

  it('an asset without a name is the file only if there is one of each', () => {
    const only = { submissionId: 'S', contents: [a] };
    expect(contentOf(unfinished, only, [unfinished])).toBe(a);
    expect(contentOf(unfinished, only, [unfinished, ended])).toBeUndefined();
    expect(contentOf(unfinished, { ...only, contents: [a, b] }, [unfinished])).toBeUndefined();
  });

  it('those of a moved asset are open in its submission, the others where they were', () => {
    const moved = { ...unfinished, submissionId: 'T', filename: b.name };
    expect(openSubmissions({ submissionId: 'S', contents: [a, b] }, [ended, moved])).toEqual([
      { submissionId: 'S', contents: [a] },
      { submissionId: 'T', contents: [b] },
    ]);
  });
});

it.each([
  [{ errorType: 'E', errorMessage: 'It broke.' }, 'E: It broke'],
  [{ errorType: 'E' }, 'E'],
  [{ errorMessage: 'It broke' }, 'It broke'],
  [{}, 'it gave no reason'],
])('%j is described as %j', (facts, expected) => {
  expect(describeAssetError(assetStatus('a', facts))).toBe(expected);
});
