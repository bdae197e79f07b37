import { appendFile } from 'node:fs/promises';
import { logLine } from '../escape.ts';
import type { Log } from '../log.ts';
import type { Annotation, Level } from './annotation.ts';
import { appendValue, printCommand, printLine } from './commands.ts';

/** What a run can tell the GitHub runner that started it. */
export interface Runner {
  readonly log: Log;
  /** How many annotations of each level the log has spent: the platform shows ten of each. */
  readonly spent: Readonly<Record<Level, number>>;
  input(name: string): string;
  mask(secret: string): void;
  annotate(annotation: Annotation): void;
  output(name: string, value: string): void;
  writeSummary(markdown: string): Promise<void>;
  /** Turns the check red. */
  fail(message: string): void;
  /** Whether this step has a way to upload artifacts. */
  readonly hasArtifacts: boolean;
  /** Kept by the runner for the post step, even where this process is killed. */
  saveForPost(value: string): void;
}

const POST_STATE = 'pending-upload';
const MAIN_STARTED = 'main-started';

/** Undefined in the main step; in the post step, what the main step saved for it. */
export function savedForPost(): string | undefined {
  const isPost = stateOf(MAIN_STARTED) !== '';
  appendValue('GITHUB_STATE', MAIN_STARTED, 'true');
  return isPost ? stateOf(POST_STATE) : undefined;
}

function stateOf(name: string): string {
  return process.env[`STATE_${name}`] ?? '';
}

/** The real one. Texts are made harmless here, in one place, so that no caller can forget it. */
export function createRunner(): Runner {
  const spent: Record<Level, number> = { error: 0, warning: 0, notice: 0 };
  const log: Log = {
    info: (text) => printLine(logLine(text)),
    debug: (text) => printCommand('debug', {}, logLine(text)),
    notice: (text) => {
      spent.notice += 1;
      printCommand('notice', {}, logLine(text));
    },
    warning: (text) => {
      spent.warning += 1;
      printCommand('warning', {}, logLine(text));
    },
    group: async (title, work) => {
      printCommand('group', {}, logLine(title));
      try {
        return await work();
      } finally {
        printCommand('endgroup', {}, '');
      }
    },
  };
  return {
    log,
    spent,
    input: (name) => (process.env[`INPUT_${name.toUpperCase()}`] ?? '').trim(),
    mask: (secret) => {
      if (secret) printCommand('add-mask', {}, secret);
    },
    annotate: ({ level, message, path, line, title }) => printCommand(level, { title, file: path, line }, message),
    output: (name, value) => appendValue('GITHUB_OUTPUT', name, value),
    writeSummary: async (markdown) => {
      const file = process.env['GITHUB_STEP_SUMMARY'];
      if (!file) throw new Error('the runner has no place for it (GITHUB_STEP_SUMMARY is not set)');
      await appendFile(file, markdown);
    },
    fail: (message) => {
      process.exitCode = 1;
      printCommand('error', {}, logLine(message));
    },
    hasArtifacts: Boolean(process.env['ACTIONS_RUNTIME_TOKEN'] && process.env['ACTIONS_RESULTS_URL']),
    saveForPost: (value) => appendValue('GITHUB_STATE', POST_STATE, value),
  };
}
