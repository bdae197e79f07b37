import { expect, it } from 'vitest';
import { type Base, baselineFrom, chooseBaseline } from '../../src/state/baseline.ts';
import type { Baseline, BaselineFile, StateDocument } from '../../src/state/document.ts';
import { endSlot } from '../../src/state/gate-id.ts';
import type { Binding } from '../../src/state/seal.ts';
import { issue } from '../builders/analyses.ts';
import { sha } from '../builders/media.ts';
import { analysed, binding, daysAgo, document, pathRecord } from '../builders/states.ts';

const OWN_BRANCH = { with: 'own branch', isDecisive: true } as const;
const BASE_BRANCH = { with: 'base branch', isDecisive: true } as const;
const ISSUE = issue();
const { id, ruleCode, severity, status } = ISSUE;
const HELD = { id, ruleCode, severity, status };
const STATE = document({
  contents: ['A', 'B', 'C'].map((seed) => analysed(seed, { issues: [ISSUE] })),
  paths: [pathRecord('a.png', 'A'), pathRecord('deleted.png', 'B', { isPresent: false })],
});

function fileOf(path: string, seed: string, changes: Partial<BaselineFile> = {}): BaselineFile {
  const origin = { submissionId: 'submission-1', assetId: `asset-${seed}` };
  return { path, sha256: sha(seed), ...origin, issues: [HELD], ...changes };
}

const BEFORE: Baseline = {
  at: daysAgo(9),
  files: [fileOf('x.png', 'X', { isUnjudged: true }), fileOf('y.png', 'Y', { isUnjudged: false })],
};
const SAME: Base = { ...OWN_BRANCH, run: binding() };
const OTHER: Base = { ...OWN_BRANCH, run: binding({ commit: 'd'.repeat(40) }) };

// biome-ignore format: a table
it.each<[string, Partial<StateDocument>, Base, readonly BaselineFile[] | undefined, at?: string]>([
  ['of another commit: the files with issues that it found', {}, OTHER, [fileOf('a.png', 'A')]],
  ['of another commit: no file without issues', { contents: [analysed('A')] }, OTHER, []],
  ['of another commit: which issues were waived', { waived: [id] }, OTHER,
    [fileOf('a.png', 'A', { issues: [{ ...HELD, isWaived: true }] })]],
  ['of another commit: for a file that it could not judge, what that was compared with',
    { comparedWith: BEFORE }, OTHER, [fileOf('a.png', 'A'), fileOf('x.png', 'X', { isUnjudged: true })]],
  ['of the same commit: what it was compared with', { comparedWith: BEFORE }, SAME, BEFORE.files, BEFORE.at],
  ['of the same commit, and compared with nothing', {}, SAME, undefined],
  ['of the base commit: what it holds', { comparedWith: BEFORE }, { ...BASE_BRANCH },
    [fileOf('a.png', 'A'), fileOf('x.png', 'X', { isUnjudged: true })]],
])('the baseline from a state %s', (_, changes, run, files, at = binding().savedAt) => {
  const baseline = baselineFrom({ binding: binding(), document: { ...STATE, ...changes } }, run);
  expect(baseline).toEqual(files && { at, files });
});

const COMMIT = 'b'.repeat(40);
const BASE: Base = { ...BASE_BRANCH, branch: 'main', commit: COMMIT };
const OWN: Base = { ...OWN_BRANCH, branch: 'main', run: binding({ runId: '1000', runAttempt: 2 }) };

/** Returns the binding of the chosen state. */
function chosen(states: readonly Partial<Binding>[], base: Base): Binding | undefined {
  const saved = states.map((changes) => ({ binding: binding(changes), document: document() }));
  return chooseBaseline(saved, base)?.binding;
}

it.each<[string, Partial<Binding>]>([
  ['state', { event: 'push' }],
  ['state', { event: 'schedule' }],
  ['state', { event: 'workflow_dispatch' }],
  ['pull', { branch: '' }],
  ['pull', { branch: 'refs/tags/v1' }],
  ['pull', { event: 'merge_group' }],
  ['pull', { event: 'pull_request' }],
  ['pull', { event: 'pull_request_target' }],
  ['pull', { event: 'issue_comment' }],
  ['pull', { event: 'workflow_run' }],
])('a run saves as %s at the end, and only then can be a baseline: %j', (slot, changes) => {
  expect(endSlot(binding(changes))).toBe(slot);
  expect(chosen([{ commit: COMMIT, ...changes }], BASE) !== undefined).toBe(slot === 'state');
});

it.each<[string, Partial<Binding>, Partial<Binding>, Base?]>([
  ['exactly the base commit, of any branch', { runId: '7', branch: 'x', commit: COMMIT }, { runId: '9' }],
  ['the newest run, not one that was re-run', { runId: '1000' }, { runId: '999', runAttempt: 3 }],
  ['the last attempt of a run', { runAttempt: 10 }, { runAttempt: 9 }],
  ['the newest older run of the own branch', { runId: '999' }, { runId: '998' }, OWN],
  ['an earlier attempt of the same run', { runId: '1000', runAttempt: 1 }, { runId: '999' }, OWN],
])('the baseline is that of %s', (_, better, other, base = BASE) => {
  for (const states of [
    [better, other],
    [other, better],
  ])
    expect(chosen(states, base)).toEqual(binding(better));
});

it.each<[string, Partial<Binding>, Base]>([
  ['another commit of the branch, in a state file', {}, { ...BASE_BRANCH, commit: COMMIT }],
  ['a branch of the same name in a fork', { branch: 'mallory:main' }, BASE],
  ['any branch, without a base', { branch: 'undefined' }, { ...OWN_BRANCH }],
  ['a newer run of the own branch', { runId: '1001' }, OWN],
  ['the same attempt of the same run', { runId: '1000', runAttempt: 2 }, OWN],
  ['another branch', { runId: '999', branch: 'x' }, OWN],
])('the baseline is never that of %s', (_, state, base) => {
  expect(chosen([state], base)).toBeUndefined();
});
