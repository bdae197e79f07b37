import { describe, expect, it } from 'vitest';
import { assign } from '../../src/service/assign.ts';
import type { ContentResult } from '../../src/service/content-result.ts';
import { content, issues, reading } from './things.ts';

const [a, b, c] = [content('a'), content('b'), content('c')];
const created = { submissionId: 'S', contents: [a, b, c], waitsSince: 1 };
const ALL = [reading('1', a.name), reading('2', b.name), reading('3', c.name)] as const;

function told(results: readonly ContentResult[]): string[] {
  return results.map(({ content, outcome, assetId }) => `${content.paths[0]} ${outcome} ${assetId ?? '-'}`);
}

function messages(results: readonly ContentResult[]): string[] {
  return results.flatMap(({ causes }) => causes.map(({ path, message }) => `${path ?? ''}: ${message}`));
}

describe('which asset is which file', () => {
  it('the file name alone tells, in whatever order they come', () => {
    const results = assign(created, ALL.toReversed(), false);
    expect(told(results)).toEqual(['a judged 1', 'b judged 2', 'c judged 3']);
    expect(messages(results)).toEqual([]);
  });

  it('two with one name: neither passes, and what both found counts', () => {
    const twice = [reading('1', a.name, { issues: issues('x') }), reading('9', a.name, { issues: issues('x', 'y') })];
    const results = assign(created, [...twice, ...ALL.slice(1)], false);
    expect(told(results)).toEqual(['a unjudged 1', 'b judged 2', 'c judged 3']);
    expect(results[0]?.issues.map(({ id }) => id).toSorted()).toEqual(['x', 'y']);
    expect(messages(results)).toEqual([
      expect.stringMatching(/^a: Submission S has 2 assets with the name .*\(1, 9\)/),
    ]);
  });

  it('one too few: its file does not pass', () => {
    const results = assign(created, ALL.slice(0, 2), false);
    expect(told(results)).toEqual(['a judged 1', 'b judged 2', 'c unjudged -']);
    expect(messages(results)).toEqual([
      expect.stringContaining(`c: Submission S has no asset that the service names as this file (${c.name})`),
    ]);
  });

  it('one with a foreign name in place of ours: the file does not pass, and the name is told', () => {
    const results = assign(created, [...ALL.slice(0, 2), reading('3', 'stranger.png')], false);
    expect(told(results)).toEqual(['a judged 1', 'b judged 2', 'c unjudged -']);
    expect(messages(results)).toEqual([expect.stringContaining('others that were never sent: stranger.png')]);
  });

  it('one too many: no file of this submission passes', () => {
    const results = assign(created, [...ALL, reading('4', 'stranger.png')], false);
    expect(told(results)).toEqual(['a unjudged 1', 'b unjudged 2', 'c unjudged 3']);
    expect(messages(results)).toEqual([
      expect.stringMatching(/^: Submission S has assets that were never sent: stranger\.png/),
    ]);
  });

  it('one too many that cannot even be read: no file passes either', () => {
    const results = assign(created, [...ALL, reading('4', undefined, { outcome: 'unjudged' })], false);
    expect(told(results)).toEqual(['a unjudged 1', 'b unjudged 2', 'c unjudged 3']);
    expect(messages(results)).toEqual([expect.stringContaining('never sent: asset 4')]);
  });

  it('an earlier run’s submission may hold what is no longer of use', () => {
    const { waitsSince: _, ...earlier } = created;
    const results = assign(earlier, [...ALL, reading('4', 'deleted-since.png')], false);
    expect(told(results)).toEqual(['a judged 1', 'b judged 2', 'c judged 3']);
    expect(messages(results)).toEqual([]);
  });

  it('the only one without a name is the only file left', () => {
    const cause = { reason: 'asset-failed', message: 'It failed.', fix: '' } as const;
    const nameless = reading('3', undefined, { outcome: 'failed', cause });
    expect(told(assign(created, [ALL[0], ALL[1], nameless], false))).toEqual([
      'a judged 1',
      'b judged 2',
      'c failed 3',
    ]);
  });

  it('several without a name, and all for one reason: that is what is told for each file left', () => {
    const outage = { reason: 'service', message: 'It was not there.', fix: '' } as const;
    const nameless = ['2', '3'].map((id) => reading(id, undefined, { outcome: 'unjudged', cause: outage }));
    const results = assign(created, [ALL[0], ...nameless], false);
    expect(told(results)).toEqual(['a judged 1', 'b unjudged -', 'c unjudged -']);
    expect(messages(results)).toEqual(['b: It was not there.', 'c: It was not there.']);
    expect(results.flatMap(({ causes }) => causes.map(({ reason }) => reason))).toEqual(['service', 'service']);
  });

  it('several without a name that all failed: so did each file left', () => {
    const cause = { reason: 'asset-failed', message: 'It failed.', fix: '' } as const;
    const nameless = ['2', '3'].map((id) => reading(id, undefined, { outcome: 'failed', cause }));
    for (const isCutShort of [false, true]) {
      const results = assign(created, [ALL[0], ...nameless], isCutShort);
      expect(told(results)).toEqual(['a judged 1', 'b failed -', 'c failed -']);
      expect(messages(results)).toEqual(['b: It failed.', 'c: It failed.']);
    }
  });

  it('several without a name, for different reasons: both are told', () => {
    const reasons = [
      { reason: 'asset-failed', message: 'It failed.', fix: '' },
      { reason: 'service', message: 'It was not there.', fix: '' },
    ] as const;
    const nameless = reasons.map((cause, index) => reading(`${index + 2}`, undefined, { outcome: 'unjudged', cause }));
    const results = assign(created, [ALL[0], ...nameless], false);
    const both = expect.stringMatching(
      /An asset without a name: It failed\..*An asset without a name: It was not there\./,
    );
    expect(messages(results)).toEqual([both, both]);
  });

  it('where the wait was cut short, that is not said again for every file', () => {
    const results = assign(created, [ALL[0]], true);
    expect(told(results)).toEqual(['a judged 1', 'b unjudged -', 'c unjudged -']);
    expect(messages(results)).toEqual([]);
  });

  it('where the wait was cut short, what befell assets without a name is told once', () => {
    const cause = { reason: 'asset-failed', message: 'It failed.', fix: '' } as const;
    const failed = reading('2', undefined, { outcome: 'failed', cause });
    const unfinished = reading('3', undefined, { outcome: 'unjudged' });
    const results = assign(created, [ALL[0], failed, unfinished], true);
    expect(told(results)).toEqual(['a judged 1', 'b unjudged -', 'c unjudged -']);
    expect(messages(results)).toEqual([': It failed. The service does not say which file that is: one of b, c.']);
    expect(results[1]?.causes).toMatchObject([{ reason: 'asset-failed' }]);
  });
});
