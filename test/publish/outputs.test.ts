import { expect, it } from 'vitest';
import { OUTPUTS } from '../../src/publish/publish.ts';
import type { Report } from '../../src/report/report.ts';
import { aContent, anIssue, aReport } from '../builders/reports.ts';

const files = { reportDir: '/tmp/report', stateFile: '/tmp/state.json' };

const outputs = (report: Report, written = files): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(OUTPUTS).map(([name, valueOf]) => [name, String(valueOf(report, written))]));

function times<T>(count: number, item: T): readonly T[] {
  return Array.from({ length: count }, () => item);
}

it('outputs have the numbers of the report', () => {
  // Each number is another one, so that no output can have the number of another.
  const issues = [
    anIssue({ isNew: true }),
    ...times(2, anIssue({ severity: 'MAJOR', isNew: true })),
    ...times(3, anIssue({ severity: 'MINOR', isNew: true })),
    ...times(4, anIssue({ severity: 'INFO', isNew: false })),
    anIssue({ standing: 'waived' }),
  ];
  const contents = [
    aContent({ paths: ['a', ...times(10, 'b')], issues }),
    ...times(11, aContent()),
    aContent({ paths: ['c', ...times(7, 'd')], source: 'reused' }),
    ...times(5, aContent({ source: 'not sent', outcome: 'failed' })),
  ];
  expect(outputs(aReport()), 'Nothing was compared.').toMatchObject({ 'new-issue-count': '' });
  expect(outputs(aReport({ contents }))).toEqual({
    verdict: 'fail',
    reason: 'issues',
    mode: 'live',
    'submission-id': '11111111-1111-4111-8111-111111111111',
    'submission-status': 'complete',
    'issue-count': '10',
    'critical-count': '1',
    'major-count': '2',
    'minor-count': '3',
    'info-count': '4',
    'new-issue-count': '6',
    'highest-severity': 'CRITICAL',
    'files-matched': '35',
    'files-submitted': '22',
    'files-reused': '8',
    'assets-submitted': '12',
    'assets-failed': '5',
    'report-dir': '/tmp/report',
    'report-url': '',
    'sarif-file': '/tmp/report/report.sarif',
    'state-file': '/tmp/state.json',
  });
  expect(outputs(aReport(), { ...files, reportDir: '' })['sarif-file']).toBe('');
  expect(outputs(aReport({ fitsCodeScanning: false }))['sarif-file']).toBe('');
});
