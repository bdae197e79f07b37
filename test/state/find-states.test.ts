import { describe, expect, it } from 'vitest';
import type { PullRequest } from '../../src/github/api.ts';
import type { Artifact } from '../../src/github/artifacts.ts';
import { GitHubError } from '../../src/github/connect.ts';
import { type RunContext, readContext } from '../../src/github/context.ts';
import type { Base } from '../../src/state/baseline.ts';
import { type FoundStates, openSearch } from '../../src/state/find-states.ts';
import { artifactNames } from '../../src/state/gate-id.ts';
import { type Binding, seal, signingKey } from '../../src/state/seal.ts';
import { archiveOf, artifactApi, listed, pull } from '../builders/github.ts';
import { recordRunner } from '../builders/runners.ts';
import { analysed, binding, document, pathRecord } from '../builders/states.ts';

const [HEAD, BASE] = ['1'.repeat(40), 'b'.repeat(40)];
const REVISION = { commit: HEAD, eventCommit: HEAD, defaultBranch: 'main', runId: '9000' };
const PUSH: RunContext = { ...readContext({}), ...REVISION, event: 'push', branch: 'main' };
const PULL = { ...PUSH, event: 'pull_request', branch: 'feature', baseBranch: 'release', baseCommit: BASE };
/** A `pull_request_target` run for the branch `main` of a fork. */
const FORK_HEAD = { headRef: 'main', headRepositoryId: 99 };
const TARGET = {
  ...PULL,
  branch: 'mallory:main',
  pullRequest: { number: 2, isFork: true, ...FORK_HEAD },
};
const KEY = signingKey('the key of the gate');
const STATE = document({ contents: [analysed('a')], paths: [pathRecord('a.png', 'a')] });
const ALL = { 'of this gate': 'f00d', 'of another gate': 'beef', 'of a third gate': 'cafe' };

/** An artifact with a state. `entry` and `signed` change what GitHub lists and what the signature covers. */
interface Saved extends Pick<Partial<Binding>, 'branch' | 'commit'> {
  readonly slot?: 'state' | 'pull' | 'open';
  readonly gate?: keyof typeof ALL;
  readonly run?: number;
  readonly entry?: Partial<Artifact>;
  readonly signed?: Partial<Binding>;
  readonly key?: string;
}

interface SearchOptions {
  readonly merged: Partial<PullRequest>;
  readonly base: Base | undefined;
  readonly canReuse: boolean;
  /** Why the pull request of a commit cannot be read. */
  readonly hidden: GitHubError;
  /** Artifacts that cannot be downloaded, by id. `undefined`: it was deleted. */
  readonly broken: Readonly<Record<number, Error | undefined>>;
}

/** Searches these artifacts. The first has the id 1 and, unless it says otherwise, is of run 1. Pull request 7 is merged. */
function searchAmong(
  saved: readonly Saved[],
  context: RunContext,
  { merged = {}, hidden, base, canReuse = true, broken = {} }: Partial<SearchOptions> = {},
) {
  const ours = binding({ event: context.event, branch: context.branch, runId: context.runId, commit: HEAD });
  const artifacts = saved.map((each, index) => {
    const { slot = 'state', gate = 'of this gate', branch = 'other', commit = 'f'.repeat(40) } = each;
    const [id, runId] = [index + 1, String(each.run ?? index + 1)];
    const kind = slot === 'open' ? 'open' : 'state';
    const event = slot === 'pull' ? 'pull_request' : 'push';
    const signed = binding({ runId, branch, commit, kind, event, gate: ALL[gate], ...each.signed });
    const names = artifactNames('gate', signed);
    const name = slot === 'open' ? names.open : names.end;
    return {
      artifact: listed(id, { name, runId, branch, commit, ...each.entry }),
      archive: () => {
        if (broken[id]) throw broken[id];
        return id in broken ? undefined : archiveOf(seal(STATE, signed, each.key ? signingKey(each.key) : KEY));
      },
    };
  });
  const requests: string[] = [];
  const api = artifactApi(() => artifacts);
  const merge = pull({ branch: 'merged', isMerged: true, ...merged });
  const search = openSearch({
    binding: ours,
    keys: [KEY],
    inputs: { name: 'gate', reuseDays: canReuse ? 90 : 0, dryRun: false },
    context,
    runner: recordRunner().runner,
    base,
    api: {
      artifacts: async (name, page) => {
        requests.push(`list ${name?.split('-')[1] ?? 'all'}`);
        return await api.artifacts(name, page);
      },
      artifactArchive: async (artifact) => {
        requests.push(`read ${artifact.id}`);
        return await api.artifactArchive(artifact);
      },
      pullRequest: async () => merge,
      pullRequestsOf: async () => {
        if (hidden) throw hidden;
        return [{ ...merge, branch: 'unmerged', isMerged: false }, merge];
      },
    },
  });
  const both = async (): Promise<FoundStates> => {
    await search.nearest();
    return await search.rest();
  };
  return { ...search, both, requests };
}

function runsOf({ states }: FoundStates): readonly string[] {
  return states.map((state) => state.binding.runId);
}

/** Written as `branch run`, with ` open`, ` forged` or the gate behind it. The first has the id 1. */
function parse(artifacts: readonly string[]): readonly Saved[] {
  return artifacts.map((text): Saved => {
    const [branch = '', run, ...more] = text.split(' ');
    const gate = Object.keys(ALL).find((each): each is keyof typeof ALL => each === more.join(' '));
    const [slot] = (['open', 'pull'] as const).filter((each) => more.includes(each));
    const key = more.includes('forged') ? 'of a stranger' : undefined;
    return { branch, run: Number(run), ...(slot && { slot }), ...(key && { key }), ...(gate && { gate }) };
  });
}

const readIn = (requests: readonly string[]): readonly number[] =>
  requests.filter((line) => line.startsWith('read ')).map((line) => Number(line.slice('read '.length)));

const NEAR: RunContext = { ...PUSH, branch: 'near', defaultBranch: 'trunk' };

describe('the first round lists one page, and reads', () => {
  it.for<[string, RunContext, readonly string[], readonly number[]]>([
    ['nothing, if nothing is listed', NEAR, [], []],
    ['one state of this branch', NEAR, ['near 1', 'near 2', 'trunk 3'], [2]],
    ['of this branch that of the newest run and the one saved last', NEAR, ['near 8', 'near 9', 'near 7'], [2, 3]],
    ['without this branch, only the first', NEAR, ['trunk 1', 'trunk 9', 'trunk 2'], [2]],
    ['what an earlier attempt saved, and what this branch has', NEAR, ['near 9000', 'near 9001', 'x 3'], [1, 2]],
  ])('%s', async ([, context, artifacts, ids]) => {
    const { nearest, requests } = searchAmong(parse(artifacts), context);
    await nearest();
    expect(requests.slice(0, 1)).toEqual(['list state']);
    expect(new Set(readIn(requests))).toEqual(new Set(ids));
    expect(requests).toHaveLength(1 + ids.length);
  });
});

describe('the second round reads in this order', () => {
  const TWO = ['near 1', 'merged 2', 'trunk 3'];
  it.for<[string, RunContext, readonly string[], readonly number[]]>([
    ['this branch, the merged one, the default branch, any other', NEAR, [...TWO, 'x 4'], [1, 2, 3, 4]],
    ['this branch before the base branch', PULL, ['release 9', 'feature 2', 'main 10'], [2, 1, 3]],
    ['in a branch the newest run, what was saved last, the rest', NEAR, ['near 9', 'near 2', 'near 1'], [1, 3, 2]],
    ['each other branch once, the one that saved last first', NEAR, ['x 1', 'y 3', 'z 4', 'y 5'], [4, 3, 1, 2]],
    [
      'two of each named branch before one of any other, then all in turns',
      NEAR,
      ['near 1', 'near 2', 'near 3', 'trunk 5', 'trunk 6', 'trunk 7', 'x 8', 'x 9'],
      [3, 6, 2, 5, 8, 1, 4, 7],
    ],
    ['of each run what it saved last, whatever its name', NEAR, ['near 1', 'near 2', 'near 1 open'], [2, 3]],
    ['of each gate of a run what it saved last', NEAR, ['near 1', 'near 1 of another gate'], [1, 2]],
    ['an earlier attempt of this run before all', NEAR, ['near 9001', 'near 9000'], [2, 1]],
    [
      'other gates behind, of each the nearest first',
      NEAR,
      ['x 1', 'near 2 of another gate', 'near 3 of another gate', 'trunk 4 of a third gate', 'near 5'],
      [5, 1, 3, 4, 2],
    ],
  ])('%s', async ([, context, artifacts, ids]) => {
    const { both, requests } = searchAmong(parse(artifacts), context);
    const found = await both();
    const runs = ids.map((id) => parse(artifacts)[id - 1]?.run?.toString());
    expect(runsOf(found)).toEqual(runs);
    expect(new Set(readIn(requests))).toEqual(new Set(ids));
  });

  it('paths come only from states of this gate', async () => {
    const { states } = await searchAmong(parse(['near 1', 'near 2 of another gate']), NEAR).both();
    expect(states.map(({ document: { contents, paths } }) => [contents.length, paths.length])).toEqual([
      [1, 1],
      [1, 0],
    ]);
  });
});

const many = (saved: Saved, length = 12): readonly Saved[] => Array.from({ length }, () => saved);
/** An artifact of a `pull_request_target` run, which GitHub lists under the fork. */
const ofFork = (changes: Partial<Artifact> = {}): Saved => {
  const entry = { isOfRepository: false, headRepositoryId: 99, branch: 'main', ...changes };
  return { slot: 'pull', branch: 'mallory:main', signed: { event: 'pull_request_target' }, entry };
};

it.for<[string, RunContext, Saved, Saved]>([
  ['one of the fork of this pull request', TARGET, ofFork(), ofFork({ headRepositoryId: 98 })],
  ['one of the branch of this pull request', TARGET, ofFork(), ofFork({ branch: 'other' })],
  ['one of this run, if the fork was deleted', { ...PULL, runId: '1' }, ofFork({ headRepositoryId: 0 }), ofFork()],
  ['one of the fork of the merged pull request', PUSH, ofFork(), ofFork({ headRepositoryId: 98 })],
])('of two artifacts of forks, one is read: %s', async ([, context, used, other]) => {
  const { both, requests } = searchAmong([used, other], context, { merged: { ...FORK_HEAD, branch: 'mallory:main' } });
  await both();
  expect(readIn(requests)).toEqual([1]);
});

it.for<[string, readonly Saved[], reads: number, unread: number]>([
  ['12 of this gate', many({ branch: 'feature', slot: 'pull' }, 30), 12, 18],
  ['16 in all', [...many({ slot: 'pull' }, 30), ...many({ gate: 'of another gate' }, 30)], 16, 44],
  ['16 of another gate', many({ gate: 'of another gate' }, 30), 16, 14],
  ['those that cannot be used as well', many({ key: 'of a stranger' }, 30), 12, 18],
])('at most so many archives are read in both rounds: %s', async ([, saved, reads, unread]) => {
  const { both, requests } = searchAmong(saved, PULL);
  expect((await both()).unread).toBe(unread);
  expect(readIn(requests)).toHaveLength(reads);
});

const FLOOD = many({ slot: 'pull', entry: { isOfRepository: false } }, 1_001);
it.for<[string, readonly Saved[], object]>([
  ['one page of each name', [], { pull: 1, state: 1, open: 1, all: 1 }],
  ['to their ends without this branch', many({ slot: 'pull' }, 250), { pull: 3, state: 1, open: 1, all: 3 }],
  [
    'no further than this branch',
    [...many({ slot: 'pull' }, 150), { branch: 'feature', slot: 'pull' }, ...many({ slot: 'pull' }, 250)],
    { pull: 2, state: 1, open: 1, all: 5 },
  ],
  [
    'further than this branch if most are of forks',
    [
      { branch: 'feature', slot: 'pull' },
      ...many({ slot: 'pull' }, 2),
      ...FLOOD.slice(0, 97),
      ...many({ slot: 'pull' }),
    ],
    { pull: 2, state: 1, open: 1, all: 2 },
  ],
  ['ten pages of a name, and five of all', many({ slot: 'pull' }, 1_100), { pull: 10, state: 1, open: 1, all: 5 }],
])('lists are read: %s', async ([, saved, lists]) => {
  const { both, requests } = searchAmong(saved, PULL);
  await both();
  const names = requests.filter((line) => line.startsWith('list ')).map((line) => line.slice('list '.length));
  const pages = Map.groupBy(names, (name) => name).entries();
  expect(Object.fromEntries(pages.map(([name, each]) => [name, each.length]))).toEqual(lists);
});

const EXACT: Saved = { branch: 'release', commit: BASE };
const LATER: Saved = { branch: 'release' };
const OF_BASE: Base = { branch: 'release', commit: BASE };

describe('the baseline is', () => {
  it.for<[string, readonly Saved[], string | undefined]>([
    ['that of exactly the base commit, not of a newer run of its branch', [EXACT, LATER], '1'],
    ['that of the newest run of the base branch', [LATER, LATER], '2'],
    [
      'that of the newest run, although an older one saved last',
      [
        { ...LATER, run: 9 },
        { ...LATER, run: 3 },
      ],
      '9',
    ],
    ['found behind those of many other branches', [EXACT, ...many({}, 150)], '1'],
    ['none that has expired', [LATER, { ...LATER, entry: { isExpired: true } }], '1'],
    ['none of a fork', [LATER, { ...LATER, entry: { isOfRepository: false } }], '1'],
    ['none of another gate', [LATER, { ...LATER, gate: 'of another gate' }], '1'],
    ['none of another gate, whatever its name', [LATER, { ...LATER, signed: { gate: 'beef' } }], '1'],
    ['found behind strangers', [LATER, ...many({ ...LATER, key: 'of a stranger' }, 11)], '1'],
    ['not searched for without end', [LATER, ...many({ ...LATER, key: 'of a stranger' }, 30)], undefined],
  ])('%s', async ([, saved, run]) => {
    const { nearest } = searchAmong([...saved, { slot: 'pull' }], PULL, { base: OF_BASE });
    expect((await nearest()).baseline?.binding.runId).toBe(run);
  });
});

const OUTAGE = new GitHubError('download the artifact', { trouble: 'outage', problem: 'it is down', fix: 'Wait.' });

describe('what cannot be read', () => {
  it('a flood of artifacts of forks ends the run; if nothing is reused, it is a notice', async () => {
    const flood = /10 pages.*none is of this repository/;
    await expect(searchAmong(FLOOD, PULL).both()).rejects.toThrow(flood);
    const { notices } = await searchAmong(FLOOD, PULL, { canReuse: false }).both();
    expect(notices).toEqual([expect.stringMatching(flood)]);
    expect((await searchAmong(FLOOD.slice(0, 1_000), PULL).both()).notices).toEqual([]);
  });

  it('an outage ends the run before anything is sent; in a dry run it is a notice', async () => {
    const saved = [{ slot: 'pull' }, ...many(LATER, 6)] as const;
    await expect(searchAmong(saved, PULL, { broken: { 4: OUTAGE } }).both()).rejects.toMatchObject({
      causes: [{ reason: 'github', steps: [{ text: expect.stringContaining('delete it') }] }],
    });
    const dry = searchAmong(many(LATER, 6), PULL, { broken: { 4: OUTAGE }, canReuse: false });
    expect(await dry.both()).toMatchObject({ notices: [expect.stringContaining('could not all be read')] });
  });

  it('the pull request of a commit: an outage ends the run, a missing permission is a notice', async () => {
    await expect(searchAmong([LATER], PUSH, { hidden: OUTAGE }).both()).rejects.toThrow('Nothing was sent');
    const hidden = new GitHubError('find it', { trouble: 'refused', problem: 'no', fix: 'Permit it.' });
    const { states, notices } = await searchAmong([LATER], PUSH, { hidden }).both();
    expect([states.length, notices]).toEqual([1, [expect.stringContaining('Permit it. Until then')]]);
  });

  it('a deleted artifact is passed over, without a word', async () => {
    const { both } = searchAmong([LATER, LATER], PULL, { broken: { 1: undefined, 2: undefined } });
    expect(await both()).toMatchObject({ states: [], notices: [] });
  });

  it('each reason is a notice once, for this gate only', async () => {
    const stranger = { branch: 'feature', key: 'of a stranger' };
    const damaged = { signed: { savedAt: 'yesterday' } };
    const others = many({ ...stranger, gate: 'of another gate' }, 3);
    const { notices } = await searchAmong([stranger, stranger, damaged, damaged, ...others], PULL).both();
    expect(notices).toHaveLength(2);
    expect(notices.join('\n')).toMatch(
      /of run 2 was signed with another key[^]*of run 4 cannot be read|of run 4 cannot be read[^]*of run 2 was signed/,
    );
  });
});
