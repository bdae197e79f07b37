import { expect, it } from 'vitest';
import type { ContentRecord } from '../../src/state/document.ts';
import { findReplaceable } from '../../src/state/save-artifact.ts';
import type { Binding, SavedState } from '../../src/state/seal.ts';
import { analysed, binding, daysAgo, document, failed, open } from '../builders/states.ts';

const KNOWN = [analysed('a')];
const OPEN = open('submission-1', ['a']);
const OTHER = [analysed('b')];
const NEWER = { submissionId: 'submission-2', at: daysAgo(0) };
const NEWER_KNOWN = [analysed('a', NEWER)];
const BEFORE_LOSS = [analysed('a', { ...NEWER, isLost: true }), ...KNOWN];

it.each<[string, Readonly<Record<string, SavedState>>, string | undefined]>([
  ['an open record, if another artifact has its result', { one: saved(OPEN, 'open'), two: saved(KNOWN) }, 'one'],
  ['one whose records another has', { one: saved(KNOWN), two: saved([...KNOWN, ...OTHER]) }, 'one'],
  ['an open one first', { one: saved(KNOWN), two: saved(KNOWN, 'open') }, 'two'],
  ['an empty one', { one: saved(KNOWN), two: saved([]) }, 'two'],
  ['never the analysis, but its open record', { one: saved(KNOWN), two: saved(OPEN, 'open') }, 'two'],
  ['a failure, if another has a newer one', { one: saved([failed('a', NEWER)]), two: saved([failed('a')]) }, 'two'],
  ['an analysis, if another has a newer one', { one: saved(NEWER_KNOWN), two: saved(KNOWN) }, 'two'],
  ['never an analysis behind a lost one', { one: saved(BEFORE_LOSS), two: saved(NEWER_KNOWN) }, 'two'],
  ['none that alone has a record', { one: saved(KNOWN), two: saved(OTHER) }, undefined],
  ['none whose analysis another calls failed', { one: saved(KNOWN), two: saved([failed('a'), ...OTHER]) }, undefined],
  ['none, if there is no other', { one: saved(KNOWN) }, undefined],
])('of the artifacts of a run, the one that can be deleted is %s', (_, taken, name) => {
  expect(findReplaceable(new Map(Object.entries(taken)))).toBe(name);
});

function saved(contents: ContentRecord[], kind: Binding['kind'] = 'state'): SavedState {
  return { binding: binding({ kind }), document: document({ contents }) };
}
