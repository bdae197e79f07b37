import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { startEmulator } from '../../emulator/emulator.ts';
import { type ActControl, type ActRun, ROOT } from './act.ts';
import { DAY_ONE } from './cases.ts';
import { dayOneApi } from './day-one-api.ts';
import { pushEvent } from './events.ts';
import { bundleFolder, type Files, startHostedRepository } from './hosted-repository.ts';
import { formatGates, formatJobs } from './observe.ts';

const WORKFLOW = '.github/workflows/day-one.yml';

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
    const { routes, secondRuns } = dayOneApi(repository, started, onStart);
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
  const parts = ['action.yml', 'package.json', 'emulator', 'examples/scenarios', 'src', '.github/actions'];
  const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...parts], { cwd: ROOT });
  const names = list.toString().trim().split('\n');
  const bundle = readdirSync(bundleFolder()).map((name) => [`dist/${name}`, path.join(bundleFolder(), name)] as const);
  const sources = names.map((name) => [name, path.join(ROOT, name)] as const);
  return Object.fromEntries([...sources, ...bundle].map(([name, file]) => [name, readFileSync(file)]));
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
