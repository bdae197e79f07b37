import { describe, expect, it } from 'vitest';
import type { Artifact } from '../../src/github/api-schemas.ts';
import { type RunContext, readContext } from '../../src/github/context.ts';
import { GitHubError } from '../../src/github/github-error.ts';
import { MAX_STATE_BYTES } from '../../src/state/archive.ts';
import { type FinderOptions, type Found, findSaved, findStates } from '../../src/state/find-states.ts';
import { artifactName } from '../../src/state/gate-id.ts';
import { type Binding, seal, signingKey } from '../../src/state/seal.ts';
import { binding, document, known } from './samples.ts';
import { zip } from './zip.ts';

const KEY = signingKey('sk_live_0');
const OWN = { repositoryId: '4711', gate: 'f00d', mode: 'live' } as const;

/** An artifact, and what is in it. */
interface Stored {
  readonly scope: string;
  readonly kind?: Binding['kind'];
  /** When it was saved, in minutes; GitHub tells whole seconds. */
  readonly at: number;
  /** What is said about the artifact, against the truth. */
  readonly artifact?: Partial<Artifact>;
  /** What is sealed into it, against the truth. */
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
}

interface Search extends Found {
  /** Every request to GitHub, in words. */
  readonly asked: readonly string[];
  readonly labels: readonly string[];
}

function time(minutes: number): string {
  return new Date(Date.UTC(2026, 10, 14, 0, minutes)).toISOString();
}

async function search(
  { context, stored = [], merged, faults = {} }: World,
  find: (options: FinderOptions) => Promise<Found> = findStates,
): Promise<Search> {
  const asked: string[] = [];
  const ask = (what: string, fault = what): void => {
    asked.push(what);
    const [, error] = Object.entries(faults).find(([on]) => fault.startsWith(on)) ?? [];
    if (error) throw error;
  };
  const artifacts = stored.map((each, index): Artifact & { stored: Stored } => ({
    id: index + 1,
    name: artifactName('media', { ...OWN, kind: each.kind ?? 'state', scope: each.scope }),
    size: 1_000,
    isExpired: false,
    createdAt: time(each.at).replace('.000', ''),
    runId: '42',
    isOwn: true,
    ...each.artifact,
    stored: each,
  }));
  const names = new Map(
    [
      'branch:main',
      'other:main',
      'branch:feature',
      'pull:feature',
      'pull:merged',
      'branch:merged',
      'branch:release',
      'branch:gh-readonly-queue/main/pr-7-abc',
      'branch:fix/refs/x',
      'pull:fix/refs/x',
    ].flatMap((scope) =>
      (['state', 'open'] as const).map(
        (kind) => [artifactName('media', { ...OWN, kind, scope }), `${kind} ${scope}`] as const,
      ),
    ),
  );
  const loaded = await find({
    gateName: 'media',
    binding: { ...OWN, runId: '43', scope: 'unused', event: 'push' },
    key: KEY,
    context: { ...readContext({}), ...context },
    api: {
      artifacts: async (name) => {
        ask(`list ${names.get(name)}`);
        return artifacts.filter((artifact) => artifact.name === name).toReversed();
      },
      artifactArchive: async (id) => {
        const found = artifacts.find((artifact) => artifact.id === id)?.stored;
        if (!found) throw new Error(`There is no artifact ${id}.`);
        ask(`download ${found.label}`);
        const { scope, kind = 'state', at, label, sealed } = found;
        const text = seal(
          document({ contents: [known(label, { assetId: label })] }),
          binding({ scope, kind, savedAt: time(at), ...sealed }),
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
  });
  return {
    ...loaded,
    asked,
    labels: loaded.states.flatMap(({ document: { contents } }) => contents.map(({ assetId }) => assetId)),
  };
}

const PULL: Partial<RunContext> = {
  branch: 'feature',
  baseBranch: 'main',
  defaultBranch: 'main',
  event: 'pull_request',
  pullRequest: { number: 2, headSha: '', isFork: false, isDependabot: false },
};
const PUSH: Partial<RunContext> = { branch: 'main', defaultBranch: 'main', event: 'push', commit: 'c0ffee' };
const QUEUE: Partial<RunContext> = {
  branch: 'gh-readonly-queue/main/pr-7-abc',
  baseBranch: 'main',
  defaultBranch: 'main',
  event: 'merge_group',
  queuedPullRequest: 7,
  runAttempt: 1,
};

/** One state in every place that there is. */
const EVERYWHERE: readonly Stored[] = [
  'branch:main',
  'branch:feature',
  'pull:feature',
  'pull:merged',
  'branch:merged',
  'branch:release',
  'branch:gh-readonly-queue/main/pr-7-abc',
  'branch:fix/refs/x',
].flatMap((scope, index): Stored[] => [
  { scope, at: index, label: `state ${scope}` },
  { scope, kind: 'open', at: index + 1, label: `open ${scope}` },
]);

describe('where a state is looked for', () => {
  const cases: readonly (readonly [string, World, readonly string[]])[] = [
    [
      'a pull request: itself, its base, its branch',
      { context: PULL },
      [
        'list state pull:feature',
        'list open pull:feature',
        'list state branch:main',
        'list state branch:feature',
        'list open branch:feature',
      ],
    ],
    [
      'a pull request into another branch than the default one: that one, too',
      { context: { ...PULL, baseBranch: 'release' } },
      [
        'list state pull:feature',
        'list open pull:feature',
        'list state branch:release',
        'list state branch:feature',
        'list open branch:feature',
        'list state branch:main',
      ],
    ],
    [
      'a push that no pull request brought',
      { context: PUSH },
      ['pull requests of c0ffee', 'list state branch:main', 'list open branch:main'],
    ],
    [
      'a squash merge: the pull request that was merged, and its branch where that has none',
      { context: PUSH, merged: 'merged' },
      [
        'pull requests of c0ffee',
        'list state branch:main',
        'list open branch:main',
        'list state pull:merged',
        'list open pull:merged',
        'list state branch:merged',
        'list open branch:merged',
      ],
    ],
    [
      'a push to another branch: its pull request and the default branch',
      { context: { ...PUSH, branch: 'feature' } },
      [
        'pull requests of c0ffee',
        'list state branch:feature',
        'list open branch:feature',
        'list state pull:feature',
        'list open pull:feature',
        'list state branch:main',
      ],
    ],
    [
      'a merge queue: the queued pull request, whose scope it goes on with, the base, and the branch',
      { context: QUEUE, merged: 'merged' },
      [
        'pull request 7',
        'list state pull:merged',
        'list open pull:merged',
        'list state branch:main',
        'list state branch:merged',
        'list open branch:merged',
      ],
    ],
    [
      'a merge queue that nobody knows the pull request of: the base, since its own branch is new',
      { context: { ...QUEUE, queuedPullRequest: undefined } },
      ['list state branch:main'],
    ],
    [
      'such a queue again: itself, too',
      { context: { ...QUEUE, queuedPullRequest: undefined, runAttempt: 2 } },
      [
        'list state branch:gh-readonly-queue/main/pr-7-abc',
        'list open branch:gh-readonly-queue/main/pr-7-abc',
        'list state branch:main',
      ],
    ],
    [
      'a push to a branch whose name only looks like one of GitHub’s',
      { context: { ...PUSH, branch: 'fix/refs/x', defaultBranch: undefined } },
      [
        'pull requests of c0ffee',
        'list state branch:fix/refs/x',
        'list open branch:fix/refs/x',
        'list state pull:fix/refs/x',
        'list open pull:fix/refs/x',
      ],
    ],
    [
      'a comment: what comments’ runs know, and the default branch',
      { context: { ...PUSH, event: 'issue_comment' } },
      ['list state other:main', 'list open other:main', 'list state branch:main'],
    ],
    ['a schedule', { context: { ...PUSH, event: 'schedule' } }, ['list state branch:main', 'list open branch:main']],
  ];
  it.each(cases)('%s', async (_, world, expected) => {
    expect((await search(world)).asked).toEqual(expected);
  });

  it.each(cases)('takes at most ten requests with a state in every place: %s', async (_, world) => {
    const { asked, states } = await search({ ...world, stored: EVERYWHERE });
    expect(asked.length).toBeLessThanOrEqual(10);
    expect(new Set(asked).size).toBe(asked.length);
    expect(states.length).toBeGreaterThan(0);
  });

  it('never leaves out the base of a pull request or a queue, which may be what it is judged by', async () => {
    for (const context of [
      PULL,
      { ...PULL, baseBranch: 'release' },
      QUEUE,
      { ...QUEUE, baseBranch: 'release' },
      { ...QUEUE, runAttempt: 2, baseBranch: 'release', queuedPullRequest: undefined },
    ]) {
      const { labels } = await search({ context, merged: 'merged', stored: EVERYWHERE });
      expect(labels).toContain(`state branch:${context.baseBranch}`);
    }
  });

  it('gives what it finds nearest first', async () => {
    const { labels } = await search({ context: PULL, stored: EVERYWHERE });
    expect(labels).toEqual([
      'open pull:feature',
      'state pull:feature',
      'open branch:feature',
      'state branch:feature',
      'state branch:main',
    ]);
  });
});

describe('after a merge', () => {
  const branch: readonly Stored[] = [
    { scope: 'branch:main', at: 1, label: 'own' },
    { scope: 'branch:merged', at: 2, label: 'branch' },
  ];

  it('the branch counts where its pull request has no state', async () => {
    const { labels } = await search({ context: PUSH, merged: 'merged', stored: branch });
    expect(labels).toEqual(['own', 'branch']);
  });

  it.each(['state', 'open'] as const)(
    'the branch is not asked for where its pull request has one: %s',
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
    expect(asked).toHaveLength(10);
    expect(labels).toEqual(['own', 'branch']);
  });
});

describe('the scope that a run goes on with', () => {
  it.each<readonly [string, World, string]>([
    ['its own', { context: PULL }, 'pull:feature'],
    ['its own after a merge, too', { context: PUSH, merged: 'merged' }, 'branch:main'],
    [
      'of a queue: that of its pull request, which never is a baseline',
      { context: QUEUE, merged: 'merged' },
      'pull:merged',
    ],
    [
      'of a queue that nobody knows the pull request of: its own',
      { context: { ...QUEUE, queuedPullRequest: undefined } },
      'branch:gh-readonly-queue/main/pr-7-abc',
    ],
  ])('is %s', async (_, world, scope) => {
    expect((await search(world)).scope).toBe(scope);
  });
});

describe('which of several is taken', () => {
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
    ['newer than the state: a run died or is under way', { at: 9 }, ['open', 'state'], ['state', 'open']],
    // GitHub tells no more than seconds; what was saved tells more.
    ['of the same moment', { at: 5 }, ['state'], ['state', 'open']],
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

  it('also that of a run which ended before another that had begun earlier and did not know of it', async () => {
    const early = { scope: 'branch:main', at: 5, label: 'early', artifact: { runId: '41' }, sealed: { runId: '41' } };
    const late = { scope: 'branch:main', at: 3, label: 'late' };
    const { labels } = await search({ context: PUSH, stored: [early, late] });
    expect(labels).toEqual(['early', 'late']);
  });

  it('what a run left open, though another one has ended since', async () => {
    const cancelled = { scope: 'branch:main', kind: 'open', at: 3, label: 'cancelled' } as const;
    const other = { scope: 'branch:main', at: 5, label: 'other', artifact: { runId: '41' }, sealed: { runId: '41' } };
    const { labels } = await search({ context: PUSH, stored: [cancelled, other] });
    expect(labels).toEqual(['other', 'cancelled']);
  });

  it('what the pull request left open, though its branch has ended since: they do not know of each other', async () => {
    const { labels } = await search({
      context: PULL,
      stored: [
        { scope: 'pull:feature', kind: 'open', at: 3, label: 'open' },
        { scope: 'branch:feature', at: 5, label: 'branch' },
      ],
    });
    expect(labels).toEqual(['open', 'branch']);
  });

  it('never one that a fork left, be it ever so new: it is not even downloaded', async () => {
    const { labels, asked } = await search({
      context: PULL,
      stored: [
        { scope: 'pull:feature', at: 1, label: 'ours' },
        { scope: 'pull:feature', at: 9, artifact: { isOwn: false }, label: 'the fork’s' },
      ],
    });
    expect(labels).toEqual(['ours']);
    expect(asked).not.toContain('download the fork’s');
  });
});

describe('what another gate of the same name has saved in this very run', () => {
  const LINE = 'branch:main';
  const find = async (options: FinderOptions): Promise<Found> => ({
    ...(await findSaved('state', { ...options, binding: { ...options.binding, scope: LINE } })),
    scope: LINE,
  });
  const ours = { scope: LINE, at: 3, label: 'ours', artifact: { runId: '43' }, sealed: { runId: '43' } };
  const earlier = { scope: LINE, at: 5, label: 'earlier' };

  it('is read, and nothing else', async () => {
    const { labels, asked } = await search({ context: PUSH, stored: [ours, earlier] }, find);
    expect(labels).toEqual(['ours']);
    expect(asked).toEqual([`list state ${LINE}`, 'download ours']);
  });

  it('may be nothing: then the name was held by an upload that was broken off', async () => {
    const { states, asked } = await search({ context: PUSH, stored: [earlier] }, find);
    expect(states).toEqual([]);
    expect(asked).toEqual([`list state ${LINE}`]);
  });

  it('may not be ours: then it is told', async () => {
    const { labels, notices } = await search({ context: PUSH, stored: [{ ...ours, sealed: { runId: '99' } }] }, find);
    expect(labels).toEqual([]);
    expect(notices).toHaveLength(1);
  });
});

describe('what is refused, with its own words', () => {
  const ours = { scope: 'pull:feature', at: 1, label: 'x' };
  it.each<readonly [string, Stored, string]>([
    ['of another repository', { ...ours, sealed: { repositoryId: '1' } }, 'belongs to another repository'],
    ['of another gate', { ...ours, sealed: { gate: 'beef' } }, 'belongs to another gate'],
    ['of the other kind of key', { ...ours, sealed: { mode: 'sandbox' } }, 'sandbox and live never share'],
    ['replayed from another run', { ...ours, sealed: { runId: '41' } }, 'copied there from another run or branch'],
    [
      'replayed from another scope',
      { ...ours, sealed: { scope: 'branch:feature' } },
      'copied there from another run or branch',
    ],
    [
      'an open one in place of a state',
      { ...ours, sealed: { kind: 'open' } },
      'copied there from another run or branch',
    ],
    ['no archive', { ...ours, archive: Buffer.from('PK') }, 'damaged'],
    ['an archive with another path', { ...ours, archive: zip([{ name: '../state.json', data: '{}' }]) }, 'damaged'],
    [
      'unsigned',
      { ...ours, archive: zip([{ name: 'state.json', data: '{"contents":[],"paths":[],"open":[]}' }]) },
      'damaged',
    ],
    ['of no run', { ...ours, artifact: { runId: undefined } }, 'of run unknown) is damaged'],
    ['of a run, which is named', { ...ours, archive: Buffer.from('PK') }, 'of run 42) is damaged'],
  ])('%s', async (_, stored, words) => {
    const { states, notices } = await search({ context: PULL, stored: [stored] });
    expect(states).toEqual([]);
    expect(notices).toEqual([expect.stringContaining(words)]);
    expect(notices[0]).toContain('of the pull request from feature');
  });

  it('of a branch, which is named', async () => {
    const { notices } = await search({
      context: PULL,
      stored: [{ ...ours, scope: 'branch:main', archive: Buffer.from('PK') }],
    });
    expect(notices).toEqual([expect.stringMatching(/^The state of the branch main \(artifact /)]);
  });

  it('as large as it may be, it is downloaded', async () => {
    const { labels } = await search({ context: PULL, stored: [{ ...ours, artifact: { size: MAX_STATE_BYTES } }] });
    expect(labels).toEqual(['x']);
  });

  it('too large: it is not even downloaded', async () => {
    const { asked, notices } = await search({ context: PULL, stored: [{ ...ours, artifact: { size: 2 ** 30 } }] });
    expect(asked).not.toContain('download x');
    expect(notices).toEqual([expect.stringContaining('too large')]);
  });

  it('one refused state does not hide the others', async () => {
    const { labels } = await search({
      context: PULL,
      stored: [
        { ...ours, sealed: { runId: '41' } },
        { scope: 'branch:main', at: 1, label: 'base' },
      ],
    });
    expect(labels).toEqual(['base']);
  });
});

describe('what is not found, with its own words', () => {
  const permission = new GitHubError(
    { operation: 'list the artifacts', needs: 'actions: read', isRepeatable: true },
    'permission',
    'GitHub answered 403',
    'Give the job `permissions: actions: read`.',
  );

  it('nothing yet', async () => {
    expect((await search({ context: PULL })).notices).toEqual([
      expect.stringContaining('This is the first run of this gate here'),
    ]);
  });

  it('expired', async () => {
    const stored = [{ scope: 'pull:feature', at: 1, artifact: { isExpired: true }, label: 'x' }];
    const { notices, asked } = await search({ context: PULL, stored });
    expect(notices).toEqual([
      'The state of the pull request from feature has expired: raise `retention-days` to keep it longer.',
    ]);
    expect(asked).not.toContain('download x');
  });

  it('an open one that has expired is no loss to speak of', async () => {
    const stored = [{ scope: 'pull:feature', kind: 'open' as const, at: 1, artifact: { isExpired: true }, label: 'x' }];
    const { notices } = await search({ context: PULL, stored });
    expect(notices).toEqual([expect.stringContaining('This is the first run of this gate here')]);
  });

  it('what is found needs no words', async () => {
    expect((await search({ context: PULL, stored: EVERYWHERE })).notices).toEqual([]);
  });

  it('no permission to list: told once, with the scope to add', async () => {
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

  it('a download that fails: the others are taken', async () => {
    const { notices, labels } = await search({
      context: PULL,
      stored: EVERYWHERE,
      faults: { 'download state pull:feature': permission },
    });
    expect(labels).toEqual(['open pull:feature', 'open branch:feature', 'state branch:feature', 'state branch:main']);
    expect(notices).toHaveLength(1);
  });

  it('what is no answer of GitHub is not swallowed', async () => {
    const stop = new Error('stopped');
    await expect(search({ context: PULL, faults: { list: stop } })).rejects.toBe(stop);
  });
});
