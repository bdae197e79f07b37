import { execFileSync } from 'node:child_process';
import { braceExpand } from 'minimatch';
import { describe, expect, it } from 'vitest';
import { DEFAULT_PATTERNS } from '../../src/media/patterns.ts';
import { makeWorkspace } from '../harness/workspace.ts';
import { search } from '../media/search.ts';
import { fill } from './expressions.ts';
import { isGate, readWorkflow, type Step } from './files.ts';
import { runJob } from './job.ts';

const large = await readWorkflow('examples/workflows/large-library.yml');
const MEDIA = [
  'media/loose.jpg',
  'media/spring/hero.mp4',
  'media/spring/deep/er/print.pdf',
  'media/a.b_c-1/logo.png',
  'press/kit.pdf',
  'cover.JPG',
];

// Their jobs run on Linux.
describe.skipIf(process.platform !== 'linux')('large-library.yml', () => {
  it('lists the folders, and one job for everything else', async () => {
    expect(await folders([...MEDIA, 'media/spring/readme.md', 'other/x/y.png'])).toEqual(['.', 'a.b_c-1', 'spring']);
  });

  it('has that one job if there is no media/', async () => {
    expect(await folders(['press/kit.pdf'])).toEqual(['.']);
  });

  it.each([
    'media/*/x.mp4',
    'media/a b/x.mp4',
    'media/a\n!**/x.mp4',
    'media/-x/x.mp4',
    'media/ä/x.mp4',
    'media/"]/x.mp4',
  ])('refuses a folder that would be a pattern: %j', async (file) => {
    expect(await folders([...MEDIA, file])).toBe('failure');
  });

  it('gives every file to one job, and checks it out there', async () => {
    // What is checked out is what is checked: no pattern could leave something out.
    expect(large.workflow.jobs['folder']?.steps?.find(isGate)?.with).not.toHaveProperty('files');
    const workspace = await makeWorkspace(Object.fromEntries(MEDIA.map((file) => [file, file])));
    try {
      const git = gitIn(workspace.path);
      const steps = large.workflow.jobs['folder']?.steps ?? [];
      const seen: string[] = [];
      for (const folder of ['.', 'a.b_c-1', 'spring']) {
        git('sparse-checkout', 'set', '--no-cone', ...lines(steps[0], 'sparse-checkout', folder));
        const found = await search(DEFAULT_PATTERNS, workspace.path, { isDefault: true });
        seen.push(...found.files.map(({ path }) => path));
      }
      expect(seen.toSorted()).toEqual(MEDIA.toSorted());
    } finally {
      await workspace.remove();
    }
  });
});

describe('monorepo-matrix.yml', async () => {
  const { workflow } = await readWorkflow('examples/workflows/monorepo-matrix.yml');

  it('looks for the same types of files as the default', () => {
    const job = workflow.jobs['package'];
    const files = job?.steps?.find(isGate)?.with?.['files'];
    const contexts = { env: job?.env, matrix: { package: 'shop' } };
    const pattern = fill(String(files), contexts, { hasFailed: false, workspaceHas: () => false });
    const usual = DEFAULT_PATTERNS.map((each) => `packages/shop/${each}`);
    expect(braceExpand(pattern).toSorted()).toEqual(usual.toSorted());
  });
});

describe.skipIf(process.platform !== 'linux')('the check to require', () => {
  it.each([
    ['success', 'success', 'success'],
    ['success', 'failure', 'failure'],
    ['success', 'skipped', 'failure'],
    ['success', 'cancelled', 'failure'],
    ['failure', 'skipped', 'failure'],
  ])('large-library.yml: list %s, folders %s: %s', async (list, folder, expected) => {
    const needs = { list: { result: list }, folder: { result: folder } };
    expect((await runJob(large, 'media', { contexts: { needs } })).result).toBe(expected);
  });

  it.each([
    ['success', 'success'],
    ['failure', 'failure'],
    ['cancelled', 'failure'],
    ['skipped', 'failure'],
  ])('monorepo-matrix.yml: packages %s: %s', async (result, expected) => {
    const monorepo = await readWorkflow('examples/workflows/monorepo-matrix.yml');
    const needs = { package: { result } };
    expect((await runJob(monorepo, 'media', { contexts: { needs } })).result).toBe(expected);
  });

  it('runs even if a job that it needs did not', async () => {
    const monorepo = await readWorkflow('examples/workflows/monorepo-matrix.yml');
    expect([large, monorepo].map(({ workflow }) => workflow.jobs['media']?.if)).toEqual(['always()', 'always()']);
  });
});

/** What the first job hands to the matrix, for a repository with these files. */
async function folders(files: readonly string[]): Promise<unknown> {
  const workspace = await makeWorkspace(Object.fromEntries(files.map((file) => [file, file])));
  try {
    gitIn(workspace.path);
    const { result, steps } = await runJob(large, 'list', { workspace: workspace.path });
    return result === 'failure' ? result : JSON.parse(steps['list']?.outputs['folders'] ?? '');
  } finally {
    await workspace.remove();
  }
}

/** A repository with everything in it committed. */
function gitIn(cwd: string): (...args: readonly string[]) => void {
  const git = (...args: readonly string[]): void => void execFileSync('git', args, { cwd, stdio: 'pipe' });
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=me', '-c', 'user.email=me@example.com', 'commit', '--quiet', '--message', 'all');
  return git;
}

/** The lines of an input, as that job gets them. */
function lines(step: Step | undefined, input: string, folder: string): readonly string[] {
  const standing = { hasFailed: false, workspaceHas: () => false };
  const text = fill(String(step?.with?.[input]), { matrix: { folder } }, standing);
  return text.split('\n').filter((line) => line.trim() !== '');
}
