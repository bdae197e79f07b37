import { describe, expect, it } from 'vitest';
import { analysisId, type StateDocument } from '../../src/state/document.ts';
import { sealWithinLimits } from '../../src/state/seal.ts';
import { issue } from '../builders/analyses.ts';
import { analysed, daysAgo, document, failed, open, pathRecord } from '../builders/states.ts';

const MB = 1_000_000;

/** Saves a state that would be this many bytes larger, in characters of two bytes, and returns what is left of it. */
function kept(state: StateDocument, paddings: readonly number[], found: readonly string[] = []): StateDocument {
  let sealings = 0;
  const seal = (each: StateDocument): string => JSON.stringify(each) + 'é'.repeat((paddings[sealings++] ?? 0) / 2);
  const sealed = sealWithinLimits(state, found, seal);
  return JSON.parse(sealed.slice(0, sealed.lastIndexOf('}') + 1));
}

/** Paddings that are too large, for this many times that a state is sealed. */
const tooLarge = (length: number): readonly number[] => Array.from({ length }, () => 65 * MB);

const TEXTS = { summary: 'A long text', headline: 'A headline' };
const STATE = document({
  contents: [
    analysed('a', { issues: [issue(TEXTS)], topics: [{ title: 'Claims', issueIds: [] }] }),
    analysed('unused'),
    ...open('submission-9', ['b']),
    failed('c'),
  ],
  paths: [
    pathRecord('media/a.png', 'a'),
    pathRecord('media/copy.png', 'a'),
    pathRecord('deleted.png', 'unused', { isPresent: false }),
  ],
  comparedWith: { at: daysAgo(7), files: [] },
});

/** What is left: texts of issues, contents, paths, and what the run was compared with. */
function parts({ contents, paths, comparedWith }: StateDocument) {
  const [first] = contents;
  const hasTexts = first?.kind === 'analysed' && first.issues[0]?.summary !== '';
  return [hasTexts, contents.length, paths.map(({ path }) => path), comparedWith !== undefined];
}

describe('a state that is too large leaves out', () => {
  const FOUND = ['media/a.png', 'media/copy.png'];
  const ALL = [...FOUND, 'deleted.png'];

  it.each<[string, readonly number[], ReturnType<typeof parts>]>([
    ['nothing below 64 MB', [63 * MB], [true, 4, ALL, true]],
    ['the texts of issues above 64 MB', [65 * MB, 63 * MB], [false, 4, ALL, true]],
    ['then paths that this run did not find', tooLarge(2), [false, 4, FOUND, true]],
    ['then analyses that no path has', tooLarge(3), [false, 3, FOUND, true]],
    ['at last all but one path of each content, and the comparison', tooLarge(4), [false, 3, ['media/a.png'], false]],
  ])('%s', (_, paddings, left) => {
    expect(parts(kept(STATE, paddings, FOUND))).toEqual(left);
  });

  it('no open or failed record, and no headline by mistake', () => {
    const { contents } = kept(STATE, tooLarge(4));
    expect(contents.map(analysisId)).toEqual(STATE.contents.slice(2).map(analysisId));
    expect(kept(STATE, tooLarge(1)).contents[0]).toEqual({
      ...STATE.contents[0],
      issues: [issue({ summary: '' })],
      topics: undefined,
    });
  });
});

it('a state that is still too large is not written', () => {
  expect(() => kept(STATE, tooLarge(5))).toThrow('larger than 64 MB');
});
