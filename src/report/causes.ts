import type { Findings } from '../findings.ts';
import { type Cause, EXCLUDE_IT, FILE, type Step, withFiles, workflowOwner } from '../lib/cause.ts';
import type { Verdict } from '../verdict/judge.ts';
import type { ReportedCause } from './report.ts';

const RESUMES = 'It goes on waiting for this submission, and sends and bills nothing again.';
const SENDS_AGAIN =
  'It submits and bills all files again, because this run could not save its state (see `state-file`).';
const RAISE_TIMEOUT = workflowOwner('If analyses usually take this long, raise `wait-timeout-minutes`.');
/** The name of the variable is that of the guide. */
const FORGIVE = workflowOwner(
  'In an outage, you can let changes through unchecked: set `on-service-error` to `warn` (in the example workflows by the variable `COMPLIANCE_ON_SERVICE_ERROR`), and set it back afterwards.',
);
const FIX_ON_BASE = workflowOwner(
  `Fix ${FILE} on the base branch, or exclude it with a \`!\` line in the input \`files\`: this pull request does not change it.`,
);

/** Equal causes become one, in the order of the first of each. */
export function reportedCauses(
  found: Findings,
  verdict: Verdict,
  untouched: ReadonlySet<string>,
): readonly ReportedCause[] {
  const isUntouched = ({ path }: Cause): boolean => path !== undefined && untouched.has(path);
  const groups = Map.groupBy(verdict.causes, (cause) =>
    JSON.stringify([cause.reason, cause.message, cause.steps, isUntouched(cause)]),
  );
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map((first) => {
      const { path: _path, submissionId: _id, ...cause } = first;
      const merged = {
        ...cause,
        paths: group.flatMap(({ path }) => path ?? []).toSorted(),
        submissionIds: [...new Set(group.flatMap(({ submissionId }) => submissionId ?? []))],
        isUntouched: isUntouched(first),
      };
      return { ...merged, steps: withFiles(stepsOf(merged, found, verdict), merged.paths) };
    }),
  );
}

/** The steps of a cause, with the advice that the step which failed cannot give, because it depends on the rest of the run. */
function stepsOf(cause: ReportedCause, { stateFile, created }: Findings, verdict: Verdict): readonly Step[] {
  const { reason, steps, submission } = cause;
  const isOutage = reason === 'service' || reason === 'timeout';
  const isFailing = verdict.name === 'error' && !verdict.isPassing;
  // Whether a later run can find the submission that this one waited for.
  const isSaved = stateFile !== '' || created === undefined;
  const note = isSaved ? RESUMES : SENDS_AGAIN;
  const isForOwner = cause.isUntouched && steps.some(({ actor }) => actor === 'author');
  return [
    ...(isForOwner ? [FIX_ON_BASE] : []),
    ...steps
      .filter((step) => !isForOwner || (step.actor !== 'author' && step !== EXCLUDE_IT))
      .map((step) => (submission === 'open' && step.link === 'run' ? { ...step, note } : step)),
    ...(reason === 'timeout' ? [RAISE_TIMEOUT] : []),
    ...(isOutage && isFailing ? [FORGIVE] : []),
  ];
}
