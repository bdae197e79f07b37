import path from 'node:path';
import type { GitHubApi } from '../github/api.ts';
import type { RunContext } from '../github/context.ts';
import type { Runner } from '../github/runner.ts';
import { DEFAULTS, type Inputs } from '../inputs/inputs.ts';
import type { Log } from '../lib/log.ts';
import { annotations } from '../report/annotations.ts';
import { buildReport, type ReportSources } from '../report/build.ts';
import { SARIF_NAME } from '../report/files.ts';
import { failureLine, receipt, title } from '../report/phrases.ts';
import type { Report } from '../report/report.ts';
import { isSarifComplete } from '../report/sarif.ts';
import { renderSummary } from '../report/summary.ts';
import { causesOf, type Findings, nothingFound } from '../verdict/findings.ts';
import { judge } from '../verdict/judge.ts';

import { NO_FILES, outputs, type WrittenFiles } from './outputs.ts';
import { writeComment } from './post-comment.ts';
import { claimReportTarget, uploadReports, writeReports } from './report-folder.ts';

interface PublishOptions {
  readonly found: Findings;
  readonly inputs: Inputs;
  readonly runner: Runner;
  readonly github: GitHubApi;
  readonly context: RunContext;
}

/** report → publish: shows the verdict wherever people look. A part that cannot be written is a warning, never another verdict. */
export async function publish(judged: Report, options: PublishOptions): Promise<void> {
  const { found, inputs, runner, github, context } = options;
  const { log } = runner;
  const target = claimReportTarget({ inputs, context, hasArtifacts: runner.hasArtifacts });
  let report: Report = { ...judged, fullReport: target.description };
  const writeSummary = async (): Promise<void> => {
    await attempt(log, 'the job summary', () => runner.writeSummary(renderSummary(report)));
  };
  for (const notice of report.notices) log.info(`Note: ${notice}`);

  const reports = await attempt(log, 'the report files', () =>
    writeReports(report, { folder: target.folder, searchRoot: inputs.searchRoot, workspace: context.workspace }),
  );
  // Before the upload, which may take long or fail, and again with the address of what was uploaded.
  await writeSummary();
  // A cancelled run has only seconds left.
  if (!found.isCancelled) {
    const onPage = (id: number): void => {
      report = { ...report, reportUrl: `${context.runUrl}/artifacts/${id}` };
    };
    if (reports) {
      const { retentionDays } = inputs;
      await attempt(log, 'the report artifact', () => uploadReports(target, { files: reports, retentionDays, onPage }));
    }
    if (report.reportUrl !== undefined) await writeSummary();
    await writeComment(report, { inputs, context, api: github, log });
  }
  if (target.artifact !== undefined && context.isPublic) {
    log.notice(
      'This repository is public, so everyone can read the report artifact. To keep the issues private, set `report-artifact: false`.',
    );
  }
  if (report.verdict === 'pass' && report.mode === 'sandbox') log.warning(title(report));
  const annotated = found.skipped?.isExpected ? { ...report, causes: [] } : report;
  for (const annotation of annotations(annotated, runner.spent)) runner.annotate(annotation);

  await attempt(log, 'the outputs', async () => {
    const reportDir = reports ? target.folder : '';
    const hasSarif = reportDir !== '' && isSarifComplete(report);
    setOutputs(
      report,
      { reportDir, sarifFile: hasSarif ? path.join(reportDir, SARIF_NAME) : '', stateFile: found.stateFile },
      runner,
    );
  });
  if (!report.isPassing) runner.fail(failureLine(report));
  log.info(receipt(report));
}

/** The inputs may be what could not be read. */
const NO_INPUTS: ReportSources['inputs'] = {
  name: DEFAULTS.name,
  service: undefined,
  policy: { failOnSeverity: 'CRITICAL', failOnIssues: 'all', ignoreStatuses: [], onServiceError: 'error' },
  issueUrl: undefined,
  waiversFile: undefined,
};

/** After a defect outside the steps: every output is set, so that a workflow never takes their absence for a pass. */
export function publishDefect(error: unknown, runner: Runner, context: RunContext): void {
  const found = { ...nothingFound(), causes: causesOf(error, nothingFound()) };
  const verdict = judge(found, NO_INPUTS.policy);
  const report = buildReport({ found, verdict, inputs: NO_INPUTS, context, now: new Date() });
  setOutputs(report, NO_FILES, runner);
  runner.fail(report.headline);
  runner.log.info(receipt(report));
}

function setOutputs(report: Report, files: WrittenFiles, runner: Runner): void {
  for (const [name, value] of Object.entries(outputs(report, files))) runner.output(name, value);
}

/** Undefined if it failed. */
async function attempt<T>(log: Log, what: string, write: () => Promise<T>): Promise<T | undefined> {
  try {
    return await write();
  } catch (error) {
    const message = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
    log.warning(`Could not write ${what}: ${message}. The verdict is not affected.`);
    return undefined;
  }
}
