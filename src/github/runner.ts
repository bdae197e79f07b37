import * as core from '@actions/core';
import { logLine } from '../lib/escape.ts';
import { createSecrets } from '../lib/secrets.ts';

export type Level = 'error' | 'warning' | 'notice';

/** An annotation of a file. Its texts are not escaped: `annotate` escapes them when it prints the annotation. */
export interface Annotation {
  readonly level: Level;
  readonly title: string;
  readonly message: string;
  readonly path?: string;
}

export type Runner = Readonly<ReturnType<typeof createRunner>>;

export type Log = Runner['log'];

const PENDING_UPLOAD = 'pending-upload';

const PRINTERS = { error: core.error, warning: core.warning, notice: core.notice };

/** Texts for the log are cleaned and escaped here, in one place, so that no caller can forget it. */
export function createRunner() {
  const { add, clean } = createSecrets();
  const asLine = (text: string): string => logLine(clean(text));
  /** How many annotations of each level the log has printed. GitHub shows only ten of each level. */
  const spent: Record<Level, number> = { error: 0, warning: 0, notice: 0 };
  const printed = new Set<string>();
  const log = {
    info: (text: string) => core.info(asLine(text)),
    /** Prints each text once: some steps run twice, such as saving the state. */
    warning: (text: string) => {
      if (printed.has(text)) return;
      printed.add(text);
      spent.warning += 1;
      core.warning(asLine(text));
    },
    /** Groups everything that `work` logs under one title that can be folded. */
    group: async <T>(title: string, work: () => Promise<T>): Promise<T> => await core.group(asLine(title), work),
  };
  return {
    log,
    spent,
    input: (name: string) => core.getInput(name),
    /** Has the secrets hidden in the log by the runner, and everywhere by `clean`. */
    mask: (...secrets: readonly string[]) => {
      add(secrets);
      // Without a runner, the command that masks a secret would print the secret.
      if (process.env['GITHUB_OUTPUT']) for (const secret of secrets.filter(Boolean)) core.setSecret(secret);
    },
    clean,
    hasArtifacts: hasArtifacts(process.env),
    /** Saves a value for the post step. The runner keeps the value even if this process is killed. */
    saveForPost: (value: string) => core.saveState(PENDING_UPLOAD, value),
    /** What the main step saved last. Empty if it has saved nothing. */
    savedForPost: () => core.getState(PENDING_UPLOAD),
    annotate: ({ level, message, path, title }: Annotation) =>
      PRINTERS[level](message, { title, ...(path !== undefined && { file: path }) }),
    output: (name: string, value: string) => core.setOutput(name, value),
    /** Replaces the summary that this step wrote before. */
    writeSummary: async (markdown: string) => {
      await core.summary.addRaw(markdown).write({ overwrite: true });
    },
    fail: (message: string) => core.setFailed(asLine(message)),
  };
}

/** GitHub Enterprise Server, Gitea and Forgejo do not support the current version of artifacts. */
function hasArtifacts(env: NodeJS.ProcessEnv): boolean {
  const host = URL.parse(env['GITHUB_SERVER_URL'] ?? '')?.hostname ?? 'github.com';
  const isSupported = /^(github\.com|.*\.(ghe\.com|localhost))$/.test(host);
  return isSupported && Boolean(env['ACTIONS_RUNTIME_TOKEN'] && env['ACTIONS_RESULTS_URL']);
}
