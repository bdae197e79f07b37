import { describe, expect, it } from 'vitest';
import { MAX_WAIVERS_FILE_BYTES, parseWaivers } from '../../src/inputs/waivers-file.ts';
import { GateError } from '../../src/lib/cause.ts';
import { selects } from '../../src/media/match.ts';

const ENTRY = `- rule: AD-17
  path: campaign/hero.mp4
  owner: legal@example.com
  reason: "Agreed: see #12"
  expires: 2027-01-31
`;

/** What is wrong with a file, one line each. */
async function flaws(text: string): Promise<readonly string[]> {
  try {
    await parseWaivers(text, 'waivers.yml');
    return [];
  } catch (error) {
    if (!(error instanceof GateError)) throw error;
    if (error.causes.some(({ reason, path, fix }) => reason !== 'bad-input' || path !== 'waivers.yml' || fix === ''))
      throw error;
    return error.causes.map(({ message }) => message.replace('of the waivers file: ', ''));
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
    expect(first && selects([first.path], 'campaign/hero.mp4')).toBe(true);
    // Neither a number nor a date: what is written is what is meant.
    expect(second).toMatchObject({ rule: '007', line: 8 });
  });

  it.each(['', '\n', '# nothing yet\n', '[]', '---\n'])('may be empty: %j', async (text) => {
    expect(await parseWaivers(text, 'waivers.yml')).toEqual([]);
  });

  const second = (change: (entry: string) => string): string => ENTRY + change(ENTRY);
  it.each([
    ['no YAML', `${ENTRY}- {rule: [`, expect.stringMatching(/^Line \d+ Flow /)],
    ['no list', 'rule: AD-17', 'Line 1 it is not a list of waivers.'],
    ['an entry that is no set', `${ENTRY}- AD-17\n`, 'Line 6 the entry is not a set of keys and values.'],
    ['a key missing', second((entry) => entry.replace(/  owner.*\n/, '')), 'Line 6 `owner` is missing.'],
    ['a key that is none', second((entry) => entry.replace('owner', 'owners')), 'Line 6 `owners` is not a known key.'],
    ['a key twice', second((entry) => `${entry}  rule: AD-18\n`), 'Line 11 `rule` is there twice.'],
    [
      'an empty value',
      second((entry) => entry.replace(' legal@example.com', '')),
      'Line 6 `owner` is empty or invalid.',
    ],
    ['a list for a value', second((entry) => entry.replace('AD-17', '[AD-17]')), 'Line 6 `rule` is not a plain text.'],
    ['no date', second((entry) => entry.replace('2027-01-31', 'next year')), 'Line 6 `expires` is empty or invalid.'],
    ['no real date', second((entry) => entry.replace('01-31', '02-30')), 'Line 6 `expires` is empty or invalid.'],
    [
      'a path upwards',
      second((entry) => entry.replace('campaign', '..')),
      'Line 6 `path` is "../hero.mp4", which holds `..`: only files in the workspace can be sent.',
    ],
    [
      'an exclusion',
      second((entry) => entry.replace('campaign', '"!campaign').replace('mp4', 'mp4"')),
      'Line 6 `path` begins with `!`, which a waiver cannot.',
    ],
    ['a key of JavaScript', second((entry) => `${entry}  __proto__: x\n`), 'Line 6 `__proto__` is not a known key.'],
    ['an alias', `- &a\n  rule: AD-17\n- *a\n`, 'Line 3 the entry is not a set of keys and values.'],
    [
      'an alias for a value',
      ENTRY.replace('AD-17', '&r AD-17').replace('campaign/hero.mp4', '*r'),
      'Line 2 `path` is not a plain text.',
    ],
    ['a pattern without its quotes', ENTRY.replace('campaign/hero.mp4', '*.mp4'), expect.stringMatching(/^Line 2 /)],
    ['a text', 'AD-17', 'Line 1 it is not a list of waivers.'],
    ['a list for a key', `- ? [a]\n  : x\n`, 'Line 1 `` is not a known key.'],
    ['a list for a value, which is not empty besides', `- rule: [x]\n`, 'Line 1 `rule` is not a plain text.'],
    ['a key of 40', `- ${'k'.repeat(40)}: x\n`, `Line 1 \`${'k'.repeat(40)}\` is not a known key.`],
    ['a key of 41', `- ${'k'.repeat(41)}: x\n`, `Line 1 \`${'k'.repeat(40)}…\` is not a known key.`],
    ['a value that never ends', `${ENTRY}- rule: "x\n`, 'Line 7 Missing closing "quote.'],
    ['a tab', `${ENTRY}-\trule: x\n\tpath: y\n`, expect.stringMatching(/^Line \d+ [^.]* [^.]*\.$/)],
    ['two documents', `${ENTRY}---\n${ENTRY}`, expect.stringMatching(/multiple documents/)],
  ])('is refused for %s, with its line', async (_, text, expected) => {
    expect(await flaws(text)).toContainEqual(expected);
  });

  it('is told what it takes', async () => {
    await expect(parseWaivers('- x', 'waivers.yml')).rejects.toMatchObject({
      causes: [
        {
          fix: expect.stringContaining(
            'Each entry has the keys `rule`, `path`, `owner`, `reason`, `expires`, none of them empty;',
          ),
        },
      ],
    });
  });

  it('may have a backslash in a path, which is no folder', async () => {
    const [waiver] = await parseWaivers(ENTRY.replace('campaign/hero', 'campaign\\hero'), 'waivers.yml');
    expect(waiver && selects([waiver.path], 'campaign/hero.mp4')).toBe(false);
  });

  it('tells everything at once, up to a limit', async () => {
    expect(await flaws('- rule: x\n')).toHaveLength(4);
    expect((await flaws('- x\n'.repeat(1_000))).length).toBe(20);
  });
});

function comment(length: number): string {
  return `#${'x'.repeat(length - 1)}`;
}

describe('a file made to keep us busy', () => {
  const bomb = `- &a [x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 8 }, (_, index) => {
    const [name, before] = ['bcdefghi'[index], 'abcdefgh'[index]];
    return `- &${name} [${`*${before},`.repeat(9)}]`;
  }).join('\n')}\n`;
  it.each([
    ['aliases of aliases', bomb, 'Line 1 the entry is not a set of keys and values.'],
    ['nested without end', '['.repeat(100_000), 'Line 1 it is nested too deeply.'],
    ['lists in lists', `${'- '.repeat(50_000)}x`, 'Line 1 it is nested too deeply.'],
    [
      'very many keys',
      `- ${Array.from({ length: 20_000 }, (_, index) => `k${index}: v`).join('\n  ')}`,
      'Line 1 `k0` is not a known key.',
    ],
    ['very many entries', '- x\n'.repeat(60_000), 'Line 1 the entry is not a set of keys and values.'],
    [
      'braces for very many names',
      ENTRY.replace('hero', '{1..999}').repeat(20),
      expect.stringMatching(/stand for too many patterns/),
    ],
    ['braces for more than that', ENTRY.replace('hero', '{1..99999999}'), expect.stringMatching(/braces stand for/)],
    ['too large', `# ${'x'.repeat(MAX_WAIVERS_FILE_BYTES)}`, 'The waivers file is too large.'],
  ])('is refused: %s', async (_, text, expected) => {
    const found = await flaws(text);
    expect(found).toContainEqual(expected);
    expect(found.length).toBeLessThanOrEqual(20);
  });

  it('may be as large as it may be', async () => {
    expect(await flaws(comment(MAX_WAIVERS_FILE_BYTES))).toEqual([]);
    expect(await flaws(comment(MAX_WAIVERS_FILE_BYTES + 1))).toEqual(['The waivers file is too large.']);
    await expect(parseWaivers(comment(MAX_WAIVERS_FILE_BYTES + 1), 'waivers.yml')).rejects.toMatchObject({
      causes: [{ reason: 'bad-input', fix: 'Keep at most 256 KiB: waivers that have expired can go.' }],
    });
  });

  it('may stand for ten thousand patterns, and not for one more', async () => {
    const thousand = ENTRY.replace('hero', '{1..999}').repeat(10);
    expect(await flaws(thousand)).toEqual([]);
    expect(await flaws(thousand + ENTRY)).toEqual([
      'Line 51 up to here, the braces in the paths stand for too many patterns.',
    ]);
  });

  it('matches in no time, many stars against the worst of names', async () => {
    const [waiver] = await parseWaivers(ENTRY.replace('hero', '*a'.repeat(30)), 'waivers.yml');
    expect(waiver && selects([waiver.path], `campaign/${'a'.repeat(255)}`)).toBe(false);
    expect(waiver && selects([waiver.path], `campaign/${'a'.repeat(251)}.mp4`)).toBe(true);
  });
});
