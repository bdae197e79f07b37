import path from 'node:path';
import { causesOf, type Findings, nothingFound } from '../findings.ts';
import type { GitHubApi } from '../github/api.ts';
import type { RunContext } from '../github/context.ts';
import type { Log, Runner } from '../github/runner.ts';
import type { Inputs } from '../inputs/parse.ts';
import { messageOf } from '../lib/format.ts';
import { annotations } from '../report/annotations.ts';
import { describeSteps, title } from '../report/phrases.ts';
import type { Report } from '../report/report.ts';
import { renderSummary } from '../report/summary.ts';
import { SEVERITIES } from '../service/issue.ts';
import { writeComment } from './comment.ts';
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
  const artifact = inputs.reportArtifact && runner.hasArtifacts ? artifactNameOf(inputs, context) : undefined;
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
    for (const [name, valueOf] of Object.entries(OUTPUTS)) runner.output(name, String(valueOf(report, written)));
  });
  // GitHub puts "Error: " before the message, so the verdict `error` is not named again.
  if (!report.isPassing) runner.fail(report.verdict === 'error' ? report.headline : title(report));
  log.info(`${report.cost}, verdict ${report.verdict}`);
  const [first] = report.nextSteps;
  if (first) log.info(`What to do: ${describeSteps([first])}`);
  if (report.reportUrl !== undefined) log.info(`Report: ${report.reportUrl}`);
}

/**
 * Reports an error for which there is no report, such as a defect in `judge`. Sets every output, so that no workflow takes
 * a missing output for a pass.
 */
export function publishError(error: unknown, runner: Runner): void {
  for (const name of Object.keys(OUTPUTS)) runner.output(name, '');
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

/**
 * The outputs, in the order of action.yml. Every verdict sets all outputs, so that a workflow can read any of them.
 * The paths are absolute. A path is empty if nothing was written to it.
 */
export const OUTPUTS: Readonly<
  Record<string, (report: Report, written: { reportDir: string; stateFile: string }) => string | number>
> = {
  verdict: ({ verdict }) => verdict,
  reason: ({ reason }) => reason,
  mode: ({ mode }) => mode,
  'submission-id': ({ submission }) => submission.id,
  'submission-status': ({ submission }) => submission.status,
  'issue-count': ({ counts }) => counts.issues,
  'critical-count': ({ counts }) => counts.bySeverity.CRITICAL,
  'major-count': ({ counts }) => counts.bySeverity.MAJOR,
  'minor-count': ({ counts }) => counts.bySeverity.MINOR,
  'info-count': ({ counts }) => counts.bySeverity.INFO,
  'new-issue-count': ({ counts }) => counts.newIssues ?? '',
  'highest-severity': ({ counts }) => SEVERITIES.find((severity) => counts.bySeverity[severity] > 0) ?? '',
  'files-matched': ({ counts }) => counts.filesMatched,
  'files-submitted': ({ counts }) => counts.filesSubmitted,
  'files-reused': ({ counts }) => counts.filesReused,
  'assets-failed': ({ counts }) => counts.assetsFailed,
  'assets-submitted': ({ counts }) => counts.assetsSubmitted,
  'report-dir': (_, { reportDir }) => reportDir,
  'state-file': (_, { stateFile }) => stateFile,
  'report-url': ({ reportUrl = '' }) => reportUrl,
  'sarif-file': ({ fitsCodeScanning }, { reportDir }) =>
    reportDir !== '' && fitsCodeScanning ? path.join(reportDir, SARIF_NAME) : '',
};
