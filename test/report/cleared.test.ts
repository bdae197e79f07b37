import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { renderCleared, renderPredicate } from '../../src/report/cleared.ts';
import type { Report } from '../../src/report/report.ts';
import { aContent, anIssue, aReport } from '../builders/reports.ts';
import { it } from '../harness/fixtures.ts';

const good = aContent({ paths: ['z.mp4', 'a.mp4'], issues: [anIssue({ severity: 'MINOR' })] });
const waived = aContent({ paths: ['w.mp4'], issues: [anIssue({ standing: 'waived' })] });
const bad = aContent({ paths: ['bad.mp4'], issues: [anIssue()] });
const lost = aContent({ paths: ['failed.mp4'], outcome: 'failed' });
const unread = aContent({ paths: ['unread.mp4'], outcome: 'unclear' });
const lastKnown = aContent({ paths: ['last-known.mp4'], outcome: 'last-known', isLastKnown: true });
const known = aContent({ paths: ['known.mp4'], issues: [anIssue({ standing: 'known' })] });
const contents = [bad, lost, unread, lastKnown, known, good, waived];

it.for<[string, Report, string[]]>([
  ['a run that fails', aReport({ contents }), ['a.mp4', 'w.mp4', 'z.mp4']],
  ['a sandbox run', aReport({ contents: [good], mode: 'sandbox' }), []],
  ['a run that checked nothing', aReport({ contents: [good], verdict: 'skipped' }), []],
  ['a run without a key', aReport({ contents: [good], mode: '' }), []],
])('the list of cleared files of %s', ([, report, expected]) => {
  expect(renderCleared(report).replaceAll(/^.{66}/gm, '')).toBe(expected.map((name) => `${name}\n`).join(''));
  expect(JSON.parse(renderPredicate(report))).toMatchObject({
    counts: { filesMatched: report.counts.filesMatched, filesCleared: expected.length },
    cleared: expected.map((name) => ({ name })),
  });
});

it('the predicate says under which policy, with which issues and waivers', () => {
  const waiver = { owner: 'legal', reason: 'bought', expires: '2027-01-01' };
  const issues = [anIssue({ severity: 'MINOR' }), anIssue({ standing: 'waived', waiver, ruleCode: 'R' })];
  const content = aContent({ issues });
  const { sha256, analysedAt, submissionId } = content;
  expect(JSON.parse(renderPredicate(aReport({ contents: [content] })))).toMatchObject({
    verdict: 'pass',
    timeVerified: '2026-11-14T09:41:00Z',
    verifier: { name: 'Media Compliance Gate', gate: 'media-compliance' },
    policy: { failOnSeverity: 'CRITICAL' },
    cleared: [{ digest: { sha256 }, analysedAt, submissionId, waivers: [{ ruleCode: 'R', ...waiver }] }],
  });
});

it.runIf(process.platform === 'linux')('the list is read by sha256sum, whatever the names', async ({ makeFolder }) => {
  const names = ['plain.mp4', 'two  spaces', 'new\nline', 'back\\slash', 'cr\r', '\\n', '-dash', '*star', 'ü 漢'];
  const folder = await makeFolder(Object.fromEntries(names.map((name) => [name, name])));
  const contents = names.map((name) =>
    aContent({ paths: [name], sha256: createHash('sha256').update(name).digest('hex') }),
  );
  const options = { cwd: folder, input: renderCleared(aReport({ contents })), encoding: 'utf8' } as const;
  const list = execFileSync('sha256sum', ['--check', '--strict', '-'], options);
  expect(list.match(/: OK$/gm)).toHaveLength(names.length);
});
