import { describe, expect, it } from 'vitest';
import type { Artifact } from '../../src/github/api-schemas.ts';
import { type RunContext, readContext } from '../../src/github/context.ts';
import { GitHubError, type Trouble } from '../../src/github/github-error.ts';
import { GateError } from '../../src/lib/cause.ts';
import { MAX_STATE_BYTES } from '../../src/state/archive.ts';
import { findOwnSaves } from '../../src/state/artifact-store.ts';
import { byHistory, findStates } from '../../src/state/find-states.ts';
import { artifactNames } from '../../src/state/gate-id.ts';
import { type Binding, type SavedState, seal, signingKey } from '../../src/state/seal.ts';
import type { FinderOptions } from '../../src/state/state-artifacts.ts';
import type { LoadedStates, StateNeeds } from '../../src/state/store.ts';
import { binding, document, known } from './samples.ts';
import { zip } from './zip.ts';

const KEY = signingKey('sk_live_0');
const OWN = { repositoryId: '4711', gate: 'f00d', mode: 'live' } as const;

/** An artifact, and what is in it. */
interface Stored {
  readonly scope: string;
  readonly kind?: Binding['kind'];
  /** Saved under the second name. */
  readonly isSecond?: true;
  /** When it was saved, in minutes; GitHub's times are whole seconds. */
  readonly at: number;
  /** The run that saved it. */
  readonly runId?: string;
  readonly commit?: string;
  /** What GitHub says about the artifact, if it is not the truth. */
  readonly artifact?: Partial<Artifact>;
  /** What is sealed into it, if it is not the truth. */
  readonly sealed?: Partial<Binding>;
  readonly archive?: Uint8Array;
  /** Names the state in what is found. */
  readonly label: string;
}

interface World {
  readonly context: Partial<RunContext>;
  readonly stored?: readonly Stored[];
  readonly merged?: string;
  readonly faults?: Readonly<Record<string, Error>>;
  readonly needs?: Partial<StateNeeds>;
  /** The run is done with these. */
  readonly enough?: readonly string[];
}

interface Search extends LoadedStates {
  /** Every request to GitHub. */
  readonly asked: readonly string[];
  readonly labels: readonly string[];
}

function time(minutes: number): string {
  return new Date(Date.UTC(2026, 10, 14, 0, minutes)).toISOString();
}

const SCOPES = [
  'branch:main',
  'other:main',
  'branch:feature',
  'pull:feature',
  'pull:merged',
  'branch:merged',
  'branch:release',
  'group:c0ffee',
  'group:ba5e',
  'branch:fix/refs/x',
  'pull:fix/refs/x',
  'branch:refs/tags/v1',
];

/** "state pull:feature" for the first name, "state-2 pull:feature" for the second. */
const NAMES = new Map(
  SCOPES.flatMap((scope) =>
    (['state', 'open'] as const).flatMap((kind) => {
      const [first, second] = artifactNames('media', { ...OWN, kind, scope });
      return [[first, `${kind} ${scope}`] as const, [second, `${kind}-2 ${scope}`] as const];
    }),
  ),
);

/** GitHub with these artifacts in it, and every request to it. */
function start({ context, stored = [], merged, faults = {} }: World): { options: FinderOptions; asked: string[] } {
  const asked: string[] = [];
  const ask = (what: string): void => {
    asked.push(what);
    const [, error] = Object.entries(faults).find(([on]) => what.startsWith(on)) ?? [];
    if (error) throw error;
  };
  const artifacts = stored.map((each, index): Artifact & { stored: Stored } => {
    const [first, second] = artifactNames('media', { ...OWN, kind: each.kind ?? 'state', scope: each.scope });
    return {
      id: index + 1,
      name: each.isSecond ? second : first,
      size: 1_000,
      isExpired: false,
      createdAt: time(each.at).replace('.000', ''),
      headBranch: undefined,
      runId: each.runId ?? '42',
      headSha: each.commit,
      isOwn: true,
      ...each.artifact,
      stored: each,
    };
  });
  const options: FinderOptions = {
    gateName: 'media',
    binding: { ...OWN, runId: '43', runAttempt: 1, commit: 'c0ffee', scope: 'branch:main', event: 'push' },
    key: KEY,
    context: { ...readContext({}), commit: 'c0ffee', ...context },
    api: {
      artifacts: async (name) => {
        ask(`list ${NAMES.get(name)}`);
        return artifacts.filter((artifact) => artifact.name === name);
      },
      artifactArchive: async (id) => {
        const found = artifacts.find((artifact) => artifact.id === id)?.stored;
        if (!found) throw new Error(`There is no artifact ${id}.`);
        ask(`download ${found.label}`);
        const { scope, kind = 'state', at, label, sealed, runId = '42', commit = 'c'.repeat(40) } = found;
        const text = seal(
          document({ contents: [known(label, { assetId: label })] }),
          binding({ scope, kind, runId, commit, savedAt: time(at), ...sealed }),
          KEY,
        );
        return found.archive ?? zip([{ name: 'state.json', data: text }]);
      },
      pullRequest: async (number) => {
        ask(`pull request ${number}`);
        return { number, headSha: '', branch: merged ?? '', baseBranch: 'main', isMerged: false };
      },
      pullRequestsOf: async (commit) => {
        ask(`pull requests of ${commit}`);
        const open = { number: 1, headSha: '', branch: 'open', baseBranch: 'main', isMerged: false };
        return merged === undefined ? [open] : [open, { ...open, branch: merged, isMerged: true }];
      },
    },
  };
  return { options, asked };
}

function labelsOf(states: readonly SavedState[]): readonly string[] {
  return states.flatMap(({ document: { contents } }) => contents.map(({ assetId }) => assetId));
}

async function search(world: World): Promise<Search> {
  const { options, asked } = start(world);
  const { enough } = world;
  const loaded = await findStates(options, {
    canReuse: true,
    hasBaseline: false,
    isEnough: ({ contents }) =>
      enough !== undefined && enough.every((label) => contents.some(({ assetId }) => assetId === label)),
    ...world.needs,
  });
  return { ...loaded, asked, labels: labelsOf(loaded.states) };
}

const PULL: Partial<RunContext> = {
  branch: 'feature',
  baseBranch: 'main',
  defaultBranch: 'main',
  event: 'pull_request',
  pullRequest: { number: 2, headSha: '', isFork: false, isDependabot: false },
};
const PUSH: Partial<RunContext> = { branch: 'main', defaultBranch: 'main', event: 'push' };
const QUEUE: Partial<RunContext> = {
  branch: 'gh-readonly-queue/main/pr-7-abc',
  baseBranch: 'main',
  defaultBranch: 'main',
  baseCommit: 'ba5e',
  event: 'merge_group',
  queuedPullRequest: 7,
  runAttempt: 1,
};

/** One state in every possible place. */
const EVERYWHERE: readonly Stored[] = SCOPES.flatMap((scope, index): Stored[] => [
  { scope, at: index, label: `state ${scope}` },
  { scope, kind: 'open', at: index + 1, label: `open ${scope}` },
]);

const ownNames = (scope: string): readonly string[] => [
  `list state ${scope}`,
  `list state-2 ${scope}`,
  `list open ${scope}`,
  `list open-2 ${scope}`,
];

describe('the requests of a run', () => {
  const cases: readonly (readonly [string, World, readonly string[]])[] = [
    [
      'a pull request: itself, its base, its branch',
      { context: { ...PULL, baseCommit: 'ba5e' } },
      [
        ...ownNames('pull:feature'),
        'list state branch:main',
        'list state branch:feature',
        'list open branch:feature',
        'list state-2 branch:main',
        'list state-2 branch:feature',
        'list open-2 branch:feature',
      ],
    ],
    [
      'a pull request into another branch than the default one: that one as well',
      { context: { ...PULL, baseBranch: 'release' } },
      [
        ...ownNames('pull:feature'),
        'list state branch:release',
        'list state branch:feature',
        'list open branch:feature',
        'list state-2 branch:release',
        'list state-2 branch:feature',
        'list open-2 branch:feature',
        'list state branch:main',
        'list state-2 branch:main',
      ],
    ],
    [
      'a push without a pull request',
      { context: PUSH },
      ['list state branch:main', 'pull requests of c0ffee', ...ownNames('branch:main').slice(1)],
    ],
    [
      'a squash merge: the pull request that was merged, and its branch if that has none',
      { context: PUSH, merged: 'merged' },
      [
        'list state branch:main',
        'pull requests of c0ffee',
        ...ownNames('branch:main').slice(1),
        'list state pull:merged',
        'list open pull:merged',
        'list state-2 pull:merged',
        'list open-2 pull:merged',
        'list state branch:merged',
        'list open branch:merged',
      ],
    ],
    [
      'a merge group: the group that it is built on, its pull request, the base, and the branch',
      { context: QUEUE, merged: 'merged' },
      [
        'pull request 7',
        'list state pull:merged',
        'list state group:ba5e',
        ...ownNames('pull:merged').slice(1),
        ...ownNames('group:ba5e').slice(1),
        'list state branch:main',
        'list state-2 branch:main',
        'list state branch:merged',
        'list open branch:merged',
      ],
    ],
    [
      'a merge group without a known pull request: no own state, since its commit is new',
      { context: { ...QUEUE, queuedPullRequest: undefined } },
      [...ownNames('group:ba5e'), 'list state branch:main', 'list state-2 branch:main'],
    ],
    [
      'the same group in its second attempt: itself as well',
      { context: { ...QUEUE, queuedPullRequest: undefined, runAttempt: 2 } },
      [
        'list state group:c0ffee',
        'list state group:ba5e',
        ...ownNames('group:c0ffee').slice(1),
        ...ownNames('group:ba5e').slice(1),
        'list state branch:main',
        'list state-2 branch:main',
      ],
    ],
    [
      'a push to a branch whose name only looks like one of GitHub’s',
      { context: { ...PUSH, branch: 'fix/refs/x', defaultBranch: undefined } },
      [
        'list state branch:fix/refs/x',
        'pull requests of c0ffee',
        ...ownNames('branch:fix/refs/x').slice(1),
        'list state pull:fix/refs/x',
        'list open pull:fix/refs/x',
        'list state-2 pull:fix/refs/x',
        'list open-2 pull:fix/refs/x',
      ],
    ],
    [
      'a push of a tag: it has no pull request',
      { context: { ...PUSH, branch: 'refs/tags/v1', defaultBranch: undefined } },
      ['list state branch:refs/tags/v1', 'pull requests of c0ffee', ...ownNames('branch:refs/tags/v1').slice(1)],
    ],
    [
      'a comment: the state of comment runs, and the default branch',
      { context: { ...PUSH, event: 'issue_comment' } },
      [...ownNames('other:main'), 'list state branch:main', 'list state-2 branch:main'],
    ],
    ['a schedule', { context: { ...PUSH, event: 'schedule' } }, ownNames('branch:main')],
    [
      'with a baseline: the base at once, under both names',
      { context: PULL, needs: { hasBaseline: true }, enough: [] },
      ['list state pull:feature', 'list state branch:main', 'list state-2 branch:main'],
    ],
    [
      'with reuse-days: 0 after a merge: its pull request is not asked for',
      { context: PUSH, merged: 'merged', needs: { canReuse: false } },
      ownNames('branch:main'),
    ],
    [
      'with reuse-days: 0 only its own: for versions, and for what is still open',
      { context: PULL, needs: { canReuse: false } },
      ownNames('pull:feature'),
    ],
  ];
  it.each(cases)('%s', async (_, world, expected) => {
    const { asked } = await search(world);
    expect(asked).toEqual(expected);
    expect(new Set(asked).size).toBe(asked.length);
  });

  it.each(cases)('are at most twenty with a state in every place: %s', async (_, world) => {
    const { asked, states } = await search({ ...world, stored: EVERYWHERE });
    expect(asked.length).toBeLessThanOrEqual(20);
    expect(states.length).toBeGreaterThan(0);
  });

  it('are two if the newest own state has everything', async () => {
    const world = { context: PULL, stored: EVERYWHERE, enough: ['state pull:feature'] };
    expect((await search(world)).asked).toEqual(['list state pull:feature', 'download state pull:feature']);
  });

  it('end as soon as everything is known', async () => {
    const world = { context: PULL, stored: EVERYWHERE, enough: ['state branch:feature'] };
    const { asked } = await search(world);
    expect(asked).toContain('download state branch:feature');
    expect(asked).not.toContain('list state-2 branch:main');
  });

  it('never leave out the base of a run that is compared with it', async () => {
    for (const context of [PULL, { ...PULL, baseBranch: 'release' }, QUEUE, { ...QUEUE, baseBranch: 'release' }]) {
      const world = { context, merged: 'merged', stored: EVERYWHERE, needs: { hasBaseline: true }, enough: [] };
      expect((await search(world)).labels).toContain(`state branch:${context.baseBranch}`);
    }
  });

  it('return the state of this branch first', async () => {
    const { labels } = await search({ context: PULL, stored: EVERYWHERE });
    expect(labels).toEqual([
      'open pull:feature',
      'state pull:feature',
      'open branch:feature',
      'state branch:feature',
      'state branch:main',
    ]);
  });

  it.each<[string, World, readonly string[]]>([
    [
      'the base before the default branch',
      { context: { ...PULL, baseBranch: 'release' } },
      ['branch:release', 'branch:main'],
    ],
    ['the merged branch before the base', { context: QUEUE, merged: 'merged' }, ['branch:merged', 'branch:main']],
  ])('return %s, even if the other is newer', async (_, world, scopes) => {
    const stored = scopes.map((scope, at) => ({ scope, at, label: scope }));
    expect((await search({ ...world, stored })).labels).toEqual(scopes);
  });

  it('find what the merge group in front of this one has analysed or submitted', async () => {
    const { labels } = await search({ context: QUEUE, merged: 'merged', stored: EVERYWHERE });
    expect(labels.slice(2, 4)).toEqual(['open group:ba5e', 'state group:ba5e']);
  });
});

describe('a name that is blocked', () => {
  it.each(['state', 'open'] as const)('the state under the second name is read as well: %s', async (kind) => {
    const { labels } = await search({
      context: PULL,
      stored: [
        { scope: 'pull:feature', at: 1, runId: '41', label: 'earlier' },
        { scope: 'pull:feature', kind, isSecond: true, at: 2, label: 'second' },
      ],
    });
    expect(labels).toEqual(['second', 'earlier']);
  });

  it('two gates that saved under the two names of one run: both are read', async () => {
    const { labels } = await search({
      context: PULL,
      stored: [
        { scope: 'pull:feature', at: 1, label: 'one' },
        { scope: 'pull:feature', isSecond: true, at: 2, label: 'two' },
      ],
    });
    expect(labels).toEqual(['two', 'one']);
  });

  it('the second name of an earlier run is read if a later run saved under the first name only', async () => {
    const { labels } = await search({
      context: PULL,
      stored: [
        { scope: 'pull:feature', isSecond: true, at: 1, runId: '41', label: 'second' },
        { scope: 'pull:feature', at: 2, label: 'first' },
      ],
    });
    expect(labels).toEqual(['first', 'second']);
  });
});

describe('after a merge', () => {
  const branch: readonly Stored[] = [
    { scope: 'branch:main', at: 1, label: 'own' },
    { scope: 'branch:merged', at: 2, label: 'branch' },
  ];

  it('the state of the branch is used if its pull request has none', async () => {
    const { labels } = await search({ context: PUSH, merged: 'merged', stored: branch });
    expect(labels).toEqual(['own', 'branch']);
  });

  it.each(['state', 'open'] as const)(
    'the state of the branch is not read if its pull request has one: %s',
    async (kind) => {
      const stored = [...branch, { scope: 'pull:merged', kind, at: 3, label: 'pull request' }];
      const { labels, asked } = await search({ context: PUSH, merged: 'merged', stored });
      expect(labels).toEqual(['own', 'pull request']);
      expect(asked).not.toContain('list state branch:merged');
    },
  );

  it('into another branch than the default one, its own state and that of the merged branch are both read', async () => {
    const stored = [
      { scope: 'branch:release', at: 1, label: 'own' },
      { scope: 'branch:merged', at: 2, label: 'branch' },
      { scope: 'branch:main', at: 2, label: 'default' },
    ];
    const { labels, asked } = await search({ context: { ...PUSH, branch: 'release' }, merged: 'merged', stored });
    expect(asked.length).toBeLessThanOrEqual(20);
    expect(labels).toEqual(['own', 'branch', 'default']);
  });
});

describe('the scopes under which a run saves its state', () => {
  it.each<readonly [string, World, readonly string[]]>([
    ['its own', { context: PULL }, ['pull:feature']],
    ['its own, after a merge as well', { context: PUSH, merged: 'merged' }, ['branch:main']],
    [
      'a merge group: its pull request’s, for a queue that is rebuilt, and its own, for the group behind it',
      { context: QUEUE, merged: 'merged' },
      ['pull:merged', 'group:c0ffee'],
    ],
    [
      'a merge group without a known pull request',
      { context: { ...QUEUE, queuedPullRequest: undefined } },
      ['group:c0ffee'],
    ],
  ])('%s', async (_, world, scopes) => {
    expect((await search(world)).scopes).toEqual(scopes);
  });
});

describe('which of several is used', () => {
  it('the newest by time, since ids are in no order', async () => {
    const { labels, asked } = await search({
      context: PULL,
      stored: [
        { scope: 'pull:feature', at: 1, label: 'older' },
        { scope: 'pull:feature', at: 9, label: 'newest' },
        { scope: 'pull:feature', at: 5, label: 'middle' },
      ],
    });
    expect(labels).toEqual(['newest']);
    expect(asked.filter((scope) => scope.startsWith('download'))).toEqual(['download newest']);
  });

  it.each<readonly [string, Partial<Stored>, readonly string[], readonly string[]]>([
    ['older than the state: it was taken over', { at: 1 }, ['state'], ['state']],
    ['newer than the state: a run was killed or is running', { at: 9 }, ['open', 'state'], ['state', 'open']],
    // GitHub's times are whole seconds; those in the states are not.
    ['of the same second, and before it', { at: 5, sealed: { savedAt: time(4) } }, ['state'], ['state', 'open']],
  ])('an open one that is %s', async (_, stored, found, downloaded) => {
    const { labels, asked } = await search({
      context: PULL,
      stored: [
        { scope: 'pull:feature', at: 5, label: 'state' },
        { scope: 'pull:feature', kind: 'open', at: 5, label: 'open', ...stored },
      ],
    });
    expect(labels).toEqual(found);
    expect(asked.filter((scope) => scope.startsWith('download'))).toEqual(
      downloaded.map((label) => `download ${label}`),
    );
  });

  it('that of the latest run first, even if an earlier one was saved later; the earlier one as well', async () => {
    const early = { scope: 'branch:main', at: 5, label: 'early', runId: '41' };
    const late = { scope: 'branch:main', at: 3, label: 'late' };
    const { labels, asked } = await search({ context: PUSH, stored: [early, late] });
    expect(labels).toEqual(['late', 'early']);
    expect(asked.indexOf('download late')).toBeLessThan(asked.indexOf('download early'));
  });

  it('run ids are compared as numbers', async () => {
    const stored = ['9', '10'].map((runId) => ({ scope: 'branch:main', at: 1, label: runId, runId }));
    expect((await search({ context: PUSH, stored, enough: ['10'] })).labels).toEqual(['10']);
  });

  it('of the base, the newest and the one of exactly the base commit', async () => {
    const stored = [
      { scope: 'branch:main', at: 9, label: 'newer', runId: '44' },
      { scope: 'branch:main', at: 5, label: 'exact', commit: 'ba5e' },
    ];
    const world = { context: { ...PULL, baseCommit: 'ba5e' }, stored, needs: { hasBaseline: true }, enough: ['exact'] };
    expect((await search(world)).labels).toEqual(['newer', 'exact']);
    // Without a comparison that one is not needed.
    expect((await search({ ...world, needs: {}, enough: ['newer'] })).labels).toEqual(['newer']);
  });

  it('the later attempt of a run, even if the clock of its machine was behind', () => {
    const attempts = [2, 1].map((runAttempt, index) => ({ runId: '42', runAttempt, savedAt: time(index) }));
    expect(attempts.toReversed().toSorted(byHistory)).toEqual(attempts);
  });

  it('an open submission of one run, even if another run has ended since', async () => {
    const cancelled = { scope: 'branch:main', kind: 'open', at: 3, label: 'cancelled' } as const;
    const other = { scope: 'branch:main', at: 5, label: 'other', runId: '41' };
    const { labels } = await search({ context: PUSH, stored: [cancelled, other] });
    expect(labels).toEqual(['cancelled', 'other']);
  });

  it('an open submission of the pull request, even if a run of its branch has ended since', async () => {
    const { labels } = await search({
      context: PULL,
      stored: [
        { scope: 'pull:feature', kind: 'open', at: 3, label: 'open' },
        { scope: 'branch:feature', at: 5, label: 'branch' },
      ],
    });
    expect(labels).toEqual(['open', 'branch']);
  });
});

async function findOwn(stored: readonly Stored[]) {
  const { options, asked } = start({ context: PUSH, stored });
  return { saves: await findOwnSaves('state', options), asked };
}

describe('a state that another gate of the same name has saved in this run', () => {
  const scope = 'branch:main';
  const ours = { scope, at: 3, label: 'ours', runId: '43' };

  it('is read under both names, and nothing else is', async () => {
    const stored = [ours, { ...ours, isSecond: true, label: 'second' } as const, { scope, at: 5, label: 'earlier' }];
    const { saves, asked } = await findOwn(stored);
    expect(saves.map(({ artifactId, state }) => [artifactId, ...labelsOf(state ? [state] : [])])).toEqual([
      [1, 'ours'],
      [2, 'second'],
    ]);
    expect(asked).toEqual([`list state ${scope}`, `list state-2 ${scope}`, 'download ours', 'download second']);
  });

  it('may be missing, if an unfinished upload blocks the name', async () => {
    expect((await findOwn([{ scope, at: 5, label: 'earlier' }])).saves).toEqual([]);
  });

  it('may not be ours, and is then not joined', async () => {
    const { saves } = await findOwn([{ ...ours, sealed: { runId: '99' } }]);
    expect(saves).toEqual([expect.objectContaining({ artifactId: 1, state: undefined })]);
  });
});

describe('a refused state gets its own notice', () => {
  const ours = { scope: 'pull:feature', at: 1, label: 'x' };
  it.each<readonly [string, Stored, string]>([
    ['of another repository', { ...ours, sealed: { repositoryId: '1' } }, 'belongs to another repository'],
    ['of another gate', { ...ours, sealed: { gate: 'beef' } }, 'belongs to another gate'],
    ['of the other kind of key', { ...ours, sealed: { mode: 'sandbox' } }, 'sandbox and live never share'],
    ['replayed from another run', { ...ours, sealed: { runId: '41' } }, 'was copied from another run or branch'],
    [
      'replayed from another scope',
      { ...ours, sealed: { scope: 'branch:feature' } },
      'was copied from another run or branch',
    ],
    ['an open one in place of a state', { ...ours, sealed: { kind: 'open' } }, 'was copied from another run or branch'],
    ['no archive', { ...ours, archive: Buffer.from('PK') }, 'damaged'],
    ['an archive with another path', { ...ours, archive: zip([{ name: '../state.json', data: '{}' }]) }, 'damaged'],
    [
      'unsigned',
      { ...ours, archive: zip([{ name: 'state.json', data: '{"contents":[],"paths":[],"open":[]}' }]) },
      'damaged',
    ],
    ['of a run, which is named', { ...ours, archive: Buffer.from('PK') }, 'of run 42) is damaged'],
  ])('%s', async (_, stored, notice) => {
    const { states, notices, isLost } = await search({ context: PULL, stored: [stored] });
    expect(states).toEqual([]);
    expect(isLost).toBe(true);
    expect(notices).toEqual([expect.stringContaining(notice)]);
    expect(notices[0]).toContain('of the pull request from feature');
  });

  it('of a branch, which is named', async () => {
    const { notices } = await search({
      context: PULL,
      stored: [{ ...ours, scope: 'branch:main', archive: Buffer.from('PK') }],
    });
    expect(notices).toEqual([expect.stringMatching(/^The state of the branch main \(artifact /)]);
  });

  it('of the maximum size, it is downloaded', async () => {
    const { labels } = await search({ context: PULL, stored: [{ ...ours, artifact: { size: MAX_STATE_BYTES } }] });
    expect(labels).toEqual(['x']);
  });

  it('too large: it is not downloaded', async () => {
    const { asked, notices } = await search({ context: PULL, stored: [{ ...ours, artifact: { size: 2 ** 30 } }] });
    expect(asked).not.toContain('download x');
    expect(notices).toEqual([expect.stringContaining('too large')]);
  });

  it('one refused state does not hide the others', async () => {
    const { labels, isLost } = await search({
      context: PULL,
      stored: [
        { ...ours, sealed: { runId: '41' } },
        { scope: 'branch:main', at: 1, label: 'base' },
      ],
    });
    expect(labels).toEqual(['base']);
    expect(isLost).toBe(false);
  });

  it('the one before a refused state is used', async () => {
    const stored = [
      { ...ours, label: 'before', runId: '40', at: 1 },
      { ...ours, at: 2, sealed: { runId: '41' } },
    ];
    const { labels, notices } = await search({ context: PULL, stored });
    expect(labels).toEqual(['before']);
    expect(notices).toHaveLength(1);
  });

  it('a branch full of copied states costs two downloads for each of three passes, and no more', async () => {
    const stored = Array.from({ length: 9 }, (_, at) => ({ ...ours, at, runId: `${at + 1}`, sealed: { runId: '99' } }));
    const { labels, asked } = await search({ context: PULL, stored, needs: { canReuse: false } });
    expect(labels).toEqual([]);
    expect(asked.filter((what) => what.startsWith('download')).length).toBe(6);
  });
});

function failed(trouble: Trouble): GitHubError {
  const fix = 'Give the job `permissions: actions: read`.';
  return new GitHubError('list the artifacts', { trouble, problem: 'GitHub answered 403', fix });
}

describe('a missing state gets its own notice', () => {
  const permission = failed('permission');

  it('nothing yet', async () => {
    expect(await search({ context: PULL })).toMatchObject({
      isLost: false,
      notices: [expect.stringContaining('This is the first run of this gate here')],
    });
  });

  it('expired', async () => {
    const stored = [{ scope: 'pull:feature', at: 1, artifact: { isExpired: true }, label: 'x' }];
    const { notices, asked } = await search({ context: PULL, stored });
    expect(notices).toEqual([
      'The state of the pull request from feature has expired: raise `retention-days` to keep it longer.',
    ]);
    expect(asked).not.toContain('download x');
    const valid = { scope: 'pull:feature', at: 2, label: 'valid' };
    expect((await search({ context: PULL, stored: [...stored, valid] })).notices).toEqual([]);
  });

  it('an expired open one gets no notice', async () => {
    const stored = [{ scope: 'pull:feature', kind: 'open' as const, at: 1, artifact: { isExpired: true }, label: 'x' }];
    const { notices } = await search({ context: PULL, stored });
    expect(notices).toEqual([expect.stringContaining('This is the first run of this gate here')]);
  });

  it('a found state gets no notice', async () => {
    expect((await search({ context: PULL, stored: EVERYWHERE })).notices).toEqual([]);
  });

  it('no permission to list: one notice, with the permission to add', async () => {
    const { notices } = await search({ context: PULL, stored: EVERYWHERE, faults: { list: permission } });
    expect(notices).toEqual([expect.stringContaining('`permissions: actions: read`')]);
  });

  it('no permission to find the pull request: everything else is found', async () => {
    const { notices, labels } = await search({
      context: PUSH,
      stored: EVERYWHERE,
      faults: { 'pull requests': permission },
    });
    expect(labels).toEqual(['open branch:main', 'state branch:main']);
    expect(notices).toHaveLength(1);
  });

  it('a download that fails: the others are used', async () => {
    const { notices, labels } = await search({
      context: PULL,
      stored: EVERYWHERE,
      faults: { 'download state pull:feature': permission },
    });
    expect(labels).toEqual(['open pull:feature', 'open branch:feature', 'state branch:feature', 'state branch:main']);
    expect(notices).toHaveLength(1);
  });

  it.each(['rate-limit', 'unavailable'] as const)(
    'without an answer the run ends before anything is billed: %s',
    async (trouble) => {
      for (const on of ['list', 'download', 'pull requests']) {
        const ended = search({ context: PUSH, stored: EVERYWHERE, faults: { [on]: failed(trouble) } });
        await expect(ended).rejects.toThrow(GateError);
        await expect(ended).rejects.toMatchObject({ causes: [{ reason: 'github' }] });
      }
    },
  );

  it.each(['permission', 'not-found', 'refused'] as const)('a refusal is a notice: %s', async (trouble) => {
    const { notices } = await search({ context: PULL, faults: { list: failed(trouble) } });
    expect(notices).toEqual([expect.stringContaining('files may be sent and billed again')]);
  });

  it('if the missing response could not save anything, the run continues with a notice', async () => {
    const world = { context: PULL, faults: { list: failed('unavailable') }, needs: { canReuse: false } };
    expect((await search(world)).notices).toHaveLength(1);
  });

  it('a state that is not needed gets no notice', async () => {
    const faults = { 'list open': failed('unavailable'), 'list state-2': failed('unavailable') };
    const world = { context: PULL, stored: EVERYWHERE, faults, enough: ['state pull:feature'] };
    expect((await search(world)).notices).toEqual([]);
  });

  it('other errors are thrown', async () => {
    const stop = new Error('stopped');
    await expect(search({ context: PULL, faults: { list: stop } })).rejects.toBe(stop);
  });
});
