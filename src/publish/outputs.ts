import path from 'node:path';
import type { Report } from '../report/report.ts';
import { isSarifComplete } from '../report/sarif.ts';
import { SARIF_NAME } from './report-folder.ts';

/**
 * The outputs, in the order of action.yml. Every verdict sets all outputs, so that a workflow can read any of them.
 * The paths are absolute. A path is empty if nothing was written to it.
 */
export const OUTPUTS: Readonly<
  Record<string, (report: Report, paths: Readonly<Record<'reportDir' | 'stateFile', string>>) => string>
> = {
  verdict: ({ verdict }) => verdict,
  reason: ({ reason }) => reason,
  mode: ({ mode }) => mode,
  'submission-id': ({ submission }) => submission.id,
  'submission-status': ({ submission }) => submission.status,
  'issue-count': ({ counts }) => String(counts.issues),
  'critical-count': ({ counts }) => String(counts.bySeverity.CRITICAL),
  'major-count': ({ counts }) => String(counts.bySeverity.MAJOR),
  'minor-count': ({ counts }) => String(counts.bySeverity.MINOR),
  'info-count': ({ counts }) => String(counts.bySeverity.INFO),
  'new-issue-count': ({ counts }) => String(counts.newIssues),
  'highest-severity': ({ highestSeverity }) => highestSeverity,
  'files-matched': ({ counts }) => String(counts.filesMatched),
  'files-submitted': ({ counts }) => String(counts.filesSubmitted),
  'files-reused': ({ counts }) => String(counts.filesReused),
  'assets-submitted': ({ counts }) => String(counts.assetsSubmitted),
  'assets-failed': ({ counts }) => String(counts.assetsFailed),
  'report-dir': (_, { reportDir }) => reportDir,
  'report-url': ({ reportUrl }) => reportUrl ?? '',
  'sarif-file': (report, { reportDir }) =>
    reportDir !== '' && isSarifComplete(report) ? path.join(reportDir, SARIF_NAME) : '',
  'state-file': (_, { stateFile }) => stateFile,
};
