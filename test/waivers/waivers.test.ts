import { expect, it } from 'vitest';
import { Waivers } from '../../src/waivers/waivers.ts';
import type { Waiver } from '../../src/waivers/waivers-file.ts';
import { waiver } from '../builders/analyses.ts';

const NOW = new Date('2026-11-15T23:59:59.000Z');

/** What the waivers say about an issue of a rule in a content at these paths. */
function decisionOf(loaded: ConstructorParameters<typeof Waivers>[0], paths: readonly string[], ruleCode = 'AD-17') {
  return new Waivers(loaded, NOW).decide(paths, [{ ruleCode }]).get(ruleCode);
}

function isWaived(waivers: readonly Waiver[], ruleCode: string, ...paths: readonly string[]): boolean {
  return decisionOf({ waivers }, paths, ruleCode)?.waiver !== undefined;
}

const OLD = { expires: '2026-01-01' };
const EXPIRED = { expires: '2026-11-14' };
const OTHER = { rule: 'AD-18' };
const LATE = 'The waiver of legal expired on 2026-11-14.';
const PROPOSED = 'A waiver is proposed here (owner legal). It counts once it is merged.';

it.each([
  [['*'], 'AD-18', ['a.mp4'], false],
  [['a.mp4'], 'AD-17', ['a.mp4', 'b.mp4'], false],
  [['a.mp4', 'b.mp4'], 'AD-17', ['a.mp4', 'b.mp4'], true],
  [['*.mp4'], 'AD-17', ['a.mp4', 'b.mp4'], true],
])('waivers of AD-17 for %s accept %s in a content at %s: %s', (patterns, ruleCode, paths, expected) => {
  const waivers = patterns.map((pattern) => waiver(pattern));
  expect(isWaived(waivers, ruleCode, ...paths)).toBe(expected);
});

it('the waiver that is named is the first in the file for the first path', () => {
  const [broad, a, b] = [waiver('a.*'), waiver('a.mp4'), waiver('b.mp4')];
  expect(decisionOf({ waivers: [b, broad, a] }, ['a.mp4', 'b.mp4'])?.waiver).toBe(broad);
});

it.each([
  ['2026-11-15', true],
  ['2026-11-14', false],
])('a waiver that expires on %s holds at the end of 2026-11-15, and is not called expired: %s', (expires, expected) => {
  const waivers = [waiver('a.mp4', { expires })];
  expect(isWaived(waivers, 'AD-17', 'a.mp4')).toBe(expected);
  expect(decisionOf({ waivers }, ['a.mp4'])?.whyNotWaived === undefined).toBe(expected);
});

it.each<[string, readonly Waiver[], readonly Waiver[], string | undefined]>([
  ['nobody has waived it', [waiver('b.mp4', EXPIRED)], [waiver('b.mp4')], undefined],
  ['the last of two expired', [waiver('*', OLD), waiver('*', EXPIRED)], [], LATE],
  ['an expired one beside a valid one', [waiver('*', EXPIRED), waiver('*')], [], undefined],
  ['it is proposed', [], [waiver('a.mp4', { owner: 'sales' })], PROPOSED.replace('legal', 'sales')],
  ['its renewal is proposed', [waiver('*', EXPIRED)], [waiver('*')], `${LATE} ${PROPOSED}`],
  ['what is proposed expired as well', [], [waiver('*', EXPIRED)], undefined],
  ['the rule is another one', [waiver('*', { ...EXPIRED, ...OTHER })], [waiver('*', OTHER)], undefined],
])('why an issue is not waived: %s', (_, waivers, proposed, expected) => {
  expect(decisionOf({ waivers, proposed }, ['a.mp4', 'copy.mp4'])?.whyNotWaived).toBe(expected);
});

function named(file: string, line: number, expires = '2999-01-01'): string {
  return `AD-17 for ${file} (line ${line}, owner legal, until ${expires})`;
}

it('each kind of waiver that needs attention is one notice, which counts them', () => {
  const waivers = [
    waiver('used.mp4', { line: 1, expires: '2026-11-30' }),
    waiver('old.mp4', { line: 7, ...OLD }),
    waiver('soon.mp4', { line: 13, expires: '2026-11-29' }),
    waiver('soon.mp4', { line: 19, expires: '2026-11-15' }),
    waiver('gone.mp4', { line: 25, expires: '2026-11-15' }),
  ];
  const proposed = [waiver('new.mp4', { line: 31 })];
  const matched = ['used.mp4', 'old.mp4', 'soon.mp4'];
  const gone = named('gone.mp4', 25, '2026-11-15');
  const soon = [named('soon.mp4', 13, '2026-11-29'), named('soon.mp4', 19, '2026-11-15'), gone].join(', ');
  expect(new Waivers({ waivers, proposed }, NOW).notices(matched)).toEqual([
    `Waivers proposed here, which count once they are merged (1): ${named('new.mp4', 31)}.`,
    `Expired waivers, which are no longer applied (1): ${named('old.mp4', 7, '2026-01-01')}.`,
    `Waivers that expire within 14 days (3): ${soon}.`,
    `Waivers whose path matches no file (1): ${gone}.`,
  ]);
});

it('a file that could not be read is one notice, and the reason why each issue is not waived', () => {
  const whyNoneCounts = 'the waivers file of the base commit is wrong. Line 1: `rule` is missing.';
  const text = 'No waiver counts in this run: the waivers file of the base commit is wrong. Line 1: `rule` is missing.';
  expect(new Waivers({ waivers: [], whyNoneCounts }, NOW).notices([])).toEqual([text]);
  expect(decisionOf({ waivers: [], whyNoneCounts }, ['a.mp4'])?.whyNotWaived).toBe(text);
});
