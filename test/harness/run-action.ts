import { expect } from 'vitest';
import type { RecordedRequest, Workspace } from '../../emulator/emulator.ts';
import type { Endpoint } from '../../emulator/http.ts';
import { OUTPUTS } from '../../src/publish/publish.ts';
import { type ActionRun, assertNoSecret, runStep, type StepOptions } from './run-step.ts';

export interface ActionOptions extends StepOptions {
  /** The workspace at the service, whose key the action gets. */
  readonly service: Workspace;
  /** Default: the address of the emulator. */
  readonly baseUrl?: string | undefined;
}

export interface ServiceRun extends ActionRun {
  readonly service: Workspace;
  readonly requests: readonly RecordedRequest[];
  /** The names of the submitted files, without the hash in each name. */
  readonly sent: readonly string[];
  count(endpoint: Endpoint): number;
}

/** Runs the action, and checks what holds for every run that ends with a verdict. */
export async function runAction({ service, baseUrl, ...options }: ActionOptions): Promise<ServiceRun> {
  const [requestsBefore, submissionsBefore] = [service.requests.length, service.submissions.length];
  const access = { 'api-key': service.key, 'base-url': baseUrl ?? service.baseUrl };
  const run = await runStep({ ...options, inputs: { ...access, ...options.inputs } });
  const requests = service.requests.slice(requestsBefore);
  const assets = service.submissions.slice(submissionsBefore).flatMap((submission) => submission.assets);
  const signatures = service.uploadUrls.map((url) => new URL(url).searchParams.get('sig') ?? '');
  assertNoSecret(run.written, signatures.filter(Boolean));
  const done = {
    ...run,
    service,
    requests,
    sent: assets.map(({ filename }) => filename.replace(/-[0-9a-f]{16,}(?=\.)/, '')).toSorted(),
    count: (endpoint: Endpoint) => requests.filter((request) => request.endpoint === endpoint).length,
  };
  const isWhole = run.exitCode !== null && run.outputs['verdict'] !== undefined && !options.closesOutputAfter;
  if (isWhole) expectInvariants(done);
  return done;
}

export const STATE_KEY = 'the-state-key-of-the-fault-suite';
const GITHUB_TOKEN = 'ghs_0123456789theTokenOfTheFaultSuite000';

/** Runs the action with every kind of secret, a saved state and step debugging. */
export async function runWithSecrets(options: ActionOptions): Promise<ServiceRun> {
  return await runAction({
    ...options,
    env: { RUNNER_DEBUG: '1', ACTIONS_STEP_DEBUG: 'true', ...options.env },
    inputs: {
      'state-key': STATE_KEY,
      'github-token': options.github?.token ?? GITHUB_TOKEN,
      ...(!options.artifacts && { 'state-file': '${{ runner.temp }}/state.json' }),
      ...options.inputs,
    },
  });
}

const MAX_ANNOTATIONS = 10;
const MAX_FILE_BYTES = 1024 * 1024;

/** Checks what holds for every run that ends with a verdict. */
function expectInvariants(run: ServiceRun): void {
  expect(run.log).not.toMatch(/Unhandled|Uncaught|node:internal|The action itself failed/);
  expect(Object.keys(run.outputs)).toEqual(Object.keys(OUTPUTS));
  expect({ exitCode: run.exitCode, ...run.outputs }).toMatchObject({ exitCode: expectedExitCode(run) });
  expect(run.log).toContain(`verdict ${run.outputs['verdict']}`);
  // A group that is left open hides the verdict, which is printed after it.
  const groups = [...run.log.matchAll(/^::(group|endgroup)::/gm)].map(([, name]) => name);
  expect(groups).toEqual(groups.map((_, index) => (index % 2 === 0 ? 'group' : 'endgroup')));
  expect(groups.length % 2, 'The last group is not closed.').toBe(0);
  expect(run.summary).not.toBe('');
  for (const level of ['error', 'warning', 'notice'])
    expect(run.annotations.filter((each) => each.level === level).length).toBeLessThanOrEqual(MAX_ANNOTATIONS);
  expect(Buffer.byteLength(run.summary)).toBeLessThan(MAX_FILE_BYTES);
  expect(Buffer.byteLength(run.written.get('output') ?? '')).toBeLessThan(MAX_FILE_BYTES);
}

/** 0 only if nothing is wrong, or if only the service is to blame and the workflow accepts that. */
function expectedExitCode({ outputs: { verdict, reason }, inputs }: ServiceRun): number {
  if (verdict === 'pass' || verdict === 'skipped') return 0;
  const isAccepted = inputs['on-service-error'] === 'warn' && (reason === 'service' || reason === 'timeout');
  return verdict === 'error' && isAccepted ? 0 : 1;
}
