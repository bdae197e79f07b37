import { expect, it } from 'vitest';
import { OUTPUTS } from '../../src/publish/publish.ts';
import type { Report } from '../../src/report/report.ts';
import { aContent, anIssue, aReport, WITH_BRANCH } from '../builders/reports.ts';

const files = { reportDir: '/tmp/report', stateFile: '/tmp/state.json' };

const outputs = (report: Report, written = files): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(OUTPUTS).map(([name, { valueOf }]) => [name, valueOf(report, written)]));

it('outputs have the numbers of the report', () => {
  const issues = [
    anIssue({ isNew: true }),
    anIssue({ severity: 'MAJOR', isNew: false }),
    anIssue({ severity: 'MINOR', isNew: true }),
    anIssue({ severity: 'MINOR', isNew: true }),
    anIssue({ severity: 'INFO', isNew: true }),
    anIssue({ standing: 'waived' }),
  ];
  const contents = [
    aContent({ paths: ['a', 'b'], issues }),
    aContent({ source: 'reused' }),
    aContent({ source: 'not-sent', outcome: 'failed' }),
  ];
  expect(outputs(aReport({ contents })), 'Nothing was compared.').toMatchObject({ 'new-issue-count': '' });
  expect(outputs(aReport({ contents, comparison: WITH_BRANCH }))).toEqual({
    verdict: 'fail',
    reason: 'issues',
    mode: 'live',
    'submission-id': '11111111-1111-4111-8111-111111111111',
    'submission-status': 'complete',
    'issue-count': '5',
    'critical-count': '1',
    'major-count': '1',
    'minor-count': '2',
    'info-count': '1',
    'new-issue-count': '4',
    'highest-severity': 'CRITICAL',
    'files-matched': '4',
    'files-submitted': '2',
    'files-reused': '1',
    'assets-submitted': '1',
    'assets-failed': '1',
    'report-dir': '/tmp/report',
    'report-url': '',
    'sarif-file': '',
    'state-file': '/tmp/state.json',
  });
});

it('the output sarif-file is set only if the report was written, and fits the commit', () => {
  expect(outputs(aReport())['sarif-file']).toBe('/tmp/report/report.sarif');
  expect(outputs(aReport(), { ...files, reportDir: '' })['sarif-file']).toBe('');
  expect(outputs(aReport({ fitsCodeScanning: false }))['sarif-file']).toBe('');
});
