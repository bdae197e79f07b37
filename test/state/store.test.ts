import { expect } from 'vitest';
import { readContext } from '../../src/github/context.ts';
import { readInputs } from '../../src/inputs/parse.ts';
import { openStore } from '../../src/state/store.ts';
import { recordRunner } from '../builders/runners.ts';
import { NOW, open } from '../builders/states.ts';
import { it as base } from '../harness/fixtures.ts';

const HEAD = '1'.repeat(40);
const NOTHING = { analyses: [], sent: [], foundPaths: [], contents: [], reuseDays: 90, now: NOW };
const RESULTS = { ...NOTHING, sent: open('s', ['a']) };
const KEY = { 'api-key': `sk_live_${'0'.repeat(64)}`, 'base-url': 'https://service.example' };
const LATER = { eventCommit: '2'.repeat(40), head: '2'.repeat(40) };
const PULL = { event: 'pull_request', baseBranch: 'main', pullRequest: {} };
const FILE = { ...KEY, 'state-file': 'state.json', 'fail-on-issues': 'new' };

const refuse = async (): Promise<never> => await Promise.reject(new Error('asked'));
const api = { artifacts: refuse, artifactArchive: refuse, pullRequest: refuse, pullRequestsOf: refuse };

/** Opens the store of a run that has checked out HEAD. No request reaches GitHub. */
const it = base.extend('openRun', async ({ makeFolder }) => {
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
  ['a run of another event', { runId: '8', event: 'release' }, false],
])('the state in a file is the baseline, or not, of %s', async ([, changes, hasBaseline], { openRun }) => {
  await openRun(FILE).store.save('state', RESULTS);
  const { baseline, earlierState } = await openRun(FILE, changes).store.nearest();
  expect([baseline !== undefined, earlierState.records.size]).toEqual([hasBaseline, 1]);
});

it.for<[string, Readonly<Record<string, string>>, number]>([
  ['is a warning', KEY, 1],
  ['does not matter with `reuse-days: 0`', { ...KEY, 'reuse-days': '0' }, 0],
])('a runner without artifacts %s', async ([, values, warnings], { openRun }) => {
  const { store, lines } = openRun(values);
  expect([(await store.nearest()).notices, await store.save('state', NOTHING)]).toEqual([[], '']);
  expect(lines).toEqual(Array(warnings).fill(expect.stringMatching(/has no artifact storage.*Set `state-file`/)));
});

it('a state that cannot be kept ends a run before it pays, and is a warning afterwards', async ({ openRun }) => {
  const { store, lines } = openRun({ ...FILE, 'state-file': 'file/state.json' });
  await expect(store.tryOut(RESULTS)).rejects.toMatchObject({ causes: [{ reason: 'bad-input' }] });
  expect(await store.save('state', RESULTS)).toBe('');
  expect(lines).toEqual([expect.stringMatching(/^The state could not be saved.*The verdict is not affected\.$/)]);
});

it('a state above 64 MB is not written, and the message says what to do', async ({ openRun }) => {
  const name = 'x'.repeat(1_000_000);
  const contents = open(
    's',
    Array.from({ length: 65 }, (_, n) => String(n)),
    { name },
  );
  await expect(openRun(FILE).store.tryOut({ ...NOTHING, sent: contents })).rejects.toThrow(/64 MB.*several gates/);
});
