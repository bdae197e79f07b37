import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { startEmulator } from '../../emulator/emulator.ts';
import { type ActControl, type ActRun, ROOT } from './act.ts';
import { DAY_ONE } from './cases.ts';
import { dispatchEvent, pushEvent } from './events.ts';
import type { ScriptRoute } from './github.ts';
import { bundleFolder, type Files, type HostedRepository, startHostedRepository } from './hosted-repository.ts';
import { formatGates, formatJobs } from './observe.ts';

const WORKFLOW = '.github/workflows/day-one.yml';
const MAX_ANNOTATIONS = 10;

it('the first push proves what can be proven: two runs, ten annotations, and a summary that fits', async () => {
  const emulator = await startEmulator();
  const started: ActControl[] = [];
  try {
    await using repository = await startHostedRepository(emulator, {
      workflow: readFileSync(path.join(ROOT, WORKFLOW), 'utf8'),
      workflowPath: WORKFLOW,
      files: ownFiles(),
    });
    const onStart = (control: ActControl): void => void started.push(control);
    const { routes, secondRuns } = ownApi(repository, started, onStart);
    repository.github.routes.push(...routes);
    const run = await repository.run(pushEvent(await repository.head()), { onStart });
    const runs = [run, ...(await Promise.all(secondRuns))];
    expect(
      runs.map((each) => ({ jobs: formatJobs(each), gates: formatGates(each) })),
      run.messages.join('\n') + run.log,
    ).toEqual(DAY_ONE.map(({ jobs, gates }) => ({ jobs, gates })));
    expect(run.log).not.toContain('NOT OK');
  } finally {
    // GitHub's runner ends what a job has left running, act does not.
    for (const pid of started.flatMap(({ current }) => pidsIn(current()))) end(pid);
    await emulator.close();
  }
});

/** What the workflow checks out: this repository, with a build of the sources as they are. */
function ownFiles(): Files {
  const parts = ['action.yml', 'package.json', 'emulator', 'src', '.github/actions'];
  const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...parts], { cwd: ROOT });
  const names = list.toString().trim().split('\n');
  const bundle = readdirSync(bundleFolder()).map((name) => [`dist/${name}`, path.join(bundleFolder(), name)] as const);
  const sources = names.map((name) => [name, path.join(ROOT, name)] as const);
  return Object.fromEntries([...sources, ...bundle].map(([name, file]) => [name, readFileSync(file)]));
}

/** What GitHub tells the scripts about this run, from what the runner has logged, and the way to start another one. */
function ownApi(
  repository: HostedRepository,
  started: readonly ActControl[],
  onStart: (control: ActControl) => void,
): { readonly routes: readonly ScriptRoute[]; readonly secondRuns: readonly Promise<ActRun>[] } {
  const jobs = ['state', 'limits'].map((name, index) => ({ id: index + 1, name }));
  let title = '';
  let conclusion: string | null = null;
  const secondRuns: Promise<ActRun>[] = [];
  const runSecond = async (inputs: Readonly<Record<string, string>>): Promise<ActRun> => {
    // This run waits two minutes for a service that does not answer.
    const run = await repository.run(dispatchEvent(await repository.head(), inputs), { onStart, clockFactor: 40 });
    conclusion = run.exitCode === 0 ? 'success' : 'failure';
    return run;
  };
  const routes: readonly ScriptRoute[] = [
    {
      on: /^POST actions\/workflows\/day-one\.yml\/dispatches$/,
      needs: ['actions', 'write'],
      answer: ({ body }) => {
        const { inputs }: { inputs: Record<string, string> } = Object(body);
        title = `Day one, second run after ${inputs['first-run']}`;
        secondRuns.push(runSecond(inputs));
        return {};
      },
    },
    {
      on: /^GET actions\/workflows\/day-one\.yml\/runs$/,
      needs: ['actions', 'read'],
      answer: () => {
        const status = conclusion === null ? 'in_progress' : 'completed';
        return { total_count: 1, workflow_runs: [{ display_title: title, status, conclusion, html_url: 'run' }] };
      },
    },
    {
      on: /^GET actions\/runs\/(\d+)\/artifacts$/,
      needs: ['actions', 'read'],
      answer: ({ parts: [id] }) => {
        const artifacts = repository.github.artifacts.filter(({ workflow_run }) => String(workflow_run.id) === id);
        return { total_count: artifacts.length, artifacts };
      },
    },
    {
      on: /^GET actions\/runs\/\d+\/jobs$/,
      needs: ['actions', 'read'],
      answer: () => ({ total_count: jobs.length, jobs }),
    },
    {
      on: /^GET check-runs\/(\d+)\/annotations$/,
      needs: ['checks', 'read'],
      answer: ({ parts: [id] }) => {
        const job = jobs.find((each) => String(each.id) === id);
        const all = (started[0]?.current().annotations ?? []).filter(({ job: name }) => name === job?.name);
        return ['error', 'warning', 'notice'].flatMap((level) =>
          all
            .filter((annotation) => annotation.level === level)
            .slice(0, MAX_ANNOTATIONS)
            .map(({ title: heading = '', message }) => ({
              annotation_level: level === 'error' ? 'failure' : level,
              title: heading,
              message,
            })),
        );
      },
    },
  ];
  return { routes, secondRuns };
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
