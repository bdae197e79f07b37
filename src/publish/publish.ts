import path from 'node:path';
import type { GitHubApi } from '../github/api.ts';
import type { RunContext } from '../github/context.ts';
import type { Runner } from '../github/runner.ts';
import type { Log } from '../lib/log.ts';
import { annotations } from '../report/annotations.ts';
import { SARIF_NAME } from '../report/files.ts';
import { receipt, title } from '../report/phrases.ts';
import type { Report } from '../report/report.ts';
import { renderSummary } from '../report/summary.ts';
import type { Trail } from '../verdict/trail.ts';
import { outputs } from './outputs.ts';
import { writeComment } from './post-comment.ts';
import { reportPlace, uploadReports, writeReports } from './report-folder.ts';

export interface Publisher {
  readonly runner: Runner;
  readonly api: GitHubApi;
  readonly context: RunContext;
}

/** Tells the verdict wherever people look. What cannot be written is a warning: it never changes the verdict. */
export async function publish(judged: Report, trail: Trail, { runner, api, context }: Publisher): Promise<void> {
  const { log } = runner;
  const place = reportPlace(judged, trail.inputs, context, runner.hasArtifacts);
  const report: Report = { ...judged, fullReport: place.inWords };
  for (const notice of report.notices) log.info(`Note: ${notice}`);

  const reports = await attempt(log, 'the report files', () => writeReports(report, place.folder, context.workspace));
  await attempt(log, 'the job summary', () => runner.writeSummary(renderSummary(report)));
  // A run that is told to stop has only seconds left.
  if (trail.inputs && !trail.wasStopped) {
    const { inputs } = trail;
    if (reports) await attempt(log, 'the report artifact', () => uploadReports(place, reports, inputs.retentionDays));
    await writeComment(report, inputs, context, api, log);
  }
  if (place.artifact !== undefined && context.isPublic)
    log.notice(
      'This repository is public, so everybody can read the report artifact. Set `report-artifact: false` to keep the issues to yourself.',
    );
  if (report.verdict === 'pass' && report.mode === 'sandbox') log.warning(title(report));
  const spoken = trail.skipIsExpected ? { ...report, causes: [] } : report;
  for (const annotation of annotations(spoken, runner.spent)) runner.annotate(annotation);

  await attempt(log, 'the outputs', async () => {
    const reportDir = reports ? place.folder : '';
    const files = { reportDir, sarifFile: reportDir && path.join(reportDir, SARIF_NAME), stateFile: trail.stateFile };
    for (const [name, value] of Object.entries(outputs(report, files))) runner.output(name, value);
  });
  log.info(receipt(report));
  if (!report.green) runner.fail(title(report));
}

/** Undefined where it failed. */
async function attempt<T>(log: Log, what: string, write: () => Promise<T>): Promise<T | undefined> {
  try {
    return await write();
  } catch (error) {
    const words = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
    log.warning(`Could not write ${what}: ${words}. The verdict stands.`);
    return undefined;
  }
}
