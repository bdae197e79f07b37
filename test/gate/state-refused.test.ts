import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, type Scenario, startEmulator } from '../../emulator/emulator.ts';
import { startArtifacts } from '../harness/artifact-service.ts';
import { png } from '../harness/media.ts';
import { type Series, startSeries } from '../harness/series.ts';

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(async () => await emulator.close());

const CRITICAL: Scenario = { default: { issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] } };

/** Ways to lose the state or to get a wrong one, and the notice for each. */
const LOSSES: readonly (readonly [string, (series: Series) => Promise<unknown>, string])[] = [
  ['none yet', async ({ stateFile }) => await rm(stateFile), 'No state of an earlier run was found'],
  [
    'a CRITICAL made a MINOR',
    async ({ stateFile }) =>
      await writeFile(stateFile, (await readFile(stateFile, 'utf8')).replaceAll('CRITICAL', 'MINOR')),
    'has an invalid signature',
  ],
  [
    'unsigned',
    async ({ stateFile }) => await writeFile(stateFile, JSON.stringify({ contents: [], paths: [], open: [] })),
    'damaged, too large or of another version',
  ],
  [
    'cut short',
    async ({ stateFile }) => await writeFile(stateFile, (await readFile(stateFile)).subarray(0, 100)),
    'damaged',
  ],
  [
    'of another gate',
    async (series) =>
      await series.changeState((sealed) => ({ ...sealed, binding: { ...sealed.binding, gate: 'beef' } })),
    'belongs to another repository, gate',
  ],
  [
    'of another repository',
    async (series) =>
      await series.changeState((sealed) => ({ ...sealed, binding: { ...sealed.binding, repositoryId: '1' } })),
    'belongs to another repository, gate',
  ],
  [
    'no file at all',
    async ({ stateFile }) => {
      await rm(stateFile);
      await mkdir(stateFile);
    },
    'cannot be read',
  ],
];

describe('a state that cannot be used', () => {
  it.each(LOSSES)('%s: everything is sent, and the verdict is the same', async (_, spoil, notice) => {
    await using series = await startSeries(emulator, { 'a.png': png('a') }, { scenario: CRITICAL });
    await series.run();
    await spoil(series);
    const run = await series.run();
    expect(run.sent).toEqual(['a.png']);
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'critical-count': '1' });
    expect(run.log).toContain(notice);
    expect(run.summary).toContain(notice.slice(0, 10));
  });

  it('after the API key was changed: the notice names the fix, and with state-key the state is kept', async () => {
    await using series = await startSeries(emulator, { 'a.png': png('a') }, { scenario: CRITICAL });
    const rotated = { 'state-key': 'one secret for all' };
    await series.run();
    const changed = await series.run({ inputs: rotated });
    expect(changed.sent).toEqual(['a.png']);
    expect(changed.log).toMatch(/signed with another key.*set `state-key`/);
    expect((await series.run({ inputs: rotated })).sent).toEqual([]);
  });

  it('that cannot be saved is a warning, and the verdict stands', async () => {
    await using series = await startSeries(emulator, { 'a.png': png('a') });
    await mkdir(series.stateFile);
    const run = await series.run();
    expect(run.outputs).toMatchObject({ verdict: 'pass', 'state-file': '' });
    expect(run.exitCode).toBe(0);
    expect(run.annotations).toContainEqual(
      expect.objectContaining({ level: 'warning', message: expect.stringContaining('could not be saved') }),
    );
  });
});

describe('without a store for the state', () => {
  it.each([
    [
      'on GHES',
      {
        GITHUB_SERVER_URL: 'https://github.acme.example',
        ACTIONS_RUNTIME_TOKEN: 'x',
        ACTIONS_RESULTS_URL: 'http://127.0.0.1:9',
      },
    ],
    ['without an artifact service', {}],
  ])('%s: everything is sent every time, and the fix is named', async (_, env) => {
    await using series = await startSeries(emulator, { 'a.png': png('a') }, { scenario: CRITICAL });
    for (const count of [1, 2]) {
      const run = await series.run({ inputs: { 'state-file': '' }, env });
      expect(run.outputs).toMatchObject({ verdict: 'fail', 'files-submitted': '1', 'state-file': '' });
      expect(run.log).toMatch(/has no artifact storage of the current kind.*Set `state-file`/);
      // The report stays in its folder, and no text names an artifact.
      expect(run.warnings).not.toContain('artifact');
      expect(run.readableSummary).toContain(`full report: ${run.temp}`);
      expect(series.service.submissions).toHaveLength(count);
    }
  });
});

describe('while GitHub does not answer', () => {
  it('the run ends before anything is billed, and reports what was found before that', async () => {
    await using artifacts = await startArtifacts();
    const waivers = '- { rule: AD-17, path: a.png, owner: legal, reason: agreed, expires: 2020-01-01 }\n';
    const files = { 'a.png': png('a'), 'photo.jpg': png('photo'), 'waivers.yml': waivers };
    await using series = await startSeries(emulator, files);
    const run = await series.run({
      artifacts,
      github: { url: 'http://127.0.0.1:9', token: 'ghs_0123456789' },
      inputs: { 'state-file': '', files: '*.png\n*.jpg\n*.flac', 'waivers-file': 'waivers.yml' },
    });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'error', reason: 'github' });
    expect(run.requests).toEqual([]);
    for (const found of ['*.flac', 'Expired on 2020-01-01', 'photo.jpg']) expect(run.readableSummary).toContain(found);
  });
});

describe('two gates', () => {
  it.each([
    ['jobs', { GITHUB_JOB: 'other' }, {}],
    ['workflows', { GITHUB_WORKFLOW_REF: 'acme/campaigns/.github/workflows/other.yml@refs/heads/main' }, {}],
    ['legs of a matrix', {}, { matrix: '{"market":"DE"}' }],
    ['names', {}, { name: 'other' }],
  ])('that are %s never use each other’s state', async (_, env, inputs) => {
    await using series = await startSeries(emulator, { 'a.png': png('a') });
    const place = {
      GITHUB_JOB: 'gate',
      GITHUB_ACTION: '__self',
      GITHUB_WORKFLOW_REF: 'acme/campaigns/.github/workflows/media.yml@refs/heads/main',
    };
    await series.run({ env: place });
    const other = await series.run({ env: { ...place, ...env }, inputs });
    expect(other.sent).toEqual(['a.png']);
    expect(other.log).toContain('belongs to another repository, gate');
  });
});

describe('a symbolic link in place of the state file, committed by a pull request', () => {
  it.each([
    ['at the file', 'kept/state.json', (outside: string) => path.join(outside, 'precious.txt')],
    ['at a folder above it', 'kept', (outside: string) => outside],
  ])('%s: the run ends, nothing is sent, and nothing outside is changed', async (_, link, targetOf) => {
    await using series = await startSeries(emulator, { 'a.png': png('a') });
    const outside = await mkdtemp(path.join(tmpdir(), 'gate-outside-'));
    await writeFile(path.join(outside, 'precious.txt'), 'precious');
    await mkdir(path.dirname(path.join(series.workspace, link)), { recursive: true });
    await symlink(targetOf(outside), path.join(series.workspace, link));
    const run = await series.run({ inputs: { 'state-file': 'kept/state.json', files: '*.png' } });
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'bad-input', 'files-submitted': '0' });
    expect(run.log).toContain(`leads through a symbolic link in the workspace: ${link}.`);
    expect(run.requests).toEqual([]);
    expect(await readdir(outside)).toEqual(['precious.txt']);
    expect(await readFile(path.join(outside, 'precious.txt'), 'utf8')).toBe('precious');
    await rm(outside, { recursive: true });
  });
});

describe('a state file that live runs have paid for', () => {
  it.each([
    ['a sandbox run', { mode: 'sandbox' as const }, {}],
    ['another gate', { mode: 'live' as const }, { name: 'other' }],
  ])('is not overwritten by %s, with a warning', async (_, options, inputs) => {
    await using series = await startSeries(emulator, { 'a.png': png('a') }, { scenario: CRITICAL });
    await series.run();
    const before = await readFile(series.stateFile, 'utf8');
    const key = options.mode === 'sandbox' ? emulator.workspace(options).key : series.service.key;
    const other = await series.run({ inputs: { ...inputs, 'api-key': key } });
    expect(other.outputs['state-file']).toBe('');
    expect(other.annotations).toContainEqual(
      expect.objectContaining({ level: 'warning', message: expect.stringContaining('was left as it is') }),
    );
    expect(await readFile(series.stateFile, 'utf8')).toBe(before);
    expect((await series.run()).outputs).toMatchObject({
      verdict: 'fail',
      'files-submitted': '0',
      'files-reused': '1',
    });
  });
});
