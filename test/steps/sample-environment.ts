import { createGitHubApi } from '../../src/github/api.ts';
import { type RunContext, readContext } from '../../src/github/context.ts';
import type { Runner } from '../../src/github/runner.ts';
import { readInputs } from '../../src/inputs/parse.ts';
import { NO_STORE } from '../../src/state/choose-store.ts';
import type { StateStore } from '../../src/state/store.ts';
import type { Environment } from '../../src/steps/environment.ts';

interface Options {
  readonly inputs?: Readonly<Record<string, string>>;
  readonly context?: Partial<RunContext>;
  readonly store?: Partial<StateStore>;
  readonly workspace?: string;
}

const ignore = (): void => undefined;

/** What the steps of a run use, and what they have logged. */
export function sampleEnvironment({ inputs = {}, context = {}, store = {}, workspace = '/workspace' }: Options) {
  const logged: string[] = [];
  const record = (text: string): void => void logged.push(text);
  const runner: Runner = {
    log: { info: record, notice: record, warning: record, group: async (_, work) => await work() },
    spent: { error: 0, warning: 0, notice: 0 },
    input: (name) => inputs[name] ?? '',
    mask: ignore,
    hasArtifacts: false,
    saveForPost: ignore,
    annotate: ignore,
    output: ignore,
    writeSummary: async () => undefined,
    fail: ignore,
  };
  const { signal } = new AbortController();
  const run = { ...readContext({}), workspace, ...context };
  const missingKey = { reason: 'no-key', message: '', fix: '' } as const;
  const environment: Environment = {
    inputs: readInputs((name) => runner.input(name), { workspace, windows: false, missingKey }).inputs,
    runner,
    context: run,
    github: createGitHubApi({ ...run, token: '', signal }),
    store: { ...NO_STORE, ...store },
    signal,
  };
  return { environment, logged };
}
