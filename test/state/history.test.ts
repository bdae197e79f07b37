import { describe, expect, it } from 'vitest';
import { type RunContext, readContext } from '../../src/github/context.ts';
import { chooseBaseline, endSlot, nearestFirst, nearestPlaces, readingOrder } from '../../src/state/history.ts';
import type { Binding, SavedState } from '../../src/state/seal.ts';
import { binding, document, listed } from './samples.ts';

const [HEAD, BASE, GROUP] = ['1'.repeat(40), 'b'.repeat(40), '9'.repeat(40)];
const NONE: RunContext = { ...readContext({}), defaultBranch: 'main', eventCommit: HEAD };
const PUSH: RunContext = { ...NONE, event: 'push', branch: 'main' };
const PULL: RunContext = {
  ...NONE,
  event: 'pull_request',
  branch: 'feature',
  baseBranch: 'release',
  baseCommit: BASE,
  pullRequest: { number: 2, headSha: HEAD, isFork: false, isDependabot: false },
};
const QUEUE: RunContext = { ...NONE, event: 'merge_group', branch: 'queue', baseBranch: 'main', baseCommit: GROUP };

describe('the order in which states are read', () => {
  // biome-ignore format: a table
  it.each<[string, RunContext, string | undefined, readonly (string | undefined)[]]>([
    ['a pull request',                             PULL,                                    undefined, [HEAD, 'feature', 'release', 'main', 'other']],
    ['a merge group, and its pull request',        QUEUE,                                   'queued',  [GROUP, 'queued', 'main', 'other']],
    ['a push of a merge: the commit of its group', PUSH,                                    'merged',  [HEAD, 'main', 'merged', 'other']],
    ['the base commit is no place of its own',     PULL,                                    undefined, ['release', BASE]],
    ['what the list does not say is any branch',   { ...PUSH, defaultBranch: undefined },   undefined, ['main', undefined]],
    ['a fork’s branch is not ours of that name',   { ...PULL, branch: 'mallory:feature' },  undefined, ['main', 'feature']],
  ])('%s', (_, context, merged, expected) => {
    // The farther, the newer.
    const artifacts = expected.map((place, at) =>
      listed(at, place?.length === 40 ? { branch: 'x', commit: place } : { branch: place }),
    );
    for (const order of [artifacts, artifacts.toReversed()])
      expect(readingOrder(order, nearestPlaces(context, merged))).toEqual(artifacts);
  });

  it('of each place the newest run first; the second runs come after the newest of every place, and no fourth', () => {
    const branches = [1, 10, 3, 4]
      .map((run) => listed(run, { branch: 'feature' }))
      .concat([9, 2].map((run) => listed(run, { branch: 'release' })));
    expect(readingOrder(branches, nearestPlaces(PULL)).map(({ id }) => id)).toEqual([10, 9, 4, 2, 3]);
  });

  it('of a run only what it saved last', () => {
    const saves = [1, 3, 2].map((id) => listed(7, { id }));
    expect(readingOrder(saves, nearestPlaces(PUSH)).map(({ id }) => id)).toEqual([3]);
  });
});

function saved(changes: Partial<Binding>): SavedState {
  return { binding: binding(changes), document: document() };
}

it('what a state says about itself decides how near it is, whatever the list said', () => {
  const states = [
    saved({ runId: '9', branch: 'other' }),
    saved({ runId: '8', branch: 'main' }),
    saved({ runId: '7', branch: 'feature' }),
    saved({ runId: '5', branch: 'feature' }),
    saved({ runId: '6', branch: 'feature', commit: HEAD }),
  ];
  const order = nearestFirst(states, nearestPlaces(PULL)).map(({ binding }) => binding.runId);
  expect(order).toEqual(['6', '7', '5', '8', '9']);
});

it.each<[string, Partial<Binding>]>([
  ['state', {}],
  ['state', { event: 'workflow_run push', kind: 'open' }],
  ['pull', { branch: '' }],
  ['pull', { event: 'merge_group' }],
  ['pull', { event: 'workflow_run pull_request' }],
])('the name that a run saves under at the end is %s for %j', (slot, changes) => {
  expect(endSlot(binding(changes))).toBe(slot);
});

describe('the baseline', () => {
  const base = { branch: 'main', commit: BASE };
  const [EARLY, LATE] = ['2026-11-01T00:00:00.000Z', '2026-11-10T00:00:00.000Z'];

  // biome-ignore format: a table
  it.each<[string, Partial<Binding>, Partial<Binding>]>([
    ['exactly the base commit, of any branch',           { runId: '7', branch: 'x', commit: BASE }, { runId: '9' }],
    ['the newest run, even if an older one ended later', { runId: '1000', savedAt: EARLY },         { runId: '999', savedAt: LATE }],
    ['the newest run, even if an older one was re-run',  { runId: '1000' },                         { runId: '999', runAttempt: 3, savedAt: LATE }],
    ['of one run, its last attempt',                     { runAttempt: 10, savedAt: EARLY },        { runAttempt: 9, savedAt: LATE }],
  ])('is that of %s', (_, chosen, other) => {
    const states = [saved(chosen), saved(other)];
    for (const order of [states, states.toReversed()])
      expect(chooseBaseline(order, base)?.binding).toEqual(binding(chosen));
  });

  it('in a file is that of exactly the base commit, and of no other one of its branch', () => {
    expect(chooseBaseline([saved({ commit: BASE })], { commit: BASE })).toBeDefined();
    expect(chooseBaseline([saved({})], { commit: BASE })).toBeUndefined();
  });

  it.each(['push', 'schedule', 'workflow_dispatch', 'workflow_run push'])('can be that of a run by %s', (event) => {
    expect(chooseBaseline([saved({ event })], base)).toBeDefined();
    expect(chooseBaseline([saved({ event, branch: 'x', commit: BASE })], base)).toBeDefined();
  });

  it.each<[string, Partial<Binding>]>([
    ['of a pull request', { event: 'pull_request' }],
    ['of a pull request, by pull_request_target', { event: 'pull_request_target' }],
    ['of a run that followed a pull request', { event: 'workflow_run pull_request' }],
    ['of a merge group', { event: 'merge_group' }],
    ['of a comment’s run, which may have had anything checked out', { event: 'issue_comment' }],
    ['of another branch', { branch: 'develop', commit: 'd'.repeat(40) }],
    ['of a fork’s branch of that name', { branch: 'mallory:main', commit: 'd'.repeat(40) }],
    ['of a run that had only submitted', { kind: 'open' }],
    ['of a run that was not seen to have its own commit checked out', { branch: '' }],
  ])('is never that %s', (_, changes) => {
    expect(chooseBaseline([saved({ commit: BASE, ...changes })], base)).toBeUndefined();
  });

  it('is nothing without a base', () => {
    expect(chooseBaseline([saved({ branch: 'undefined' })], {})).toBeUndefined();
  });
});
