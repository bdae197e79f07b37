import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { it as base } from '../harness/fixtures.ts';
import { png } from '../harness/media.ts';
import { payload } from '../harness/payloads.ts';

interface Case {
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** The target of each link. */
  readonly links: Readonly<Record<string, string>>;
  readonly patterns?: readonly string[];
  readonly scenario?: Scenario;
  /** What the pull request changes, with `only-changed`. */
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

const CRITICAL: Scenario = { default: { issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] } };

describe.concurrent('what a path serves is judged', () => {
  it('a link to a file that no pattern matches fails the check under its own path', async ({ check }) => {
    const run = await check({
      files: { '.data': png('a'), 'media/notes.txt': 'x' },
      links: { 'media/hero.png': '../.data' },
      scenario: CRITICAL,
    });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'fail', 'files-matched': '1', 'critical-count': '1' });
    expect(run.annotations).toContainEqual(
      expect.objectContaining({ file: 'media/hero.png', title: expect.stringMatching(/^CRITICAL: /) }),
    );
  });

  it('linked folders and links to links lead to files, circles end, and the same bytes are one asset', async ({
    check,
  }) => {
    const run = await check({
      files: { 'store/a.png': png('a'), 'store/deep/b.png': png('b'), 'store/c.txt': 'x' },
      links: {
        media: 'store',
        'store/again.png': 'deep/b.png',
        'store/deep/up': '..',
        'second.png': 'media/again.png',
        'round.png': 'round.png2',
        'round.png2': 'round.png',
      },
      patterns: ['**/*.png', '!round.*'],
      scenario: { default: { issues: [{ severity: 'INFO', ruleCode: 'X' }] } },
    });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'pass', 'files-submitted': '10', 'info-count': '2' });
    expect(run.sent).toHaveLength(2);
    expect(run.summary).toContain('media/again.png');
  });
});

describe.concurrent('a link that cannot be judged', () => {
  it.for([
    ['out of the search root', '/etc/hostname', 'media/x.png'],
    ["into Git's own files", '../.git', 'media/folder'],
  ] as const)('because it leads %s is an error that names it', async ([, target, name], { check }) => {
    const refused = await check({ files: { 'media/a.png': png('a') }, links: { [name]: target } });
    expect(refused.outputs, refused.log).toMatchObject({ verdict: 'error', reason: 'pre-flight' });
    expect(refused.annotations).toContainEqual(expect.objectContaining({ level: 'error', file: name }));
    expect(refused.requests).toEqual([]);
  });

  it.for<[string, Case, string]>([
    [
      'to a folder that a sparse checkout left out',
      { files: { 'media/a.png': png('a') }, links: { 'media/x': '../hidden' }, patterns: ['media/**'] },
      'media/x',
    ],
    [
      'back to a folder in which only the longer path is selected',
      {
        files: { 'store/hero.png': png('a'), 'packages/y/media/b.png': png('b') },
        links: { 'packages/x': '../store', 'store/media': '.' },
        patterns: ['packages/*/media/**'],
      },
      'packages/x/media',
    ],
  ])('because it leads %s is an error, and can be excluded', async ([, scene, link], { check }) => {
    const refused = await check(scene);
    expect(refused.outputs, refused.log).toMatchObject({ verdict: 'error', reason: 'pre-flight' });
    expect(refused.readableSummary).toContain(`\`!${link}\``);
    expect(refused.requests).toEqual([]);
    const excluded = await check({ ...scene, patterns: [...(scene.patterns ?? []), `!${link}`] });
    expect(excluded.outputs, excluded.log).toMatchObject({ verdict: 'pass', 'files-matched': '1' });
  });
});

describe.concurrent('only-changed', () => {
  const files = { 'store/v1.png': png('1'), 'store/v2.png': png('2') };
  const links = { current: 'store', 'hero.png': 'current/v1.png', media: 'store' };
  const patterns = ['hero.png', 'media/*.png'];
  it.for([
    ['a link on the way', ['current'], ['hero.png', 'media/v1.png', 'media/v2.png']],
    ['another target', ['store/v2.png'], ['media/v2.png']],
  ] as const)('counts a path as changed if the pull request lists %s', async ([, changed, expected], { check }) => {
    const run = await check({ files, links, patterns, changed });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'pass', 'files-matched': String(expected.length) });
    for (const file of expected) expect(run.summary + run.log).toContain(file);
  });
});
