import { getOctokit } from '@actions/github';

/** How a step ended. */
export interface StepEnd {
  readonly outcome: 'success' | 'failure' | 'skipped';
  readonly outputs: Readonly<Record<string, string>>;
}

/** GitHub's API, as a script in a workflow sees it. */
export interface Api {
  readonly url: string;
  readonly token: string;
  /** What the script finds as `context.payload`. */
  readonly payload?: unknown;
}

/** Runs the script of actions/github-script, with a real client. */
export async function runScript(
  script: string,
  env: Readonly<Record<string, string>>,
  { url, token, payload = {} }: Api,
): Promise<StepEnd & { readonly log: string }> {
  const outputs: Record<string, string> = {};
  const failures: string[] = [];
  let log = '';
  const print = (level: string) => (message: string) => {
    log += `${level}: ${message}\n`;
  };
  const summary = {
    addHeading: () => summary,
    addRaw: () => summary,
    addCodeBlock: () => summary,
    write: async () => {},
  };
  const core = {
    info: print('info'),
    notice: print('notice'),
    warning: print('warning'),
    setOutput: (name: string, value: unknown) => {
      outputs[name] = String(value);
    },
    setFailed: (message: string) => void failures.push(message),
    summary,
  };
  const context = {
    repo: { owner: 'acme', repo: 'campaigns' },
    runId: 42,
    ref: 'refs/heads/main',
    serverUrl: 'https://github.com',
    payload,
  };
  const parameters = {
    github: getOctokit(token, { baseUrl: url }),
    context,
    core,
    process: { env },
    setTimeout: atOnce,
  };
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
  try {
    await new AsyncFunction(...Object.keys(parameters), script)(...Object.values(parameters));
  } catch (error) {
    failures.push(String(error));
  }
  for (const failure of failures) print('failure')(failure);
  return { outcome: failures.length > 0 ? 'failure' : 'success', outputs, log };
}

/** A real runner waits; nothing here depends on how long. */
function atOnce(done: () => void): void {
  queueMicrotask(done);
}
