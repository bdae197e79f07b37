import type { ActAnnotation, ActControl, ActRun } from './act.ts';
import { dispatchEvent } from './events.ts';
import type { ScriptRoute } from './github.ts';
import type { HostedRepository } from './hosted-repository.ts';

/** What GitHub answers to the scripts of day-one.yml about its runs. */
export interface DayOneApi {
  readonly routes: readonly ScriptRoute[];
  /** The run for the probe `state`: the runner runs it. */
  readonly secondRuns: readonly Promise<ActRun>[];
}

interface OtherRun {
  readonly id: number;
  readonly display_title: string;
  readonly html_url: string;
  status: string;
  conclusion: string | null;
  run_attempt: number;
}

/** These probes ask how GitHub itself behaves, and one needs Docker. So they are answered and not run. */
const LOGS: Readonly<Record<string, string>> = {
  'artifact-names': 'answer: the name is taken',
  signals: 'received SIGINT after 0 ms',
};
const JOBS = ['state', 'limits', 'annotations'].map((name, index) => ({ id: index + 1, name }));
const FIRST_ID = 900;
const MAX_OF_A_STEP = 10;
const MAX_OF_A_JOB = 50;

/** @param started what the runner has started; the first one is the run that asks */
export function dayOneApi(
  repository: HostedRepository,
  started: readonly ActControl[],
  onStart: (control: ActControl) => void,
): DayOneApi {
  const runs: (OtherRun & { readonly probe: string })[] = [];
  const secondRuns: Promise<ActRun>[] = [];
  const runSecond = async (inputs: Readonly<Record<string, string>>, other: OtherRun): Promise<ActRun> => {
    // It waits two minutes for a service that does not answer.
    const run = await repository.run(dispatchEvent(await repository.head(), inputs), { onStart, clockFactor: 40 });
    other.status = 'completed';
    other.conclusion = run.exitCode === 0 ? 'success' : 'failure';
    return run;
  };
  const routes: readonly ScriptRoute[] = [
    {
      on: /^POST actions\/workflows\/day-one\.yml\/dispatches$/,
      needs: ['actions', 'write'],
      answer: ({ body }) => {
        const { inputs }: { inputs: Record<string, string> } = Object(body);
        const { probe = '' } = inputs;
        const isRun = LOGS[probe] === undefined;
        const run = {
          id: FIRST_ID + runs.length,
          probe,
          display_title: `Day one, ${probe} of ${inputs['first-run']}`,
          html_url: 'https://github.com/acme/campaigns/actions/runs/900',
          status: isRun || probe === 'signals' ? 'in_progress' : 'completed',
          conclusion: isRun ? null : 'failure',
          run_attempt: 1,
        };
        runs.push(run);
        if (isRun) secondRuns.push(runSecond(inputs, run));
        return {};
      },
    },
    {
      on: /^GET actions\/workflows\/day-one\.yml\/runs$/,
      needs: ['actions', 'read'],
      answer: () => ({ total_count: runs.length, workflow_runs: runs }),
    },
    { on: /^GET actions\/runs\/(\d+)$/, needs: ['actions', 'read'], answer: ({ parts: [id] }) => find(id) },
    {
      on: /^POST actions\/runs\/(\d+)\/(rerun-failed-jobs|cancel)$/,
      needs: ['actions', 'write'],
      answer: ({ parts: [id, what] }) => {
        const run = find(id);
        run.status = 'completed';
        if (what === 'rerun-failed-jobs') run.run_attempt += 1;
        return {};
      },
    },
    {
      on: /^GET actions\/runs\/(\d+)\/jobs$/,
      needs: ['actions', 'read'],
      answer: ({ parts: [id] }) => {
        const jobs = Number(id) < FIRST_ID ? JOBS : [{ id: Number(id), conclusion: 'success' }];
        return { total_count: jobs.length, jobs };
      },
    },
    {
      on: /^GET actions\/jobs\/(\d+)\/logs$/,
      needs: ['actions', 'read'],
      answer: ({ parts: [id] }) => LOGS[find(id).probe],
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
      on: /^GET check-runs\/(\d+)\/annotations$/,
      needs: ['checks', 'read'],
      answer: ({ parts: [id] }) => {
        const job = JOBS.find((each) => String(each.id) === id)?.name;
        const printed = started[0]?.current().annotations ?? [];
        return shown(printed.filter((annotation) => annotation.job === job));
      },
    },
  ];
  return { routes, secondRuns };

  function find(id: string | undefined): (typeof runs)[number] {
    const run = runs.find((each) => String(each.id) === id);
    if (!run) throw new Error(`There is no run ${id}.`);
    return run;
  }
}

/** Ten of a level for each step, and fifty for the job, as GitHub documents it. */
function shown(printed: readonly ActAnnotation[]): readonly object[] {
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
