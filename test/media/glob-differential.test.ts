import path from 'node:path';
import { create } from '@actions/glob';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { search } from './search.ts';
import { makeWorkspace } from './workspace.ts';

// `@actions/glob` writes debug commands to stdout.
beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** It takes its patterns relative to the working directory, which tests share: so they are made absolute here. */
async function withGlob(patterns: readonly string[], root: string): Promise<string[]> {
  const absolute = patterns.map((pattern) => {
    const [, negation = '', rest = ''] = /^([!\s]*)(.*)$/s.exec(pattern) ?? [];
    return pattern.startsWith('#') ? pattern : `${negation}${root}/${rest.replace(/^\.(\/|$)/, '')}`;
  });
  const globber = await create(absolute.join('\n'), { matchDirectories: false, followSymbolicLinks: false });
  const found = await globber.glob();
  return found.map((file) => path.relative(root, file)).toSorted();
}

const TREE = [
  'a.png',
  'b.mp4',
  '.hidden.png',
  'media/a.png',
  'media/b.mp4',
  'media/.dot/c.png',
  'media/deep/er/d.png',
  'media/deep/a.png',
  'media.png/inside.txt',
  'x y/a b.png',
  '#x.png',
  '!x.png',
  '-dash.png',
  'aXb/c.png',
];

// The table and its escapes are written for one separator; Windows has its own table in the tests of the patterns.
describe.skipIf(process.platform === 'win32')('compared with @actions/glob', () => {
  it.each([
    [['**/*.png']],
    [['**']],
    [['*']],
    [['.']],
    [['.//']],
    [['./*.png']],
    [['./media']],
    [['media']],
    [['media/']],
    [['media/*']],
    [['media/*/']],
    [['media/**']],
    [['media/**/']],
    [['media/**/*.png']],
    [['**/deep/**']],
    [['**/deep']],
    [['**/deep/']],
    [['a.png/']],
    [['a.png/**']],
    [['**/a.png/**']],
    [['**/']],
    [['*/']],
    [['*/**/*.png']],
    [['**/**/a.png']],
    [['media//a.png']],
    [['?.png']],
    [['[ab].*']],
    [['[!a].*']],
    [['[a-b].png', '**/?.mp4']],
    [['**/*.png', '!media/**']],
    [['**/*.png', '!media']],
    [['**/*.png', '!media/']],
    [['**/*.png', '!media/**', 'media/deep/**']],
    [['!media/**', '**/*.png']],
    [['**', '!**/*.png', 'media/a.png', '!media/deep']],
    [['!**/*.png']],
    [['!!a.png']],
    [['! a.png', 'b.mp4']],
    [['**/*', '! media/**']],
    [['# a comment', 'a.png']],
    [['\\#x.png', '\\!x.png']],
    [['./#x.png', './!x.png', '-dash.png']],
    [['\\a.png']],
    [['nothing', 'here/**']],
    [['x y/*']],
    [['a*b/**']],
    [['*.png/*']],
    [['**/.*/*']],
    [['.*']],
    [['+(a|b).png']],
    [['**.png']],
    [['media**/a.png']],
  ])('finds what @actions/glob finds for %j', async (patterns) => {
    await using workspace = await makeWorkspace(TREE);
    const { files } = await search(patterns, workspace.root);
    expect(files.map((file) => file.path)).toEqual(await withGlob(patterns, workspace.root));
  });

  it('finds what @actions/glob finds for generated trees and patterns', async () => {
    const word = fc.constantFrom('a', 'b', 'ab', '.a', 'a.b', 'b.a');
    const tree = fc.uniqueArray(fc.array(word, { minLength: 1, maxLength: 4 }), {
      minLength: 1,
      maxLength: 12,
      // A path cannot be both a file and a directory, so files get a name that no directory has.
      selector: (parts) => parts.join('/'),
    });
    const segment = fc.constantFrom(
      '*',
      '**',
      '?',
      'a',
      'b',
      'a*',
      '*.b',
      '[ab]',
      '[!a]',
      '.*',
      'ab',
      'f',
      '*f',
      'a.b.f',
    );
    const line = fc
      .tuple(
        fc.constantFrom('', '', '', '!'),
        fc.constantFrom('', './/'),
        fc.array(segment, { minLength: 1, maxLength: 5 }),
        fc.constantFrom('', '', '/'),
      )
      .map(([negation, dot, segments, slash]) => `${negation}${dot}${segments.join('/')}${slash}`);
    await fc.assert(
      fc.asyncProperty(tree, fc.array(line, { minLength: 1, maxLength: 4 }), async (paths, patterns) => {
        await using workspace = await makeWorkspace(paths.map((parts) => `${parts.join('/')}.f`));
        const { files } = await search(patterns, workspace.root);
        const expected = await withGlob(patterns, workspace.root).catch((error: NodeJS.ErrnoException) => {
          // It fails on a pattern that continues below a file, so there is nothing to compare with.
          if (error.code === 'ENOTDIR') return undefined;
          throw error;
        });
        fc.pre(expected !== undefined);
        expect(files.map((file) => file.path)).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});
