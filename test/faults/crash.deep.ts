import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, type Scenario, startEmulator, type Workspace } from '../../emulator/emulator.ts';
import type { Endpoint } from '../../emulator/http.ts';
import { startArtifacts } from '../harness/artifact-service.ts';
import { startFront } from '../harness/front.ts';
import { startGitHub } from '../harness/github-server.ts';
import { expectInvariants, runWithSecrets } from '../harness/invariants.ts';
import { mp4, pdf, png } from '../harness/media.ts';
import { payload } from '../harness/payloads.ts';
import { workOn } from '../harness/pool.ts';
import type { ServiceRun } from '../harness/run-action.ts';
import { makeWorkspace } from '../harness/workspace.ts';
import { CRASH_POINTS, type CrashPoint, type Moment, SCENARIO } from './crash-points.ts';

const AT_ONCE = 4;
/** Polls are a second apart: no test should wait for that. */
const CLOCK_FACTOR = 10;

let emulator: Emulator;
let small: Awaited<ReturnType<typeof makeWorkspace>>;
/** With a clip that is too large for a direct upload. */
let large: Awaited<ReturnType<typeof makeWorkspace>>;
let runOf: (point: CrashPoint) => Promise<Aftermath>;
beforeAll(async () => {
  emulator = await startEmulator();
  const files = { 'hero.png': png('hero'), 'logo.png': png('logo'), 'terms.pdf': pdf('terms') };
  small = await makeWorkspace({ ...files, 'clip.mp4': mp4('clip') });
  large = await makeWorkspace({ ...files, 'clip.mp4': mp4('clip', 10_000_001) });
  runOf = workOn(CRASH_POINTS, AT_ONCE, crash);
});
afterAll(async () => {
  await Promise.all([emulator.close(), small.remove(), large.remove()]);
});

/** A run that was killed, and the one after it. */
interface Aftermath {
  readonly killed: ServiceRun;
  readonly next: ServiceRun;
  readonly service: Workspace;
}

async function crash({ store, at }: CrashPoint): Promise<Aftermath> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gate-crash-'));
  const service = emulator.workspace({ scenario: { ...SCENARIO, ...standstill(at) } });
  await using artifacts = await startArtifacts((step, nth) =>
    'upload' in at && at.upload === step && at.nth === nth ? 'silence' : undefined,
  );
  await using github = await startGitHub({
    artifacts: artifacts.artifacts,
    archives: artifacts.archives,
    pulls: { 2: { headSha: HEAD } },
  });
  let isOver = false;
  const asked = Promise.withResolvers<void>();
  await using front = await startFront(github.url, {
    fault: (line) => {
      if (isOver || !('github' in at) || !at.github.test(line)) return undefined;
      asked.resolve();
      return 'silence';
    },
  });
  const start = async (runId: string, options: Partial<Parameters<typeof runWithSecrets>[0]>): Promise<ServiceRun> =>
    await runWithSecrets({
      workspace: (isInStorage(at) ? large : small).path,
      service,
      clockFactor: CLOCK_FACTOR,
      runId,
      event: { name: 'pull_request', payload: payload('pull_request', SAME_REPOSITORY) },
      github: { url: front.url, token: github.token },
      ...(store !== 'file' && { artifacts }),
      ...options,
      inputs: {
        comment: 'always',
        'upload-concurrency': '1',
        ...(store === 'file' && { 'state-file': path.join(folder, 'state.json') }),
      },
    });

  try {
    const killed = await start('41', {
      temp: await mkdtemp(path.join(folder, 'job-')),
      onStart: (kill) => {
        if ('request' in at) void arrived(service, at).then(() => kill('SIGKILL'));
        if ('upload' in at) void artifacts.begun(at.upload, at.nth).then(() => kill('SIGKILL'));
        if ('github' in at) void asked.promise.then(() => kill('SIGKILL'));
      },
      onLine: (line, kill) => {
        if ('line' in at && at.line.test(line)) kill('SIGKILL');
      },
    });
    if (store === 'artifact') await expectPostStep(killed);
    isOver = true;
    service.load(SCENARIO);
    return { killed, next: await start('42', {}), service };
  } finally {
    await rm(folder, { recursive: true });
  }
}

const HEAD = 'ec26c3e57ca3a959ca5aad62de7213c562f8c821';
const SAME_REPOSITORY = { 'pull_request.head.repo.id': 4711, 'pull_request.base.repo.id': 4711 };

function isInStorage(at: Moment): boolean {
  return 'request' in at && (at.request === 'uploads/url' || at.request === 'storage/put');
}

/** Stops the process at the moment, so that it is killed exactly there. */
function standstill(at: Moment): Pick<Scenario, 'faults'> {
  if (!('request' in at)) return {};
  const { request: on, nth = 1, done } = at;
  return { faults: [{ on, nth, stall: true, when: done ? 'after-work' : 'before-work' }] };
}

async function arrived(service: Workspace, at: Extract<Moment, { readonly request: Endpoint }>): Promise<void> {
  const { nth = 1, done } = at;
  await service.waitFor(() => service.requests.filter(({ endpoint }) => endpoint === at.request).length >= nth);
  if (!done) return;
  if (at.request === 'submissions/create') while (service.submissions.length === 0) await breathe();
  else
    while (!service.submissions.some(({ assets }) => assets.some(({ retryCount }) => retryCount > 0))) await breathe();
}

async function breathe(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

/** The runner starts it after a killed main step, with the state that the main step saved for it. */
async function expectPostStep(killed: ServiceRun): Promise<void> {
  const { exitCode, log } = await killed.post();
  expect(exitCode, log).toBe(0);
}

/** In how many submissions each content was sent. */
function timesSent({ submissions }: Workspace): readonly number[] {
  const assets = submissions.flatMap((submission) => submission.assets);
  return [...Map.groupBy(assets, ({ blob }) => blob.sha256).values()].map(({ length }) => length);
}

describe.each(['file', 'artifact', 'artifact, no post step'] as const)('state in %s, killed', (store) => {
  const points = CRASH_POINTS.filter((point) => point.store === store);
  it.each(points.map((point) => [point.name, point] as const))('%s', async (_, point) => {
    const { killed, next, service } = await runOf(point);
    // Null if it was killed; at its last line it may have ended normally.
    expect([null, 1]).toContain(killed.exitCode);

    // The next run has the verdict of a run that was not interrupted.
    expect(next.outputs, next.text).toMatchObject({
      verdict: 'fail',
      reason: 'issues',
      'critical-count': '1',
      'major-count': '1',
      'minor-count': '1',
      'files-matched': '4',
    });
    expectInvariants(next);
    expect(service.submissions.length === 1 ? [1, 'one or two'] : [2, 'one or two']).toContain(point.submissions);
    expect(timesSent(service)).toEqual(Array.from({ length: 4 }, () => service.submissions.length));
  });
});
