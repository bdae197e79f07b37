import { describe, expect, it } from 'vitest';
import { MAX_WAIVERS_FILE_BYTES, parseWaivers } from '../../src/inputs/waivers-file.ts';
import { GateError } from '../../src/lib/cause.ts';

const ENTRY = `- rule: AD-17
  path: campaign/hero.mp4
  owner: legal@example.com
  reason: "Agreed: see #12"
  expires: 2027-01-31
`;

const ALL_KEYS = 'An entry has `rule`, `path`, `owner`, `reason` and `expires`.';
const DELETE = `Delete the line. ${ALL_KEYS}`;
const KEEP = 'Keep at most 256 KiB: waivers that have expired can go.';

/** What is wrong with a file and what to do, one line each. */
async function flaws(text: string): Promise<readonly string[]> {
  try {
    await parseWaivers(text, 'waivers.yml');
    return [];
  } catch (error) {
    if (!(error instanceof GateError)) throw error;
    if (error.causes.some(({ reason, path, fix }) => reason !== 'bad-input' || path !== 'waivers.yml' || fix === ''))
      throw error;
    return error.causes.map(({ message, fix }) => `${message} ${fix}`);
  }
}

describe('a waivers file', () => {
  it('is a list of entries', async () => {
    const [first, second] = await parseWaivers(`# ours\n${ENTRY}\n${ENTRY.replace('AD-17', '007')}`, 'waivers.yml');
    expect(first).toMatchObject({
      rule: 'AD-17',
      owner: 'legal@example.com',
      reason: 'Agreed: see #12',
      expires: '2027-01-31',
      line: 2,
    });
    expect(first && first.path.matches('campaign/hero.mp4')).toBe(true);
    // Neither a number nor a date: what is written is what is meant.
    expect(second).toMatchObject({ rule: '007', line: 8 });
  });

  it.each(['', '\n', '# nothing yet\n', '[]', '---\n'])('may be empty: %j', async (text) => {
    expect(await parseWaivers(text, 'waivers.yml')).toEqual([]);
  });

  const second = (change: (entry: string) => string): string => ENTRY + change(ENTRY);
  it.each([
    [
      'no list',
      'rule: AD-17',
      'Line 1: the entry does not begin with `- `. Write `- ` before `rule`. The file is a list: each entry begins with `- `.',
    ],
    ['a text', 'AD-17', 'Line 1: the file is not a list. Begin each entry with `- `.'],
    [
      'a key around the list',
      `# ours\nwaivers:\n${ENTRY}`,
      'Line 2: the key `waivers` is not allowed here. Delete the line `waivers:`. The file is a list: each entry begins with `- `.',
    ],
    [
      'an entry that is no set',
      `${ENTRY}- AD-17\n`,
      'Line 6: the entry is not a set of keys and values. Write lines such as `rule: AD-17`.',
    ],
    [
      'a key missing',
      second((entry) => entry.replace(/  owner.*\n/, '')),
      'Line 6: `owner` is missing. Add it to this entry.',
    ],
    [
      'a misspelt key',
      second((entry) => entry.replace('owner', 'owners')),
      'Line 8: `owners` is not a known key. Rename it to `owner`.',
    ],
    [
      'a key twice',
      second((entry) => `${entry}  rule: AD-18\n`),
      'Line 11: `rule` is there a second time. If a new entry begins here, write `- ` before it. Otherwise delete the line.',
    ],
    [
      'an entry without its dash',
      second((entry) => entry.replace('- ', '  ')),
      'Line 6: `rule` is there a second time. If a new entry begins here, write `- ` before it. Otherwise delete the line.',
    ],
    [
      'an empty value',
      second((entry) => entry.replace(' legal@example.com', '')),
      'Line 8: `owner` is empty. Write its value.',
    ],
    [
      'a list for a value',
      second((entry) => entry.replace('AD-17', '[AD-17]')),
      'Line 6: `rule` is a list or begins with `[`. Write one text, in quotation marks if it begins with `[`.',
    ],
    [
      'no date',
      second((entry) => entry.replace('2027-01-31', 'next year')),
      'Line 10: `expires` is "next year", which is not a date. Write a date such as 2027-01-31.',
    ],
    [
      'no real date',
      second((entry) => entry.replace('01-31', '02-30')),
      'Line 10: `expires` is "2027-02-30", a day that does not exist. Write a date such as 2027-01-31.',
    ],
    [
      'a path upwards',
      second((entry) => entry.replace('campaign', '..')),
      'Line 7: `path` is "../hero.mp4", which holds `..`: only files in the workspace can be sent. Correct the path.',
    ],
    [
      'an exclusion',
      second((entry) => entry.replace('campaign', '"!campaign').replace('mp4', 'mp4"')),
      'Line 7: `path` begins with `!`. Remove the `!`: a waiver cannot exclude files.',
    ],
    [
      'a key of JavaScript',
      second((entry) => `${entry}  __proto__: x\n`),
      `Line 11: \`__proto__\` is not a known key. ${DELETE}`,
    ],
    [
      'an alias',
      `${ENTRY}- *a\n`,
      'Line 6: the entry is not a set of keys and values. Write lines such as `rule: AD-17`.',
    ],
    [
      'a pattern without its quotes',
      ENTRY.replace('campaign/hero.mp4', '*.mp4'),
      'Line 2: `path` begins with `*`. Put the value in quotation marks.',
    ],
    [
      'a list for a key',
      second((entry) => `${entry}  ? [a]\n  : x\n`),
      `Line 11: there is a value without a key. ${ALL_KEYS}`,
    ],
    ['a key of 40', `${ENTRY}  ${'k'.repeat(40)}: x\n`, `Line 6: \`${'k'.repeat(40)}\` is not a known key. ${DELETE}`],
    ['a key of 41', `${ENTRY}  ${'k'.repeat(41)}: x\n`, `Line 6: \`${'k'.repeat(40)}…\` is not a known key. ${DELETE}`],
  ])('is refused for %s, with its line', async (_, text, expected) => {
    expect(await flaws(text)).toEqual([expected]);
  });

  const IN_QUOTES = 'Put the whole value in quotation marks.';
  const UNEXPECTED = `this text is not expected here. ${IN_QUOTES} If it is no value, delete it.`;
  const INDENT_OR_MARK =
    'the line is not indented like the other keys, or a quotation mark or bracket before it is not closed. Indent all keys of an entry alike, and close the mark.';
  const COLON = `a value contains a colon and a space, or the next line is indented more. ${IN_QUOTES} Indent all keys of an entry alike.`;
  it.each([
    ['a tab', '  path', '\tpath', 'Line 7, column 1: the line is indented with a tab. Use spaces.'],
    ['a pattern without its quotes', 'campaign/hero.mp4', '{a,b}.mp4', `Line 7, column 14: ${UNEXPECTED}`],
    ['an open quotation mark', 'AD-17', '"AD-17', `Line 6, column 15: ${INDENT_OR_MARK}`],
    ['a brace that is not closed', 'AD-17', '{AD-17', `Line 7, column 3: ${INDENT_OR_MARK}`],
    ['an apostrophe', 'AD-17', "'it's'", `Line 6, column 13: ${UNEXPECTED}`],
    ['a colon in a value', 'AD-17', 'AD-17: all', `Line 6, column 9: ${COLON}`],
    [
      'no colon',
      'path:',
      'path',
      'Line 7, column 3: there is no colon and space between key and value. Write the line like `rule: AD-17`.',
    ],
    ['a line too far left', '  path', ' path', `Line 7, column 1: ${INDENT_OR_MARK}`],
    ['a line too far right', '  path', '    path', `Line 6, column 9: ${COLON}`],
    [
      'an at sign',
      'legal@example.com',
      '@legal',
      `Line 8, column 10: a value begins with a character that YAML reserves. ${IN_QUOTES}`,
    ],
    [
      'a backslash',
      'AD-17',
      String.raw`"AD\q"`,
      'Line 6, column 12: a backslash is in double quotation marks. Use single quotation marks.',
    ],
    ['a text after a bar', 'AD-17', '|x', `Line 6, column 10: ${UNEXPECTED}`],
    [
      'a second document',
      '- rule',
      '---\n- rule',
      'Line 6, column 1: this line begins a second document. Delete the line.',
    ],
    ['a merge conflict', '- rule', '<<<<<<< HEAD\n- rule', `Line 6, column 1: ${UNEXPECTED}`],
    ['a text between entries', '- rule', 'text\n- rule', expect.stringMatching(/^Line 6, column 1: /)],
  ])('that is not YAML is refused in plain words: %s', async (_, from, to, expected) => {
    expect(await flaws(second((entry) => entry.replace(from, to)))).toEqual([expected]);
  });

  it('is read on inside a key around the list', async () => {
    expect(await flaws(`waivers:\n${ENTRY.replace('2027-01-31', 'soon')}`)).toEqual([
      expect.stringMatching(/^Line 1: /),
      'Line 6: `expires` is "soon", which is not a date. Write a date such as 2027-01-31.',
    ]);
  });

  it('may have a backslash in a path, which is no folder', async () => {
    const [waiver] = await parseWaivers(ENTRY.replace('campaign/hero', 'campaign\\hero'), 'waivers.yml');
    expect(waiver && waiver.path.matches('campaign/hero.mp4')).toBe(false);
  });

  it('reports all problems of an entry, and all entries', async () => {
    const incomplete = '- rule: x\n  onwer: y\n  expires: soon\n';
    expect(await flaws(ENTRY + incomplete + ENTRY.replace('2027-01-31', 'later'))).toEqual([
      'Line 6: `path` and `reason` are missing. Add them to this entry.',
      'Line 7: `onwer` is not a known key. Rename it to `owner`.',
      'Line 8: `expires` is "soon", which is not a date. Write a date such as 2027-01-31.',
      'Line 13: `expires` is "later", which is not a date. Write a date such as 2027-01-31.',
    ]);
  });

  it('reports up to 20 problems, and from where it was not read', async () => {
    const found = await flaws('- x\n'.repeat(1_000));
    expect(found).toHaveLength(21);
    expect(found.at(-1)).toBe(
      'The waivers file was not read from line 21 on, because the lines before it have too many mistakes. Correct those first.',
    );
  });

  it('says on which line each cause is', async () => {
    await expect(parseWaivers(`${ENTRY}- rule: x\n`, 'waivers.yml')).rejects.toMatchObject({
      causes: [{ path: 'waivers.yml', line: 6 }],
    });
  });
});

function comment(length: number): string {
  return `#${'x'.repeat(length - 1)}`;
}

describe('a file that is made to take long', () => {
  const bomb = `- &a [x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 8 }, (_, index) => {
    const [name, before] = ['bcdefghi'[index], 'abcdefgh'[index]];
    return `- &${name} [${`*${before},`.repeat(9)}]`;
  }).join('\n')}\n`;
  it.each([
    [
      'aliases of aliases',
      bomb,
      'Line 1: the entry is not a set of keys and values. Write lines such as `rule: AD-17`.',
    ],
    [
      'nested without end',
      '['.repeat(100_000),
      'Line 1: the file is nested too deeply. Write a list of entries, each with keys and texts only.',
    ],
    [
      'lists in lists',
      `${'- '.repeat(50_000)}x`,
      'Line 1: the file is nested too deeply. Write a list of entries, each with keys and texts only.',
    ],
    [
      'very many keys',
      `- ${Array.from({ length: 20_000 }, (_, index) => `k${index}: v`).join('\n  ')}`,
      expect.stringMatching(/^Line 2: `k1` is not a known key\./),
    ],
    [
      'very many entries',
      '- x\n'.repeat(60_000),
      'Line 1: the entry is not a set of keys and values. Write lines such as `rule: AD-17`.',
    ],
    [
      'braces for very many names',
      ENTRY.replace('hero', '{1..999}').repeat(20),
      expect.stringMatching(/stand for too many patterns/),
    ],
    ['braces for more than that', ENTRY.replace('hero', '{1..99999999}'), expect.stringMatching(/braces stand for/)],
    ['too large', `# ${'x'.repeat(MAX_WAIVERS_FILE_BYTES)}`, `The waivers file is too large. ${KEEP}`],
  ])('is refused: %s', async (_, text, expected) => {
    const found = await flaws(text);
    expect(found).toContainEqual(expected);
    // An entry can have a few problems more than fit.
    expect(found.length).toBeLessThanOrEqual(41);
  });

  it('may be as large as the limit', async () => {
    expect(await flaws(comment(MAX_WAIVERS_FILE_BYTES))).toEqual([]);
    expect(await flaws(comment(MAX_WAIVERS_FILE_BYTES + 1))).toEqual([`The waivers file is too large. ${KEEP}`]);
    await expect(parseWaivers(comment(MAX_WAIVERS_FILE_BYTES + 1), 'waivers.yml')).rejects.toMatchObject({
      causes: [{ reason: 'bad-input', fix: KEEP }],
    });
  });

  it('may expand to ten thousand patterns, and not to one more', async () => {
    const thousand = ENTRY.replace('hero', '{1..999}').repeat(10);
    expect(await flaws(thousand)).toEqual([]);
    expect(await flaws(thousand + ENTRY)).toEqual([
      'Line 51: up to here, the braces in the paths stand for too many patterns. Use fewer braces.',
    ]);
  });

  it('matches many stars fast against the worst names', async () => {
    const [waiver] = await parseWaivers(ENTRY.replace('hero', '*a'.repeat(30)), 'waivers.yml');
    expect(waiver && waiver.path.matches(`campaign/${'a'.repeat(255)}`)).toBe(false);
    expect(waiver && waiver.path.matches(`campaign/${'a'.repeat(251)}.mp4`)).toBe(true);
  });
});
