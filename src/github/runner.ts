import * as core from '@actions/core';
import type { Log } from '../log.ts';
import type { Annotation, Level } from '../report/annotations.ts';
import { logLine } from '../report/escape.ts';

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
}

/** The real one. Texts are made harmless here, in one place, so that no caller can forget it. */
export function createRunner(): Runner {
  const spent: Record<Level, number> = { error: 0, warning: 0, notice: 0 };
  const printers = { error: core.error, warning: core.warning, notice: core.notice };
  const log: Log = {
    info: (text) => core.info(logLine(text)),
    debug: (text) => core.debug(logLine(text)),
    notice: (text) => {
      spent.notice += 1;
      core.notice(logLine(text));
    },
    warning: (text) => {
      spent.warning += 1;
      core.warning(logLine(text));
    },
    group: async (title, work) => await core.group(logLine(title), work),
  };
  return {
    log,
    spent,
    input: (name) => core.getInput(name),
    mask: (secret) => core.setSecret(secret),
    annotate: ({ level, message, path, line, title }) => {
      const properties = {
        title,
        ...(path !== undefined && { file: path }),
        ...(line !== undefined && { startLine: line }),
      };
      printers[level](message, properties);
    },
    output: (name, value) => core.setOutput(name, value),
    writeSummary: async (markdown) => {
      await core.summary.addRaw(markdown).write();
    },
    fail: (message) => core.setFailed(logLine(message)),
  };
}
