import * as v from 'valibot';
import { expect, it } from 'vitest';
import { type Artifact, Pull } from '../../src/github/api-schemas.ts';
import { readContext } from '../../src/github/context.ts';
import { type Base, chooseBaseline, nextToRead } from '../../src/state/choose-states.ts';
import { endSlot } from '../../src/state/gate-id.ts';
import type { Binding, SavedState } from '../../src/state/seal.ts';
import { binding, document, listed } from '../builders/states.ts';

const USABLE = { binding: binding(), document: document() };
const RUN = { ...readContext({}), eventCommit: 'c'.repeat(40), branch: 'near', defaultBranch: 'trunk' };
const MERGED = v.parse(Pull, { number: 7, head: { ref: 'far', sha: '' }, base: { ref: 'trunk', sha: '' } });

/** The ids of listed artifacts, by their branch, and what was read: usable or not. */
interface Search {
  readonly near?: readonly number[];
  readonly far?: readonly number[];
  readonly trunk?: readonly number[];
  readonly usable?: readonly number[];
  readonly unusable?: readonly number[];
}

it.each<[string, Search, number | undefined]>([
  ['the last one of the nearest place', { near: [2, 1], far: [9] }, 2],
  ['the nearest one before that of the trunk', { near: [2], trunk: [9] }, 2],
  ['one of each place before the second of any', { near: [2, 1], far: [9], usable: [2] }, 9],
  ['the second one of the nearest place then', { near: [2, 1], far: [9, 8], usable: [2, 9] }, 1],
  ['no fourth one of a place', { near: [4, 3, 2, 1], usable: [4, 3, 2] }, undefined],
  ['one that cannot be used takes up no place', { near: [2, 1], far: [9], unusable: [2] }, 1],
  ['nor do three of a place', { near: [4, 3, 2, 1], far: [9], unusable: [4, 3, 2] }, 1],
  ['not a 21st one', { near: ids(21), unusable: ids(21).slice(0, 20) }, undefined],
  ['the 20th, if none before can be used', { near: ids(20), unusable: ids(20).slice(0, 19) }, 1],
  ["the trunk's last one comes second", { near: [9, 8, 7], trunk: [3, 2], usable: [9] }, 3],
  ['also if the first cannot be used', { near: [9, 8, 7], trunk: [3, 2], unusable: [9] }, 3],
  ["the trunk's next, if that cannot be used", { near: [9], far: [8], trunk: [3, 2], usable: [9], unusable: [3] }, 2],
  ['no second one of the trunk for its own sake', { near: [9, 8], trunk: [3, 2], usable: [9, 3] }, 8],
  ['none, if all are read', { near: [1], usable: [1] }, undefined],
])('the next artifact to read is %s', (_, { near = [], far = [], trunk = [], usable = [], unusable = [] }, id) => {
  const read = new Map<number, SavedState | undefined>([
    ...usable.map((each) => [each, USABLE] as const),
    ...unusable.map((each) => [each, undefined] as const),
  ]);
  const artifacts = [...at('near', near), ...at(':far', far), ...at('trunk', trunk)];
  const searched = { context: RUN, base: {}, branchRunName: 'of trunk', merged: MERGED, listed: artifacts, read };
  expect(nextToRead(searched)?.id).toBe(id);
});

function at(branch: string, artifacts: readonly number[]): readonly Artifact[] {
  return artifacts.map((each) => listed(each, { branch, name: `of ${branch}` }));
}

function ids(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => count - index);
}

it.each<[string, Partial<Artifact>, Partial<Artifact>]>([
  ['of the base branch before the default branch', { branch: 'release' }, { branch: 'main' }],
  ['what was saved last, not that of the newest run', { branch: 'release', id: 9 }, { branch: 'release' }],
  ['of our own, not of a fork', { branch: 'release' }, { branch: 'release', isOwn: false }],
  ['of a branch run', { branch: 'main' }, { branch: 'main', name: 'gate-pull' }],
])('beside the nearest one, the first to read is %s', (_, first, other) => {
  const names = { name: 'gate-state' };
  const artifacts = [listed(1, { ...names, ...first }), listed(2, { ...names, ...other }), listed(5)];
  const context = { ...RUN, baseBranch: 'release', defaultBranch: 'main' };
  const searched = { context, base: {}, branchRunName: 'gate-state', merged: undefined, read: new Map([[5, USABLE]]) };
  const sorted = artifacts.toSorted((a, b) => b.id - a.id);
  expect(nextToRead({ ...searched, listed: sorted })?.runId).toBe('1');
});

const COMMIT = 'b'.repeat(40);
const BASE = { branch: 'main', commit: COMMIT };

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
  ['pull', { event: 'merge_group' }],
  ['pull', { event: 'pull_request' }],
  ['pull', { event: 'pull_request_target' }],
  ['pull', { event: 'issue_comment' }],
  ['pull', { event: 'workflow_run' }],
])('a run saves as %s at the end, and only then can be a baseline: %j', (slot, changes) => {
  expect(endSlot(binding(changes))).toBe(slot);
  expect(chosen([{ commit: COMMIT, ...changes }], BASE) !== undefined).toBe(slot === 'state');
});

it.each<[string, Partial<Binding>, Partial<Binding>]>([
  ['exactly the base commit, of any branch', { runId: '7', branch: 'x', commit: COMMIT }, { runId: '9' }],
  ['the newest run, not one that was re-run', { runId: '1000' }, { runId: '999', runAttempt: 3 }],
  ['the last attempt of a run', { runAttempt: 10 }, { runAttempt: 9 }],
])('the baseline is that of %s', (_, better, other) => {
  for (const states of [
    [better, other],
    [other, better],
  ])
    expect(chosen(states, BASE)).toEqual(binding(better));
});

it.each<[string, Partial<Binding>, Base]>([
  ['another commit of the branch, in a state file', {}, { commit: COMMIT }],
  ['a branch of the same name in a fork', { branch: 'mallory:main' }, BASE],
  ['any branch, without a base', { branch: 'undefined' }, {}],
])('the baseline is never that of %s', (_, state, base) => {
  expect(chosen([state], base)).toBeUndefined();
});
