import { describe, expect, it } from 'vitest';
import { PatternError, parsePattern } from '../../src/media/patterns.ts';
import { patternsOf } from './search.ts';

const POSIX = { windows: false };
const WINDOWS = { windows: true };

function selects(patterns: readonly string[], file: string, place = POSIX): boolean {
  return patternsOf(patterns, place).selects(file);
}

describe('which files patterns select', () => {
  it.each<[string, patterns: string[], selected: string[], others?: string[]]>([
    ['braces', ['*.{mp4,png}'], ['a.png'], ['a.gif']],
    ['braces with directories', ['{a/b,c}/*.png'], ['a/b/x.png']],
    ['nested braces', ['*.{mp{3,4},png}'], ['x.mp3']],
    ['a range', ['ep{1..3}.mp3'], ['ep2.mp3']],
    ['a name with braces, spelled', ['{a,b}.png'], ['{a,b}.png']],
    ['an extension in capitals', ['**/*.mp4'], ['x/B.MP4']],
    ['an extension in capitals in the pattern', ['*.MP4'], ['b.mp4']],
    ['an extension in mixed case with a wildcard', ['*.mp?'], ['b.Mp3']],
    ['an exclude with an extension in another case', ['*.png', '!*.PNG'], [], ['a.png']],
    ['the stem keeps its case', ['Hero.mp4'], [], ['hero.mp4']],
    ['directories keep their case', ['Media/*.mp4'], [], ['media/a.mp4']],
    ['a directory with a dot keeps its case', ['v1.X/*.mp4'], [], ['v1.x/a.mp4']],
    ['a directory as last segment keeps its case', ['v1.X'], [], ['v1.x/a.mp4']],
    ['a name that is all extension', ['**/*.png'], ['ads/.png', 'ads/.PNG']],
    ['a pattern that is all extension, in capitals', ['.PNG'], ['.png']],
    ['a wildcard that reaches into an extension in capitals', ['*NG'], ['a.PNG']],
    ['a hash first, which is no comment', ['./#1/*.png'], ['#1/a.png']],
    ['the last dot of a pattern is not always that of the name', ['Clip.Final*'], ['Clip.Final.mp4']],
    ['a folder', ['media'], ['media/deep/a.png']],
    ['a folder with a slash', ['media/'], ['media/deep/a.png'], ['media']],
    ['folders of a name at any depth', ['**/deep/'], ['media/deep/er/a.png']],
    ['folders by a wildcard', ['media/*/'], ['media/deep/a.png'], ['media/a.png']],
    ['everything', ['.'], ['media/a.png']],
    ['everything in a folder', ['media/**'], ['media/.dot/c.png']],
    ['one level, and what is in its folders', ['*'], ['a.png', 'media/deep/a.png']],
    ['one level of files', ['*.png'], [], ['media/a.png']],
    ['a slash twice', ['media//a.png'], ['media/a.png']],
    ['an exclude with a blank', ['**/*', '! media/**'], [], ['media/a.png']],
    ['an escaped mark', ['\\!x.png'], ['!x.png']],
    ['stars that are no folder', ['**.png'], [], ['media/a.png']],
    ['extended patterns are names', ['+(a|b).png'], [], ['a.png']],
    ['brackets are no set', ['x[1].png'], ['x[1].png'], ['x1.png']],
    ['brackets, escaped', ['x\\[1\\].png'], ['x[1].png']],
    ['a star in the name', ['a*b.png'], ['a*b.png']],
    ['brackets in a directory', ['[id]/*.png'], ['[id]/a.png']],
    ['a backslash in the name', ['a\\b.png', 'c\\d?.png'], ['a\\b.png', 'c\\d1.png'], ['ab.png']],
    ['a name with wildcards, spelled', ['a*b', '{x,y}'], ['a*b', '{x,y}'], ['a1b']],
    ['composed pattern, decomposed name', ['caf\u00e9.png'], ['cafe\u0301.png']],
    ['decomposed pattern, composed name', ['cafe\u0301.png'], ['caf\u00e9.png']],
    ['later lines win: in again', ['**/*.png', '!a/**', 'a/keep/**'], ['a/keep/x.png']],
    ['later lines win: out again', ['**/*.png', '!a/**', 'a/keep/**', '!**/x.png'], [], ['a/keep/x.png']],
    ['an exclude before all is void', ['!a/**', '**/*.png'], ['a/x.png']],
    ['dots in between', ['media/./a.png'], ['media/a.png']],
    ['node_modules under **', ['**/*.png'], [], ['node_modules/x/a.png']],
    ['node_modules under *', ['*/a.png'], [], ['node_modules/a.png']],
    ['node_modules under a named directory', ['web'], [], ['web/node_modules/a.png']],
    ['node_modules, named', ['node_modules/x/*.png'], ['node_modules/x/a.png']],
    [
      'node_modules, excluded without its name',
      ['node_modules/x/*.png', '!**/b.png'],
      ['node_modules/x/a.png'],
      ['node_modules/x/b.png'],
    ],
    ['node_modules, named in braces', ['{node_modules/x,src}/*.png'], ['node_modules/x/a.png']],
    ['node_modules, named after **', ['**/node_modules/**/*.png'], ['a/node_modules/b/node_modules/c/x.png']],
    ['node_modules, named by another line', ['**/*.png', 'node_modules/*.gif'], [], ['node_modules/a.png']],
    ['.git', ['**', '.git/*'], [], ['.git/objects/a', 'sub/.git', '.git/a', '.git/a.png']],
    ['.github is not .git', ['**/*.png'], ['.github/a.png']],
    ['a star at the end of a name', ['a*'], ['a.png'], ['b.png']],
    ['several stars', ['a*b*c.txt'], ['a1b2b3c.txt'], ['a1c.txt']],
    ['a question mark for a letter or an emoji', ['?.png'], ['\u00e9.png', '\u{1f3ac}.png']],
    ['brackets beside a wildcard', ['ads [new]/*.txt'], ['ads [new]/a.txt'], ['ads n/a.txt']],
    ['an escaped star', ['\\*x'], ['*x'], ['ax']],
    ['a bracket that is not closed', ['a[b'], ['a[b']],
    ['a letter and a colon, which is a drive only on Windows', ['c:x.png'], ['c:x.png']],
    ['a long name', ['x'.repeat(1_000)], ['x'.repeat(1_000)]],
    ['a backslash separates only on Windows', ['media\\videos\\*.mp4'], [], ['media/videos/a.mp4']],
  ])('%s', (_, patterns, selected, others = []) => {
    expect([...selected, ...others].filter((file) => selects(patterns, file))).toEqual(selected);
  });

  it.each<[string, patterns: string[], string, boolean]>([
    ['backslashes', ['media\\videos\\*.mp4'], 'media/videos/a.mp4', true],
    ['slashes', ['media/videos/*.mp4'], 'media/videos/a.mp4', true],
    ['a backslash at the end', ['media\\'], 'media/a.mp4', true],
    ['any case', ['MEDIA\\*.mp4'], 'media/A.MP4', true],
    ['any case, spelled with brackets', ['X[1].png'], 'x[1].PNG', true],
    ['an exclude', ['**\\*.mp4', '!media\\**'], 'media/a.mp4', false],
    ['a dot first', ['.\\*.mp4'], 'a.mp4', true],
  ])('on Windows: %s', (_, patterns, file, expected) => {
    expect(selects(patterns, file, WINDOWS)).toBe(expected);
  });
});

describe('what a line that names neither a file nor an extension leaves out', () => {
  it.each<[string, patterns: string[], selected: string[], leftOut: string[], others?: string[]]>([
    ['a folder', ['media'], ['media/a.PNG', 'media/b/.png'], ['media/.gitkeep', 'media/LICENSE', 'media/server.key']],
    ['a folder with a slash', ['media/'], ['media/a.png'], ['media/a.txt'], ['media']],
    ['everything below', ['media/**'], ['media/a.png'], ['media/a.ts', 'media/x/b.srt'], ['media', 'b.srt']],
    ['everything', ['**'], ['a.png', 'b/c.pdf'], ['.DS_Store', 'b/README.md']],
    ['one level', ['assets/*'], ['assets/a.png'], ['assets/a.json'], ['b.json']],
    ['a beginning', ['hero*'], ['hero.png', 'hero/a.png'], ['hero', 'hero.txt', 'hero/a.txt']],
    ['any extension', ['photo.*', '*.t?t', '**/*.*'], ['photo.png', 'x/y.mp4'], ['photo.raw', 'a.txt', 'x/.env']],
    ['a literal name', ['LICENSE', 'docs/*/NOTICE'], ['LICENSE', 'docs/a/NOTICE'], ['LICENSE/a.txt'], ['docs/NOTICE']],
    [
      'a literal extension',
      ['*.txt', 'x/*.tar.gz'],
      ['a.txt', 'a.TXT', 'x/a.tar.gz'],
      ['b.txt/c', 'b.txt/d.txt'],
      ['x/a.gz'],
    ],
    ['a folder with a dot', ['v1.2'], ['v1.2', 'v1.2/a.png'], ['v1.2/a.txt']],
    ['alternatives are decided one by one', ['{media,*.txt}'], ['a.txt', 'media/a.png'], ['media/a.txt']],
    ['alternatives of an extension', ['*.{mp4,srt}'], ['a.srt'], [], ['a.txt']],
    ['alternatives, one with a wildcard', ['*.{t?t,srt}'], ['a.srt'], ['a.txt', 'a.tst']],
    ['a dot at the end is no extension', ['*.'], [], ['a.']],
    ['a name before', ['media/notes.txt', 'media/**'], ['media/notes.txt'], ['media/b.txt']],
    ['a name after', ['media/**', 'media/notes.txt'], ['media/notes.txt'], ['media/b.txt']],
    ['an exclude between', ['a.txt', '!a.txt', '**'], [], ['b.txt'], ['a.txt']],
    ['an exclude after', ['**', '!*.txt', '!media'], ['a.png'], ['a.md'], ['b.txt', 'media/a.png', 'media/b.txt']],
  ])('%s', (_, lines, selected, leftOut, others = []) => {
    const patterns = patternsOf(lines);
    const files = [...selected, ...leftOut, ...others];
    expect(files.filter(patterns.selects)).toEqual(selected);
    expect(files.filter((file) => patterns.decide(file) === 'left-out')).toEqual(leftOut);
  });
});

it.each<[string[], walked: string[], others: string[]]>([
  [
    ['media/**', 'src/*/a.png', '!**/x/**'],
    ['media', 'media/x', 'src'],
    ['', 'other'],
  ],
  [['media', 'media-2/a.png'], ['media'], ['', 'media-2']],
  [['**/*.png'], ['', 'media'], []],
  [['caf\u00e9/*.png'], ['cafe\u0301'], ['']],
  [
    ['{a/b,c}/*.png', 'a[b]/c?d/e', 'a\\b/\\*/x'],
    ['a/b', 'c', 'a[b]'],
    ['', 'a', 'a\\b', 'a\\b/*'],
  ],
])('of %j, the folders that hold what a wildcard means are %j, and not %j', (lines, walked, others) => {
  const patterns = patternsOf(lines);
  expect([...walked, ...others].filter((folder) => patterns.hasWildcardIn(folder))).toEqual(walked);
});

describe('which linked folders are looked into', () => {
  it.each<[string[], string, boolean]>([
    [['media/**/*.mp4'], 'media', true],
    [['media/**/*.mp4'], 'src', false],
    [['media/*/x.mp4'], 'media/a', true],
    [['media/*/x.mp4'], 'media/a/b', false],
    [['*.mp4'], 'media', false],
    [['{a,b}/x/*.png'], 'b/x', true],
    [['{a,b}/x/*.png'], 'c', false],
    [['**/*.png'], 'node_modules', false],
    [['**/*.png', 'node_modules/x'], 'node_modules/x', true],
    [['**/*.png', 'node_modules/x'], 'node_modules/y', false],
    [['**', '!big/**'], 'big', false],
    [['**', '!big/**', 'big/keep/*'], 'big', true],
    [['**', '!big/**', 'big/keep/*'], 'big/other', false],
    [['**', '!big/*.png'], 'big', true],
    [['!a'], 'b', false],
    [['caf\u00e9/*.png'], 'cafe\u0301', true],
  ])('%j at %s: %s', (patterns, folder, expected) => {
    expect(patternsOf(patterns, POSIX).canSelectIn(folder)).toBe(expected);
  });
});

it('patterns with many stars, braces or folders take little time on the worst names', () => {
  const name = 'a'.repeat(250);
  expect(selects([`${'*a'.repeat(60)}*b`, `${'?*'.repeat(60)}b`, `${'**/a/'.repeat(90)}b`], name)).toBe(false);
  expect(selects([`${'**/*a*/'.repeat(60)}b`], `${'aa/'.repeat(1000)}c`)).toBe(false);
  expect(selects([`${'[a-z]*'.repeat(60)}!`], name)).toBe(false);
});

describe('patterns that are refused', () => {
  it.each([
    ['../x.png'],
    ['a/../../x.png'],
    ['/etc/*.png'],
    ['/home/me/repo/media/*.png'],
    ['/**/*.png'],
    ['{/etc,a}/x.png'],
    ['!../x.png'],
    ['!'],
    ['{1..5000}.png'],
    ['x'.repeat(1_001)],
  ])('%.40s', (pattern) => {
    expect(() => parsePattern(pattern, POSIX)).toThrow(PatternError);
  });

  it.each([
    ['C:\\x\\*.png'],
    ['d:/a/repo/*.png'],
    ['D:x.png'],
    ['\\\\server\\share\\*.png'],
    ['\\x.png'],
    ['..\\x.png'],
  ])('on Windows: %s', (pattern) => {
    expect(() => parsePattern(pattern, WINDOWS)).toThrow(PatternError);
  });
});
