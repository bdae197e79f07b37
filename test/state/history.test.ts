import { describe, expect, it } from 'vitest';
import { endSlot } from '../../src/state/gate-id.ts';
import { chooseBaseline, readingOrder } from '../../src/state/history.ts';
import type { Binding, SavedState } from '../../src/state/seal.ts';
import { binding, document, listed } from '../builders/states.ts';

it('the newest run of each place is read first, then the second ones, then the third ones, and no fourth', () => {
  const near = [1, 10, 3, 4].map((run) => listed(run, { branch: 'feature' }));
  const far = [9, 2].map((run) => listed(run, { branch: 'release' }));
  const order = readingOrder([...near, ...far], ['feature', 'release']);
  expect(order.map(({ id }) => id)).toEqual([10, 9, 4, 2, 3]);
});

it.each<[string, Partial<Binding>]>([
  ['state', { event: 'push' }],
  ['state', { event: 'schedule', kind: 'open' }],
  ['state', { event: 'workflow_dispatch' }],
  ['pull', { branch: '' }],
  ['pull', { event: 'merge_group' }],
  ['pull', { event: 'pull_request' }],
  ['pull', { event: 'pull_request_target' }],
  ['pull', { event: 'issue_comment' }],
  ['pull', { event: 'workflow_run' }],
])('a run saves as %s at the end, and only then can be a baseline: %j', (slot, changes) => {
  const [commit, kind] = ['b'.repeat(40), 'state'] as const;
  expect(endSlot(binding(changes))).toBe(slot);
  const baseline = chooseBaseline([saved({ commit, ...changes, kind })], { commit });
  expect(baseline !== undefined).toBe(slot === 'state');
});

function saved(changes: Partial<Binding>): SavedState {
  return { binding: binding(changes), document: document() };
}

describe('the baseline', () => {
  const base = { branch: 'main', commit: 'b'.repeat(40) };
  const [EARLY, LATE] = ['2026-11-01T00:00:00.000Z', '2026-11-10T00:00:00.000Z'];

  it.each<[string, Partial<Binding>, Partial<Binding>]>([
    ['exactly the base commit, of any branch', { runId: '7', branch: 'x', commit: base.commit }, { runId: '9' }],
    ['the newest run, not one that ended later', { runId: '1000', savedAt: EARLY }, { runId: '999', savedAt: LATE }],
    ['the newest run, not one that was re-run', { runId: '1000' }, { runId: '999', runAttempt: 3, savedAt: LATE }],
    ['the last attempt of a run', { runAttempt: 10, savedAt: EARLY }, { runAttempt: 9, savedAt: LATE }],
  ])('is that of %s', (_, chosen, other) => {
    const states = [saved(chosen), saved(other)];
    for (const order of [states, states.toReversed()])
      expect(chooseBaseline(order, base)?.binding).toEqual(binding(chosen));
  });

  it('of a state file is that of exactly the base commit, and of no other commit of its branch', () => {
    expect(chooseBaseline([saved({})], { commit: base.commit })).toBeUndefined();
  });

  it('is never that of a fork’s branch of the same name, of a run that has only submitted, or without a base', () => {
    expect(chooseBaseline([saved({ branch: 'mallory:main' })], base)).toBeUndefined();
    expect(chooseBaseline([saved({ commit: base.commit, kind: 'open' })], base)).toBeUndefined();
    expect(chooseBaseline([saved({ branch: 'undefined' })], {})).toBeUndefined();
  });
});
