import { type Cause, rerun, type Step, withFiles, workflowOwner } from '../lib/cause.ts';
import type { ReportedCause } from './report.ts';

/** What the advice of a cause depends on, beside the cause itself. */
interface HintFacts {
  /** Whether an error makes the check fail. */
  readonly isFailing: boolean;
  /** Whether a later run can find the submission that this one waited for. */
  readonly isSubmissionSaved: boolean;
  readonly contents: number;
  readonly runUrl: string;
}

const RESUMES = 'It goes on waiting for this submission, and sends and bills nothing again.';
const SENDS_AGAIN =
  'It submits and bills all files again, because this run could not save its state (see `state-file`).';
const FAILED_ALIKE: readonly Step[] = [
  rerun('Re-run this job later.'),
  workflowOwner("If every file fails again, contact the service's support and give them the submission's id."),
];
const RAISE_TIMEOUT = workflowOwner('If analyses usually take this long, raise `wait-timeout-minutes`.');
/** The name of the variable is that of the guide. */
const FORGIVE = workflowOwner(
  'In an outage, you can let changes through unchecked: set `on-service-error` to `warn` (in the example workflows by the variable `COMPLIANCE_ON_SERVICE_ERROR`), and set it back afterwards.',
);

/** Equal causes become one, in the order of the first of each, with the advice that depends on the rest of the run. */
export function reportCauses(causes: readonly Cause[], facts: HintFacts): readonly ReportedCause[] {
  const groups = Map.groupBy(causes, ({ reason, message, steps, path }) =>
    JSON.stringify([reason, message, steps, path === undefined]),
  );
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(({ path: _path, submissionId: _id, ...cause }) => {
      const paths = group.flatMap(({ path }) => (path === undefined ? [] : [path])).toSorted(byNumbers);
      const submissionIds = [...new Set(group.flatMap(({ submissionId }) => submissionId ?? []))];
      const steps = haveFailedAlike({ ...cause, paths }, facts.contents) ? FAILED_ALIKE : withHints(cause, facts);
      return { ...cause, steps: withAddress(withFiles(steps, paths), facts.runUrl), paths, submissionIds };
    }),
  );
}

/** Whether every content failed in the same way: then the service is the likely cause, not the files. */
export function haveFailedAlike({ reason, paths }: Pick<ReportedCause, 'reason' | 'paths'>, contents: number): boolean {
  return (reason === 'asset-failed' || reason === 'results') && paths.length > 1 && paths.length === contents;
}

function withHints(
  { reason, steps, submission }: Pick<Cause, 'reason' | 'steps' | 'submission'>,
  { isFailing, isSubmissionSaved }: HintFacts,
): readonly Step[] {
  const resumed = isSubmissionSaved ? RESUMES : SENDS_AGAIN;
  const isOutage = reason === 'service' || reason === 'timeout';
  return [
    ...steps.map((step) => (submission === 'open' && step.link === 'run' ? { ...step, note: resumed } : step)),
    ...(reason === 'timeout' ? [RAISE_TIMEOUT] : []),
    ...(isOutage && isFailing ? [FORGIVE] : []),
  ];
}

export function withAddress(steps: readonly Step[], runUrl: string): readonly Step[] {
  return steps.map((step) => (step.link === 'run' ? { ...step, link: runUrl } : step));
}

/** "take-2" before "take-10". */
function byNumbers(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
