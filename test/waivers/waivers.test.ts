import { describe, expect, it, vi } from 'vitest';
import { FilePattern, parsePattern } from '../../src/media/patterns.ts';
import type { Waiver } from '../../src/waivers/file.ts';
import { type SeenContent, Waivers } from '../../src/waivers/waivers.ts';

const NOW = new Date('2026-11-15T23:59:59.000Z');

function waiver(path: string, changes: Partial<Waiver> = {}): Waiver {
  const pattern = parsePattern(path, { windows: false });
  return { rule: 'AD-17', path: pattern, owner: 'legal', reason: 'agreed', expires: '2026-12-31', line: 1, ...changes };
}

function isWaived(waivers: readonly Waiver[], ruleCode: string, ...paths: readonly string[]): boolean {
  return new Waivers(waivers, NOW).waiverFor({ ruleCode }, paths) !== undefined;
}

/** A content that was judged, at these paths. */
function seen(paths: readonly string[], ...rules: readonly string[]): SeenContent {
  return { paths, issues: rules.map((ruleCode) => ({ ruleCode })), outcome: 'judged' };
}

describe('a waiver', () => {
  it.each([
    ['campaign/hero.mp4', 'campaign/hero.mp4', true],
    ['campaign/hero.mp4', 'campaign/other.mp4', false],
    ['campaign/*.mp4', 'campaign/hero.mp4', true],
    ['campaign/*.mp4', 'campaign/de/hero.mp4', false],
    ['campaign/**', 'campaign/de/hero.mp4', true],
    ['*.mp4', 'campaign/hero.mp4', false],
    ['campaign/hero.{mp4,mov}', 'campaign/hero.mov', true],
  ])('for %s: %s is covered: %s', (pattern, path, expected) => {
    expect(isWaived([waiver(pattern)], 'AD-17', path)).toBe(expected);
  });

  it('is for its rule only', () => {
    expect(isWaived([waiver('*')], 'AD-18', 'a.mp4')).toBe(false);
    expect(isWaived([waiver('*')], 'ad-17', 'a.mp4')).toBe(false);
  });

  it('covers no content without a path', () => {
    expect(isWaived([waiver('*')], 'AD-17')).toBe(false);
  });

  it('must cover every path of the content; several may do so together', () => {
    expect(isWaived([waiver('a.mp4')], 'AD-17', 'a.mp4', 'b.mp4')).toBe(false);
    expect(isWaived([waiver('a.mp4'), waiver('b.mp4')], 'AD-17', 'a.mp4', 'b.mp4')).toBe(true);
    expect(isWaived([waiver('*.mp4')], 'AD-17', 'a.mp4', 'b.mp4')).toBe(true);
  });

  it('that is named is the first in the file for the first path', () => {
    const [broad, a, b] = [waiver('a.*'), waiver('a.mp4'), waiver('b.mp4')];
    const waivers = new Waivers([b, broad, a], NOW);
    expect(waivers.waiverFor({ ruleCode: 'AD-17' }, ['a.mp4', 'b.mp4'])).toBe(broad);
  });

  it.each([
    ['2026-11-15', true],
    ['2026-11-14', false],
  ])('that expires on %s holds at the end of 2026-11-15: %s', (expires, expected) => {
    expect(isWaived([waiver('a.mp4', { expires })], 'AD-17', 'a.mp4')).toBe(expected);
  });
});

it('the work grows with copies and waivers, not with the issues', () => {
  const all = Array.from({ length: 40 }, (_, index) => waiver(`folder-${index}/**`, { line: index + 1 }));
  const copies = Array.from({ length: 200 }, (_, index) => `folder-${index % 40}/${index}.mp4`);
  const waivers = new Waivers(all, NOW);
  const tests = vi.spyOn(FilePattern.prototype, 'matches');
  const content = seen(copies, ...Array.from({ length: 50 }, () => 'AD-17'));
  for (const issue of content.issues) expect(waivers.waiverFor(issue, content.paths)).toBe(all[0]);
  expect(waivers.notices([content])).toEqual([]);
  expect(tests.mock.calls.length).toBeLessThanOrEqual(all.length * copies.length);
  tests.mockRestore();
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
      seen(['part.mp4', 'copy.mp4', 'other.mp4'], 'AD-17'),
    ];
    expect(waivers.notices(contents)).toEqual([
      'Expired on 2026-01-01: the waiver of AD-17 for old.mp4 (line 13, owner legal). It is no longer applied.',
      'No issue matches the waiver of AD-17 for idle.mp4 (line 7, owner legal). Remove it if it is no longer needed.',
      'The same file is also at copy.mp4, which the waiver of AD-17 for part.mp4 (line 19, owner legal) does not cover. The waiver is not applied.',
    ]);
  });

  it('are in the order of the file, whatever the rules', () => {
    const mixed = [
      waiver('a.mp4', { line: 1, rule: 'AD-1' }),
      waiver('b.mp4', { line: 2, rule: 'AD-2' }),
      waiver('c.mp4', { line: 3, rule: 'AD-1' }),
    ];
    const notices = new Waivers(mixed, NOW).notices([seen(['a.mp4', 'b.mp4', 'c.mp4'])]);
    expect(notices.map((notice) => /line (\d)/.exec(notice)?.[1])).toEqual(['1', '2', '3']);
  });

  it('do not appear on the last day of a waiver', () => {
    const waivers = new Waivers([waiver('a.mp4', { expires: '2026-11-15' })], NOW);
    const found = waivers.waiverFor({ ruleCode: 'AD-17' }, ['a.mp4']);
    expect(found).toMatchObject({ owner: 'legal', reason: 'agreed', expires: '2026-11-15' });
    expect(waivers.notices([seen(['a.mp4'], 'AD-17')])).toEqual([]);
  });

  it.each([
    ['nothing was judged', ['*'], [], []],
    ['its file was not looked at', ['a.mp4', 'b.mp4'], ['b.mp4'], ['b.mp4']],
    ['its pattern selects only other files', ['de/**', 'en/*.mp4', 'fr/*'], ['en/a.mp4', 'en/b.png'], ['en/*.mp4']],
    [
      'folders have the same files',
      ['a/x.mp4', 'b/x.mp4', 'a/b/x.mp4', '**/x.mp4'],
      ['b/x.mp4'],
      ['b/x.mp4', '**/x.mp4'],
    ],
  ])('calls none idle if %s', (_, patterns, judged, idle) => {
    const notices = new Waivers(
      patterns.map((pattern) => waiver(pattern)),
      NOW,
    ).notices([seen(judged), { ...seen(['elsewhere.mp4']), outcome: 'failed' }]);
    expect(notices.map((notice) => /^No issue matches the waiver of AD-17 for (\S+)/.exec(notice)?.[1])).toEqual(idle);
  });

  it('count a waiver as used by the issues that could be read of a file that was not judged', () => {
    const part: SeenContent = { ...seen(['a.mp4'], 'AD-17'), outcome: 'unjudged' };
    expect(new Waivers([waiver('*.mp4')], NOW).notices([part, seen(['b.mp4'])])).toEqual([]);
  });

  it('are the same on every call', () => {
    const waivers = new Waivers(all, NOW);
    waivers.waiverFor({ ruleCode: 'AD-17' }, ['idle.mp4']);
    expect(waivers.notices([seen(['idle.mp4'])])).toEqual(waivers.notices([seen(['idle.mp4'])]));
    expect(waivers.notices([seen(['idle.mp4'])])).toContainEqual(expect.stringContaining('No issue matches'));
  });

  it('names those that expired even if nothing was judged', () => {
    expect(new Waivers(all, NOW).notices([])).toEqual([expect.stringContaining('Expired')]);
  });
});
