import * as core from '@actions/core';
import { logLine } from '../lib/escape.ts';
import type { Log } from '../lib/log.ts';

export type Level = 'error' | 'warning' | 'notice';

/** An annotation of a file. Its texts are not escaped yet: the runner does that when it prints them. */
export interface Annotation {
  readonly level: Level;
  readonly title: string;
  readonly message: string;
  readonly path?: string;
  readonly line?: number;
}

/** The interface to the GitHub runner that started this process. */
export interface Runner {
  readonly log: Log;
  /** How many annotations of each level the log has spent: the platform shows ten of each. */
  readonly spent: Readonly<Record<Level, number>>;
  input(name: string): string;
  mask(secret: string): void;
  /** Whether this step has a way to upload artifacts. */
  readonly hasArtifacts: boolean;
  /** Kept by the runner for the post step, even if this process is killed. */
  saveForPost(value: string): void;
  annotate(annotation: Annotation): void;
  output(name: string, value: string): void;
  /** Replaces what this step wrote before. */
  writeSummary(markdown: string): Promise<void>;
  /** Fails the step. */
  fail(message: string): void;
}

const POST_STATE = 'pending-upload';
const MAIN_STARTED = 'main-started';

/** Undefined in the main step; in the post step, what the main step saved for it. */
export function readSavedForPost(): string | undefined {
  return core.getState(MAIN_STARTED) === '' ? undefined : core.getState(POST_STATE);
}

/** The runner starts the same file again for the post step, which finds this. */
export function markMainStarted(): void {
  saveRunnerState(MAIN_STARTED, 'true');
}

function saveRunnerState(name: string, value: string): void {
  // Without the file, as on another host, the client would print it to the log.
  if (process.env['GITHUB_STATE']) core.saveState(name, value);
}

/** Elsewhere, workflow commands would be printed as they are, and the one that masks a key would show it. */
function isOnRunner(): boolean {
  return process.env['GITHUB_ACTIONS'] === 'true' || Boolean(process.env['GITHUB_OUTPUT']);
}

const PRINTERS = { error: core.error, warning: core.warning, notice: core.notice };
const LABELS: Readonly<Record<Level, string>> = { error: 'Error', warning: 'Warning', notice: 'Notice' };

function print(level: Level, message: string, properties: core.AnnotationProperties = {}): void {
  if (isOnRunner()) PRINTERS[level](message, properties);
  else for (const line of `${LABELS[level]}: ${message}`.split('\n')) core.info(logLine(line));
}

/** The real one. Texts are made harmless here, in one place, so that no caller can forget it. */
export function createRunner(): Runner {
  const spent: Record<Level, number> = { error: 0, warning: 0, notice: 0 };
  const log: Log = {
    info: (text) => core.info(logLine(text)),
    notice: (text) => {
      spent.notice += 1;
      print('notice', logLine(text));
    },
    warning: (text) => {
      spent.warning += 1;
      print('warning', logLine(text));
    },
    group: async (title, work) => {
      if (!isOnRunner()) {
        log.info(title);
        return await work();
      }
      core.startGroup(logLine(title));
      try {
        return await work();
      } finally {
        core.endGroup();
      }
    },
  };
  return {
    log,
    spent,
    input: (name) => core.getInput(name),
    mask: (secret) => {
      if (secret && isOnRunner()) core.setSecret(secret);
    },
    hasArtifacts: Boolean(process.env['ACTIONS_RUNTIME_TOKEN'] && process.env['ACTIONS_RESULTS_URL']),
    saveForPost: (value) => saveRunnerState(POST_STATE, value),
    annotate: ({ level, message, path, line, title }) => {
      const place = { ...(path !== undefined && { file: path }), ...(line !== undefined && { startLine: line }) };
      print(level, message, { title, ...place });
    },
    output: (name, value) => {
      if (isOnRunner()) core.setOutput(name, value);
      else if (value !== '') log.info(`${name}: ${value}`);
    },
    writeSummary: async (markdown) => {
      if (!process.env['GITHUB_STEP_SUMMARY']) {
        log.info(
          'No job summary is written, because this is not a GitHub runner. The report files have the same content.',
        );
        return;
      }
      await core.summary.addRaw(markdown).write({ overwrite: true });
    },
    fail: (message) => {
      process.exitCode = 1;
      print('error', logLine(message));
    },
  };
}
