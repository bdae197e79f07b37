import { expect, it } from 'vitest';
import type { StateDocument } from '../../src/state/document.ts';
import { Baseline, missingBaselineNotice } from '../../src/verdict/baseline.ts';
import { issue } from '../builders/analyses.ts';
import { sha } from '../builders/media.ts';
import { document, known, knownPath } from '../builders/states.ts';

const ISSUE = issue();
const STATE = document({
  contents: [known('A', { issues: [ISSUE] }), known('B', { issues: [ISSUE] }), known('C', { issues: [ISSUE] })],
  paths: [knownPath('a.png', 'A'), knownPath('gone.png', 'B', { isPresent: false })],
});
const OTHER = known('A', { submissionId: 'submission-2', sidekicks: 'others', issues: [] });

// biome-ignore format: a table
it.each<[string, Partial<StateDocument>, string, string, string | undefined]>([
  ['the path, with other bytes',                   {},                                                                    'a.png',       'other', 'A'],
  ['the path first, if its content is elsewhere',  { paths: [knownPath('a.png', 'A'), knownPath('b.png', 'B')] },         'a.png',       'B',     'A'],
  ['the content, if the path is another',          {},                                                                    'renamed.png', 'A',     'A'],
  ['the content, if the path was not analysed',    { paths: [knownPath('a.png', 'A'), knownPath('b.png', 'X')] },         'b.png',       'A',     'A'],
  ['its own analysis, if there is another one',    { contents: [...STATE.contents, OTHER] },                              'a.png',       'A',     'A'],
  ['nothing that is new',                          {},                                                                    'new.png',     'other', undefined],
  ['nothing that is gone from it, by path',        {},                                                                    'gone.png',    'B',     undefined],
  ['nothing that is gone from it, by content',     {},                                                                    'again.png',   'B',     undefined],
  ['nothing that only another branch ever had',    {},                                                                    'c.png',       'C',     undefined],
])('the baseline has %s', (_, changes, path, seed, expected) => {
  const file = new Baseline({ ...STATE, ...changes }).fileAt(path, sha(seed));
  expect(file).toEqual(expected && { sha256: sha(expected), issues: [ISSUE] });
});

it('the notice about a missing baseline says what to do, if there is a base branch', () => {
  expect(missingBaselineNotice({ baseBranch: 'main' })).toContain('Run this gate on `push` to main as well');
  expect(missingBaselineNotice({ baseBranch: undefined })).toContain('needs a base branch to compare with');
});
