import { expect, it } from 'vitest';
import { FilePatterns, waiverMatcher, whyInvalid } from '../../src/media/patterns.ts';

it.each<[string, patterns: string[], selected: string[], others?: string[]]>([
  ['any case', ['Media/**/*.MP4', 'Hero.mp4'], ['media/b.mp4', 'MEDIA/x/B.Mp4', 'hero.MP4'], ['media2/b.mp4']],
  ['a name that is all extension', ['**/*.png'], ['ads/.png', 'ads/.PNG']],
  ['a hash first, which is no comment', ['./#1/*.png'], ['#1/a.png']],
  ['a slash twice, and dots', ['media//./a.png'], ['media/a.png']],
  ['an exclusion with a blank', ['**/*', '! media/**'], ['a.png'], ['media/a.png']],
  ['a backslash, which is a slash', ['media\\videos\\*.mp4', 'm\\'], ['media/videos/a.mp4', 'm/a.png']],
  ['extended patterns, which are letters', ['+(a|b).txt'], ['+(a|b).txt'], ['a.txt']],
  ['brackets, which are letters', ['ads [new]/*.txt', 'x[1].txt'], ['ads [new]/a.txt', 'x[1].txt'], ['ads n/a.txt']],
  ['braces in braces', ['{a,{b,c}}.txt', '{a}.txt'], ['a.txt', 'b.txt', 'c.txt', '{a}.txt'], ['a,.txt']],
  ['a range, which is letters', ['{1..3}.txt'], ['{1..3}.txt'], ['2.txt']],
  ['a line that equals the path', ['{x,y}', 'a\\b.txt'], ['{x,y}', 'a\\b.txt', 'a/b.txt'], ['{x,z}']],
  ['composed pattern, decomposed name', ['caf\u00e9.txt'], ['cafe\u0301.txt', 'CAFE\u0301.txt']],
  ['decomposed pattern, composed name', ['cafe\u0301.txt'], ['caf\u00e9.txt']],
  ['a question mark, which is one letter', ['?.txt'], ['\u{1f3ac}.txt', 'a.txt'], ['.txt', 'ab.txt']],
  ['node_modules, named', ['node_modules/*.png', '!**/b.png'], ['node_modules/a.png'], ['node_modules/b.png']],
  ['node_modules, named by one of two', ['{x,node_modules}/*.png'], ['node_modules/a.png', 'x/a.png']],
  ['node_modules, named by another line', ['**/*.png', 'node_modules/*.gif'], [], ['node_modules/a.png']],
  [
    'stars in between',
    ['**/a/*.png', 'b/**/c/**/*.txt'],
    ['x/a/a.png', 'a/a.png', 'b/c/d.txt', 'b/x/c/y/z/d.txt'],
    ['x/a/b/a.png', 'b/d.txt'],
  ],
  ['.git', ['**', '.git/*', '.git'], [], ['.git/objects/a.png', 'sub/.git', '.git/a.png']],
  ['a long name', ['x'.repeat(1_000)], ['x'.repeat(1_000)]],
])('which files patterns select: %s', (_, patterns, selected, others = []) => {
  const matcher = new FilePatterns(patterns);
  expect([...selected, ...others].filter(matcher.selects)).toEqual(selected);
});

it.each<[lines: string[], selected: string[], leftOut: string[], others?: string[]]>([
  [['media'], ['media/a.PNG', 'media/b/.png'], ['media/.gitkeep', 'media/LICENSE', 'media/server.key']],
  [['**'], ['a.png', 'b/c.pdf'], ['.DS_Store', 'b/README.md']],
  [['hero*'], ['hero.png', 'hero/a.png'], ['hero', 'hero.txt', 'hero/a.txt']],
  [['photo.*', '*.t?t', '**/*.*'], ['photo.png'], ['photo.raw', 'a.txt', 'x/.env']],
  [['LICENSE', 'docs/*/NOTICE'], ['LICENSE', 'docs/a/NOTICE'], ['LICENSE/a.txt'], ['docs/NOTICE']],
  [['*.txt', 'x/*.tar.gz'], ['a.txt', 'x/a.tar.gz', 'b.txt/c.png'], ['x/b.tar.gz/c', 'b.txt/d.txt'], ['x/a.gz']],
  [['*.c++', '*.srt'], ['a.srt'], ['a.c++']],
  [['media/notes.txt', 'media/**'], ['media/notes.txt'], ['media/b.txt']],
  [['a.txt', '!a.txt', '**'], [], ['b.txt'], ['a.txt']],
  [['**', '!*.txt', '!media'], ['a.png'], ['a.md'], ['b.txt', 'media/a.png', 'media/b.txt']],
])('a line without a file name or an extension selects only media: %s', (lines, selected, leftOut, others = []) => {
  const patterns = new FilePatterns(lines);
  const files = [...selected, ...leftOut, ...others];
  expect(files.filter(patterns.selects)).toEqual(selected);
  expect(files.filter((file) => patterns.decide(file) === 'left out')).toEqual(leftOut);
});

it.each<[line: string, path: string, isExcluded: boolean]>([
  ['**/*.SVG', 'm/x.svg/evil.png', false],
  ['**/*.xcassets', 'm/x.xcassets/a.png', false],
  ['m/icon.png', 'm/icon.png/evil.png', false],
  ['m/icon.png/**', 'm/icon.png/evil.png', true],
  ['m/icon.png/', 'm/icon.png/evil.png', true],
  ['m/.png', 'm/.png/evil.png', true],
  ['m/x.*', 'm/x.svg/a.png', true],
  ['**/.next', 'm/.next/a.png', true],
  ['**/*.svg', 'm/a.SVG', true],
])(
  'a line that excludes, and a waiver, match files only if they end in an extension: !%s and %s',
  (line, path, expected) => {
    expect(new FilePatterns(['**', `!${line}`]).decide(path) === 'excluded').toBe(expected);
    expect(waiverMatcher(line)(path)).toBe(expected);
  },
);

it.each<[string[], string, ReturnType<FilePatterns['search']>]>([
  [['media/*/x.mp4'], '', 'below'],
  [['media/*/x.mp4'], 'media/a', 'here'],
  [['media/*/x.mp4'], 'media/a/b', 'nowhere'],
  [['*.mp4'], '', 'here'],
  [['*.mp4'], 'media', 'nowhere'],
  [['media/**'], '', 'below'],
  [['media/**'], 'MEDIA/a', 'here'],
  [['**/*.png'], 'a/b', 'here'],
  [['**/*.png'], 'node_modules', 'nowhere'],
  [['**', '!big/**'], 'big', 'nowhere'],
  [['**', '!big/**', 'big/keep/*'], 'big', 'below'],
  [['**', '!big/**', 'big/keep/*'], 'big/other', 'nowhere'],
  [['**', '!**/*.png'], 'x.png', 'here'],
  [['caf\u00e9/*.png'], 'cafe\u0301', 'here'],
])('%s can select a file in the folder "%s": %s', (patterns, folder, expected) => {
  expect(new FilePatterns(patterns).search(folder)).toBe(expected);
});

it('patterns with many stars, braces or folders take little time on the worst names', () => {
  const name = 'a'.repeat(250);
  const stars = new FilePatterns([`${'*a'.repeat(60)}*b`, `${'?*'.repeat(60)}b`, `${'**/a/'.repeat(90)}b`]);
  expect(stars.selects(name)).toBe(false);
  expect(new FilePatterns([`${'**/*a*/'.repeat(60)}b`]).selects(`${'aa/'.repeat(1000)}c`)).toBe(false);
});

const WRONG = ['a/../../x.png', '/etc/*.png', '{/etc,a}/x.png', '\\x.png', '..\\x.png', '!../x.png', '!'];
const LONG = ['{a,b}'.repeat(10), '{a,b}'.repeat(100), 'x'.repeat(1_001)];
it.each([...WRONG, ...LONG].map((pattern) => [pattern.slice(0, 40), pattern]))(
  'a pattern is refused: %s',
  (_, pattern) => {
    expect(whyInvalid(pattern)).toMatch(/^(which|whose) /);
  },
);
