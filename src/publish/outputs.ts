import path from 'node:path';
import type { Report } from '../report/report.ts';
import { isSarifComplete } from '../report/sarif.ts';
import { SARIF_NAME } from './report-folder.ts';

interface Output {
  readonly valueOf: (report: Report, paths: Readonly<Record<'reportDir' | 'stateFile', string>>) => string;
  /** The value in a run that has no report. A number stays a number, because workflows read it with `fromJSON`. */
  readonly empty: '' | '0';
}

function text(valueOf: Output['valueOf']): Output {
  return { valueOf, empty: '' };
}

function number(countOf: (counts: Report['counts']) => number): Output {
  return { valueOf: ({ counts }) => String(countOf(counts)), empty: '0' };
}

/**
 * The outputs, in the order of action.yml. Every verdict sets all outputs, so that a workflow can read any of them.
 * The paths are absolute. A path is empty if nothing was written to it.
 */
export const OUTPUTS: Readonly<Record<string, Output>> = {
  verdict: text(({ verdict }) => verdict),
  reason: text(({ reason }) => reason),
  mode: text(({ mode }) => mode),
  'submission-id': text(({ submission }) => submission.id),
  'submission-status': text(({ submission }) => submission.status),
  'issue-count': number((counts) => counts.issues),
  'critical-count': number((counts) => counts.bySeverity.CRITICAL),
  'major-count': number((counts) => counts.bySeverity.MAJOR),
  'minor-count': number((counts) => counts.bySeverity.MINOR),
  'info-count': number((counts) => counts.bySeverity.INFO),
  'new-issue-count': text(({ counts }) => String(counts.newIssues ?? '')),
  'highest-severity': text(({ highestSeverity }) => highestSeverity),
  'files-matched': number((counts) => counts.filesMatched),
  'files-submitted': number((counts) => counts.filesSubmitted),
  'files-reused': number((counts) => counts.filesReused),
  'assets-submitted': number((counts) => counts.assetsSubmitted),
  'assets-failed': number((counts) => counts.assetsFailed),
  'report-dir': text((_, { reportDir }) => reportDir),
  'report-url': text(({ reportUrl }) => reportUrl ?? ''),
  'sarif-file': text((report, { reportDir }) =>
    reportDir !== '' && isSarifComplete(report) && report.fitsCodeScanning ? path.join(reportDir, SARIF_NAME) : '',
  ),
  'state-file': text((_, { stateFile }) => stateFile),
};
