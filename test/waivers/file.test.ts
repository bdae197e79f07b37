import { expect, it } from 'vitest';
import { GateError } from '../../src/causes/cause.ts';
import { parseWaivers } from '../../src/waivers/waivers-file.ts';

const ENTRY = `- rule: AD-17
  path: campaign/hero.mp4
  owner: legal@example.com
  reason: "Agreed: see #12"
  expires: 2027-01-31
`;

/** Returns the problems of a file, and asserts that each has a step that names the line. */
async function problemsIn(text: string): Promise<readonly string[]> {
  try {
    await parseWaivers(text, 'waivers.yml');
    return [];
  } catch (error) {
    if (!(error instanceof GateError)) throw error;
    const shared = {
      reason: 'bad-input',
      path: 'waivers.yml',
      steps: [{ text: expect.stringMatching(/^Correct \{file\} from line/) }],
    };
    expect(error.causes).toMatchObject(error.causes.map(() => shared));
    return error.causes.map(({ message }) => message);
  }
}

it('a waivers file is a list of entries, and may begin with a byte order mark', async () => {
  const text = `\ufeff${ENTRY}\n# ours\n${ENTRY.replace('AD-17', '007').replace('/', '\\')}`;
  const [first, second] = await parseWaivers(text, 'waivers.yml');
  const texts = { owner: 'legal@example.com', reason: 'Agreed: see #12', expires: '2027-01-31' };
  expect(first).toMatchObject({ rule: 'AD-17', ...texts, line: 1 });
  // The value `007` is not parsed as a number, and a backslash is a slash.
  expect(second).toMatchObject({ rule: '007', line: 8 });
  expect([first, second].map((waiver) => waiver?.matches('campaign/hero.mp4'))).toEqual([true, true]);
});

it.each(['', '\n', '# nothing yet\n', '[]', '---\n'])('a waivers file may be empty: %j', async (text) => {
  expect(await parseWaivers(text, 'waivers.yml')).toEqual([]);
});

/** Two entries. In the second one, `from` is replaced. */
const second = (from: string | RegExp, to: string): string => ENTRY + ENTRY.replace(from, to);
const INVALID = 'this is not valid YAML: ';
const INCOMPLETE = '- rule: x\n  onwer: y\n  expires: soon\n';
it.each<[string, string, ...expected: string[]]>([
  ['no list', 'rule: AD-17', 'Line 1: the file is not a list.'],
  ['an entry that is no set', `${ENTRY}- AD-17\n`, 'Line 6: `rule` is missing.'],
  ['a key missing', second(/  owner.*\n/, ''), 'Line 6: `owner` is missing.'],
  ['an unknown key', second(/$/, '  note: x\n'), 'Line 6: `note` is not a known key.'],
  ['a key of JavaScript', second(/$/, '  __proto__: x\n'), 'Line 6: `__proto__` is not a known key.'],
  ['a key twice', second(/$/, '  rule: AD-18\n'), 'Line 6: the entry has a key twice.'],
  ['an empty value', second(' legal@example.com', ''), 'Line 6: `owner` is empty.'],
  ['a list for a value', second('AD-17', '[AD-17]'), 'Line 6: `rule` is not one text.'],
  ['no date', second('01-31', '1-31'), 'Line 6: `expires` is '],
  ['a path upwards', second('campaign', '..'), 'Line 6: `path` is "../hero.mp4", which holds'],
  ['an exclusion', second('campaign/hero.mp4', '"!hero.mp4"'), 'Line 6: `path` is "!hero.mp4", which begins with `!`.'],
  ['a second document', second('- rule', '---\n- rule'), `Line 6: ${INVALID}`],
  ['a merge conflict', second('- rule', '<<<<<<< HEAD\n- rule'), `Line 6: ${INVALID}`],
  [
    'the first problem of each entry',
    ENTRY + INCOMPLETE + ENTRY.replace('2027-01-31', 'later'),
    'Line 6: `path` is missing.',
    'Line 9: `expires` is "later", not a date',
  ],
])('a waivers file is refused with the line of the entry: %s', async (_, text, ...expected) => {
  expect(await problemsIn(text)).toEqual(expected.map((start) => expect.stringContaining(start)));
});

/** Nine lists, each of nine aliases of the list before it: expanded, they would have 9⁹ items. */
const BOMB = Array.from({ length: 9 }, (_, index) => {
  const items = index === 0 ? 'x' : `*l${index - 1}`;
  return `- &l${index} [${Array.from({ length: 9 }, () => items).join()}]\n`;
}).join('');
const KEYS = Array.from({ length: 5_000 }, (_, index) => `k${index}: v`).join('\n  ');

it.each([
  ['aliases of aliases', BOMB, 'Line 1: `rule` is missing.'],
  ['nested without end', '['.repeat(30_000), 'Line 1: this is not valid YAML: Maximum call stack size exceeded.'],
  ['very many keys', `- ${KEYS}`, 'Line 1: `rule` is missing.'],
  ['very many entries', '- x\n'.repeat(10_000), 'Line 1: `rule` is missing.'],
  ['braces for very many names', ENTRY.replace('hero', '{a,b}'.repeat(99)), 'braces stand for more than 1000 patterns'],
])('a file that is made to take long is refused: %s', async (_, text, expected) => {
  const found = await problemsIn(text);
  expect(found.join('\n')).toContain(expected);
});
