import { truncate } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, type Scenario, startEmulator } from '../../emulator/emulator.ts';
import type { Endpoint } from '../../emulator/http.ts';
import { type ArtifactService, startArtifacts } from '../harness/artifact-service.ts';
import { mp4, png } from '../harness/media.ts';
import { startProxy } from '../harness/proxy.ts';
import { runAction, type ServiceRun } from '../harness/run-action.ts';
import { makeWorkspace } from '../harness/workspace.ts';

/** How long a runner waits between SIGINT and SIGTERM for a cancelled step. Here it then kills it. */
const RUNNER_WAITS_MS = 7_500;

let emulator: Emulator;
let small: Awaited<ReturnType<typeof makeWorkspace>>;
let large: Awaited<ReturnType<typeof makeWorkspace>>;
beforeAll(async () => {
  emulator = await startEmulator();
  small = await makeWorkspace({ 'a.png': png('a') });
  large = await makeWorkspace({ 'a.mp4': mp4('a', 12_000_000) });
});
afterAll(async () => {
  await Promise.all([emulator.close(), small.remove(), large.remove()]);
});

interface Stop {
  readonly workspace: string;
  readonly baseUrl?: string;
  readonly scenario?: Scenario;
  readonly env?: Readonly<Record<string, string>>;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly artifacts?: ArtifactService;
  /** The signal comes when this has begun. */
  readonly during: Endpoint | Promise<unknown> | RegExp;
  readonly signal?: NodeJS.Signals;
}

/** Stops a run with two signals at once, in whatever order they arrive, and kills it if it does not end in time. */
async function stopped({
  workspace,
  baseUrl,
  scenario,
  env,
  inputs,
  artifacts,
  during,
  signal = 'SIGINT',
}: Stop): Promise<ServiceRun> {
  let isSignalled = false;
  const stop = (kill: (signal: NodeJS.Signals) => void): void => {
    if (isSignalled) return;
    isSignalled = true;
    kill(signal);
    kill(signal === 'SIGINT' ? 'SIGTERM' : 'SIGINT');
  };
  const service = emulator.workspace(scenario ? { scenario } : {});
  return await runAction({
    service,
    workspace,
    clockFactor: 1,
    killAfterMs: RUNNER_WAITS_MS,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(env && { env }),
    ...(inputs && { inputs }),
    ...(artifacts && { artifacts }),
    onStart: (kill) => {
      if (during instanceof Promise) void during.then(() => stop(kill));
      if (typeof during === 'string')
        void service.waitFor(({ endpoint }) => endpoint === during).then(() => stop(kill));
    },
    onLine: (line, kill) => {
      if (during instanceof RegExp && during.test(line)) stop(kill);
    },
  });
}

/** A run that was killed has no exit code. */
function expectStopped(run: ServiceRun): void {
  expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'cancelled' });
  expect(run.exitCode).toBe(1);
  expect(run.text).not.toMatch(/The action itself failed|^\(node:|^Node\.js v/m);
}

describe.concurrent('before anything is submitted', () => {
  it('while a large file is read', async () => {
    const huge = await makeWorkspace({ 'a.mp4': mp4('a') });
    // It takes no disk space, but some time to read.
    await truncate(path.join(huge.path, 'a.mp4'), 5_000_000_000);
    const run = await stopped({ workspace: huge.path, during: /files? to check/ });
    await huge.remove();

    expectStopped(run);
    expect(run.text).toMatch(/The run was cancelled \(SIG(INT|TERM)\) before anything was submitted/);
    expect(run.service.requests).toEqual([]);
  });

  it.each<[string, Endpoint, Scenario]>([
    [
      'while storage takes nothing',
      'storage/put',
      { faults: [{ on: 'storage/put', stall: true, when: 'before-body' }] },
    ],
    ['while the service does not answer', 'uploads/url', { faults: [{ on: 'uploads/url', stall: true }] }],
    [
      'while a rate limit lasts',
      'uploads/url',
      { faults: [{ on: 'uploads/url', status: 429, headers: { 'retry-after': '600' } }] },
    ],
  ])('%s', async (_, during, scenario) => {
    const run = await stopped({ workspace: large.path, during, scenario, signal: 'SIGTERM' });

    expectStopped(run);
    expect(run.text).toMatch(/The run was cancelled \(SIG(INT|TERM)\) before anything was submitted/);
    expect(run.count('submissions/create')).toBe(0);
  });

  it('while a proxy does not answer', async () => {
    await using proxy = await startProxy('never answers');
    const asked = (async () => {
      while (proxy.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    })();
    const baseUrl = 'https://service.example';
    const run = await stopped({ workspace: small.path, baseUrl, during: asked, env: { HTTPS_PROXY: proxy.url } });

    expectStopped(run);
    expect(run.service.requests).toEqual([]);
  });
});

describe.concurrent('around the submission', () => {
  const UNANSWERED: Scenario = { faults: [{ on: 'submissions/create', stall: true, when: 'after-work' }] };

  it('while it is being created: no time is spent on a report artifact', async () => {
    await using artifacts = await startArtifacts();
    // There is no GitHub that lists earlier states.
    const inputs = { 'reuse-days': '0' };
    const during = 'submissions/create';
    const run = await stopped({ workspace: small.path, during, scenario: UNANSWERED, artifacts, inputs });

    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'cancelled' });
    expect(artifacts.steps).toEqual([]);
  });

  it('while it is being created: the message says that it may exist', async () => {
    const run = await stopped({ workspace: small.path, during: 'submissions/create', scenario: UNANSWERED });

    expectStopped(run);
    expect(run.service.submissions).toHaveLength(1);
    expect(run.text).toMatch(/did not confirm the submission\..*the run was stopped before the response came/s);
    expect(run.text).toMatch(/It may exist and be billed\..*Look in the service for a submission with 1 asset/s);
    expect(run.text).not.toContain('Nothing was billed');
  });

  it('a second before the response: its id is still saved, and the next run resumes it', async () => {
    await using folder = await makeWorkspace({ 'a.png': png('a') });
    const answersLate: Scenario = {
      faults: [{ on: 'submissions/create', drip: { bytes: 60, everyMs: 250 } }],
      default: { ms: 3_000 },
    };
    const inputs = { 'state-file': path.join(folder.path, 'state.json'), files: '*.png' };
    const run = await stopped({ workspace: folder.path, during: 'submissions/create', scenario: answersLate, inputs });
    expectStopped(run);
    const [submission] = run.service.submissions;
    expect(run.outputs).toMatchObject({ 'submission-id': submission?.submissionId });
    expect(run.text).toContain('it resumes waiting for this submission');
    const next = await runAction({ service: run.service, workspace: folder.path, inputs });
    expect(next.outputs).toMatchObject({ verdict: 'pass', 'submission-id': submission?.submissionId });
    expect(run.service.submissions).toHaveLength(1);
  });

  it.each<[string, Endpoint, Scenario]>([
    ['while it is waited for', 'submissions/read', { default: { ms: 600_000 } }],
    ['while the service does not answer', 'submissions/read', { faults: [{ on: 'submissions/read', stall: true }] }],
    ['while the service is not well', 'submissions/read', { faults: [{ on: 'submissions/read', status: 503 }] }],
    ['while its results are read', 'assets/read', { faults: [{ on: 'assets/read', stall: true }] }],
  ])('%s: the message names the submission, which cannot be resumed without state', async (_, during, scenario) => {
    const run = await stopped({ workspace: small.path, during, scenario });

    expectStopped(run);
    const id = run.service.submissions[0]?.submissionId;
    expect(run.outputs['submission-id']).toBe(id);
    expect(run.text).toContain(`) while the service was analysing submission ${id}.`);
    expect(run.text).toContain('a re-run submits and bills all files again');
  });
});
