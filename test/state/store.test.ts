import { expect } from 'vitest';
import { readContext } from '../../src/github/context.ts';
import { readInputs } from '../../src/inputs/parse.ts';
import { openStore } from '../../src/state/store.ts';
import { recordRunner } from '../builders/runners.ts';
import { NOW, open as opened } from '../builders/states.ts';
import { it as base } from '../harness/fixtures.ts';

const HEAD = '1'.repeat(40);
const NOTHING = { analyses: [], sent: [], foundPaths: [], contents: [], comparedWith: undefined, waived: [] };
const RESULTS = { ...NOTHING, reuseDays: 90, now: NOW };
const SENT = opened('s', ['a'], { at: NOW.toISOString() });
const KEY = { 'api-key': `sk_live_${'0'.repeat(64)}`, 'base-url': 'https://service.example' };
const LATER = { eventCommit: '2'.repeat(40), head: '2'.repeat(40) };
const PULL = { event: 'pull_request', baseBranch: 'main', pullRequest: {} };
const FILE = { ...KEY, 'state-file': 'state.json', 'fail-on-issues': 'new' };

const isEnough = (): boolean => true;
const refuse = async (): Promise<never> => await Promise.reject(new Error('asked'));
const api = { artifacts: refuse, artifactArchive: refuse, pullRequest: refuse, pullRequestsOf: refuse };

/** Opens the store of a run that has checked out HEAD. No request reaches GitHub. */
const it = base.extend('open', async ({ makeFolder }) => {
  const workspace = await makeFolder({ file: '' });
  return (values: Readonly<Record<string, string>>, changes: object = {}) => {
    const { runner, lines } = recordRunner();
    const { inputs } = readInputs((name) => values[name] ?? '', workspace);
    const pushed = { event: 'push', branch: 'main', eventCommit: HEAD, runId: '7', workspace, head: HEAD };
    const context = { ...readContext({}), ...pushed, ...changes };
    return { store: openStore({ inputs, context, api, runner }), lines };
  };
});

it.for<[string, object, hasBaseline: boolean]>([
  ['a pull request on exactly its commit', { ...PULL, baseCommit: HEAD }, true],
  ['a pull request on another commit of its branch', { ...PULL, baseCommit: '2'.repeat(40) }, false],
  ['a later run of its branch', { runId: '8', ...LATER }, true],
  ['an earlier run of its branch', { runId: '6', ...LATER }, false],
  ['a later run of its branch, at the same commit, that was compared with nothing', { runId: '8' }, false],
  ['a later run of another branch', { runId: '8', branch: 'x' }, false],
  ['a push that creates the branch again', { runId: '8', ...LATER, isNewBranch: true }, false],
  ['a run of another event', { runId: '8', event: 'release' }, false],
])('the state in a file is the baseline, or not, of %s', async ([, changes, hasBaseline], { open }) => {
  const { store } = open(FILE);
  expect((await store.load(isEnough)).notices).toEqual([
    expect.stringContaining('No state of an earlier run was found'),
  ]);
  await store.save('state', { ...RESULTS, sent: SENT });
  const { comparison, earlierState } = await open(FILE, changes).store.load(isEnough);
  expect([comparison?.baseline !== undefined, earlierState.records.size]).toEqual([hasBaseline, 1]);
});

it.for([
  ['a run whose branch is unknown', { eventCommit: '2'.repeat(40) }, true],
  ['a pull request', { baseBranch: 'main', pullRequest: {} }, false],
] as const)('%s is told that it is no baseline for later runs', async ([, changes, isTold], { open }) => {
  const { notices } = await open(FILE, changes).store.load(isEnough);
  expect(notices.some((notice) => notice.startsWith('This run is no baseline'))).toBe(isTold);
});

it.for<[string, Readonly<Record<string, string>>, number]>([
  ['is a warning', KEY, 1],
  ['does not matter with `reuse-days: 0`', { ...KEY, 'reuse-days': '0' }, 0],
])('a runner without artifacts %s', async ([, values, warnings], { open }) => {
  const { store, lines } = open(values);
  expect([(await store.load(isEnough)).notices, await store.save('state', RESULTS)]).toEqual([[], '']);
  expect(lines).toHaveLength(warnings);
});

it('a state that cannot be kept ends a run before it pays, and is a warning afterwards', async ({ open }) => {
  const { store, lines } = open({ ...FILE, 'state-file': 'file/state.json' });
  const results = { ...RESULTS, sent: SENT };
  await expect(store.tryOut(results)).rejects.toMatchObject({ causes: [{ reason: 'bad-input' }] });
  expect(await store.save('state', results)).toBe('');
  expect(lines).toEqual([expect.stringMatching(/^The state could not be saved.*The verdict is not affected\.$/)]);
});
