import { cp } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { it } from '../harness/fixtures.ts';
import { images, png } from '../harness/media.ts';
import type { Repository } from '../harness/repository.ts';

/** Each file whose name begins with `bad` has one CRITICAL issue. */
const BAD: Scenario = { files: [{ match: 'bad-*', issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] }] };
const UNREADABLE: Scenario = { ...BAD, faults: [{ on: 'assets/read', match: 'bad-*', status: 503 }] };

/** A run, and its verdict with the output `new-issue-count`, or `-` if that is empty. */
interface Run {
  readonly event?: 'push' | 'schedule' | 'workflow_dispatch' | 'pull_request';
  readonly branch?: string;
  readonly commit: string;
  /** The names of the images. */
  readonly files: readonly string[];
  /** The number of the run. Default: one more than that of the run before. */
  readonly run?: number;
  readonly attempt?: number;
  readonly isNewBranch?: boolean;
  readonly failOn?: 'new' | 'all';
  /** Bytes for `bad-1.png` that differ from the usual ones. */
  readonly changed?: string;
  /** The date until which the issues are waived. */
  readonly waivedUntil?: string;
  readonly scenario?: Scenario;
  /** The earlier run whose state file the cache restores. Default: the last run of the branch. */
  readonly restores?: number;
  readonly ends: string;
  readonly endsWithFile?: string;
  /** The files that annotations name as failing. */
  readonly names?: readonly string[];
}

const ONE = ['ok', 'bad-1'];
const TWO = [...ONE, 'bad-2'];
const SAME: readonly Run[] = [
  { commit: 'a', files: ONE, ends: 'fail -', names: ['bad-1.png'] },
  { commit: 'a', files: ONE, run: 51, attempt: 2, ends: 'fail -' },
  { commit: 'b', files: ONE, ends: 'pass 0' },
  { commit: 'c', files: TWO, ends: 'fail 1', names: ['bad-2.png'] },
  { commit: 'c', files: TWO, run: 53, attempt: 2, ends: 'fail 1', names: ['bad-2.png'] },
  { event: 'schedule', commit: 'c', files: TWO, ends: 'fail 1', names: ['bad-2.png'] },
  { event: 'workflow_dispatch', commit: 'c', files: TWO, ends: 'fail 1' },
  { event: 'pull_request', branch: 'x', commit: 'd', files: TWO, ends: 'pass 0' },
  { event: 'pull_request', branch: 'x', commit: 'd', files: TWO, failOn: 'all', ends: 'fail -' },
  { commit: 'b', files: ONE, run: 52, attempt: 2, ends: 'pass 0', endsWithFile: 'fail -' },
];

const STORIES: readonly (readonly [title: string, runs: readonly Run[]])[] = [
  ['a branch with an issue, and then with one more', SAME],
  [
    'two pushes whose runs end in the wrong order',
    [
      { commit: 'a', files: ['ok'], run: 51, ends: 'pass -' },
      { commit: 'c', files: ONE, run: 53, ends: 'fail 1' },
      { commit: 'b', files: ONE, run: 52, restores: 51, ends: 'fail 1' },
      { commit: 'd', files: ONE, run: 54, ends: 'pass 0' },
    ],
  ],
  [
    'force-pushes back to a commit with an issue',
    [
      { commit: 'a', files: ONE, ends: 'fail -' },
      { commit: 'b', files: TWO, ends: 'fail 1' },
      { commit: 'a', files: ONE, ends: 'pass 0' },
      { commit: 'c', files: ['ok'], ends: 'pass 0' },
      { commit: 'a', files: ONE, ends: 'fail 1' },
    ],
  ],
  [
    'a new branch, also one that was deleted and is pushed again',
    [
      { commit: 'a', files: ONE, ends: 'fail -' },
      { branch: 'x', commit: 'b', files: ONE, isNewBranch: true, ends: 'fail -' },
      { branch: 'x', commit: 'c', files: ONE, ends: 'pass 0' },
      { branch: 'x', commit: 'd', files: ONE, isNewBranch: true, ends: 'fail -' },
      { branch: 'x', event: 'schedule', commit: 'd', files: ONE, ends: 'fail -' },
    ],
  ],
  [
    'a branch whose last run could not judge a changed file',
    [
      { commit: 'a', files: ONE, ends: 'fail -' },
      { commit: 'b', files: ONE, changed: 'v2', scenario: UNREADABLE, ends: 'error 0' },
      { commit: 'c', files: ONE, changed: 'v2', ends: 'pass 0' },
    ],
  ],
  [
    'a waiver that expires',
    [
      { commit: 'a', files: ONE, waivedUntil: '2999-12-31', ends: 'pass -' },
      { commit: 'b', files: ONE, waivedUntil: '2999-12-31', ends: 'pass 0' },
      { commit: 'c', files: ONE, waivedUntil: '2020-01-01', ends: 'fail 1' },
      { event: 'schedule', commit: 'c', files: ONE, waivedUntil: '2020-01-01', ends: 'fail 1' },
      { commit: 'd', files: ONE, waivedUntil: '2020-01-01', ends: 'pass 0' },
    ],
  ],
];

interface Place {
  readonly world: Repository;
  readonly makeFolder: (files?: Readonly<Record<string, Buffer | string>>) => Promise<string>;
  /** The folder in which each branch keeps its state in a file. Without it, states are artifacts. */
  readonly states?: string;
}

/** Plays the runs of a story, and compares how each of them ends. */
async function play(story: readonly Run[], { world, makeFolder, states = '' }: Place): Promise<void> {
  let last = 50;
  for (const run of story) {
    const { branch = 'main', event = 'push', attempt = 1, waivedUntil, isNewBranch } = run;
    const runId = run.run ?? last + 1;
    last = Math.max(last, runId);
    world.service.load(run.scenario ?? BAD);
    const waiver = `- { rule: AD-17, path: '*', owner: legal, reason: Agreed, expires: ${waivedUntil} }\n`;
    const workspace = await makeFolder({
      ...images(...run.files),
      ...(run.changed && { 'bad-1.png': png(run.changed) }),
      ...(waivedUntil && { 'waivers.yml': waiver }),
    });
    const stateFile = states && path.join(states, `state-${branch}.json`);
    // A cache has the state of one run. A pull request begins with that of its base branch.
    const isFirst = states !== '' && event === 'pull_request';
    if (isFirst) await cp(path.join(states, 'state-main.json'), stateFile);
    if (stateFile && run.restores !== undefined) await cp(`${stateFile}.${run.restores}`, stateFile);
    const inputs = {
      'fail-on-issues': run.failOn ?? 'new',
      ...(stateFile && { 'state-file': stateFile }),
      ...(waivedUntil && { 'waivers-file': 'waivers.yml' }),
    };
    const commit = run.commit.repeat(40);
    const temp = states || undefined;
    const clock = run.scenario && { clockFactor: 120 };
    const options = { branch, commit, runId, attempt, workspace, temp, inputs, ...clock };
    const done =
      event === 'pull_request'
        ? await world.pull({ ...options, base: 'c'.repeat(40) })
        : await world.push({ ...options, event, ...(isNewBranch && { isNewBranch }) });
    if (stateFile) await cp(stateFile, `${stateFile}.${runId}`);
    const { verdict, 'new-issue-count': added } = done.outputs;
    const title = `run ${runId}.${attempt} at ${run.commit}`;
    const ends = (stateFile && run.endsWithFile) || run.ends;
    expect(`${title}: ${verdict} ${added || '-'}`, done.log).toBe(`${title}: ${ends}`);
    const [headline = ''] = done.summary.split('\n');
    if (added === '') expect(headline).not.toMatch(/\bnew\b/);
    const failing = done.annotations.filter(({ level, file }) => level === 'error' && file !== undefined);
    if (run.names) expect(failing.map(({ file }) => file)).toEqual(run.names);
  }
}

describe.concurrent('new and known with `fail-on-issues: new`', () => {
  it.for(STORIES)('%s', async ([, story], { startRepository, makeFolder }) => {
    await play(story, { world: await startRepository(), makeFolder });
  });

  it.for(STORIES)('%s, with a state file for each branch', async ([, story], { startRepository, makeFolder }) => {
    await play(story, { world: await startRepository(), makeFolder, states: await makeFolder() });
  });

  it('a weekly run, after every older state has expired, says what the week before said', async ({
    startRepository,
    makeFolder,
  }) => {
    const place = { world: await startRepository(), makeFolder };
    const weekly: Run = { event: 'schedule', commit: 'b', files: TWO, ends: 'fail 1', names: ['bad-2.png'] };
    await play([{ commit: 'a', files: ONE, ends: 'fail -' }, { ...weekly, event: 'push' }, weekly], place);
    const { artifacts } = place.world.artifacts;
    artifacts.splice(0, Infinity, ...artifacts.map((each) => ({ ...each, expired: each.workflow_run.id < 53 })));
    await play([{ ...weekly, run: 60 }], place);
  });
});
