import { expect, it } from 'vitest';
import { type Base, baselineFrom, isBaseline } from '../../src/state/baseline.ts';
import type { Binding } from '../../src/state/seal.ts';
import { issue } from '../builders/analyses.ts';
import { analysed, binding, document, pathRecord } from '../builders/states.ts';

it('a baseline has the issues of each path whose issues counted in that run', () => {
  const contents = ['A', 'B', 'C'].map((seed) => analysed(seed, { issues: [issue()] }));
  const state = document({
    contents: [...contents, analysed('clean')],
    paths: [
      pathRecord('a.png', 'A'),
      pathRecord('unjudged.png', 'B', { isPresent: false }),
      pathRecord('clean.png', 'clean'),
      pathRecord('a-copy.png', 'A'),
      pathRecord('other-submission.png', 'C', { submissionId: 'submission-2' }),
    ],
  });
  const files = baselineFrom({ binding: binding(), document: state, isOwn: true });
  expect(files.map(({ path }) => path)).toEqual(['a.png', 'a-copy.png']);
  expect(files[0]?.issues).toEqual([issue()]);
});

const COMMIT = 'b'.repeat(40);
const BASE: Base = { branch: 'main', commit: COMMIT };
const OWN: Base = { branch: 'main', run: binding({ runId: '1000', commit: 'e'.repeat(40) }) };

it.each<[string, Partial<Binding>, Base, boolean]>([
  ['a push of the base branch', {}, BASE, true],
  ['a scheduled run of it', { event: 'schedule' }, BASE, true],
  ['a run of exactly the base commit, of any branch', { branch: 'x', commit: COMMIT }, BASE, true],
  ['a run that has only submitted', { kind: 'open' }, BASE, false],
  ['a pull request called like it', { event: 'pull_request' }, BASE, false],
  ['another event', { event: 'issue_comment', commit: COMMIT }, BASE, false],
  ['a tag', { branch: 'refs/tags/main', commit: COMMIT }, BASE, false],
  ['a branch of the same name in a fork', { branch: 'mallory:main' }, BASE, false],
  ['another commit of the branch, in a state file', {}, { commit: COMMIT }, false],
  ['an older run of the own branch', { runId: '999' }, OWN, true],
  ['a newer run of the own branch', { runId: '1001' }, OWN, false],
  ['another attempt of the same run', { runId: '1000', runAttempt: 2 }, OWN, false],
  ['an older run at the same commit', { runId: '999', commit: 'e'.repeat(40) }, OWN, false],
  ['another branch', { runId: '999', branch: 'x' }, OWN, false],
  ['a run without a commit', { branch: '', commit: '' }, { branch: '' }, false],
])('whether a state is the baseline: %s', (_, changes, base, expected) => {
  const state = { binding: binding(changes), document: document() };
  expect(isBaseline({ ...state, isOwn: true }, base)).toBe(expected);
  expect(isBaseline({ ...state, isOwn: false }, base)).toBe(false);
});
