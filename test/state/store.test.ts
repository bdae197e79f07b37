import { expect } from 'vitest';
import { readContext } from '../../src/github/context.ts';
import { readInputs } from '../../src/inputs/parse.ts';
import { openStore } from '../../src/state/store.ts';
import { content, sha } from '../builders/media.ts';
import { recordRunner } from '../builders/runners.ts';
import { NOW } from '../builders/states.ts';
import { it as base } from '../harness/fixtures.ts';

const HEAD = '1'.repeat(40);
const CONTENTS = [{ ...content('a'), sha256: sha('a') }];
const OPEN = { submissionId: 's', createdAt: NOW.date.toISOString(), contents: CONTENTS, assetIds: [] };
const RESULTS = { analyses: [], lost: new Set<string>(), foundPaths: [], sidekicks: '', reuseDays: 90, now: NOW };
const NO_KEY = { reason: 'no-key', message: '', steps: [] } as const;
const KEY = { 'api-key': `sk_live_${'0'.repeat(64)}`, 'base-url': 'https://service.example' };
const FILE = { ...KEY, 'state-file': 'state.json', 'fail-on-issues': 'new' };

const isEnough = (): boolean => true;
const refuse = async (): Promise<never> => await Promise.reject(new Error('asked'));
const api = { artifacts: refuse, artifactArchive: refuse, pullRequest: refuse, pullRequestsOf: refuse };

/** Opens the store of a run that has checked out HEAD. No request reaches GitHub. */
const it = base.extend('open', async ({ makeFolder }) => {
  const workspace = await makeFolder({ file: '' });
  return (values: Readonly<Record<string, string>>, changes: object = {}) => {
    const { runner, lines } = recordRunner();
    const { inputs } = readInputs((name) => values[name] ?? '', workspace, NO_KEY);
    const pushed = { event: 'push', branch: 'main', eventCommit: HEAD, workspace };
    const context = { ...readContext({}), ...pushed, ...changes };
    const checkout = { searchRoot: workspace, checkoutRoot: workspace, head: HEAD };
    return { store: openStore({ inputs, context, checkout, api, runner }), lines };
  };
});

it.for<[string, object, hasBaseline: boolean]>([
  ['exactly the base commit', { baseBranch: 'main', baseCommit: HEAD }, true],
  ['another commit of the base branch', { baseBranch: 'main', baseCommit: '2'.repeat(40) }, false],
  ['a run without a base', {}, false],
])('the state in a file is the baseline, or not, of %s', async ([, changes, hasBaseline], { open }) => {
  const { store } = open(FILE);
  expect((await store.load(isEnough)).notices).toEqual([
    expect.stringContaining('No state of an earlier run was found'),
  ]);
  await store.save('state', { ...RESULTS, submissions: [OPEN] });
  const { baseline, earlierState } = await open(FILE, changes).store.load(isEnough);
  expect([baseline !== undefined, earlierState.records.size]).toEqual([hasBaseline, 1]);
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
  expect([(await store.load(isEnough)).notices, await store.save('state', { ...RESULTS, submissions: [] })]).toEqual([
    [],
    '',
  ]);
  expect(lines).toHaveLength(warnings);
});

it('a state that cannot be kept ends a run before it pays, and is a warning afterwards', async ({ open }) => {
  const { store, lines } = open({ ...FILE, 'state-file': 'file/state.json' });
  const results = { ...RESULTS, submissions: [OPEN] };
  await expect(store.tryOut(results)).rejects.toMatchObject({ causes: [{ reason: 'bad-input' }] });
  expect(await store.save('state', results)).toBe('');
  expect(lines).toEqual([expect.stringMatching(/^The state could not be saved.*The verdict is not affected\.$/)]);
});
