import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, type Scenario, startEmulator } from '../../emulator/emulator.ts';
import { mp4, png } from '../harness/media.ts';
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
