import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ConnectionError, type Http } from '../../src/http/http.ts';
import type { Cause } from '../../src/lib/cause.ts';
import { makePlan } from '../../src/plan/plan.ts';
import { ServiceClient } from '../../src/service/client.ts';
import { EarlierState } from '../../src/state/earlier-state.ts';
import { confirmFiles, discoverFiles, dryRun, inspectFiles, refuseProblems } from '../../src/steps/plan-files.ts';
import { NO_HISTORY } from '../../src/verdict/baseline.ts';
import type { Confirmed } from '../../src/verdict/progress.ts';
import { png } from '../harness/media.ts';
import { document, file, issue, known, open, pointer, rules } from '../state/samples.ts';
import { sampleEnvironment } from './sample-environment.ts';

const BROKEN: Cause = { reason: 'pre-flight', path: 'broken.png', message: 'It is broken.', fix: 'Repair it.' };
const OUTAGE: Cause = { reason: 'service', message: 'The service is down.', fix: 'Wait.' };
const STATE = new EarlierState([
  document({ contents: [known('known', { issues: [issue()] })], open: [open('s', ['open'])] }),
]);

/** A run that checks these contents, of which `known` was analysed before and `open` is awaited. */
function planned(seeds: readonly string[], changes: Partial<Confirmed> = {}): Confirmed {
  const files = seeds.map((seed) => file(`${seed}.png`, seed));
  const inspection = { files, pointers: [], problems: [], warnings: [] };
  return {
    stage: 'confirmed',
    notices: ['Before.'],
    discovery: { files: [], notices: [] },
    waivers: undefined,
    inspection,
    history: NO_HISTORY,
    rules: rules(),
    plan: makePlan({ ...inspection, earlierState: STATE, rules: rules() }),
    reused: [],
    outage: undefined,
    ...changes,
  };
}

const discovered = async (inputs: Readonly<Record<string, string>>) => {
  const workspace = await mkdtemp(path.join(tmpdir(), 'gate-steps-'));
  onTestFinished(async () => await rm(workspace, { recursive: true }));
  await writeFile(path.join(workspace, 'README.md'), '');
  return await discoverFiles(sampleEnvironment({ inputs, workspace }).environment);
};

describe('no file to check', () => {
  it.each([
    ['warn', false],
    ['ignore', true],
  ])('with if-no-files-found: %s, that is expected: %s', async (ifNone, isExpected) => {
    const { nothingToCheck } = await discovered({ 'if-no-files-found': ifNone });
    expect(nothingToCheck).toMatchObject({ kind: 'skipped', isExpected, cause: { reason: 'no-files' } });
    expect(nothingToCheck?.cause.fix).toContain('for the default patterns.');
  });

  it('or an error that names the patterns', async () => {
    await expect(discovered({ 'if-no-files-found': 'error', files: '*.png\n*.mp4' })).rejects.toMatchObject({
      causes: [{ reason: 'no-files', fix: expect.stringContaining('for `*.png`, `*.mp4`.') }],
    });
  });

  it('patterns of the workflow without a match get a notice, the default ones do not', async () => {
    expect((await discovered({})).discovered.notices).toEqual([]);
    expect((await discovered({ files: '*.png' })).discovered.notices).toHaveLength(1);
  });
});

describe('a dry run', () => {
  it('shows the plan and everything that would make a real run fail', () => {
    const { environment, logged } = sampleEnvironment({ inputs: { 'max-files': '1' } });
    const run = planned(['a', 'b', 'known']);
    const { progress, ending } = dryRun(
      {
        ...run,
        stage: 'planned',
        inspection: { ...run.inspection, problems: [BROKEN] },
        plan: { ...run.plan, unknownPointers: [pointer('lfs.mp4', 'x')] },
      },
      environment,
    );
    expect(ending).toMatchObject({ kind: 'skipped', isExpected: false, cause: { reason: 'dry-run' } });
    expect(progress.notices).toEqual([
      'Before.',
      'A real run would fail: broken.png: It is broken. Repair it.',
      expect.stringMatching(/^A real run would fail: lfs\.mp4: /),
      expect.stringMatching(/^A real run would fail: 2 files would be sent, /),
    ]);
    expect(logged.at(-1)).toContain('2 to send');
  });
});

/** A service that answers nothing else. */
const confirmedAt = async (answer: number | Error) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const http: Http = {
    send: async () => {
      if (answer instanceof Error) throw answer;
      return { status: answer, text: '{}', retryAfter: undefined, location: undefined };
    },
    close: async () => undefined,
  };
  const { environment } = sampleEnvironment({ inputs: { 'fail-on-severity': 'never' } });
  const access = { apiKey: 'k', mode: 'live', baseUrl: 'https://service.example' } as const;
  const client = new ServiceClient({ access, http, userAgent: 'gate', log: environment.runner.log });
  const history = { ...NO_HISTORY, earlierState: STATE };
  const run = { ...planned(['known'], { history }), stage: 'planned' } as const;
  const confirming = confirmFiles(run, environment, { access, client, http });
  await vi.advanceTimersByTimeAsync(60 * 60_000);
  return await confirming;
};

describe('what is confirmed', () => {
  it('under a rate limit: what cannot change the verdict is not read again, which is a notice', async () => {
    const { notices, outage, reused } = await confirmedAt(429);
    expect(notices).toEqual(['Before.', expect.stringContaining('The issues of 1 file were not read again')]);
    expect([outage, reused.length]).toEqual([undefined, 1]);
  });

  it('in an outage: its warning is enough', async () => {
    const lost = new ConnectionError('refused', { maybeReceived: false, isLasting: true });
    const { notices, outage } = await confirmedAt(lost);
    expect(notices).toEqual(['Before.']);
    expect(outage).toMatchObject({ reason: 'service' });
  });
});

it('the warnings about files are added to the notices', async () => {
  const workspace = await mkdtemp(path.join(tmpdir(), 'gate-steps-'));
  onTestFinished(async () => await rm(workspace, { recursive: true }));
  await writeFile(path.join(workspace, 'photo.jpg'), png('photo'));
  const { environment } = sampleEnvironment({ workspace });
  const found = await discoverFiles(environment);
  const loaded = { ...found.discovered, stage: 'waivers-loaded', notices: ['Before.'], waivers: undefined } as const;
  const { notices } = await inspectFiles(loaded, environment);
  expect(notices).toEqual(['Before.', expect.stringContaining('photo.jpg')]);
});

const refused = (seeds: readonly string[], changes: Partial<Confirmed> = {}) => {
  const { environment, logged } = sampleEnvironment({});
  refuseProblems(planned(seeds, changes), environment);
  return logged;
};

describe('before anything is sent', () => {
  const inspection = { files: [], pointers: [], problems: [BROKEN], warnings: [] };

  it('nothing is refused without a problem', () => {
    expect(refused(['new', 'open', 'known'])).toEqual([]);
  });

  it.each(['new', 'open'])('an outage is an error if a file has to be sent or awaited: %s', (seed) => {
    expect(() => refused([seed, 'known'], { outage: OUTAGE })).toThrow(expect.objectContaining({ causes: [OUTAGE] }));
  });

  it('an outage is only a warning if nothing has', () => {
    expect(refused(['known'], { outage: OUTAGE })).toEqual([expect.stringContaining('the last known verdict stands')]);
  });

  it('an outage excuses no file that cannot be sent', () => {
    for (const [seed, causes] of [
      ['known', [BROKEN]],
      ['new', [BROKEN, OUTAGE]],
    ] as const)
      expect(() => refused([seed], { inspection, outage: OUTAGE })).toThrow(expect.objectContaining({ causes }));
  });

  it('a pointer to an unknown file is refused', () => {
    const { plan } = planned([]);
    expect(() => refused([], { plan: { ...plan, unknownPointers: [pointer('lfs.mp4', 'x')] } })).toThrow('lfs.mp4');
  });
});
