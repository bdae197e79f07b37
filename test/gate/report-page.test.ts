import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, type Scenario, startEmulator } from '../../emulator/emulator.ts';
import { startArtifacts } from '../harness/artifact-service.ts';
import { startGitHub } from '../harness/github-server.ts';
import { mp4, png } from '../harness/media.ts';
import { payload } from '../harness/payloads.ts';
import { startRepository } from '../harness/repository.ts';
import { runAction } from '../harness/run-action.ts';
import { makeWorkspace } from '../harness/workspace.ts';

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(async () => await emulator.close());

const scenario: Scenario = {
  default: { ms: 2_000, issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17', summary: 'Claims a cure' }] },
};

/** Runs the gate over `ads/poster.png` and returns its page. */
async function pageOf(swap: (workspace: string) => void): Promise<string> {
  const workspace = await makeWorkspace({ 'ads/poster.png': png('poster') });
  const reports = path.join(workspace.path, 'reports');
  await runAction({
    emulator,
    workspace: workspace.path,
    scenario,
    inputs: { 'report-dir': reports },
    onLine: (line) => {
      if (/^Submission .* created/.test(line)) swap(workspace.path);
    },
  });
  const page = readFileSync(path.join(reports, 'report.html'), 'utf8');
  await workspace.remove();
  return page;
}

describe('the media in report.html', () => {
  const secret = Buffer.alloc(png('poster').length, 'secret ');
  const isLeaked = (page: string): boolean => page.includes(secret.subarray(0, 30).toString('base64'));

  it('are the files that were checked', async () => {
    const page = await pageOf(() => undefined);
    expect(page).toContain(`>data:image/png;base64,${png('poster').toString('base64')}<`);
  });

  it.each<[string, (workspace: string) => void]>([
    [
      'the file is a link to another file of its size',
      (workspace) => {
        writeFileSync(path.join(workspace, 'secret.txt'), secret);
        rmSync(path.join(workspace, 'ads/poster.png'));
        symlinkSync('../secret.txt', path.join(workspace, 'ads/poster.png'));
      },
    ],
    [
      'its folder is a link to another folder',
      (workspace) => {
        renameSync(path.join(workspace, 'ads'), path.join(workspace, 'others'));
        writeFileSync(path.join(workspace, 'others/poster.png'), secret);
        symlinkSync('others', path.join(workspace, 'ads'));
      },
    ],
    ['the file has other bytes', (workspace) => writeFileSync(path.join(workspace, 'ads/poster.png'), secret)],
    ['the file is gone', (workspace) => rmSync(path.join(workspace, 'ads/poster.png'))],
  ])('are left out if, after it was checked, %s', async (_, swap) => {
    const page = await pageOf(swap);
    expect(isLeaked(page)).toBe(false);
    expect(page).not.toContain('data:image/png');
    expect(page).toContain('"ruleCode":"AD-17"');
  });

  it('are at most 10 MB, encoded: the worst are shown', async () => {
    const films = Object.fromEntries(['a', 'b', 'c'].map((name) => [`${name}.mp4`, mp4(name, 3_600_000)]));
    const workspace = await makeWorkspace(films);
    const reports = path.join(workspace.path, 'reports');
    await runAction({
      emulator,
      workspace: workspace.path,
      scenario: { ...scenario, files: [{ match: 'a-*', issues: [{ severity: 'MINOR' }] }] },
      inputs: { 'report-dir': reports },
    });
    const page = readFileSync(path.join(reports, 'report.html'), 'utf8');
    await workspace.remove();
    expect(page.length).toBeLessThan(10_000_000);
    const embedded = new Set(page.match(/data:video[^<]*/g));
    const isEmbedded = ([name, bytes]: [string, Buffer]) => [
      name,
      embedded.has(`data:video/mp4;base64,${bytes.toString('base64')}`),
    ];
    expect(Object.entries(films).map(isEmbedded)).toEqual([
      ['a.mp4', false],
      ['b.mp4', true],
      ['c.mp4', true],
    ]);
  });
});

describe('one click from the summary', () => {
  const inputs = { 'report-artifact': 'true', comment: 'always' };

  it('summary, comment and `report-url` lead to the page that this run uploaded', async () => {
    await using workspace = await makeWorkspace({ 'ads/poster.png': png('poster') });
    await using artifacts = await startArtifacts();
    await using github = await startGitHub({ pulls: { 2: { headSha: 'ec26c3e57ca3a959ca5aad62de7213c562f8c821' } } });
    const run = await runAction({
      event: { name: 'pull_request', payload: payload('pull_request') },
      workspace: workspace.path,
      service: emulator.workspace({ scenario }),
      baseUrl: emulator.baseUrl,
      github,
      artifacts,
      inputs,
    });
    const page = artifacts.artifacts.find(({ name }) => name.endsWith('.html'));
    const address = `https://github.com/acme/campaigns/actions/runs/42/artifacts/${String(page?.['id'])}`;
    const link = `<a href="${address}">Open the report</a>`;
    expect(run.outputs['report-url']).toBe(address);
    expect(run.summary.split('\n')[2]).toContain(link);
    expect(run.summary.match(/^## /gm)).toHaveLength(1);
    expect(github.comments[0]?.body).toContain(link);
  });

  it.each([
    ['is refused as an artifact by itself: the archive that holds it', 400, /artifacts\/\d+$/],
    ['cannot be uploaded: nothing, and a warning', 'full', /^$/],
  ] as const)('if the page %s', async (_, answer, address) => {
    await using workspace = await makeWorkspace({ 'ads/poster.png': png('poster') });
    const trouble = (step: string, nth: number) =>
      step === 'CreateArtifact' && (nth === 3 || answer === 'full') ? answer : undefined;
    await using world = await startRepository(emulator, { scenario, trouble });
    const run = await world.push({ branch: 'main', workspace: workspace.path, inputs });
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'report-url': expect.stringMatching(address) });
    expect(run.summary.includes('Open the report')).toBe(run.outputs['report-url'] !== '');
    expect(run.warnings.includes('Could not write the report artifact')).toBe(answer === 'full');
  });
});
