import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { it as base } from '../harness/fixtures.ts';
import { png } from '../harness/media.ts';
import { payload } from '../harness/payloads.ts';

interface Case {
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  readonly links: Readonly<Record<string, string>>;
  readonly patterns?: readonly string[];
  readonly scenario?: Scenario;
  /** The paths that the pull request changes, for a run with `only-changed`. */
  readonly changed?: readonly string[];
}

const HEAD = 'ec26c3e57ca3a959ca5aad62de7213c562f8c821';

const it = base.extend(
  'check',
  ({ gate, makeFolder, startGitHub }) =>
    async ({ files, links, patterns = ['**/*.png'], scenario = {}, changed }: Case) => {
      const workspace = await makeFolder({ '.git/HEAD': 'ref: refs/heads/x\n', ...files });
      for (const [name, target] of Object.entries(links)) symlinkSync(target, path.join(workspace, name));
      const listed = (changed ?? []).map((filename) => ({ status: 'modified', filename }));
      const github = await startGitHub({ pulls: { 2: { headSha: HEAD, files: listed } } });
      return await gate({
        event: changed && { name: 'pull_request', payload: payload('pull_request') },
        workspace,
        scenario,
        github,
        inputs: { files: patterns.join('\n'), 'only-changed': String(changed !== undefined) },
      });
    },
);

describe.concurrent('links', () => {
  it('give a file their own path in the report, and the same bytes are one asset', async ({ check }) => {
    const run = await check({
      files: { '.data': png('a'), 'store/copy.png': png('a'), 'media/notes.txt': 'x' },
      links: { 'media/hero.png': '../.data', 'media/store': '../store' },
      scenario: { default: { issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] } },
    });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'fail', 'files-matched': '3', 'critical-count': '1' });
    expect(run.sent).toHaveLength(1);
    expect(run.annotations).toContainEqual(
      expect.objectContaining({ file: 'media/hero.png', title: expect.stringMatching(/^CRITICAL: /) }),
    );
    expect(run.summary).toContain('media/store/copy.png');
  });

  it('that lead out of the workspace or nowhere are errors, and can be excluded', async ({ check }) => {
    const scene = {
      files: { 'media/a.png': png('a') },
      links: { 'media/out.png': '/etc/hostname', 'media/git': '../.git', 'media/sparse': '../hidden' },
      patterns: ['media/**'],
    };
    const refused = await check(scene);
    expect(refused.outputs, refused.log).toMatchObject({ verdict: 'error', reason: 'pre-flight' });
    const lines = ['!media/out.png', '!media/git/**', '!media/sparse'];
    for (const line of lines) expect(refused.readableSummary).toContain(`\`${line}\``);
    for (const file of Object.keys(scene.links))
      expect(refused.annotations).toContainEqual(expect.objectContaining({ level: 'error', file }));
    expect(refused.requests).toEqual([]);
    const excluded = await check({ ...scene, patterns: [...scene.patterns, ...lines] });
    expect(excluded.outputs, excluded.log).toMatchObject({ verdict: 'pass', 'files-matched': '1' });
  });

  it('are always checked under only-changed, and nobody is blamed for what is behind them', async ({ check }) => {
    // The pull request replaces the link `d`, and so `hero.png` is another file than before.
    const run = await check({
      files: { 'd/.gitkeep': '', 'store/hero.png': png('1'), 'other.png': png('2') },
      links: { 'hero.png': 'd/../store/hero.png' },
      patterns: ['*.png'],
      changed: ['d/.gitkeep'],
      scenario: { default: { issues: [{ severity: 'CRITICAL' }] } },
    });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'fail', 'files-matched': '1' });
    expect(run.annotations).toContainEqual(expect.objectContaining({ file: 'hero.png', level: 'error' }));
    expect(run.summary).not.toContain('changed by this pull request');
  });
});
