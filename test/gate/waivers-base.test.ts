import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, type Scenario, startEmulator } from '../../emulator/emulator.ts';
import { startArtifacts } from '../harness/artifact-service.ts';
import { type GitHubModel, startGitHub } from '../harness/github-server.ts';
import { png } from '../harness/media.ts';
import { payload } from '../harness/payloads.ts';
import { type SeriesRun, startSeries } from '../harness/series.ts';

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(async () => await emulator.close());

const CRITICAL: Scenario = { default: { issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] } };
const BASE = 'b'.repeat(40);
const PULL = { name: 'pull_request', payload: payload('pull_request', { 'pull_request.base.sha': BASE }) };

function waiver(path: string, expires = '2999-12-31', rule = 'AD-17'): string {
  return `- rule: ${rule}\n  path: '${path}'\n  owner: legal@example.com\n  reason: Agreed with the regulator\n  expires: ${expires}\n`;
}

interface Versions {
  readonly here?: string;
  readonly base?: string;
  readonly event?: typeof PULL;
  readonly model?: GitHubModel;
  readonly copies?: readonly string[];
  readonly scenario?: Scenario;
}

/** A run on a.png, which has a CRITICAL issue. */
async function run({ here, base, event, model, copies = [], scenario = CRITICAL }: Versions): Promise<SeriesRun> {
  await using github = await startGitHub({
    ...(base !== undefined && { contents: { [`${BASE}:waivers.yml`]: base } }),
    ...model,
  });
  const files = Object.fromEntries(['a.png', ...copies].map((name) => [name, png('a')]));
  await using series = await startSeries(
    emulator,
    { ...files, ...(here !== undefined && { 'waivers.yml': here }) },
    { scenario },
  );
  return await series.run({
    inputs: { 'waivers-file': 'waivers.yml', 'github-token': github.token },
    env: { GITHUB_API_URL: github.url },
    ...(event && { event }),
  });
}

describe('waivers in a pull request', () => {
  it('one that the base has makes the check pass, and is listed with its owner', async () => {
    const passed = await run({ here: waiver('a.png'), base: waiver('a.png'), event: PULL });
    expect(passed.outputs).toMatchObject({ verdict: 'pass', 'issue-count': '0' });
    expect(passed.exitCode).toBe(0);
    expect(passed.summary).toContain('Agreed with the regulator (legal');
  });

  it('one that the pull request itself adds does not, and is listed as proposed', async () => {
    for (const base of [undefined, waiver('other.png')]) {
      const failed = await run({ here: waiver('a.png'), event: PULL, ...(base !== undefined && { base }) });
      expect(failed.outputs).toMatchObject({ verdict: 'fail', 'critical-count': '1' });
      expect(failed.exitCode).toBe(1);
      expect(failed.log).toContain(
        'Proposed, and not counted before it is merged: the waiver of AD-17 for a.png (line 1',
      );
    }
  });

  it('one of which the pull request changes only the expiry is listed as proposed, and the old expiry counts', async () => {
    const [old, later] = [waiver('a.png', '2020-01-31'), waiver('a.png', '2999-12-31')];
    const failed = await run({ here: later, base: old, event: PULL });
    expect(failed.outputs).toMatchObject({ verdict: 'fail', 'critical-count': '1' });
    expect(failed.log).toContain('Expired on 2020-01-31: the waiver of AD-17 for a.png');
    expect(failed.log).toContain(
      'Proposed, and not counted before it is merged: the waiver of AD-17 for a.png (line 1',
    );
  });

  it('without permission to read the base no waiver counts, and the fix is named', async () => {
    const failed = await run({
      here: waiver('a.png'),
      base: waiver('a.png'),
      event: PULL,
      model: { permissions: { contents: 'none' } },
    });
    expect(failed.outputs).toMatchObject({ verdict: 'fail' });
    expect(failed.log).toMatch(/No waiver counts in this run.*contents: read/);
  });

  it('in a merge queue the waivers of the base count as well', async () => {
    const event = { name: 'merge_group', payload: payload('merge_group', { 'merge_group.base_sha': BASE }) };
    expect((await run({ here: waiver('a.png'), event })).outputs).toMatchObject({ verdict: 'fail' });
    expect((await run({ here: waiver('a.png'), base: waiver('a.png'), event })).outputs).toMatchObject({
      verdict: 'pass',
    });
  });
});

describe('waivers on a branch', () => {
  it('those in the workspace count', async () => {
    expect((await run({ here: waiver('*.png') })).outputs).toMatchObject({ verdict: 'pass' });
  });

  it('an issue that is dismissed as well is ignored, not waived', async () => {
    const dismissed = { severity: 'CRITICAL', ruleCode: 'AD-17', status: 'DISMISSED' };
    const passed = await run({ here: waiver('*.png'), scenario: { default: { issues: [dismissed] } } });
    expect(passed.outputs).toMatchObject({ verdict: 'pass', 'issue-count': '0' });
    expect(passed.readableSummary).toContain('not counted: 1 closed at the service');
  });

  it('expired and unmatched ones are reported', async () => {
    const entries = [waiver('a.png', '2020-01-31'), waiver('a.png', '2999-12-31', 'AD-99'), waiver('not-here.png')];
    const failed = await run({ here: entries.join('') });
    expect(failed.outputs).toMatchObject({ verdict: 'fail' });
    expect(failed.log).toContain('Expired on 2020-01-31: the waiver of AD-17 for a.png (line 1');
    expect(failed.log).toContain('No issue matches the waiver of AD-99 for a.png (line 6');
    // This run has not read it, so it is unknown.
    expect(failed.log).not.toContain('not-here.png');
  });

  it('every path of a content must be covered', async () => {
    const failed = await run({ here: waiver('a.png'), copies: ['copy.png'] });
    expect(failed.outputs).toMatchObject({ verdict: 'fail' });
    expect(failed.log).toContain('The same file is also at copy.png');
    expect((await run({ here: waiver('{a,copy}.png'), copies: ['copy.png'] })).outputs).toMatchObject({
      verdict: 'pass',
    });
  });

  it('a file with several mistakes is one list of problems, each on its line', async () => {
    const broken = await run({ here: `${waiver('a.png')}- rule: AD-18\n${waiver('b.png', 'soon')}` });
    expect(broken.summary).toContain('## 🛑 ERROR: 2 problems, the first: waivers.yml: ');
    expect(broken.outputs).toMatchObject({ 'files-matched': '1' });
    expect(broken.annotations.map(({ file, line }) => [file, line])).toEqual([
      ['waivers.yml', '6'],
      ['waivers.yml', '11'],
      [undefined, undefined],
    ]);
  });

  it.each([
    ['broken', `${waiver('a.png')}- rule: AD-18\n`, 'waivers.yml: Line 6: '],
    ['no YAML', 'rule: [', 'waivers.yml: Line 1'],
    ['not there', undefined, 'There is no such file'],
  ])('a file that is %s is an error before anything is sent', async (_, here, message) => {
    const broken = await run(here === undefined ? {} : { here });
    expect(broken.outputs).toMatchObject({ verdict: 'error', reason: 'bad-input' });
    expect(broken.exitCode).toBe(1);
    expect(broken.summary).toContain(message);
    expect(broken.requests).toEqual([]);
  });

  it('a broken file ends the run before GitHub is asked for the state of earlier runs', async () => {
    await using github = await startGitHub();
    await using artifacts = await startArtifacts();
    await using series = await startSeries(emulator, { 'a.png': png('a'), 'waivers.yml': 'rule: [' });
    const inputs = { 'state-file': '', 'waivers-file': 'waivers.yml' };
    const broken = await series.run({ artifacts, github, inputs });
    expect(broken.outputs).toMatchObject({ reason: 'bad-input' });
    expect(github.asked).toEqual([]);
  });
});
