import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import type { Emulator, Scenario, Workspace } from '../../emulator/emulator.ts';
import type { Endpoint } from '../../emulator/record.ts';
import { OUTPUT_NAMES } from '../../src/report/outputs.ts';
import { type GateOptions, type GateRun, runGate } from '../gate/gate.ts';

/** Secrets that every run is given, beside the API key. */
const STATE_KEY = 'the-state-key-of-the-fault-suite';
const GITHUB_TOKEN = 'ghs_0123456789theTokenOfTheFaultSuite000';

/** A run that has not ended by then hangs: far more than any wait of ours, on the fast clock and on the real one. */
const HANGS_AFTER_MS = { fast: 50_000, real: 240_000 };

export interface Trial extends Pick<GateOptions, 'workspace' | 'onLine' | 'clockFactor'> {
  readonly service: Workspace;
  /** Where the service seems to be; the emulator itself unless something stands before it. */
  readonly baseUrl: string;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly onStart?: (kill: (signal: NodeJS.Signals) => void) => void;
  /** Given what the run has left on disk, before it is removed. */
  readonly onEnd?: (folder: string) => Promise<void>;
}

/** A run with everything that it wrote. */
export interface HeldRun extends GateRun {
  readonly service: Workspace;
  /** Log, summary, outputs, report files and state, by where they were written. */
  readonly written: ReadonlyMap<string, string>;
  /** What a person gets to read. */
  readonly text: string;
  readonly secrets: readonly string[];
  readonly forgives: boolean;
  readonly hung: boolean;
  /** How many requests there were to an endpoint. */
  count(endpoint: Endpoint): number;
}

/** Runs the built action with step debugging on, and keeps all that it writes. */
export async function runHeld(trial: Trial): Promise<HeldRun> {
  const { service, workspace, baseUrl, onStart, onLine, clockFactor } = trial;
  const folder = await mkdtemp(path.join(tmpdir(), 'gate-held-'));
  const hasArtifacts = trial.env?.['ACTIONS_RESULTS_URL'] !== undefined;
  const inputs: Readonly<Record<string, string>> = {
    'api-key': service.key,
    'base-url': baseUrl,
    'state-key': STATE_KEY,
    'github-token': GITHUB_TOKEN,
    ...(!hasArtifacts && { 'state-file': path.join(folder, 'state.json') }),
    ...trial.inputs,
  };
  const written = new Map<string, string>();
  const before = service.requests.length;
  let hung = false;
  let timer: NodeJS.Timeout | undefined;
  const run = await runGate({
    workspace,
    inputs,
    env: { ...DEBUGGING, ...trial.env },
    ...(clockFactor !== undefined && { clockFactor }),
    ...(onLine && { onLine }),
    onStart: (kill) => {
      timer = setTimeout(
        () => {
          hung = true;
          kill('SIGKILL');
        },
        HANGS_AFTER_MS[clockFactor === 1 ? 'real' : 'fast'],
      );
      onStart?.(kill);
    },
    onEnd: async (folder) => {
      await readAll(folder, written);
      await trial.onEnd?.(folder);
    },
  });
  clearTimeout(timer);
  if (inputs['state-file']) await readState(inputs['state-file'], written);
  await rm(folder, { recursive: true });
  const secrets = ['api-key', 'state-key', 'github-token'].map((name) => inputs[name] ?? '').filter(Boolean);
  const others = run.masks.filter((mask) => !secrets.includes(mask));
  const log = hide(others, run.log.replaceAll(/^::add-mask::.*$/gm, ''));
  written.set('log', log);
  return {
    ...run,
    service,
    written,
    secrets,
    hung,
    forgives: inputs['on-service-error'] === 'warn',
    text: log + run.summary,
    count: (endpoint) => service.requests.slice(before).filter((request) => request.endpoint === endpoint).length,
  };
}

const DEBUGGING = { RUNNER_DEBUG: '1', ACTIONS_STEP_DEBUG: 'true' };

/**
 * What the runner hides by itself: the artifact client prints the addresses that it is given when debugging is on, and has
 * their signatures hidden. Our own secrets must not be there to be hidden.
 */
function hide(masks: readonly string[], log: string): string {
  return masks.reduce((text, mask) => text.replaceAll(mask, '***'), log);
}

async function readAll(folder: string, into: Map<string, string>): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile()) into.set(path.relative(folder, file), await readFile(file, 'utf8'));
  }
}

async function readState(file: string, into: Map<string, string>): Promise<void> {
  const folder = path.dirname(file);
  for (const name of await readdir(folder).catch(() => [])) {
    // Drafts that a killed run left beside it, too.
    if (name.startsWith(path.basename(file))) into.set(name, await readFile(path.join(folder, name), 'utf8'));
  }
}

/** A workspace of the service for one case. */
export function serviceFor(emulator: Emulator, scenario: Scenario = {}, mode: 'live' | 'sandbox' = 'live'): Workspace {
  return emulator.workspace({ scenario, mode });
}

const MOST_ANNOTATIONS = 10;
const LARGEST_SUMMARY = 1024 * 1024;
const LARGEST_OUTPUTS = 1024 * 1024;

/** What has to be true of every run that was not killed, whatever happened to it. */
export function expectHeld(run: HeldRun): void {
  expect(run.hung, 'It did not come to an end.').toBe(false);
  expectNoSecret(run);
  expect(run.log).not.toMatch(/Unhandled|Uncaught|node:internal|The gate itself broke/);
  expect(Object.keys(run.outputs)).toEqual(OUTPUT_NAMES);
  expect({ exitCode: run.exitCode, ...run.outputs }).toMatchObject({ exitCode: exitCodeOf(run) });
  expect(run.log).toContain(`verdict ${run.outputs['verdict']}`);
  // What was paid for is not forgotten, whatever came of it.
  const id = run.outputs['submission-id'] ?? '';
  if (id !== '') {
    const states = [...run.written].filter(([name]) => /state.*\.json$/.test(name)).map(([, text]) => text);
    expect(
      states.some((text) => text.includes(id)),
      'The submission is in no state.',
    ).toBe(true);
  }
  expect(run.summary).not.toBe('');
  for (const level of ['error', 'warning', 'notice'])
    expect(run.annotations.filter((each) => each.level === level).length).toBeLessThanOrEqual(MOST_ANNOTATIONS);
  expect(Buffer.byteLength(run.summary)).toBeLessThan(LARGEST_SUMMARY);
  expect(Buffer.byteLength(run.written.get('output') ?? '')).toBeLessThan(LARGEST_OUTPUTS);
}

/** Green only where nothing is wrong, or where only the service is to blame and the workflow forgives it. */
function exitCodeOf({ outputs: { verdict, reason }, forgives }: HeldRun): number {
  if (verdict === 'pass' || verdict === 'skipped') return 0;
  return verdict === 'error' && forgives && (reason === 'service' || reason === 'timeout') ? 0 : 1;
}

/** No key, token or signature in anything that was written, in plain, in part or encoded. */
export function expectNoSecret({ written, secrets, service }: HeldRun): void {
  const signatures = service.uploadUrls.map((url) => new URL(url).searchParams.get('sig') ?? '');
  const forms = [...secrets, ...signatures].flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    Buffer.from(secret).toString('hex'),
  ]);
  for (const [where, text] of written) {
    const leaked = forms.filter((form) => form !== '' && text.includes(form)).map((form) => `${form.slice(0, 8)}…`);
    expect(leaked, `secrets in ${where}`).toEqual([]);
    expect(/sig=(?!\*\*\*)/.test(text), `a signed address in ${where}`).toBe(false);
  }
}
