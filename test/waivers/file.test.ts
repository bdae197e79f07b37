import { describe, expect, it } from 'vitest';
import { GateError, stepText } from '../../src/lib/cause.ts';
import { parseWaivers } from '../../src/waivers/file.ts';

const ENTRY = `- rule: AD-17
  path: campaign/hero.mp4
  owner: legal@example.com
  reason: "Agreed: see #12"
  expires: 2027-01-31
`;

/** What is wrong with a file and what to do, one line each. */
async function flaws(text: string): Promise<readonly string[]> {
  try {
    await parseWaivers(text, 'waivers.yml');
    return [];
  } catch (error) {
    if (!(error instanceof GateError)) throw error;
    if (
      error.causes.some(
        ({ reason, path, steps }) => reason !== 'bad-input' || path !== 'waivers.yml' || steps.length === 0,
      )
    )
      throw error;
    return error.causes.map((cause) => `${cause.message} ${cause.steps.map(stepText).join(' ')}`);
  }
}

describe('a waivers file', () => {
  it('is a list of entries', async () => {
    const [first, second] = await parseWaivers(`# ours\n${ENTRY}\n${ENTRY.replace('AD-17', '007')}`, 'waivers.yml');
    const texts = { owner: 'legal@example.com', reason: 'Agreed: see #12', expires: '2027-01-31' };
    expect(first).toMatchObject({ rule: 'AD-17', ...texts, line: 2 });
    expect(first && first.path.matches('campaign/hero.mp4')).toBe(true);
    // Values stay text: this is not a number.
    expect(second).toMatchObject({ rule: '007', line: 8 });
  });

  it.each(['', '\n', '# nothing yet\n', '[]', '---\n'])('may be empty: %j', async (text) => {
    expect(await parseWaivers(text, 'waivers.yml')).toEqual([]);
  });

  /** Two entries, the second one changed. */
  const second = (from: string | RegExp, to: string): string => ENTRY + ENTRY.replace(from, to);
  it.each([
    ['no list', 'rule: AD-17', 'Line 1: the file is not a list.'],
    ['an entry that is no set', `${ENTRY}- AD-17\n`, 'Line 6: `rule` is missing.'],
    ['a key missing', second(/  owner.*\n/, ''), 'Line 6: `owner` is missing.'],
    ['an unknown key', second(/$/, '  note: x\n'), 'Line 11: `note` is not a known key.'],
    ['a key of JavaScript', second(/$/, '  __proto__: x\n'), 'Line 11: `__proto__` is not a known key.'],
    ['a key twice', second(/$/, '  rule: AD-18\n'), 'Line 6: the entry has a key twice.'],
    ['an empty value', second(' legal@example.com', ''), 'Line 8: `owner` is empty.'],
    ['blanks for a value', second('AD-17', '"  "'), 'Line 6: `rule` is empty.'],
    ['a list for a value', second('AD-17', '[AD-17]'), 'Line 6: `rule` is not one text.'],
    ['no date', second('2027-01-31', 'soon'), 'Line 10: `expires` is '],
    ['a time', second('2027-01-31', '2027-01-31T00:00:00.000Z'), 'Line 10: `expires` is '],
    ['no real date', second('01-31', '02-30'), 'Line 10: `expires` is '],
    ['a path upwards', second('campaign', '..'), 'Line 7: `path` is "../hero.mp4", which holds'],
    ['an exclusion', second('campaign/hero.mp4', '"!hero.mp4"'), 'Line 7: `path` begins with `!`.'],
    ['a tag', ENTRY.replace('campaign', '!campaign'), 'Line 2: `path` is empty.'],
  ])('is refused for %s, with its line', async (_, text, expected) => {
    expect(await flaws(text)).toEqual([expect.stringContaining(expected)]);
  });

  it.each([
    ['a tab', '  path', '\tpath', 7],
    ['a second document', '- rule', '---\n- rule', 6],
    ['a merge conflict', '- rule', '<<<<<<< HEAD\n- rule', 6],
  ])('that is not YAML is refused with the line of the first mistake: %s', async (_, from, to, line) => {
    expect(await flaws(second(from, to))).toEqual([
      expect.stringMatching(new RegExp(`^Line ${line}: this is not valid YAML: .* Correct line`, 's')),
    ]);
  });

  it('may begin with a byte order mark', async () => {
    expect(await flaws(`\ufeff${ENTRY}`)).toEqual([]);
  });

  it('may have a backslash in a path, which is no folder', async () => {
    const [waiver] = await parseWaivers(ENTRY.replace('campaign/hero', 'campaign\\hero'), 'waivers.yml');
    expect(waiver && waiver.path.matches('campaign/hero.mp4')).toBe(false);
  });

  it('reports the first problem of each entry, in the order of their lines', async () => {
    const incomplete = '- rule: x\n  onwer: y\n  expires: soon\n';
    const work = parseWaivers(ENTRY + incomplete + ENTRY.replace('2027-01-31', 'later'), 'waivers.yml');
    await expect(work).rejects.toMatchObject({
      causes: [
        { line: 6, message: 'Line 6: `path` is missing.' },
        { line: 13, message: expect.stringContaining('Line 13: `expires` is "later", not a date') },
      ],
    });
  });
});

/** Each of nine lists has nine aliases of the one before. */
const BOMB = Array.from({ length: 9 }, (_, index) => {
  const items = index === 0 ? 'x' : `*l${index - 1}`;
  return `- &l${index} [${Array.from({ length: 9 }, () => items).join()}]\n`;
}).join('');
const KEYS = Array.from({ length: 5_000 }, (_, index) => `k${index}: v`).join('\n  ');
const OVERFLOW = 'Line 1: this is not valid YAML: Maximum call stack size exceeded.';

it.each([
  ['aliases of aliases', BOMB, 'Line 1: `rule` is missing.'],
  ['nested without end', '['.repeat(30_000), OVERFLOW],
  ['very many keys', `- ${KEYS}`, 'Line 1: `rule` is missing.'],
  ['very many entries', '- x\n'.repeat(10_000), 'Line 1: `rule` is missing.'],
  ['braces for very many names', ENTRY.replace('hero', '{1..99999999}'), 'braces stand for 1000 patterns or more'],
])('a file that is made to take long is refused: %s', async (_, text, expected) => {
  const found = await flaws(text);
  expect(found.join('\n')).toContain(expected);
  expect(found.length).toBeLessThanOrEqual(20);
});
