import path from 'node:path';
import { SARIF_NAME } from '../report/files.ts';
import type { Report } from '../report/report.ts';
import { isSarifComplete } from '../report/sarif.ts';

/** In the order of action.yml. */
export const OUTPUT_NAMES = [
  'verdict',
  'reason',
  'mode',
  'submission-id',
  'submission-status',
  'issue-count',
  'critical-count',
  'major-count',
  'minor-count',
  'info-count',
  'new-issue-count',
  'highest-severity',
  'files-matched',
  'files-submitted',
  'files-reused',
  'assets-submitted',
  'assets-failed',
  'report-dir',
  'report-url',
  'sarif-file',
  'state-file',
] as const;

/**
 * Every output, on every verdict: a workflow can read any of them without asking whether it is there. The paths of what was
 * written are absolute, and empty if it was not written.
 */
export function outputs(
  report: Report,
  { reportDir, stateFile }: { readonly reportDir: string; readonly stateFile: string },
): Record<(typeof OUTPUT_NAMES)[number], string> {
  const { counts } = report;
  const hasSarif = reportDir !== '' && isSarifComplete(report);
  return {
    verdict: report.verdict,
    reason: report.reason,
    mode: report.mode,
    'submission-id': report.submission.id,
    'submission-status': report.submission.status,
    'issue-count': String(counts.issues),
    'critical-count': String(counts.bySeverity.CRITICAL),
    'major-count': String(counts.bySeverity.MAJOR),
    'minor-count': String(counts.bySeverity.MINOR),
    'info-count': String(counts.bySeverity.INFO),
    'new-issue-count': String(counts.newIssues),
    'highest-severity': report.highestSeverity,
    'files-matched': String(counts.filesMatched),
    'files-submitted': String(counts.filesSubmitted),
    'files-reused': String(counts.filesReused),
    'assets-submitted': String(counts.assetsSubmitted),
    'assets-failed': String(counts.assetsFailed),
    'report-dir': reportDir,
    'report-url': report.reportUrl ?? '',
    'sarif-file': hasSarif ? path.join(reportDir, SARIF_NAME) : '',
    'state-file': stateFile,
  };
}
