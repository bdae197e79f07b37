import * as fc from 'fast-check';
import { zipSync } from 'fflate';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { type Artifact, Pull } from '../../src/github/api-schemas.ts';
import { type RunContext, readContext } from '../../src/github/context.ts';
import { createRunner } from '../../src/github/runner.ts';
import { type Base, chooseBaseline } from '../../src/state/choose-states.ts';
import { StateSearch } from '../../src/state/find-states.ts';
import { artifactName, SLOTS, type Slot } from '../../src/state/gate-id.ts';
import { type Binding, seal, signingKey } from '../../src/state/seal.ts';
import { analysed, binding, document, listed } from '../builders/states.ts';

const [HEAD, BASE, GROUP] = ['1'.repeat(40), 'b'.repeat(40), '9'.repeat(40)];
const REVISION = { commit: HEAD, eventCommit: HEAD, defaultBranch: 'main', runId: '9000' };
const PUSH: RunContext = { ...readContext({}), ...REVISION, event: 'push', branch: 'main' };
const QUEUED = { branch: 'queue', baseBranch: 'main', baseCommit: GROUP, queuedPullRequest: 7 };
const QUEUE = { ...PUSH, ...QUEUED, event: 'merge_group' };
const PULL = { ...PUSH, event: 'pull_request', branch: 'feature', baseBranch: 'release', baseCommit: BASE };
const FORK_HEAD = { headRef: 'main', headRepositoryId: 99 };
/** A `pull_request_target` run for the branch `main` of a fork. */
const TARGET = {
  ...PULL,
  branch: 'mallory:main',
  pullRequest: { number: 2, headSha: HEAD, isFork: true, ...FORK_HEAD },
};
const PULL_REQUEST_7 = v.parse(Pull, {
  number: 7,
  head: { ref: 'merged', sha: HEAD, repo: { id: 4711 } },
  base: { ref: 'main', sha: BASE, repo: { id: 4711 } },
  merged_at: '2026-11-01T00:00:00Z',
});
const TAG = { branch: 'refs/tags/main' };
const KEY = signingKey('the key of the gate');

/** An artifact with a state. `entry` and `signed` change what GitHub lists and what the signature covers. */
interface Saved extends Pick<Partial<Binding>, 'branch' | 'commit'> {
  readonly slot?: Slot;
  readonly entry?: Partial<Artifact>;
  readonly signed?: Partial<Binding>;
  readonly key?: string;
}

/** Searches these artifacts. The first is of run 1 and has the id 1. Pull request 7 was merged or is queued. */
function searchAmong(
  saved: readonly Saved[],
  context: RunContext,
  { merged = {}, base = {}, canReuse = true }: { merged?: Partial<Pull>; base?: Base; canReuse?: boolean } = {},
) {
  const ours = binding({ event: context.event, branch: context.branch, runId: context.runId });
  const places = saved.map(({ branch = 'other', commit = 'f'.repeat(40) }) => ({ branch, commit }));
  const artifacts = saved.map(({ slot = 'state', entry }, index) => {
    const name = artifactName('gate', slot, ours);
    return listed(index + 1, { name, ...places[index], ...entry });
  });
  const requests: string[] = [];
  const pull = { ...PULL_REQUEST_7, ...merged };
  const states = new StateSearch({
    binding: ours,
    keys: [KEY],
    inputs: { name: 'gate', comment: 'never', reuseDays: 90 },
    context,
    runner: createRunner(),
    base,
    canReuse,
    api: {
      artifacts: async (name, isEnough) => {
        requests.push(`list ${name.split('-')[1]}`);
        const named = artifacts.filter((artifact) => artifact.name === name);
        for (let end = 100; ; end += 100)
          if (isEnough(named.slice(end - 100, end)) || end >= named.length) return named.slice(0, end);
      },
      artifactArchive: async ({ id }) => {
        requests.push(`read ${id}`);
        const { slot, signed, key } = saved[id - 1] ?? {};
        const kind = slot === 'open' ? 'open' : 'state';
        const event = slot === 'pull' ? 'pull_request' : 'push';
        const sealed = binding({ runId: `${id}`, ...places[id - 1], kind, event, ...signed });
        const text = seal(document({ contents: [analysed('a')] }), sealed, key ? signingKey(key) : KEY);
        return zipSync({ 'state.json': Buffer.from(text) });
      },
      pullRequest: async () => pull,
      pullRequestsOf: async () => [{ ...pull, branch: 'unmerged', isMerged: false }, pull],
    },
  });
  return { search: states.find.bind(states), requests };
}

async function foundRuns(...given: Parameters<typeof searchAmong>): Promise<readonly string[]> {
  const { states } = await searchAmong(...given).search();
  return states.map((state) => state.binding.runId);
}

it.each<[string, RunContext, Saved, Saved]>([
  ['this commit before this branch', PULL, { commit: HEAD }, { branch: 'feature' }],
  ['this branch before the base branch', PULL, { branch: 'feature' }, { branch: 'release' }],
  ['the base branch before the default branch', PULL, { branch: 'release' }, { branch: 'main' }],
  ['the default branch before any branch', PULL, { branch: 'main' }, {}],
  ['the base commit is no place in a pull request', PULL, { branch: 'main' }, { commit: BASE }],
  ['the commit below a merge group before the queued branch', QUEUE, { commit: GROUP }, { branch: 'merged' }],
  ['the queued branch before the base branch', QUEUE, { branch: 'merged' }, { branch: 'main' }],
  ['the merged branch before any branch', PUSH, { branch: 'merged' }, { branch: 'unmerged' }],
  ['whatever the artifact is called', PULL, { branch: 'feature', slot: 'open' }, { branch: 'main', slot: 'pull' }],
  ['a fork’s branch before ours of that name', TARGET, { branch: 'mallory:main' }, { branch: 'main' }],
  ['the signed branch before that of the list', PUSH, { branch: 'main' }, { branch: 'main', signed: TAG }],
])('the nearer state comes first, although the other one is newer: %s', async (_, context, nearer, farther) => {
  expect(await foundRuns([nearer, farther], context)).toEqual(['1', '2']);
});

/** An artifact of a `pull_request_target` run, which GitHub lists under the fork. */
const ofFork = (changes: Partial<Artifact> = {}): Saved => {
  const entry = { isOwn: false, headRepositoryId: 99, branch: 'main', ...changes };
  return { slot: 'pull', branch: 'mallory:main', signed: { event: 'pull_request_target' }, entry };
};
const OWN: Saved = { branch: 'feature' };

it.each<[string, RunContext, Saved, Saved]>([
  ['one of the fork of this pull request', TARGET, ofFork(), ofFork({ headRepositoryId: 98 })],
  ['one of the branch of this pull request', TARGET, ofFork(), ofFork({ branch: 'other' })],
  ['one of this run, if the fork was deleted', { ...PULL, runId: '1' }, ofFork({ headRepositoryId: 0 }), ofFork()],
  ['one of the fork of the merged pull request', PUSH, ofFork(), ofFork({ headRepositoryId: 98 })],
])('of two states, one is used: %s', async (_, context, used, other) => {
  expect(await foundRuns([used, other], context, { merged: { ...FORK_HEAD, branch: 'mallory:main' } })).toEqual(['1']);
});

const EXACT: Saved = { branch: 'release', commit: BASE };
const LATER: Saved = { branch: 'release' };
const ofRun = (runId: string, saved: Saved): Saved => ({ ...saved, entry: { runId }, signed: { runId } });
const asOpen = (saved: Saved): Saved => ({ ...saved, slot: 'open', signed: { kind: 'state' } });
const many = (saved: Saved, length = 12): readonly Saved[] => Array.from({ length }, () => saved);
const EXPIRED: Saved = { ...LATER, entry: { isExpired: true } };

it.each<[string, readonly Saved[], string | undefined]>([
  ['that of exactly the base commit, not a newer one of its branch', [EXACT, LATER], '1'],
  ['that of exactly the base commit under the name `open`', [asOpen(EXACT), LATER], '1'],
  ['that of the newest run of the base branch', [LATER, LATER], '2'],
  ['that of the newest run, although an older one saved last', [ofRun('9', LATER), LATER], '9'],
  ['that of the newest run under the name `open`', [LATER, asOpen(LATER)], '2'],
  ['found behind those of many other branches', [EXACT, ...many({})], '1'],
  ['found behind many that have expired', [EXACT, ...many(EXPIRED)], '1'],
  ['found behind 300 that have expired, which do not count', [...many(EXPIRED, 300), EXACT], '301'],
  ['none of a run that has only submitted', [EXACT, { ...EXACT, slot: 'open' }], '1'],
  ['none of a tag called like the branch', [LATER, { ...LATER, signed: TAG }], '1'],
  ['none of a fork', [LATER, { ...LATER, entry: { isOwn: false } }], '1'],
  ['none of another branch', [{ branch: 'main' }, {}], undefined],
])('the baseline is %s', async (_, saved, run) => {
  // The state of the pull request has all records, so the search looks only for the baseline.
  const base = { branch: 'release', commit: BASE };
  const { search } = searchAmong([...saved, { slot: 'pull' }], PULL, { base });
  const { states } = await search(({ records }) => records.size > 0);
  expect(chooseBaseline(states, base)?.binding.runId).toBe(run);
});

describe('requests', () => {
  const SAVED: readonly Saved[] = [{ slot: 'pull' }, { slot: 'open', branch: 'main' }, { branch: 'x' }];
  const flood = (changes: Saved): readonly Saved[] =>
    Array.from({ length: 3_000 }, () => ({ entry: { isOwn: false }, ...changes }));

  it('end as soon as the states are enough, and a second search repeats none', async () => {
    const { search, requests } = searchAmong(SAVED, PULL);
    const until = async (count: number): Promise<unknown> => await search(() => requests.length >= count);
    await until(1);
    expect(requests).toEqual(['list pull', 'read 1']);
    await until(5);
    expect(requests.slice(2)).toEqual(['list state', 'list open', 'read 2']);
    await until(100);
    await until(100);
    expect(requests.slice(5)).toEqual(['read 3']);
  });

  it('are for the baseline, and for the nearest state, if these are enough', async () => {
    const base = { branch: 'release', commit: BASE };
    const saved: readonly Saved[] = [{ branch: 'release' }, { branch: 'release' }, { slot: 'pull' }];
    const { search, requests } = searchAmong(saved, PULL, { base });
    await search(({ records }) => records.size > 0);
    expect(requests).toEqual(['list state', 'list pull', 'list open', 'read 2', 'read 3']);
  });

  it('read ten artifacts in search of the baseline, and four states besides', async () => {
    const base = { branch: 'release', commit: BASE };
    const saved: readonly Saved[] = [
      ...many({}, 3),
      ...many({ branch: 'main' }, 3),
      ...many({ ...LATER, slot: 'open' }),
    ];
    const { search, requests } = searchAmong(saved, PULL, { base });
    await search();
    expect(requests.filter((line) => line.startsWith('read'))).toHaveLength(14);
  });

  const PLACES = ['feature', 'main', 'x'].map((branch) => ({ branch }));
  const OTHERS = Array.from({ length: 300 }, () => ({}));

  it.each<[string, readonly Saved[], readonly number[]]>([
    ['nothing, in a first run', [], []],
    ['the last state of a run', [OWN, ofRun('1', OWN)], [2]],
    ['four, with that of the default branch', [...PLACES, ...PLACES, ...PLACES, { slot: 'pull' }], [10, 8, 7, 4]],
    ['both states of two jobs of a run', [OWN, ofRun('1', { ...OWN, slot: 'open' })], [2, 1]],
    ['none behind 300 others', [...OTHERS, OWN], [300, 299, 298]],
  ])('read %s', async (_, saved, reads) => {
    const { search, requests } = searchAmong(saved, PULL);
    await search();
    expect(requests.filter((line) => line.startsWith('read'))).toEqual(reads.map((id) => `read ${id}`));
  });

  it('end after 20 archives, and a warning names the runs', async () => {
    const junk = Array.from({ length: 25 }, () => ({ ...OWN, key: 'of a stranger' }));
    const { search, requests } = searchAmong([OWN, ...junk], PULL);
    const { states, gaps } = await search();
    expect(states).toEqual([]);
    expect(requests.filter((line) => line.startsWith('read'))).toHaveLength(20);
    expect(gaps?.join()).toContain('Those of the runs 26, 25, 24, 23, 22 and 15 more are no states of this gate');
  });

  it('skip artifacts that are too large, and report one that is our own', async () => {
    const huge = [...many({ entry: { size: 2 ** 30 } }, 30), { entry: { size: 2 ** 30, isOwn: false } }];
    const { search, requests } = searchAmong([OWN, ...huge], PULL);
    const { states, notices } = await search();
    expect(states).toHaveLength(1);
    expect(requests.filter((line) => line.startsWith('read'))).toEqual(['read 1']);
    expect(notices).toEqual([expect.stringMatching(/in the artifact gate-state-\w+ of run (?!32)\d+ cannot be read/)]);
  });

  it.each([true, false])(
    'end after 30 pages without a state of our own, if it can be reused (%s)',
    async (canReuse) => {
      const { search, requests } = searchAmong([...flood({ slot: 'pull' }), ...SAVED], PULL, { canReuse });
      const searching = search();
      if (canReuse) await expect(searching).rejects.toThrow(/30 pages.*Nothing was sent/);
      else expect((await searching).states).toEqual([]);
      expect(requests).toEqual(['list pull']);
    },
  );

  it('end after 30 pages, and use a state of our own that was found', async () => {
    const { search } = searchAmong([...SAVED, ...flood({})], PULL);
    expect((await search()).states).toHaveLength(2);
  });
});

/** What strangers can leave, and what GitHub lists besides: none of it can be used. */
const OTHERS = fc
  .record({
    slot: fc.constantFrom(...SLOTS),
    branch: fc.constantFrom('main', 'main', 'main', 'release', 'feature'),
    change: fc.constantFrom<Saved>(
      { key: 'of a stranger' },
      { key: 'of another stranger' },
      { signed: { runId: '0' } },
      { signed: { gate: 'another' } },
      { entry: { isOwn: false } },
      { entry: { isExpired: true } },
      { entry: { size: 2 ** 31 } },
    ),
  })
  .map(({ slot, branch, change }): Saved => ({ slot, branch, ...change }));

it('the state of the default branch is found among any others, and the limits hold', async () => {
  const [older, newer] = [fc.array(OTHERS, { maxLength: 6 }), fc.array(OTHERS, { minLength: 6, maxLength: 12 })];
  await fc.assert(
    fc.asyncProperty(older, newer, fc.constantFrom(PUSH, PULL), async (before, after, context) => {
      const { search, requests } = searchAmong([...before, { branch: 'main' }, ...after], context);
      const { states } = await search();
      expect(states.map((state) => state.binding.runId)).toEqual([String(before.length + 1)]);
      expect(requests.filter((line) => line.startsWith('read')).length).toBeLessThanOrEqual(20);
    }),
    { numRuns: 300 },
  );
});
