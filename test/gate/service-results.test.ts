import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, type Scenario, startEmulator } from '../../emulator/emulator.ts';
import { assetsIn, type Edit, type Json, startFront } from '../harness/front.ts';
import { png } from '../harness/media.ts';
import { runAction, type ServiceRun } from '../harness/run-action.ts';
import { makeWorkspace } from '../harness/workspace.ts';

const NAMES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];

let emulator: Emulator;
let seven: Awaited<ReturnType<typeof makeWorkspace>>;
let two: Awaited<ReturnType<typeof makeWorkspace>>;
beforeAll(async () => {
  emulator = await startEmulator();
  seven = await makeWorkspace(Object.fromEntries(NAMES.map((name) => [`${name}.png`, png(name)])));
  two = await makeWorkspace({ 'one.png': png('one'), 'two.png': png('two') });
});
afterAll(async () => {
  await Promise.all([emulator.close(), seven.remove(), two.remove()]);
});

const THREE = [{ severity: 'MINOR' }, { severity: 'MINOR' }, { severity: 'CRITICAL' }];

describe.concurrent('lists of issues', () => {
  it('in any shape, short or missing: the issues of the asset result are used as well', async () => {
    const shapes = [
      { as: 'array' },
      { as: 'issues' },
      { as: 'items' },
      { as: 'findings' },
      { pageSize: 1 },
      { short: 1 },
      { as: 'unreadable' },
    ];
    const files = NAMES.map((name, index) => ({ match: `${name}-`, issues: THREE, issuesList: shapes[index] ?? {} }));
    const run = await runAction({ emulator, workspace: seven.path, scenario: { files, extraFields: true } });

    expect(run.outputs).toMatchObject({ verdict: 'fail', 'issue-count': '21', 'critical-count': '7' });
    expect(run.text).not.toContain('could be read');
  });

  it.each([
    ['short in both places', { issuesList: { short: 2 }, resultShort: 1 }, 2],
    ['paged, and short in the other place', { issuesList: { pageSize: 2 }, resultShort: 2 }, 2],
    ['unreadable, and missing in the other place', { issuesList: { as: 'unreadable' }, resultShort: 0 }, 0],
  ])('%s: never passes while a CRITICAL issue is hidden', async (_, shape, got) => {
    const scenario = { files: [{ match: 'two-', issues: THREE, ...shape }] };
    const run = await runAction({ emulator, workspace: two.path, scenario });

    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'results', 'issue-count': String(got) });
    expect(run.text).toContain(`The service counts 3 issues, but only ${got} could be read`);
    expect(run.annotations).toContainEqual(expect.objectContaining({ level: 'error', file: 'two.png' }));
    expect(run.exitCode).toBe(1);
  });

  it('an unknown severity counts as CRITICAL, an unknown status as active', async () => {
    const run = await runAction({
      emulator,
      workspace: two.path,
      scenario: {
        files: [
          { match: 'one-', issues: [{ severity: 'CATASTROPHIC', status: 'OPEN' }] },
          {
            match: 'two-',
            issues: [
              { severity: 'CRITICAL', status: 'UNDER_REVIEW' },
              { severity: 'CRITICAL', status: 'DISMISSED' },
            ],
          },
        ],
      },
    });

    expect(run.outputs).toMatchObject({ verdict: 'fail', 'critical-count': '2', 'issue-count': '2' });
  });

  it('an outage while reading them ends all reads, not only one file at a time', async () => {
    const names = Array.from({ length: 24 }, (_, index) => `file-${index}`);
    await using many = await makeWorkspace(Object.fromEntries(names.map((name) => [`${name}.png`, png(name)])));
    const run = await runAction({
      emulator,
      workspace: many.path,
      scenario: {
        default: { issues: THREE, resultShort: 0 },
        faults: [{ on: 'assets/issues', status: 503 }],
      },
    });

    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'service' });
    expect(run.count('assets/issues')).toBeLessThan(8 * 16);
    expect(run.count('assets/topics')).toBe(0);
  });

  it('if two responses disagree on the count, the higher one is used', async () => {
    await using front = await startFront(emulator.baseUrl, {
      edit: (path, json) =>
        /submissions\/[^/]+$/.test(path) ? withAssets(json, (asset) => ({ ...asset, issueCount: 0 })) : undefined,
    });
    const scenario = { files: [{ match: 'two-', issues: THREE }] };
    const run = await runAction({ emulator, workspace: two.path, scenario, baseUrl: front.url });

    expect(run.outputs).toMatchObject({ verdict: 'fail', 'critical-count': '1' });
  });
});

/** Issues of this severity in one file, while the other cannot be read. */
function halfRead(severity: string): Scenario {
  return {
    files: [
      { match: 'one-', issues: [{ severity }] },
      { match: 'two-', nullIssueCountReads: 1_000_000 },
    ],
    faults: [{ on: 'assets/read', match: 'two-', status: 500 }],
  };
}

describe.concurrent('one asset that cannot be read', () => {
  const inputs = { 'on-service-error': 'warn' };

  it('does not hide issues of the others', async () => {
    const run = await runAction({ emulator, workspace: two.path, scenario: halfRead('CRITICAL'), inputs });
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'critical-count': '1' });
    expect(run.exitCode).toBe(1);
  });

  it('is reported with its cause, only for its own file', async () => {
    const run = await runAction({ emulator, workspace: two.path, scenario: halfRead('MINOR'), inputs });
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'service', 'minor-count': '1' });
    expect(run.exitCode).toBe(0);
    const annotations = run.annotations.filter(({ message }) => message.includes('500 while reading an asset'));
    expect(annotations.map(({ file }) => file)).toEqual(['two.png']);
  });
});

function withAssets(json: Json, edit: (asset: Json, index: number) => Json | undefined): Json {
  return {
    ...json,
    assets: assetsIn(json)
      .map(edit)
      .filter((asset) => asset !== undefined),
  };
}

/** A service that mixes up its assets. */
async function runConfused(edit: Edit): Promise<ServiceRun> {
  await using front = await startFront(emulator.baseUrl, { edit });
  return await runAction({
    emulator,
    workspace: two.path,
    baseUrl: front.url,
    inputs: { 'wait-timeout-minutes': '5' },
  });
}

const isSubmission = (path: string): boolean => /\/submissions\/[^/]+$/.test(path);
const isAsset = (path: string): boolean => /\/assets\/[^/]+$/.test(path);

describe.concurrent('which asset is which file', () => {
  it('an asset with a foreign file name', async () => {
    const run = await runConfused((path, json) =>
      isAsset(path) && String(json['filename']).startsWith('two-') ? { ...json, filename: 'stranger.png' } : undefined,
    );
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'results' });
    expect(run.text).toMatch(/has no asset with the name of this file\. Its assets: .*stranger\.png/);
  });

  it('two assets with one file name', async () => {
    const first = new Map<string, string>();
    const run = await runConfused((path, json) => {
      if (!isAsset(path)) return undefined;
      const name = first.get('name') ?? String(json['filename']);
      first.set('name', name);
      return { ...json, filename: name };
    });
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'results' });
    expect(run.text).toMatch(/has 2 assets with the name of this file/);
  });

  it('fewer assets than were sent', async () => {
    const run = await runConfused((path, json) =>
      isSubmission(path) ? withAssets(json, (asset, index) => (index === 0 ? asset : undefined)) : undefined,
    );
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'results' });
    expect(run.text).toContain('has no asset with the name of this file');
  });

  it('fewer assets at first, and all of them in a later response', async () => {
    let reads = 0;
    const run = await runConfused((path, json) => {
      if (!isSubmission(path)) return undefined;
      reads += 1;
      return reads > 3 ? undefined : withAssets(json, (asset, index) => (index === 0 ? asset : undefined));
    });
    expect(run.outputs).toMatchObject({ verdict: 'pass' });
  });

  it('an asset that is failed by its own result, in a submission that counts no issues', async () => {
    const run = await runConfused((path, json) => (isAsset(path) ? { ...json, status: 'failed' } : undefined));
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'asset-failed', 'assets-failed': '2' });
  });

  it('no assets at all', async () => {
    const run = await runConfused((path, json) => (isSubmission(path) ? { ...json, assets: [] } : undefined));
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'results' });
    expect(run.count('submissions/read')).toBeLessThan(20);
  });

  it('one asset too many, whose name cannot be read', async () => {
    const extra = '00000000-0000-4000-8000-000000000000';
    const run = await runConfused((path, json) => {
      if (!isSubmission(path)) return undefined;
      const assets = assetsIn(json);
      return { ...json, assets: [...assets, { ...assets[0], assetId: extra, issueCount: 3 }] };
    });
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'results' });
    expect(run.text).toContain('has an asset whose file name could not be read');
  });

  it('an asset that disappears before it is complete', async () => {
    let reads = 0;
    await using front = await startFront(emulator.baseUrl, {
      edit: (path, json) => {
        if (!isSubmission(path)) return undefined;
        reads += 1;
        return reads < 2 ? undefined : withAssets(json, (asset, index) => (index === 0 ? asset : undefined));
      },
    });
    const run = await runAction({
      emulator,
      workspace: two.path,
      baseUrl: front.url,
      scenario: { default: { reads: 1 }, faults: [{ on: 'assets/read', match: 'two-', status: 404 }] },
    });

    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'results' });
    expect(run.text).not.toContain('was not finished after');
  });
});
