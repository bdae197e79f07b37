import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import type { Emulator, Scenario, Workspace } from '../../emulator/emulator.ts';
import type { Endpoint } from '../../emulator/record.ts';
import { OUTPUT_NAMES } from '../../src/publish/outputs.ts';
import { type GateOptions, type GateRun, runGate } from './run-action.ts';
import { leaksIn, secretsOf } from './written.ts';

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

export interface HeldRun extends GateRun {
  readonly service: Workspace;
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
    ...(trial.onEnd && { onEnd: trial.onEnd }),
  });
  clearTimeout(timer);
  await rm(folder, { recursive: true });
  return {
    ...run,
    service,
    secrets: secretsOf(inputs),
    hung,
    forgives: inputs['on-service-error'] === 'warn',
    text: (run.written.get('log') ?? '') + run.summary,
    count: (endpoint) => service.requests.slice(before).filter((request) => request.endpoint === endpoint).length,
  };
}

const DEBUGGING = { RUNNER_DEBUG: '1', ACTIONS_STEP_DEBUG: 'true' };

/** A workspace of the service for one case. */
export function serviceFor(emulator: Emulator, scenario: Scenario = {}, mode: 'live' | 'sandbox' = 'live'): Workspace {
  return emulator.workspace({ scenario, mode });
}

const MAX_ANNOTATIONS = 10;
const MAX_SUMMARY_BYTES = 1024 * 1024;
const MAX_OUTPUTS_BYTES = 1024 * 1024;

/** What has to be true of every run that was not killed, whatever happened to it. */
export function expectHeld(run: HeldRun): void {
  expect(run.hung, 'It did not come to an end.').toBe(false);
  expectNoSignature(run);
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
    expect(run.annotations.filter((each) => each.level === level).length).toBeLessThanOrEqual(MAX_ANNOTATIONS);
  expect(Buffer.byteLength(run.summary)).toBeLessThan(MAX_SUMMARY_BYTES);
  expect(Buffer.byteLength(run.written.get('output') ?? '')).toBeLessThan(MAX_OUTPUTS_BYTES);
}

/** Green only where nothing is wrong, or where only the service is to blame and the workflow forgives it. */
function exitCodeOf({ outputs: { verdict, reason }, forgives }: HeldRun): number {
  if (verdict === 'pass' || verdict === 'skipped') return 0;
  return verdict === 'error' && forgives && (reason === 'service' || reason === 'timeout') ? 0 : 1;
}

/** None of an upload address is in anything that was written. For the other secrets, `runGate` looks in every run. */
export function expectNoSignature({ written, service }: HeldRun): void {
  const signatures = service.uploadUrls.map((url) => new URL(url).searchParams.get('sig') ?? '').filter(Boolean);
  expect(leaksIn(written, signatures)).toEqual([]);
}
