import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import { type ActAnnotation, type ActControl, type ActRun, ROOT } from './act.ts';
import {
  dispatchEvent,
  mergeGroupEvent,
  pullRequestEvent,
  pushEvent,
  scheduleEvent,
  type WorkflowEvent,
  workflowRunEvent,
} from './events.ts';
import { formatRun } from './expect-case.ts';
import type { ScriptRoute } from './github.ts';
import { bundleFolder, type Files, type HostedRepository, startHostedRepository } from './hosted-repository.ts';

let emulator: Emulator;
const started: ActControl[] = [];
const onStart = (control: ActControl): void => void started.push(control);
beforeAll(async () => {
  emulator = await startEmulator();
});
// GitHub's runner ends what a job has left running, act does not.
afterEach(() => {
  for (const pid of started.splice(0).flatMap(({ current }) => pidsIn(current()))) end(pid);
});
afterAll(async () => await emulator.close());

it('ci.yml: later steps read what the action says of every verdict', async () => {
  await using repository = await startOwn('ci.yml');
  const run = await repository.run(pushEvent(await repository.head()), { onStart, args: ['--job', 'action'] });
  expect(formatRun(run), run.messages.join('\n') + run.log).toEqual([
    'action success',
    'error (auth)',
    'fail (issues), 1 sent',
    'pass, 2 sent',
    'pass, 2 sent',
    'skipped (no-files)',
  ]);
});

it('day-one.yml: the first push proves what can be proven: two runs, ten annotations, and a summary that fits', async () => {
  await using repository = await startOwn('day-one.yml');
  const seconds: Promise<ActRun>[] = [];
  repository.github.routes.push(...dayOneApi(repository, seconds));
  const run = await repository.run(pushEvent(await repository.head()), { onStart });
  expect(formatRun(run), run.messages.join('\n') + run.log).toEqual([
    'annotations success',
    'limits success',
    'second-run success',
    'state success',
    'verify success',
    'fail (issues), 40 sent',
    'pass, 1 sent',
  ]);
  expect(run.log).not.toContain('NOT OK');
  expect((await Promise.all(seconds)).map(formatRun)).toEqual([['pass, 1 reused']]);
});

describe('day-one-events.yml', () => {
  // The model of GitHub's list is the one that all tests of the state use.
  it.each<[string, (repository: HostedRepository) => Promise<WorkflowEvent>]>([
    ['push', async (repository) => pushEvent(await repository.head())],
    ['pull_request', async (repository) => pullRequestEvent(await repository.openPullRequest({ a: 'a' }))],
    ['merge_group', async (repository) => mergeGroupEvent(await repository.openPullRequest({ a: 'a' }))],
    ['schedule', async (repository) => scheduleEvent(await repository.head(), '17 4 1 * *')],
    [
      'workflow_run',
      async (repository) => workflowRunEvent(await repository.head(), await repository.openPullRequest({ a: 'a' })),
    ],
  ])('GitHub lists the run of an event as the tests believe: %s', async (_, start) => {
    await using repository = await startOwn('day-one-events.yml', {});
    const run = await repository.run(await start(repository));
    expect(formatRun(run), run.messages.join('\n') + run.log).toEqual(['listed success']);
    expect(run.annotations.map(({ level }) => level)).toEqual(['notice']);
  });
});

async function startOwn(name: string, files: Files = ownFiles()): Promise<HostedRepository> {
  const workflowPath = `.github/workflows/${name}`;
  const workflow = readFileSync(path.join(ROOT, workflowPath), 'utf8');
  return await startHostedRepository(emulator, { workflow, workflowPath, files });
}

/** What these workflows check out: this repository, with a build of the sources as they are. */
function ownFiles(): Files {
  const parts = ['action.yml', 'package.json', 'emulator', 'examples', 'src', '.github/actions'];
  const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...parts], { cwd: ROOT });
  const names = list.toString().trim().split('\n');
  const bundle = readdirSync(bundleFolder()).map((name) => [`dist/${name}`, path.join(bundleFolder(), name)] as const);
  const sources = names.map((name) => [name, path.join(ROOT, name)] as const);
  return Object.fromEntries([...sources, ...bundle].map(([name, file]) => [name, readFileSync(file)]));
}

const JOBS = ['state', 'limits', 'annotations'].map((name, index) => ({ id: index + 1, name }));
const MAX_OF_A_STEP = 10;
const MAX_OF_A_JOB = 50;

/** What GitHub's API says to the scripts of day-one.yml about its runs. The second run is run when it is asked for. */
function dayOneApi(repository: HostedRepository, seconds: Promise<ActRun>[]): readonly ScriptRoute[] {
  const workflow_runs: object[] = [];
  const runSecond = async (inputs: Readonly<Record<string, string>>): Promise<ActRun> => {
    // It waits two minutes for a service that does not answer.
    const run = await repository.run(dispatchEvent(await repository.head(), inputs), { onStart, clockFactor: 40 });
    workflow_runs.push({
      display_title: `Day one, second run of ${inputs['first-run']}`,
      html_url: 'https://github.com/acme/campaigns/actions/runs/900',
      status: 'completed',
      conclusion: run.exitCode === 0 ? 'success' : 'failure',
    });
    return run;
  };
  return [
    {
      on: /^POST actions\/workflows\/day-one\.yml\/dispatches$/,
      needs: ['actions', 'write'],
      answer: ({ body }) => {
        seconds.push(runSecond(Object(body).inputs));
        return {};
      },
    },
    {
      on: /^GET actions\/workflows\/day-one\.yml\/runs$/,
      needs: ['actions', 'read'],
      answer: () => ({ total_count: workflow_runs.length, workflow_runs }),
    },
    {
      on: /^GET actions\/runs\/\d+\/jobs$/,
      needs: ['actions', 'read'],
      answer: () => ({ total_count: JOBS.length, jobs: JOBS }),
    },
    {
      on: /^GET actions\/runs\/(\d+)\/artifacts$/,
      needs: ['actions', 'read'],
      answer: ({ parts: [id] }) => {
        const artifacts = repository.artifacts.artifacts.filter(
          ({ workflow_run }) => String(Object(workflow_run).id) === id,
        );
        return { total_count: artifacts.length, artifacts };
      },
    },
    {
      on: /^GET check-runs\/(\d+)\/annotations$/,
      needs: ['checks', 'read'],
      answer: ({ parts: [id] }) => {
        const job = JOBS.find((each) => String(each.id) === id)?.name;
        return keptOf((started[0]?.current().annotations ?? []).filter((annotation) => annotation.job === job));
      },
    },
  ];
}

/** Ten of a level for each step, and fifty for the job, as GitHub documents it. */
function keptOf(printed: readonly ActAnnotation[]): readonly object[] {
  const groups = Map.groupBy(printed, ({ step, level }) => `${step} ${level}`);
  return [...groups.values()]
    .flatMap((group) => group.slice(0, MAX_OF_A_STEP))
    .slice(0, MAX_OF_A_JOB)
    .map(({ level, title, message, file }) => ({
      annotation_level: level === 'error' ? 'failure' : level,
      title: title ?? '',
      message,
      path: file ?? '.github',
    }));
}

/** Zero would stand for every process of this test. */
function pidsIn({ outputs }: ActRun): readonly number[] {
  return outputs.map(({ values: { pid } }) => Number(pid)).filter((pid) => pid > 1);
}

function end(pid: number): void {
  try {
    process.kill(pid);
  } catch {
    // It has ended by itself; then the jobs have failed, and the test reports them.
  }
}
