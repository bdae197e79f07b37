import { logLine } from '../escape.ts';
import type { Log } from '../log.ts';
import type { Annotation, Level } from './annotation.ts';
import { printCommand, printLine, saveState } from './commands.ts';

/** What a run can tell the GitHub runner that started it. */
export interface Runner {
  readonly log: Log;
  /** How many annotations of each level the log has spent: the platform shows ten of each. */
  readonly spent: Readonly<Record<Level, number>>;
  input(name: string): string;
  mask(secret: string): void;
  /** Whether this step has a way to upload artifacts. */
  readonly hasArtifacts: boolean;
  saveForPost(value: string): void;
  /** Where the verdict is told. */
  open(): Promise<Board>;
}

/** What is written when a run is judged. */
export interface Board {
  annotate(annotation: Annotation): void;
  output(name: string, value: string): void;
  writeSummary(markdown: string): Promise<void>;
  /** Turns the check red. */
  fail(message: string): void;
}

const POST_STATE = 'pending-upload';
const MAIN_STARTED = 'main-started';

/** Undefined in the main step; in the post step, what the main step saved for it. */
export function savedForPost(): string | undefined {
  const isPost = savedState(MAIN_STARTED) !== '';
  saveState(MAIN_STARTED, 'true');
  return isPost ? savedState(POST_STATE) : undefined;
}

function savedState(name: string): string {
  return process.env[`STATE_${name}`] ?? '';
}

/** The real one. Texts are made harmless here, in one place, so that no caller can forget it. */
export function createRunner(): Runner {
  const spent: Record<Level, number> = { error: 0, warning: 0, notice: 0 };
  const log: Log = {
    info: (text) => printLine(logLine(text)),
    notice: (text) => {
      spent.notice += 1;
      printCommand('notice', logLine(text));
    },
    warning: (text) => {
      spent.warning += 1;
      printCommand('warning', logLine(text));
    },
    group: async (title, work) => {
      printCommand('group', logLine(title));
      try {
        return await work();
      } finally {
        printCommand('endgroup', '');
      }
    },
  };
  return {
    log,
    spent,
    input: (name) => (process.env[`INPUT_${name.toUpperCase()}`] ?? '').trim(),
    mask: (secret) => {
      if (secret) printCommand('add-mask', secret);
    },
    hasArtifacts: Boolean(process.env['ACTIONS_RUNTIME_TOKEN'] && process.env['ACTIONS_RESULTS_URL']),
    saveForPost: (value) => saveState(POST_STATE, value),
    open: openBoard,
  };
}

async function openBoard(): Promise<Board> {
  const core = await import('@actions/core');
  const printers = { error: core.error, warning: core.warning, notice: core.notice };
  return {
    annotate: ({ level, message, path, line, title }) => {
      const place = { ...(path !== undefined && { file: path }), ...(line !== undefined && { startLine: line }) };
      printers[level](message, { title, ...place });
    },
    output: (name, value) => core.setOutput(name, value),
    writeSummary: async (markdown) => {
      await core.summary.addRaw(markdown).write();
    },
    fail: (message) => core.setFailed(logLine(message)),
  };
}
