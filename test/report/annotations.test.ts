import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Level } from '../../src/github/runner.ts';
import type { Cause } from '../../src/lib/cause.ts';
import { annotations } from '../../src/report/annotations.ts';
import { anyReport, crowdedReport } from './arbitrary.ts';
import { anAsset, anIssue, aReport, HOSTILE_TEXTS } from './fixtures.ts';
import { content, failedBy, issue, reportOf, result, sent } from './runs.ts';

const LEVELS: readonly Level[] = ['error', 'warning', 'notice'];
const cause = { reason: 'refused', message: 'The service refused it (415).', fix: 'Send a PNG.' } as const;

/** The annotation of an issue whose file has this many copies. */
const copies = (length: number, name: (index: number) => string) =>
  annotations(
    aReport({
      assets: [
        anAsset({
          paths: ['first', ...Array.from({ length }, (_, index) => name(index))],
          issues: [anIssue({ summary: 'S', headline: undefined, reasoning: undefined, referenceNumber: undefined })],
        }),
      ],
    }),
  )[0]?.message;

/** The titles of so many issues that do not fail the gate. */
const warnings = (number: number) =>
  annotations(
    aReport({
      assets: [anAsset({ issues: Array.from({ length: number }, () => anIssue({ severity: 'MAJOR' })) })],
    }),
  ).map(({ title }) => title);

describe('annotations', () => {
  it('puts one issue at its file', () => {
    const issue = anIssue({
      ruleCode: 'AD-7',
      referenceNumber: 42,
      summary: 'Claim.',
      headline: 'Why',
      reasoning: 'Because.',
    });
    const report = aReport({ assets: [anAsset({ paths: ['a.mp4', 'b.mp4', 'c.mp4'], issues: [issue] })] });
    expect(annotations(report)).toEqual([
      {
        level: 'error',
        title: 'CRITICAL: Why',
        message:
          'a.mp4: CRITICAL AD-7 #42: Claim.\nWhy\nThe same bytes are also in 2 other files: b.mp4, c.mp4\nBecause.',
        path: 'a.mp4',
        line: 1,
      },
    ]);
  });

  it('works for an issue without number, headline and path', () => {
    const issue = anIssue({
      referenceNumber: undefined,
      summary: 'Claim.',
      headline: undefined,
      reasoning: undefined,
      url: 'https://service.example/1',
    });
    expect(annotations(aReport({ assets: [anAsset({ paths: [], issues: [issue] })] }))).toEqual([
      { level: 'error', title: 'CRITICAL: Claim.', message: 'CRITICAL AD-101: Claim.\nhttps://service.example/1' },
    ]);
  });

  it('names a few copies, and counts all of them', () => {
    const fifty = Array.from({ length: 50 }, (_, index) => index).join(', ');
    expect(copies(52, (index) => `${index}`)).toBe(
      `first: CRITICAL AD-101: S\nThe same bytes are also in 52 other files: ${fifty}`,
    );
    const start = 'first: CRITICAL AD-101: S\nThe same bytes are also in 2 other files: ';
    expect(copies(2, () => 'x'.repeat(499))).toBe(`${start}${'x'.repeat(499)}, ${'x'.repeat(499)}`);
    expect(copies(2, () => 'x'.repeat(500))).toBe(`${start}${'x'.repeat(500)}, ${'x'.repeat(497)}…`);
  });

  it('cuts each part, so that a long one leaves room for the next', () => {
    const long = anIssue({
      referenceNumber: undefined,
      summary: 'x'.repeat(4_097),
      headline: 'gone',
      ruleCode: 'r'.repeat(300),
    });
    const [one] = annotations(aReport({ assets: [anAsset({ issues: [long] })] }));
    expect(one?.message).toMatch(/^media\/file-\d+\.mp4: CRITICAL r{199}…: x+…$/);
    expect(one?.message).toHaveLength(4_096);
    expect(one?.title).toBe('CRITICAL: gone');
  });

  it.each([
    ['fails the gate', { severity: 'MINOR', failsGate: true }, 'error'],
    ['critical, gate reports only', { severity: 'CRITICAL', failsGate: false }, 'warning'],
    ['major', { severity: 'MAJOR' }, 'warning'],
    ['minor', { severity: 'MINOR' }, 'warning'],
    ['info', { severity: 'INFO' }, 'notice'],
    ['known', { standing: 'known' }, undefined],
    ['waived', { standing: 'waived' }, undefined],
    ['ignored', { standing: 'ignored' }, undefined],
  ] as const)('an issue that is %s', (_, over, level) => {
    const report = aReport({ assets: [anAsset({ issues: [anIssue(over)] })] });
    expect(annotations(report).map((one) => one.level)).toEqual(level === undefined ? [] : [level]);
  });

  it('lists causes after failing issues: as errors if the check fails, as warnings if it passes', () => {
    const assets = [anAsset({ issues: [anIssue()] })];
    const failing = annotations(aReport({ verdict: 'fail', causes: [{ ...cause, path: 'x.png' }], assets }));
    expect(failing.map((one) => [one.level, one.title, one.path])).toEqual([
      ['error', 'CRITICAL: Unproven health claim', assets[0]?.paths[0]],
      ['error', 'Not judged: refused by the service', 'x.png'],
    ]);
    expect(failing[1]?.message).toBe('x.png: The service refused it (415).\nSend a PNG.');
    const forgiven = annotations(
      aReport({ verdict: 'error', isPassing: true, causes: [{ ...cause, reason: 'service' }] }),
    );
    expect(forgiven).toEqual([
      {
        level: 'warning',
        title: 'Not judged: service not available',
        message: 'The service refused it (415).\nSend a PNG.',
      },
    ]);
  });

  it('says that nothing was checked if the run was skipped, without an error', () => {
    const dry: Cause = { reason: 'dry-run', message: 'A dry run.', fix: 'Remove it.' };
    const [one] = annotations(aReport({ verdict: 'skipped', causes: [dry] }));
    expect(one).toEqual({ level: 'warning', title: 'Not checked: dry run', message: 'A dry run.\nRemove it.' });
  });

  it('shows the issue that fails the gate, however many files were not judged', () => {
    const cause: Cause = { reason: 'asset-failed', message: 'It failed.', fix: 'Export it again.' };
    const broken = Array.from({ length: 12 }, (_, index) =>
      result(content(`${index}.mov`), {
        outcome: 'failed',
        causes: [{ ...cause, message: `It failed: ${index}.`, path: `${index}.mov` }],
      }),
    );
    const bad = result(content('bad.mp4'), { issues: [issue('MAJOR'), issue('CRITICAL', { ruleCode: 'AD-17' })] });
    const shown = annotations(reportOf(sent([...broken, bad])));
    expect(shown.map(({ level, title }) => `${level}: ${title}`)).toEqual([
      'error: CRITICAL: s',
      ...Array.from({ length: 7 }, () => 'error: Not judged: file could not be analysed'),
      'error: 5 more',
      'warning: MAJOR: s',
    ]);
  });

  it('shows the same cause of many files once', () => {
    const cause: Cause = { reason: 'asset-failed', message: 'It failed.', fix: 'Export it again.' };
    const broken = Array.from({ length: 12 }, (_, index) =>
      result(content(`${index}.mov`), { outcome: 'failed', causes: [{ ...cause, path: `${index}.mov` }] }),
    );
    expect(annotations(reportOf(sent(broken)))).toMatchObject([
      {
        path: '0.mov',
        message:
          "12 files (0.mov, 1.mov, 2.mov, 3.mov, 4.mov, 5.mov, 6.mov, 7.mov, 8.mov, 9.mov and 2 more): It failed.\nRe-run the job later. If every file fails again, contact the service's support and give them the submission's id. (For the author of the change.)",
      },
    ]);
  });

  it('shows that something was not judged, however many issues fail the gate', () => {
    const cause: Cause = { reason: 'asset-failed', message: 'It failed.', fix: 'Export it again.' };
    const broken = result(content('a.mov'), { outcome: 'failed', causes: [cause] });
    const bad = result(content('bad.mp4'), {
      issues: Array.from({ length: 20 }, (_, index) => issue('CRITICAL', { id: `${index}` })),
    });
    const shown = annotations(reportOf(sent([broken, bad])));
    expect(shown.slice(0, 3).map(({ title }) => title)).toEqual([
      'CRITICAL: s',
      'Not judged: file could not be analysed',
      'CRITICAL: s',
    ]);
  });

  it('lists causes before issues that do not fail the check', () => {
    const found = result(content('a.mp4'), { issues: [issue('MAJOR')] });
    const outage: Cause = { reason: 'service', message: 'It is down.', fix: 'Wait.' };
    const shown = annotations({ ...reportOf(sent([found], failedBy(outage))), isPassing: true });
    expect(shown.map(({ title }) => title)).toEqual(['Not judged: service not available', 'MAJOR: s']);
  });

  it.each([
    [9, 0, 9, 'CRITICAL: Unproven health claim'],
    [10, 0, 9, '2 more'],
    [3_200, 0, 9, '3,192 more'],
    [9, 3, 6, '4 more'],
    [2, 8, 1, '2 more'],
    [5, 9, 0, undefined],
    [5, 50, 0, undefined],
  ])('%i errors with %i spent: %i shown, the last is %s', (issues, spent, shown, last) => {
    const report = aReport({ assets: [anAsset({ issues: Array.from({ length: issues }, () => anIssue()) })] });
    const errors = annotations(report, { error: spent, warning: 0, notice: 0 });
    expect(errors).toHaveLength(shown);
    expect(errors.at(-1)?.title).toBe(last);
  });

  it('says where the others are', () => {
    const issues = Array.from({ length: 12 }, () => anIssue());
    const last = annotations(aReport({ assets: [anAsset({ issues })] })).at(-1);
    expect(last?.message).toContain('4 more of this level are not shown here');
    expect(last?.message).toContain('artifact media-compliance-report');
    expect(last).toEqual({
      level: 'error',
      title: '4 more',
      message:
        '4 more of this level are not shown here: GitHub shows at most 10 for a step.\nAll of them are in the summary of this run and in the full report: artifact media-compliance-report of this run.',
    });
  });

  it('says if there is no full report, and uses the singular for one', () => {
    const issues = Array.from({ length: 10 }, () => anIssue());
    const { fullReport: _, ...report } = aReport({ assets: [anAsset({ issues })] });
    const [only] = annotations(report, { error: 8, warning: 0, notice: 0 });
    expect(only?.message).toContain('10 more of this level are not shown');
    expect(only?.message).toContain('in the full report: the report files of this run.');
  });

  it('uses all ten places', () => {
    expect(warnings(10)).toEqual(Array.from({ length: 10 }, () => 'MAJOR: Unproven health claim'));
    expect(warnings(11)).toEqual([...Array.from({ length: 9 }, () => 'MAJOR: Unproven health claim'), '2 more']);
  });

  it('shows ten warnings as well as the errors of a failing step', () => {
    const issues = [anIssue(), ...Array.from({ length: 10 }, () => anIssue({ severity: 'MAJOR' }))];
    const levels = annotations(aReport({ assets: [anAsset({ issues })] })).map(({ level }) => level);
    expect(levels).toEqual(['error', ...Array.from({ length: 10 }, () => 'warning')]);
  });

  it('shows ten warnings of a passing step', () => {
    const issues = Array.from({ length: 30 }, () => anIssue({ severity: 'MAJOR' }));
    expect(annotations(aReport({ assets: [anAsset({ issues })] }))).toHaveLength(10);
  });

  it('is worst first and inside the limits in a large run', () => {
    const all = annotations(crowdedReport());
    for (const level of LEVELS) expect(all.filter((one) => one.level === level).length).toBeLessThanOrEqual(10);
    expect(all.filter((one) => one.level === 'error')).toHaveLength(9);
    expect(all.slice(0, 8).every((one) => one.title.startsWith('CRITICAL'))).toBe(true);
    expect(all.find((one) => one.level === 'warning')?.title).toMatch(/^MAJOR/);
  });

  it('stays inside the limits and shows no hidden character, whatever the report', () => {
    fc.assert(
      fc.property(anyReport, fc.nat(12), (report, spent) => {
        const all = annotations(report, { error: spent, warning: spent, notice: spent });
        for (const level of LEVELS) {
          const room = Math.max(0, 10 - spent - (level === 'error' && !report.isPassing ? 1 : 0));
          expect(all.filter((one) => one.level === level).length).toBeLessThanOrEqual(room);
        }
        for (const one of all) {
          expect(one.message.length).toBeLessThanOrEqual(4_096);
          expect(one.title.length).toBeLessThanOrEqual(200);
          expect(one.title + one.message).not.toMatch(/\u202e|(?![\n\t])\p{Cc}/u);
          expect(one.message.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('cuts a huge text', () => {
    const issue = anIssue({ summary: HOSTILE_TEXTS.join(' ').repeat(50), reasoning: '😀'.repeat(5_000_000) });
    const [one] = annotations(aReport({ assets: [anAsset({ issues: [issue] })] }));
    expect(one?.message.length).toBe(4_096);
    expect(one?.message.endsWith('…')).toBe(true);
  });
});
