import { expect, it } from 'vitest';
import type { Artifact } from '../../src/github/api-schemas.ts';
import { endSlot } from '../../src/state/gate-id.ts';
import { type Base, chooseBaseline, nextToRead, readingOrder, trunkStates } from '../../src/state/history.ts';
import type { Binding } from '../../src/state/seal.ts';
import { binding, document, listed } from '../builders/states.ts';

it('the last state of each place is read first, then the second ones, then the third ones, and no fourth', () => {
  // A run that is started again saves its state after newer runs.
  const near = [1, 10, 3, 4].map((run) => listed(run, { branch: 'feature', id: 20 - run }));
  const far = [9, 2].map((run) => listed(run, { branch: 'release' }));
  const order = readingOrder([...near, ...far], ['feature', 'release']);
  expect(order.map(({ runId }) => runId)).toEqual(['1', '9', '3', '2', '4']);
});

const USABLE = { binding: binding(), document: document() };

/** Listed artifacts by their ids, which artifacts of them are trunk states, and what was read: usable or not. */
interface Search {
  readonly near?: readonly number[];
  readonly far?: readonly number[];
  readonly trunk?: readonly number[];
  readonly usable?: readonly number[];
  readonly unusable?: readonly number[];
  readonly ofBaseline?: number;
}

it.each<[string, Search, number | undefined]>([
  ['the last one of the nearest place', { near: [1, 2], far: [9] }, 2],
  ['one of each place before the second of any', { near: [1, 2], far: [9], usable: [2] }, 9],
  ['the second one of the nearest place then', { near: [1, 2], far: [8, 9], usable: [2, 9] }, 1],
  ['one that cannot be used takes up no place', { near: [1, 2], far: [9], unusable: [2] }, 1],
  ['nor do three of a place', { near: [1, 2, 3, 4], far: [9], unusable: [4, 3, 2] }, 1],
  ['not a fifth usable one', { near: [1], far: [6, 7, 8, 9], usable: [6, 7, 8, 9] }, undefined],
  ['a fifth one beside the baseline', { near: [1], far: [6, 7, 8, 9], usable: [6, 7, 8, 9], ofBaseline: 1 }, 1],
  ['not a 21st one', { near: ids(21), unusable: ids(21).slice(1) }, undefined],
  ['the 20th, if none before can be used', { near: ids(20), unusable: ids(20).slice(1) }, 1],
  ['the trunk’s last one comes second', { near: [7, 8, 9], trunk: [3, 2], usable: [9] }, 3],
  ['also if the first cannot be used', { near: [7, 8, 9], trunk: [3, 2], unusable: [9] }, 3],
  ['the trunk’s next one, if its last cannot be used', { near: [8, 9], trunk: [3, 2], usable: [9], unusable: [3] }, 2],
  ['no second one of the trunk for its own sake', { near: [8, 9], trunk: [3, 2], usable: [9, 3] }, 8],
  ['none, if all are read', { near: [1], usable: [1] }, undefined],
])(
  'the next artifact to read is %s',
  (_, { near = [], far = [], trunk = [], usable = [], unusable = [], ofBaseline = 0 }, id) => {
    const searched = {
      listed: [...at('near', near), ...at('far', far), ...at('trunk', trunk)],
      trunk: at('trunk', trunk),
      places: ['near', 'far', 'trunk'],
      ofBaseline,
    };
    const read = new Map([
      ...usable.map((each) => [each, USABLE] as const),
      ...unusable.map((each) => [each, undefined] as const),
    ]);
    expect(nextToRead(searched, read)?.id).toBe(id);
  },
);

function at(branch: string, artifacts: readonly number[]): readonly Artifact[] {
  return artifacts.map((each) => listed(each, { branch }));
}

function ids(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

it.each<[string, Partial<Artifact>, Partial<Artifact>]>([
  ['the base branch before the default branch', { branch: 'release' }, { branch: 'main' }],
  ['the last one of a branch, not that of the newest run', { branch: 'release', id: 9 }, { branch: 'release' }],
  ['an own one, not that of a fork', { branch: 'release' }, { branch: 'release', isOwn: false }],
])('the first state of the trunk is %s', (_, first, other) => {
  const branches = { baseBranch: 'release', defaultBranch: 'main' };
  expect(trunkStates([listed(1, first), listed(2, other)], branches)[0]?.runId).toBe('1');
  expect(trunkStates([listed(3, { branch: 'main' })], branches)[0]?.runId).toBe('3');
  expect(trunkStates([listed(4)], { baseBranch: undefined, defaultBranch: 'main' })).toEqual([]);
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
