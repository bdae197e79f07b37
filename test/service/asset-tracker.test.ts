import { describe, expect, it } from 'vitest';
import { AssetTracker, errorOf, stateOf } from '../../src/service/asset-tracker.ts';
import type { AssetAnswer, AssetStatus, SubmissionAnswer } from '../../src/service/responses.ts';
import { ServiceError } from '../../src/service/service-error.ts';
import { assetStatus } from './things.ts';

const FAILED = { errorType: 'E', errorMessage: 'It broke.', isRetryable: true };

describe('stateOf', () => {
  // biome-ignore format: a table
  it.each([
    ['nothing is known',                          {},                                           undefined, 'unfinished'],
    ['no issue was found',                        { issueCount: 0 },                            undefined, 'done'],
    ['issues were found',                         { issueCount: 3 },                            undefined, 'done'],
    ['it failed',                                 FAILED,                                       undefined, 'failed'],
    ['it failed, with a type alone',              { errorType: 'E' },                           undefined, 'failed'],
    ['it failed, though something was counted',   { ...FAILED, issueCount: 0 },                 undefined, 'failed'],
    ['empty errors are none',                     { errorType: '', errorMessage: '', issueCount: 1 }, undefined, 'done'],
    ['it failed, and the retry does not show yet', { ...FAILED, retryCount: 0 },                0,         'unfinished'],
    ['it failed again',                           { ...FAILED, retryCount: 1 },                 0,         'failed'],
    ['the retry is under way',                    { retryCount: 1 },                            0,         'unfinished'],
    ['the retry went well',                       { retryCount: 1, issueCount: 0 },             0,         'done'],
  ])('%s', (_, facts, retryCountBefore, expected) => {
    expect(stateOf(assetStatus('a', facts), retryCountBefore)).toBe(expected);
  });
});

function submission(...assets: SubmissionAnswer['assets']): SubmissionAnswer {
  return { submissionId: 'S', status: 'failed', progressPercent: 100, assets };
}

function own(status: string, issueCount: number | null = null): AssetAnswer {
  return { assetId: 'a', filename: 'a.png', status, issueCount, versionNumber: 1, versionGroupId: null };
}

function failedTrack(): AssetTracker {
  const track = new AssetTracker('S', assetStatus('a', FAILED));
  track.observe(submission(assetStatus('a', FAILED)));
  return track;
}

describe('an asset on its way', () => {
  it('the missing count of a complete one is looked for a few times, then it is done without', () => {
    const track = new AssetTracker('S', assetStatus('a'));
    const looks = Array.from({ length: 6 }, () => {
      track.observe(submission(assetStatus('a')));
      track.observeOwn(own('complete'), true);
      return track.state;
    });
    expect(looks).toEqual(['unfinished', 'unfinished', 'unfinished', 'unfinished', 'unfinished', 'done']);
    expect(track.status.issueCount).toBeNull();
  });

  it('its own resource may know the count, or that it failed', () => {
    const track = new AssetTracker('S', assetStatus('a'));
    track.observeOwn(own('complete', 4), true);
    expect([track.state, track.status.issueCount]).toEqual(['done', 4]);
    const other = new AssetTracker('S', assetStatus('a'));
    other.observeOwn(own('failed'), true);
    expect(other.state).toBe('failed');
  });

  it('a sandbox has no counts to wait for', () => {
    const track = new AssetTracker('S', assetStatus('a'));
    track.observeOwn(own('complete'), false);
    expect(track.state).toBe('done');
  });

  it('one that nobody shows any more is lost after a while, not at once', () => {
    const track = new AssetTracker('S', assetStatus('a'));
    const looks = Array.from({ length: 7 }, () => {
      track.observe(submission());
      track.observeOwn(undefined, true);
      return track.state;
    });
    expect(looks.slice(0, 5)).toEqual(Array(5).fill('unfinished'));
    expect(looks.at(-1)).toBe('lost');
  });

  it('one that could not be read stays lost until the submission tells more', () => {
    const track = new AssetTracker('S', assetStatus('a'));
    const failure = { kind: 'status', status: 500, message: '', location: undefined, retryAfter: undefined } as const;
    track.lose(new ServiceError('reading an asset', failure));
    track.observe(submission(assetStatus('a')));
    expect([track.state, track.needsOwnAnswer, track.problem?.status]).toEqual(['lost', false, 500]);
    track.observe(submission(assetStatus('a', { issueCount: 2 })));
    expect([track.state, track.problem]).toEqual(['done', undefined]);
  });

  it('is retried twice at most', () => {
    const track = failedTrack();
    for (const retryCount of [1, 2]) {
      expect(track.wantsRetry).toBe(true);
      track.retried({ submissionId: 'S', assets: [] });
      track.observe(submission(assetStatus('a', { ...FAILED, retryCount })));
    }
    expect([track.state, track.wantsRetry, track.retries]).toEqual(['failed', false, 2]);
  });

  it('is not retried where it may not be', () => {
    const track = new AssetTracker('S', assetStatus('a'));
    track.observe(submission(assetStatus('a', { ...FAILED, isRetryable: false })));
    expect([track.state, track.wantsRetry]).toEqual(['failed', false]);
  });

  it('after a retry that shows, its own resource is asked again', () => {
    const track = failedTrack();
    track.retried({ submissionId: 'S', assets: [] });
    track.observe(submission(assetStatus('a', FAILED)));
    expect(track.needsOwnAnswer).toBe(false);
    track.observe(submission(assetStatus('a', { retryCount: 1 })));
    expect(track.needsOwnAnswer).toBe(true);
  });

  // biome-ignore format: a table
  it.each<[string, string, Partial<AssetStatus>, string]>([
    ['did not show',                         'S', FAILED,           'failed'],
    ['is under way',                         'S', { retryCount: 1 }, 'unfinished'],
    ['began, and shows no other count',      'S', {},               'unfinished'],
    ['went into a submission without it',    'T', FAILED,           'failed'],
  ])('a retry that was accepted and %s when nobody looks any more', (_, submissionId, facts, expected) => {
    const track = failedTrack();
    track.retried({ submissionId, assets: [] });
    track.observe(submissionId === 'T' ? submission() : submission(assetStatus('a', facts)));
    expect(track.state).toBe('unfinished');
    track.conclude();
    expect(track.state).toBe(expected);
  });

  // biome-ignore format: a table
  it.each<[string, string[], string[], string, string]>([
    ['the answer names it',                       ['n'],      ['n'],      'n', 'done'],
    ['the answer names none, and there is one',   [],         ['n'],      'n', 'done'],
    ['it kept its name among others',             ['x', 'a'], ['x', 'a'], 'a', 'done'],
    ['nothing tells which it is',                 [],         ['x', 'y'], 'a', 'failed'],
    ['the answer names several',                  ['x', 'y'], ['x', 'y'], 'a', 'failed'],
  ])('a retry in another submission: %s', (_, answered, listed, assetId, state) => {
    const track = failedTrack();
    track.retried({ submissionId: 'T', assets: answered.map((id) => ({ assetId: id })) });
    track.observe({ ...submission(...listed.map((id) => assetStatus(id, { issueCount: 0 }))), submissionId: 'T' });
    expect([track.submissionId, track.assetId, track.state]).toEqual(['T', assetId, state]);
    expect(track.originalAssetId).toBe('a');
  });
});

it.each([
  [{ errorType: 'E', errorMessage: 'It broke.' }, 'E: It broke'],
  [{ errorMessage: 'It broke' }, 'It broke'],
  [{}, 'it gave no reason'],
])('%j is told as %j', (facts, expected) => {
  expect(errorOf(assetStatus('a', facts))).toBe(expected);
});
