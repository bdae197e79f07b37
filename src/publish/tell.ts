import type { RunContext } from '../github/context.ts';
import type { Runner } from '../github/runner.ts';
import type { Cause } from '../lib/cause.ts';
import { buildReport } from '../report/build.ts';
import { title } from '../report/phrases.ts';
import { newTrail, type Trail } from '../verdict/trail.ts';
import { NO_FILES, outputs } from './outputs.ts';
import { type Publisher, publish } from './publish.ts';

/** verdict → report, from whatever the run has come to. */
export async function tell(trail: Trail, publisher: Publisher): Promise<void> {
  await publish(buildReport(trail, publisher.context, new Date()), trail, publisher);
}

/** Where even that broke: whoever reads the outputs must not take their absence for a pass. */
export function tellDefect(defect: Cause, runner: Runner, context: RunContext): void {
  const report = buildReport({ ...newTrail(), stoppedBy: [defect] }, context, new Date());
  for (const [name, value] of Object.entries(outputs(report, NO_FILES))) runner.output(name, value);
  runner.fail(title(report));
}
