import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import type { Scenario, Workspace } from '../../emulator/emulator.ts';
import type { Endpoint } from '../../emulator/http.ts';
import { it as base } from '../harness/fixtures.ts';
import { startFront } from '../harness/front.ts';
import { expectInvariants, runWithSecrets } from '../harness/invariants.ts';
import { images, mp4, pdf } from '../harness/media.ts';
import { payload } from '../harness/payloads.ts';
import type { ServiceRun } from '../harness/run-action.ts';
import { CRASH_POINTS, type CrashPoint, type Moment, SCENARIO } from './crash-points.ts';

/** Polls are a second apart: no test should wait for that. */
const CLOCK_FACTOR = 10;
const FILES = { ...images('hero', 'logo'), 'terms.pdf': pdf('terms') };

const HEAD = 'ec26c3e57ca3a959ca5aad62de7213c562f8c821';
const SAME_REPOSITORY = { 'pull_request.head.repo.id': 4711, 'pull_request.base.repo.id': 4711 };

const it = base.extend(
  'crash',
  ({ emulator, makeFolder, startArtifacts, startGitHub, end }) =>
    /** A run that is killed, and the one after it. */
    async ({ store, at }: CrashPoint) => {
      // A clip of over 10 MB is not sent directly.
      const clip = mp4('clip', isInStorage(at) ? 10_000_001 : 0);
      const workspace = await makeFolder({ ...FILES, 'clip.mp4': clip });
      const folder = await makeFolder();
      const service = emulator.workspace({ scenario: { ...SCENARIO, ...standstill(at) } });
      const artifacts = await startArtifacts((step, nth) =>
        'upload' in at && at.upload === step && at.nth === nth ? 'silence' : undefined,
      );
      const github = await startGitHub({
        artifacts: artifacts.artifacts,
        archives: artifacts.archives,
        pulls: { 2: { headSha: HEAD } },
      });
      let isOver = false;
      const asked = Promise.withResolvers<void>();
      const front = await end(
        startFront(github.url, {
          fault: (line) => {
            if (isOver || !('github' in at) || !at.github.test(line)) return undefined;
            asked.resolve();
            return 'silence';
          },
        }),
      );
      const start = async (
        runId: string,
        options: Partial<Parameters<typeof runWithSecrets>[0]>,
      ): Promise<ServiceRun> =>
        await runWithSecrets({
          workspace,
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
    },
);

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

describe.concurrent.for(['file', 'artifact', 'artifact, no post step'] as const)('state in %s, killed', (store) => {
  const points = CRASH_POINTS.filter((point) => point.store === store);
  it.for(points.map((point) => [point.name, point] as const))('%s', async ([, point], { crash }) => {
    const { killed, next, service } = await crash(point);
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
