import { expect, it } from 'vitest';
import { endSlot } from '../../src/state/gate-id.ts';
import { type Base, chooseBaseline, readingOrder } from '../../src/state/history.ts';
import type { Binding } from '../../src/state/seal.ts';
import { binding, document, listed } from '../builders/states.ts';

it('the newest run of each place is read first, then the second ones, then the third ones, and no fourth', () => {
  // An older run that ends last has the artifact with the highest id.
  const near = [1, 10, 3, 4].map((run) => listed(run, { branch: 'feature', id: 20 - run }));
  const far = [9, 2].map((run) => listed(run, { branch: 'release' }));
  const order = readingOrder([...near, ...far], ['feature', 'release']);
  expect(order.map(({ runId }) => runId)).toEqual(['10', '9', '4', '2', '3']);
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
