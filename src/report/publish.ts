import type { Runner } from '../github/runner.ts';
import { annotations } from './annotations.ts';
import { outputs } from './outputs.ts';
import type { Report } from './report.ts';
import { renderSummary } from './summary.ts';
import { count, title } from './words.ts';

/** Tells the verdict wherever people look. What cannot be written is a warning: it never changes the verdict. */
export async function publish(report: Report, runner: Runner): Promise<void> {
  for (const notice of report.notices) runner.log.notice(notice);
  if (report.green && report.verdict !== 'pass') runner.log.warning(title(report));
  if (report.verdict === 'pass' && report.mode === 'sandbox') runner.log.warning(title(report));
  await attempt(runner, 'the job summary', async () => await runner.writeSummary(renderSummary(report)));
  for (const annotation of annotations(report, runner.spent)) runner.annotate(annotation);
  await attempt(runner, 'the outputs', async () => {
    const files = { reportDir: '', sarifFile: '', stateFile: '' };
    for (const [name, value] of Object.entries(outputs(report, files))) runner.output(name, value);
  });
  runner.log.info(receipt(report));
  if (!report.green) runner.fail(title(report));
}

async function attempt(runner: Runner, what: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    runner.log.warning(
      `Could not write ${what}: ${error instanceof Error ? error.message : String(error)}. The verdict stands.`,
    );
  }
}

/** The last line of the log: what was done, and what it cost. */
function receipt({ counts, verdict }: Report): string {
  return `${count(counts.filesSubmitted)} analysed, ${count(counts.filesReused)} reused, 0 paid twice, verdict ${verdict}`;
}
