import { expect, it, vi } from 'vitest';
import type { Waiver } from '../../src/waivers/file.ts';
import { type SeenContent, Waivers } from '../../src/waivers/waivers.ts';
import { waiver } from '../builders/analyses.ts';

const NOW = new Date('2026-11-15T23:59:59.000Z');

function isWaived(waivers: readonly Waiver[], ruleCode: string, ...paths: readonly string[]): boolean {
  return new Waivers(waivers, NOW).waiverFor(ruleCode, paths) !== undefined;
}

/** A judged content at these paths, with one issue for each rule. */
function seen(paths: readonly string[], ...rules: readonly string[]): SeenContent {
  return { paths, issues: rules.map((ruleCode) => ({ ruleCode })), outcome: 'judged' };
}

it.each([
  [['*'], 'AD-18', ['a.mp4'], false],
  [['*'], 'AD-17', [], false],
  [['a.mp4'], 'AD-17', ['a.mp4', 'b.mp4'], false],
  [['a.mp4', 'b.mp4'], 'AD-17', ['a.mp4', 'b.mp4'], true],
  [['*.mp4'], 'AD-17', ['a.mp4', 'b.mp4'], true],
])('waivers of AD-17 for %j accept %s in a content at %j: %s', (patterns, ruleCode, paths, expected) => {
  const waivers = patterns.map((pattern) => waiver(pattern));
  expect(isWaived(waivers, ruleCode, ...paths)).toBe(expected);
});

it('the waiver that is named is the first in the file for the first path', () => {
  const [broad, a, b] = [waiver('a.*'), waiver('a.mp4'), waiver('b.mp4')];
  expect(new Waivers([b, broad, a], NOW).waiverFor('AD-17', ['a.mp4', 'b.mp4'])).toBe(broad);
});

it.each([
  ['2026-11-15', true],
  ['2026-11-14', false],
])('a waiver that expires on %s holds at the end of 2026-11-15, and is not called expired: %s', (expires, expected) => {
  const waivers = [waiver('a.mp4', { expires })];
  expect(isWaived(waivers, 'AD-17', 'a.mp4')).toBe(expected);
  expect(new Waivers(waivers, NOW).notices([]).length === 0).toBe(expected);
});

it('the work grows with copies and waivers, not with the issues', () => {
  const all = Array.from({ length: 40 }, (_, index) => waiver(`folder-${index}/**`, { line: index + 1 }));
  const copies = Array.from({ length: 200 }, (_, index) => `folder-${index % 40}/${index}.mp4`);
  const waivers = new Waivers(all, NOW);
  const tests = all.map((each) => vi.spyOn(each.path, 'matches'));
  const content = seen(copies, ...Array.from({ length: 50 }, () => 'AD-17'));
  for (const issue of content.issues) expect(waivers.waiverFor(issue.ruleCode, content.paths)).toBe(all[0]);
  expect(waivers.notices([content])).toEqual([]);
  const calls = tests.flatMap(({ mock }) => mock.calls);
  expect(calls.length).toBeLessThanOrEqual(all.length * copies.length);
});

it('notices name the waivers that expired, match nothing, or cover too little', () => {
  const waivers = [
    waiver('used.mp4', { line: 1 }),
    waiver('idle.mp4', { line: 7 }),
    waiver('old.mp4', { line: 13, expires: '2026-01-01' }),
    waiver('part.mp4', { line: 19 }),
  ];
  const contents = [
    seen(['used.mp4'], 'AD-17'),
    seen(['idle.mp4'], 'AD-18'),
    seen(['old.mp4'], 'AD-17'),
    seen(['part.mp4', 'copy.mp4', 'other.mp4'], 'AD-17'),
  ];
  expect(new Waivers(waivers, NOW).notices(contents)).toEqual([
    'Expired on 2026-01-01: the waiver of AD-17 for old.mp4 (line 13, owner legal). It is no longer applied.',
    expect.stringContaining('Not applied: the waiver of AD-17 for idle.mp4 (line 7, owner legal). Either '),
    expect.stringContaining('Not applied: the waiver of AD-17 for part.mp4 (line 19, owner legal). Either '),
  ]);
});

const UNJUDGED = { outcome: 'unjudged' } as const;

// biome-ignore format: a table
it.each<[string, string, readonly SeenContent[], number]>([
  ['no file was judged', '*', [{ ...seen(['a.mp4']), outcome: 'failed' }, { ...seen(['b.mp4']), ...UNJUDGED }], 0],
  ['it matches no file that was judged', 'de/*', [seen(['en/a.mp4']), { ...seen(['de/a.mp4']), ...UNJUDGED }], 0],
  ['it matches a file that was judged', 'en/*', [seen(['en/a.mp4'])], 1],
  ['a file that was not judged uses it', '*', [{ ...seen(['a.mp4'], 'AD-17'), ...UNJUDGED }, seen(['b.mp4'])], 0],
])('a waiver without an issue, if %s', (_, pattern, contents, expected) => {
  expect(new Waivers([waiver(pattern)], NOW).notices(contents)).toHaveLength(expected);
});
