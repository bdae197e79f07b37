import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { parse } from 'yaml';
import { runAction } from '../harness/run-action.ts';
import { type Contexts, fill, holds, type Standing } from './expressions.ts';
import { isGate, ROOT, readText, type Step, type WorkflowFile } from './files.ts';
import { type Api, runScript, type StepEnd } from './script.ts';

/** The environment of a job. */
export interface Place {
  readonly workspace?: string;
  /** `github`, `needs`, `matrix`, `inputs`, `secrets`, `vars`. */
  readonly contexts?: Contexts;
  /** A folder that is put first on the PATH. */
  readonly bin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** GitHub's API for scripts. */
  readonly api?: Api;
  /** Replacements for actions, by the name before the @. Other actions do nothing. */
  readonly actions?: Readonly<Record<string, Replacement>>;
}

export type Replacement = StepEnd | ((inputs: Readonly<Record<string, string>>) => Promise<StepEnd>);

export interface JobEnd {
  readonly result: 'success' | 'failure';
  readonly steps: Readonly<Record<string, StepEnd>>;
  readonly log: string;
  /** The inputs that replacements were given, by the name of their action. */
  readonly given: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Runs a job as a runner does: scripts in bash, our action as a process, other actions replaced. */
export async function runJob({ workflow }: WorkflowFile, id: string, place: Place = {}): Promise<JobEnd> {
  const job = workflow.jobs[id];
  if (!job?.steps) throw new Error(`There is no job ${id} with steps.`);
  const temp = await mkdtemp(path.join(tmpdir(), 'job-'));
  const run = new Run(temp, place, { ...workflow.env, ...job.env });
  try {
    await run.all(job.steps);
    return run.end;
  } finally {
    for (const pid of run.processes) process.kill(pid);
    await rm(temp, { recursive: true, force: true });
  }
}

class Run {
  /** Processes that are ended with the job. */
  readonly processes: number[] = [];
  readonly #steps: Record<string, StepEnd> = {};
  readonly #given: Record<string, Record<string, string>> = {};
  readonly #temp: string;
  readonly #place: Place;
  readonly #env: Readonly<Record<string, string>>;
  readonly #workspace: string;
  #hasFailed = false;
  #log = '';

  constructor(temp: string, place: Place, env: Readonly<Record<string, string>>) {
    this.#temp = temp;
    this.#place = place;
    this.#env = env;
    this.#workspace = place.workspace ?? ROOT;
  }

  get end(): JobEnd {
    const result = this.#hasFailed ? 'failure' : 'success';
    return { result, steps: this.#steps, log: this.#log, given: this.#given };
  }

  async all(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      const isOn = holds(step.if, this.#contexts(), this.#standing());
      const end = isOn ? await this.#one(step) : ({ outcome: 'skipped', outputs: {} } as const);
      if (end.outcome === 'failure' && !step['continue-on-error']) this.#hasFailed = true;
      if (step.id !== undefined) this.#steps[step.id] = end;
      this.#log += `[${step.id ?? step.name ?? step.uses ?? step.run}: ${end.outcome}]\n`;
    }
  }

  async #one(step: Step): Promise<StepEnd> {
    const env = this.#filled(step.env ?? {});
    const inputs = this.#filled(step.with ?? {});
    // They are installed already, and the tests use them.
    if (step.run?.startsWith('npm ci')) return { outcome: 'success', outputs: {} };
    if (step.run !== undefined) return await this.#bash(step.run, step.shell, env);
    const name = step.uses?.replace(/@.*/, '') ?? '';
    const replacement = this.#place.actions?.[name];
    if (replacement) {
      this.#given[name] = inputs;
      return typeof replacement === 'function' ? await replacement(inputs) : replacement;
    }
    if (isGate(step)) return await this.#gate(inputs);
    if (name.startsWith('./')) return await this.#composite(name, inputs);
    if (name === 'actions/github-script' && this.#place.api) {
      const script = await runScript(inputs['script'] ?? '', env, this.#place.api);
      this.#log += script.log;
      return script;
    }
    return { outcome: 'success', outputs: {} };
  }

  async #bash(script: string, shell: string | undefined, env: Readonly<Record<string, string>>): Promise<StepEnd> {
    const output = path.join(this.#temp, 'output');
    await writeFile(output, '');
    const child = spawn('bash', shell === 'bash' ? ['-eo', 'pipefail', '-c', script] : ['-e', '-c', script], {
      cwd: this.#workspace,
      env: {
        PATH: [this.#place.bin, path.dirname(process.execPath), process.env['PATH']]
          .filter(Boolean)
          .join(path.delimiter),
        HOME: this.#temp,
        RUNNER_TEMP: this.#temp,
        GITHUB_OUTPUT: output,
        ...this.#place.env,
        ...this.#filled(this.#env),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    this.#log += (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
    const outputs = Object.fromEntries(
      [...(await readFile(output, 'utf8')).matchAll(/^([\w-]+)=(.*)$/gm)].map(([, name = '', value = '']) => [
        name,
        value,
      ]),
    );
    if (outputs['pid'] !== undefined) this.processes.push(Number(outputs['pid']));
    return { outcome: (await ended) === 0 ? 'success' : 'failure', outputs };
  }

  async #gate(inputs: Readonly<Record<string, string>>): Promise<StepEnd> {
    const env = { RUNNER_TEMP: this.#temp, ...this.#place.env };
    const { exitCode, log, outputs } = await runAction({ workspace: this.#workspace, inputs, env });
    this.#log += log;
    return { outcome: exitCode === 0 ? 'success' : 'failure', outputs };
  }

  async #composite(name: string, inputs: Readonly<Record<string, string>>): Promise<StepEnd> {
    const action = parse(await readText(`${name.slice(2)}/action.yml`));
    const declared: Record<string, { default?: string }> = action.inputs;
    const defaults = Object.entries(declared).map(([input, { default: value }]) => [input, value ?? '']);
    const contexts = { ...this.#place.contexts, inputs: { ...Object.fromEntries(defaults), ...inputs } };
    const inner = new Run(this.#temp, { ...this.#place, contexts }, this.#env);
    await inner.all(action.runs.steps);
    this.#log += inner.#log;
    this.processes.push(...inner.processes);
    const values: Record<string, { value: string }> = action.outputs;
    const outputs = Object.entries(values).map(([output, { value }]) => [output, inner.#fill(value)]);
    return { outcome: inner.#hasFailed ? 'failure' : 'success', outputs: Object.fromEntries(outputs) };
  }

  #filled(values: Readonly<Record<string, string | number | boolean>>): Record<string, string> {
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, this.#fill(String(value))]));
  }

  #fill(value: string): string {
    return fill(value, this.#contexts(), this.#standing());
  }

  #contexts(): Contexts {
    const none = { github: {}, needs: {}, matrix: {}, inputs: {}, secrets: {}, vars: {} };
    return { ...none, ...this.#place.contexts, runner: { temp: this.#temp }, env: this.#env, steps: this.#steps };
  }

  #standing(): Standing {
    return { hasFailed: this.#hasFailed, workspaceHas: (file) => existsSync(path.join(this.#workspace, file)) };
  }
}
