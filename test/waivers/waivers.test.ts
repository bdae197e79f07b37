import { describe, expect, it, vi } from 'vitest';
import { parsePattern } from '../../src/media/patterns.ts';
import type { Waiver } from '../../src/waivers/file.ts';
import { type SeenContent, Waivers } from '../../src/waivers/waivers.ts';

const NOW = new Date('2026-11-15T23:59:59.000Z');

function waiver(path: string, changes: Partial<Waiver> = {}): Waiver {
  const pattern = parsePattern(path, { windows: false });
  return { rule: 'AD-17', path: pattern, owner: 'legal', reason: 'agreed', expires: '2026-12-31', line: 1, ...changes };
}

function isWaived(waivers: readonly Waiver[], ruleCode: string, ...paths: readonly string[]): boolean {
  return new Waivers(waivers, NOW).waiverFor(ruleCode, paths) !== undefined;
}

/** A content that was judged, at these paths. */
function seen(paths: readonly string[], ...rules: readonly string[]): SeenContent {
  return { paths, issues: rules.map((ruleCode) => ({ ruleCode })), outcome: 'judged' };
}

describe('a waiver', () => {
  it.each([
    [['*'], 'AD-18', ['a.mp4'], false],
    [['*'], 'AD-17', [], false],
    [['a.mp4'], 'AD-17', ['a.mp4', 'b.mp4'], false],
    [['a.mp4', 'b.mp4'], 'AD-17', ['a.mp4', 'b.mp4'], true],
    [['*.mp4'], 'AD-17', ['a.mp4', 'b.mp4'], true],
  ])('those of AD-17 for %j accept %s in a content at %j: %s', (patterns, ruleCode, paths, expected) => {
    const waivers = patterns.map((pattern) => waiver(pattern));
    expect(isWaived(waivers, ruleCode, ...paths)).toBe(expected);
  });

  it('that is named is the first in the file for the first path', () => {
    const [broad, a, b] = [waiver('a.*'), waiver('a.mp4'), waiver('b.mp4')];
    const waivers = new Waivers([b, broad, a], NOW);
    expect(waivers.waiverFor('AD-17', ['a.mp4', 'b.mp4'])).toBe(broad);
  });

  it.each([
    ['2026-11-15', true],
    ['2026-11-14', false],
  ])('that expires on %s holds at the end of 2026-11-15, and is not called expired: %s', (expires, expected) => {
    const waivers = [waiver('a.mp4', { expires })];
    expect(isWaived(waivers, 'AD-17', 'a.mp4')).toBe(expected);
    expect(new Waivers(waivers, NOW).notices([]).length === 0).toBe(expected);
  });
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

describe('notices about waivers', () => {
  const all = [
    waiver('used.mp4', { line: 1 }),
    waiver('idle.mp4', { line: 7 }),
    waiver('old.mp4', { line: 13, expires: '2026-01-01' }),
    waiver('part.mp4', { line: 19 }),
  ];

  it('name those that expired, match nothing, or cover too little', () => {
    const waivers = new Waivers(all, NOW);
    const contents = [
      seen(['used.mp4'], 'AD-17'),
      seen(['idle.mp4'], 'AD-18'),
      seen(['old.mp4'], 'AD-17'),
      seen(['part.mp4', 'copy.mp4', 'other.mp4'], 'AD-17'),
    ];
    expect(waivers.notices(contents)).toEqual([
      'Expired on 2026-01-01: the waiver of AD-17 for old.mp4 (line 13, owner legal). It is no longer applied.',
      expect.stringContaining('Not applied: the waiver of AD-17 for idle.mp4 (line 7, owner legal). Either '),
      expect.stringContaining('Not applied: the waiver of AD-17 for part.mp4 (line 19, owner legal). Either '),
    ]);
  });

  it.each([
    ['nothing was judged', ['*'], [], []],
    ['its pattern selects only other files', ['de/**', 'en/*.mp4', 'fr/*'], ['en/a.mp4', 'en/b.png'], ['en/*.mp4']],
  ])('calls none idle if %s', (_, patterns, judged, idle) => {
    const waivers = patterns.map((pattern) => waiver(pattern));
    const failed: SeenContent = { ...seen(['elsewhere.mp4']), outcome: 'failed' };
    const unjudged: SeenContent = { ...failed, outcome: 'unjudged' };
    const notices = new Waivers(waivers, NOW).notices([seen(judged), failed, unjudged]);
    expect(notices.map((notice) => /^Not applied: the waiver of AD-17 for (\S+)/.exec(notice)?.[1])).toEqual(idle);
  });

  it('count a waiver as used by the issues that could be read of a file that was not judged', () => {
    const part: SeenContent = { ...seen(['a.mp4'], 'AD-17'), outcome: 'unjudged' };
    expect(new Waivers([waiver('*.mp4')], NOW).notices([part, seen(['b.mp4'])])).toEqual([]);
  });
});
