import { expect, it } from 'vitest';
import { PatternError, parsePattern } from '../../src/media/patterns.ts';
import { patternsOf } from './search.ts';

const POSIX = { windows: false };
const WINDOWS = { windows: true };

function selects(patterns: readonly string[], file: string, place = POSIX): boolean {
  return patternsOf(patterns, place).selects(file);
}

it.each<[string, patterns: string[], selected: string[], others?: string[]]>([
  ['an extension in capitals', ['**/*.mp4'], ['x/B.MP4']],
  ['an extension in capitals in the pattern', ['*.MP4'], ['b.mp4']],
  ['the stem keeps its case', ['Hero.mp4'], [], ['hero.mp4']],
  ['a name in a folder with a dot keeps its case', ['v1.X/LICENSE'], [], ['v1.X/license']],
  ['a wildcard for the dot', ['hero*MP4'], ['hero.MP4']],
  ['a name that is all extension', ['**/*.png'], ['ads/.png', 'ads/.PNG']],
  ['a hash first, which is no comment', ['./#1/*.png'], ['#1/a.png']],
  ['a slash twice', ['media//a.png'], ['media/a.png']],
  ['an exclude with a blank', ['**/*', '! media/**'], [], ['media/a.png']],
  ['an escaped mark', ['\\!x.png'], ['!x.png']],
  ['extended patterns are names', ['+(a|b).png'], [], ['a.png']],
  ['brackets, escaped', ['x\\[1\\].png'], ['x[1].png']],
  ['a backslash in the name', ['a\\b.png', 'c\\d?.png'], ['a\\b.png', 'c\\d1.png'], ['ab.png']],
  ['a name with wildcards, spelled', ['a*b', '{x,y}'], ['a*b', '{x,y}'], ['a1b']],
  ['composed pattern, decomposed name', ['caf\u00e9.png'], ['cafe\u0301.png']],
  ['decomposed pattern, composed name', ['cafe\u0301.png'], ['caf\u00e9.png']],
  ['dots in between', ['media/./a.png'], ['media/a.png']],
  ['node_modules, named', ['node_modules/*.png', '!**/b.png'], ['node_modules/a.png'], ['node_modules/b.png']],
  ['node_modules, named by one of two', ['{x,node_modules}/*.png'], ['node_modules/a.png', 'x/a.png']],
  ['node_modules, named by another line', ['**/*.png', 'node_modules/*.gif'], [], ['node_modules/a.png']],
  ['.git', ['**', '.git/*'], [], ['.git/objects/a', 'sub/.git', '.git/a', '.git/a.png']],
  ['brackets beside a wildcard', ['ads [new]/*.txt'], ['ads [new]/a.txt'], ['ads n/a.txt']],
  ['a letter and a colon, which is a drive only on Windows', ['c:x.png'], ['c:x.png']],
  ['a long name', ['x'.repeat(1_000)], ['x'.repeat(1_000)]],
  ['a backslash separates only on Windows', ['media\\videos\\*.mp4'], [], ['media/videos/a.mp4']],
])('which files patterns select: %s', (_, patterns, selected, others = []) => {
  expect([...selected, ...others].filter((file) => selects(patterns, file))).toEqual(selected);
});

it.each<[string, patterns: string[], string, boolean]>([
  ['a backslash at the end', ['media\\'], 'media/a.mp4', true],
  ['any case', ['MEDIA\\*.mp4'], 'media/A.MP4', true],
  ['an exclude', ['**\\*.mp4', '!media\\**'], 'media/a.mp4', false],
])('which files patterns select on Windows: %s', (_, patterns, file, expected) => {
  expect(selects(patterns, file, WINDOWS)).toBe(expected);
});

it.each<[lines: string[], selected: string[], leftOut: string[], others?: string[]]>([
  [['media'], ['media/a.PNG', 'media/b/.png'], ['media/.gitkeep', 'media/LICENSE', 'media/server.key']],
  [['**'], ['a.png', 'b/c.pdf'], ['.DS_Store', 'b/README.md']],
  [['hero*'], ['hero.png', 'hero/a.png'], ['hero', 'hero.txt', 'hero/a.txt']],
  [['photo.*', '*.t?t', '**/*.*'], ['photo.png'], ['photo.raw', 'a.txt', 'x/.env']],
  [['LICENSE', 'docs/*/NOTICE'], ['LICENSE', 'docs/a/NOTICE'], ['LICENSE/a.txt'], ['docs/NOTICE']],
  [['*.txt', 'x/*.tar.gz'], ['a.txt', 'a.TXT', 'x/a.tar.gz'], ['x/b.tar.gz/c'], ['b.txt/c', 'b.txt/d.txt', 'x/a.gz']],
  [['*.{t?t,srt}'], ['a.srt'], ['a.txt', 'a.tst']],
  [['media/notes.txt', 'media/**'], ['media/notes.txt'], ['media/b.txt']],
  [['a.txt', '!a.txt', '**'], [], ['b.txt'], ['a.txt']],
  [['**', '!*.txt', '!media'], ['a.png'], ['a.md'], ['b.txt', 'media/a.png', 'media/b.txt']],
])('a line without a file name or an extension selects only media: %j', (lines, selected, leftOut, others = []) => {
  const patterns = patternsOf(lines);
  const files = [...selected, ...leftOut, ...others];
  expect(files.filter(patterns.selects)).toEqual(selected);
  expect(files.filter((file) => patterns.decide(file) === 'left-out')).toEqual(leftOut);
});

it.each<[line: string, path: string, isExcluded: boolean]>([
  ['**/*.SVG', 'm/x.svg/evil.png', false],
  ['**/*.ai', 'm/x.ai/evil.png', false],
  ['m/*.{gif,xcassets}', 'm/x.gif/evil.png', false],
  ['m/*.{gif,xcassets}', 'm/x.xcassets/a.png', true],
  ['m/icon.png', 'm/icon.png/evil.png', false],
  ['m/.png', 'm/.png/evil.png', false],
  ['m/x.*', 'm/x.svg/a.png', true],
  ['.cache', '.cache/a.png', true],
  ['**/*.svg', 'm/a.SVG', true],
])('a line that ends in an extension of the table matches files only: !%s and %s', (line, path, isExcluded) => {
  expect(patternsOf(['**', `!${line}`]).decide(path) === 'excluded').toBe(isExcluded);
  expect(parsePattern(line, POSIX).matches(path)).toBe(isExcluded);
});

it.each<[string[], string, boolean]>([
  [['media/*/x.mp4'], 'media/a/b', false],
  [['*.mp4'], 'media', false],
  [['**/*.png'], 'node_modules', false],
  [['**', '!big/**'], 'big', false],
  [['**', '!big/**', 'big/keep/*'], 'big/other', false],
  [['caf\u00e9/*.png'], 'cafe\u0301', true],
])('for %j, the folder %s is searched: %s', (patterns, folder, expected) => {
  expect(patternsOf(patterns).shouldSearch(folder)).toBe(expected);
});

it.each<[string[], boolean]>([
  [['m/**', '!**/*.svg'], false],
  [['m/**', '!./m/y.svg'], true],
  [['m/**', '!m/y.svg', '!**/*.gif'], true],
  [['m/**', '!m/y.svg', 'm/*'], false],
])('%j exclude the link m/y.svg by its own path: %s', (lines, expected) => {
  expect(patternsOf(lines).isExcludedByName('m/y.svg')).toBe(expected);
});

it.each<[string, string, boolean]>([
  ['**', 'a.png', true],
  ['**', 'a.txt', false],
  ['m/*.txt', 'x/a.TXT', true],
  ['!*.txt', 'a.txt', false],
  ['m/LICENSE', 'LICENSE', true],
  ['m/x*', 'a.txt', false],
])('%s could select a file with the name of %s elsewhere: %s', (line, file, expected) => {
  expect(patternsOf([line]).isSelectableName(file)).toBe(expected);
});

it('patterns with many stars, braces or folders take little time on the worst names', () => {
  const name = 'a'.repeat(250);
  expect(selects([`${'*a'.repeat(60)}*b`, `${'?*'.repeat(60)}b`, `${'**/a/'.repeat(90)}b`], name)).toBe(false);
  expect(selects([`${'**/*a*/'.repeat(60)}b`], `${'aa/'.repeat(1000)}c`)).toBe(false);
  expect(selects([`${'[a-z]*'.repeat(60)}!`], name)).toBe(false);
});

const refused = 'a/../../x.png /etc/*.png {/etc,a}/x.png !../x.png ! {1..5000}.png'.split(' ');
it.each([...refused, 'x'.repeat(1_001)])('a pattern is refused: %.40s', (pattern) => {
  expect(() => parsePattern(pattern, POSIX)).toThrow(PatternError);
});

it.each('C:\\x\\*.png d:/a/repo/*.png D:x.png \\x.png ..\\x.png'.split(' '))('refused on Windows: %s', (pattern) => {
  expect(() => parsePattern(pattern, WINDOWS)).toThrow(PatternError);
});
