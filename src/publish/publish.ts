import path from 'node:path';
import { causesOf, type Findings, nothingFound } from '../findings.ts';
import type { GitHubApi } from '../github/api.ts';
import type { RunContext } from '../github/context.ts';
import type { Log, Runner } from '../github/runner.ts';
import type { Inputs } from '../inputs/parse.ts';
import { messageOf } from '../lib/format.ts';
import { annotations } from '../report/annotations.ts';
import { occurring } from '../report/facts.ts';
import { describeSteps, failureLine, title } from '../report/phrases.ts';
import type { Report } from '../report/report.ts';
import { isSarifComplete } from '../report/sarif.ts';
import { renderSummary } from '../report/summary.ts';
import { writeComment } from './post-comment.ts';
import { artifactNameOf, SARIF_NAME, uploadReports, writeReports } from './report-folder.ts';

interface PublishOptions {
  readonly found: Findings;
  readonly inputs: Inputs;
  readonly runner: Runner;
  readonly github: GitHubApi;
  readonly context: RunContext;
}

/** Writes summary, report files, comment, annotations and outputs. A failed write only warns; the verdict stays. */
export async function publish(judged: Report, options: PublishOptions): Promise<void> {
  const { found, inputs, runner, github, context } = options;
  const { log } = runner;
  const artifact = artifactNameOf(inputs, context, runner.hasArtifacts);
  let report = judged;
  const writeSummary = async (): Promise<void> =>
    await warnOnError(log, 'the job summary', () => runner.writeSummary(renderSummary(report)));
  for (const notice of report.notices) log.info(`Note: ${notice}`);

  const reportDir = await warnOnError(log, 'the report files', () => writeReports(report, context));
  // The summary is written now, in case the upload fails, and again after the upload, with the address of the artifact.
  await writeSummary();
  // A cancelled run has only seconds left, so it uploads and comments nothing.
  if (!found.isCancelled) {
    // The artifact client logs every step, so its output is put into a group.
    const upload = async () =>
      artifact &&
      reportDir &&
      (await log.group('Uploading the report', () => uploadReports(artifact, reportDir, context)));
    const pageId = await warnOnError(log, 'the report artifact', upload);
    if (pageId) {
      report = { ...report, reportUrl: `${context.runUrl}/artifacts/${pageId}` };
      await writeSummary();
    }
    await writeComment(report, { inputs, context, api: github, log });
  }
  if (report.verdict === 'pass' && report.mode === 'sandbox') log.warning(title(report));
  const annotated = found.skipped?.isExpected ? { ...report, causes: [] } : report;
  for (const annotation of annotations(annotated, runner.spent)) runner.annotate(annotation);

  await warnOnError(log, 'the outputs', async () => {
    const written = { reportDir: reportDir ?? '', stateFile: found.stateFile };
    for (const [name, { valueOf }] of Object.entries(OUTPUTS)) runner.output(name, valueOf(report, written));
  });
  if (!report.isPassing) runner.fail(failureLine(report));
  log.info(`${report.cost}, verdict ${report.verdict}`);
  const [first] = report.nextSteps;
  if (first) log.info(`What to do: ${describeSteps([first])}`);
  if (report.reportUrl !== undefined) log.info(`Report: ${report.reportUrl}`);
}

/** Reports an error outside the steps. Sets every output, so that no workflow takes a missing output for a pass. */
export function publishError(error: unknown, runner: Runner): void {
  for (const [name, { empty }] of Object.entries(OUTPUTS)) runner.output(name, empty);
  runner.output('verdict', 'error');
  for (const { reason, message } of causesOf(error, nothingFound())) {
    runner.output('reason', reason);
    runner.fail(message);
  }
}

/** If `write` fails, logs a warning and returns undefined. */
async function warnOnError<T>(log: Log, what: string, write: () => Promise<T>): Promise<T | undefined> {
  try {
    return await write();
  } catch (error) {
    log.warning(`Could not write ${what}: ${messageOf(error).replace(/\.$/, '')}. The verdict is not affected.`);
    return undefined;
  }
}

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
  'highest-severity': text(({ counts }) => occurring(counts.bySeverity)[0] ?? ''),
  'files-matched': number((counts) => counts.filesMatched),
  'files-submitted': number((counts) => counts.filesSubmitted),
  'files-reused': number((counts) => counts.filesReused),
  'assets-failed': number((counts) => counts.assetsFailed),
  'assets-submitted': number((counts) => counts.assetsSubmitted),
  'report-dir': text((_, { reportDir }) => reportDir),
  'state-file': text((_, { stateFile }) => stateFile),
  'report-url': text(({ reportUrl }) => reportUrl ?? ''),
  'sarif-file': text((report, { reportDir }) =>
    reportDir !== '' && isSarifComplete(report) && report.fitsCodeScanning ? path.join(reportDir, SARIF_NAME) : '',
  ),
};
