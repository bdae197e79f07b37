import { describe, expect, it } from 'vitest';
import type { Pull } from '../../src/github/api.ts';
import type { Artifact } from '../../src/github/artifacts.ts';
import { GitHubError } from '../../src/github/connect.ts';
import { type RunContext, readContext } from '../../src/github/context.ts';
import { createRunner } from '../../src/github/runner.ts';
import { type Base, chooseBaseline } from '../../src/state/baseline.ts';
import { openSearch } from '../../src/state/find-states.ts';
import { artifactName, type Slot } from '../../src/state/gate-id.ts';
import type { EarlierState } from '../../src/state/merge.ts';
import { type Binding, seal, signingKey } from '../../src/state/seal.ts';
import { archiveOf, artifactApi, listed, pull } from '../builders/github.ts';
import { analysed, binding, document } from '../builders/states.ts';

const BASE_BRANCH = { with: 'base branch', isDecisive: true } as const;
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
const TAG = { branch: 'refs/tags/main' };
const KEY = signingKey('the key of the gate');
const STATE = document({ contents: [analysed('a')] });

/** An artifact with a state. `entry` and `signed` change what GitHub lists and what the signature covers. */
interface Saved extends Pick<Partial<Binding>, 'branch' | 'commit'> {
  readonly slot?: Slot;
  readonly entry?: Partial<Artifact>;
  readonly signed?: Partial<Binding>;
  readonly key?: string;
}

const isNever: (found: EarlierState) => boolean = () => false;
const isAnythingKnown = ({ records }: EarlierState): boolean => records.size > 0;

interface SearchOptions {
  readonly merged: Partial<Pull>;
  readonly base: Base | undefined;
  readonly canReuse: boolean;
  /** Artifacts that cannot be downloaded, by id. */
  readonly broken: Readonly<Record<number, Error>>;
}

/** Searches these artifacts. The first is of run 1 and has the id 1. Pull request 7 was merged or is queued. */
function searchAmong(
  saved: readonly Saved[],
  context: RunContext,
  { merged = {}, base, canReuse = true, broken = {} }: Partial<SearchOptions> = {},
) {
  const ours = binding({ event: context.event, branch: context.branch, runId: context.runId });
  const artifacts = saved.map(({ slot = 'state', branch = 'other', commit = 'f'.repeat(40), ...each }, index) => {
    const place = { branch, commit };
    const runId = index + 1;
    const kind = slot === 'open' ? 'open' : 'state';
    const event = slot === 'pull' ? 'pull_request' : 'push';
    return {
      artifact: listed(runId, { name: artifactName('gate', slot, ours), ...place, ...each.entry }),
      archive: () => {
        if (broken[runId]) throw broken[runId];
        const signed = binding({ runId: `${runId}`, ...place, kind, event, ...each.signed });
        return archiveOf(seal(STATE, signed, each.key ? signingKey(each.key) : KEY));
      },
    };
  });
  const requests: string[] = [];
  const api = artifactApi(() => artifacts);
  const merge = pull({ branch: 'merged', isMerged: true, ...merged });
  const search = openSearch({
    binding: ours,
    keys: [KEY],
    inputs: { name: 'gate', comment: 'never', reuseDays: 90 },
    context,
    runner: createRunner(),
    base,
    canReuse,
    api: {
      artifacts: async (name, page) => {
        requests.push(`list ${name?.split('-')[1]}`);
        return await api.artifacts(name, page);
      },
      artifactArchive: async (artifact) => {
        requests.push(`read ${artifact.id}`);
        return await api.artifactArchive(artifact);
      },
      pullRequest: async () => merge,
      pullRequestsOf: async () => [{ ...merge, branch: 'unmerged', isMerged: false }, merge],
    },
  });
  return { search: async (isEnough = isNever) => await search(isEnough), requests };
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

const NEAR: RunContext = { ...PUSH, branch: 'near', defaultBranch: 'trunk' };

it.each<[string, readonly string[], readonly number[]]>([
  ['the nearest place first', ['near 1', 'merged 2', 'trunk 3', 'other 4'], [1, 2, 3, 4]],
  [
    'in a place, the newest run, what was saved last, the rest by run',
    ['near 9', 'near 2', 'near 3', 'near 1'],
    [1, 4, 3, 2],
  ],
  ['each other branch by itself, the one that saved last first', ['x 1', 'x 2', 'y 3', 'z 4', 'y 5'], [5, 4, 2, 3, 1]],
  [
    'two of each named place before one of any other, then all in turns',
    ['near 1', 'near 2', 'near 3', 'near 4', 'trunk 5', 'trunk 6', 'trunk 7', 'x 8', 'x 9'],
    [4, 7, 3, 6, 9, 2, 5, 8, 1],
  ],
  ['of each run what it saved last, whatever its name', ['near 1', 'near 2', 'near 1'], [2, 3, 1]],
  ['what runs saved before after all other places', ['near 1', 'near 1', 'x 2', 'x 2'], [2, 4, 1, 3]],
  ['what a run saved before, if the last cannot be used', ['near 1', 'near 1 forged', 'x 2'], [2, 1, 3]],
  ['that takes up no place', ['near 1', 'near 2', 'near 3 forged', 'x 4'], [3, 2, 1, 4]],
])('the reading order is: %s', async (_, artifacts, ids) => {
  const saved = artifacts.map((text): Saved => {
    const [branch = '', runId = '', forged] = text.split(' ');
    return { branch, entry: { runId }, signed: { runId }, ...(forged && { key: 'of a stranger' }) };
  });
  const { search, requests } = searchAmong(saved, NEAR);
  await search();
  expect(requests.filter((line) => line.startsWith('read'))).toEqual(ids.map((id) => `read ${id}`));
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
  const base: Base = { ...BASE_BRANCH, branch: 'release', commit: BASE };
  const { search } = searchAmong([...saved, { slot: 'pull' }], PULL, { base });
  const { states } = await search(isAnythingKnown);
  expect(chooseBaseline(states, base)?.binding.runId).toBe(run);
});

describe('requests', () => {
  const SAVED: readonly Saved[] = [
    { slot: 'pull' },
    { slot: 'open', branch: 'main' },
    { branch: 'x' },
    { branch: 'y' },
  ];
  const others = (length: number, slot: Slot = 'state'): readonly Saved[] => many({ slot }, length);
  const ofForks = (length: number, slot: Slot = 'state'): readonly Saved[] =>
    many({ slot, entry: { isOwn: false } }, length);
  const NEW: Base = { ...BASE_BRANCH, branch: 'release', commit: BASE };

  it('end as soon as the states are enough, and a second search reads on', async () => {
    const { search, requests } = searchAmong(SAVED, PULL);
    const until = async (count: number): Promise<unknown> => await search(() => requests.length >= count);
    await until(1);
    expect(requests).toEqual(['list pull', 'read 1']);
    await until(5);
    expect(requests.slice(2)).toEqual(['list state', 'list open', 'read 2', 'read 4']);
    expect(await search()).toMatchObject({ hasMore: false });
    await search();
    expect(requests.slice(6)).toEqual(['read 3']);
  });

  it('are for the nearest state, then for the baseline', async () => {
    const saved: readonly Saved[] = [...many({ branch: 'release' }, 2), { slot: 'pull' }];
    const { search, requests } = searchAmong(saved, PULL, { base: NEW });
    await search(isAnythingKnown);
    expect(requests).toEqual(['list pull', 'read 3', 'list state', 'list open', 'read 2']);
  });

  it.each<[string, RunContext, readonly Saved[], object, Base?]>([
    ['to an older run of this branch', PUSH, [...others(250), { branch: 'main' }], { state: 3 }],
    ['not for a newer run of it', PUSH, [ofRun('9001', { branch: 'main' }), ...others(250)], { state: 3 }],
    ['at a pull request, one page', PULL, [...others(250, 'pull'), { ...OWN, slot: 'pull' }], { pull: 1 }],
    ['at `new`, to the base', PULL, [...others(250), LATER, ...others(9, 'pull')], { pull: 1, state: 3, open: 1 }, NEW],
  ])('read the lists as far as the nearest state needs it: %s', async (_, context, saved, lists, base) => {
    const { search, requests } = searchAmong(saved, context, { base });
    await search(isAnythingKnown);
    expect(listsIn(requests)).toEqual(lists);
  });

  const MERGED: Saved = { branch: 'merged', slot: 'pull' };

  it.each<[string, RunContext, readonly Saved[], object]>([
    ['this branch', PULL, [...others(250, 'pull'), { ...OWN, slot: 'pull' }], { pull: 3, state: 1, open: 1 }],
    ['this branch under any name', PULL, [...others(150, 'pull'), OWN, ...others(150)], { pull: 2, state: 1, open: 1 }],
    [
      'the merged branch',
      PUSH,
      [{ branch: 'main' }, ...others(250), ...others(250, 'pull'), MERGED, ...others(150, 'pull')],
      { state: 1, pull: 3, open: 1 },
    ],
    [
      'their end, at a new branch',
      PULL,
      [...others(250, 'pull'), ...others(150), ...others(1, 'open')],
      { pull: 3, state: 2, open: 1 },
    ],
    ['ten pages', PULL, [...others(1_100, 'pull')], { pull: 10, state: 1, open: 1 }],
    [
      '20 entries of our own',
      PULL,
      [{ ...OWN, slot: 'pull' }, ...ofForks(250, 'pull'), ...others(100, 'pull')],
      { pull: 3, state: 1, open: 1 },
    ],
  ])('read the lists, if a file would be sent, to %s', async (_, context, saved, lists) => {
    const { search, requests } = searchAmong(saved, context);
    await search();
    expect(listsIn(requests)).toEqual(lists);
  });

  it.each([
    ['12 states in all, those for the baseline included', 1, 12, '10 saved states left unread'],
    ['several states of a run as one', 2, 18, '4 saved states left unread'],
  ])('read %s, and count the others', async (_, ofEachRun, reads, text) => {
    const ofBase = many({ ...LATER, slot: 'open' }).map((each, index) =>
      ofRun(`${50 + Math.floor(index / ofEachRun)}`, each),
    );
    const { search, requests } = searchAmong([...others(9), ...ofBase, { slot: 'pull' }], PULL, { base: NEW });
    const { gaps } = await search();
    expect(requests.filter((line) => line.startsWith('read'))).toHaveLength(reads);
    expect(gaps).toEqual([{ level: 'info', text: expect.stringContaining(text) }]);
  });

  it('end after 20 archives, and a warning names the runs', async () => {
    const junk = many({ ...OWN, key: 'of a stranger' }, 25);
    const { search, requests } = searchAmong([OWN, ...junk], PULL);
    const { states, gaps } = await search();
    expect(states).toEqual([]);
    expect(requests.filter((line) => line.startsWith('read'))).toHaveLength(20);
    expect(gaps[1]?.text).toContain('The artifacts of the runs 26, 25, 24, 23, 22 and 15 more have used that up.');
  });

  it('skip artifacts that are too large, and report one that is our own', async () => {
    const huge = [...many({ entry: { size: 2 ** 30 } }, 30), { entry: { size: 2 ** 30, isOwn: false } }];
    const { search, requests } = searchAmong([OWN, ...huge], PULL);
    const { states, notices } = await search();
    expect(states).toHaveLength(1);
    expect(requests.filter((line) => line.startsWith('read'))).toEqual(['read 1']);
    expect(notices).toEqual([expect.stringMatching(/in the artifact gate-state-\w+ of run (?!32)\d+ cannot be read/)]);
  });

  it.each<[string, readonly Saved[], boolean, RegExp | number]>([
    ['ends the run', ofForks(1_001, 'pull'), true, /10 pages.*none is of this repository.*Nothing was sent/],
    ['does not matter if nothing is reused', ofForks(1_001, 'pull'), false, 0],
    ['must be a flood: here a list ends', ofForks(1_000, 'pull'), true, 0],
    ['does not hide the other lists', [...ofForks(1_001, 'pull'), OWN], true, 1],
    ['is none of our own, whoever signed them', many({ slot: 'pull', key: 'of last year' }, 1_001), true, 0],
  ])('read ten pages of a name; a flood of artifacts of forks %s', async (_, saved, canReuse, outcome) => {
    const { search } = searchAmong(saved, PULL, { canReuse });
    if (outcome instanceof RegExp) await expect(search()).rejects.toThrow(outcome);
    else expect((await search()).states).toHaveLength(outcome);
  });

  it('of which a few fail end the run, and nothing of these few is used', async () => {
    const outage = new GitHubError('download the artifact', { trouble: 'outage', problem: 'it is down', fix: '' });
    const { search } = searchAmong([{ slot: 'pull' }, ...many(LATER, 6)], PULL, { broken: { 4: outage } });
    await expect(search()).rejects.toMatchObject({ causes: [{ reason: 'github' }] });
    const { search: dry } = searchAmong(many(LATER, 6), PULL, { broken: { 4: outage }, canReuse: false });
    expect(await dry()).toMatchObject({ hasMore: false, notices: [expect.stringContaining('could not all be read')] });
  });
});

/** How many pages of each list were requested. */
function listsIn(requests: readonly string[]): object {
  const lists = requests.filter((line) => line.startsWith('list ')).map((line) => line.slice('list '.length));
  return Object.fromEntries(
    Map.groupBy(lists, (name) => name)
      .entries()
      .map(([name, pages]) => [name, pages.length]),
  );
}
