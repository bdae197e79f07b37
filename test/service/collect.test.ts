import { describe, expect, it } from 'vitest';
import type { Cause } from '../../src/lib/cause.ts';
import type { ContentResult } from '../../src/service/asset-outcome.ts';
import { type AssetResult, assign } from '../../src/service/collect.ts';
import { assetResult, content, issues } from './things.ts';

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
    expect(messages).toEqual([expect.stringContaining('It was not there.'), expect.stringContaining('has no asset')]);
  });

  it('their issues count, for the first possible file', () => {
    const { found } = assigned([ALL[0], ...nameless(['2'], { issues: issues('x') }), ...nameless(['3'], {})]);
    expect(found.map((each) => each.issues.map(({ id }) => id))).toEqual([[], ['x'], []]);
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
