import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { it as base, CRITICAL } from '../harness/fixtures.ts';
import { png } from '../harness/media.ts';
import { HEAD, pullRequest } from '../harness/payloads.ts';

interface Case {
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  readonly links: Readonly<Record<string, string>>;
  readonly patterns: readonly string[];
  /** The paths that the pull request changes, for a run with `only-changed`. */
  readonly changed?: readonly string[];
}

const it = base.extend(
  'check',
  ({ gate, makeFolder, startGitHub }) =>
    async ({ files, links, patterns, changed }: Case) => {
      const workspace = await makeFolder({ '.git/HEAD': 'ref: refs/heads/x\n', ...files });
      for (const [name, target] of Object.entries(links)) symlinkSync(target, path.join(workspace, name));
      const listed = (changed ?? []).map((filename) => ({ status: 'modified', filename }));
      const github = await startGitHub({ pulls: { 2: { headSha: HEAD, files: listed } } });
      return await gate({
        event: changed && pullRequest(),
        workspace,
        scenario: changed ? CRITICAL : {},
        github,
        inputs: { files: patterns.join('\n'), 'only-changed': String(changed !== undefined) },
      });
    },
);

describe.concurrent('links', () => {
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
    });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'fail', 'files-matched': '1' });
    expect(run.annotations).toContainEqual(expect.objectContaining({ file: 'hero.png', level: 'error' }));
    expect(run.summary).not.toContain('changed by this pull request');
  });
});
