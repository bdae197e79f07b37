import type { Findings } from '../findings.ts';
import { type Step, workflowOwner } from '../lib/cause.ts';
import type { Verdict } from '../verdict/judge.ts';
import { comparePaths, type ReportedCause, rankOfChange } from './report.ts';
import { FIX_ON_BASE } from './steps.ts';

const RESUMES = 'It goes on waiting for this submission, and sends and bills nothing again.';
const SENDS_AGAIN =
  'It submits and bills all files again, because this run could not save its state (see `state-file`).';
const RAISE_TIMEOUT = workflowOwner('If analyses usually take this long, raise `wait-timeout-minutes`.');
/** The guide names the same variable, so change both together. */
const FORGIVE = workflowOwner(
  'In an outage, you can let changes through unchecked: set `on-service-error` to `warn` (in the example workflows by the variable `COMPLIANCE_ON_SERVICE_ERROR`), and set it back afterwards.',
);

/**
 * Merges equal causes. Causes of files that the pull request changes come first, causes of files that it does not
 * change come last, then the path decides. The steps of the causes still contain the placeholder `FILE`.
 */
export function reportedCauses(
  found: Findings,
  verdict: Verdict,
  changed: ReadonlyMap<string, boolean>,
): readonly ReportedCause[] {
  const groups = Map.groupBy(verdict.causes, ({ reason, message, steps, path = '' }) =>
    JSON.stringify([reason, message, steps, changed.get(path)]),
  );
  const causes = [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map((first) => {
      const { path = '', submissionId: _, ...cause } = first;
      const merged = {
        ...cause,
        paths: group.flatMap((each) => each.path ?? []).toSorted(),
        submissionIds: [...new Set(group.flatMap(({ submissionId }) => submissionId ?? []))],
        isChanged: changed.get(path),
      };
      return { ...merged, steps: stepsOf(merged, found, verdict) };
    }),
  );
  return causes.toSorted(
    (one, other) => rankOfChange(one) - rankOfChange(other) || comparePaths(one.paths, other.paths),
  );
}

/** The steps of a cause, with advice that depends on the rest of the run. */
function stepsOf(cause: ReportedCause, { stateFile, created }: Findings, verdict: Verdict): readonly Step[] {
  const { reason, steps, submission } = cause;
  const isOutage = reason === 'service' || reason === 'timeout';
  const isFailing = verdict.name === 'error' && !verdict.isPassing;
  // Whether a later run can find the submission that this run waited for.
  const isSaved = stateFile !== '' || created === undefined;
  const note = isSaved ? RESUMES : SENDS_AGAIN;
  const isForOwner = cause.isChanged === false && steps.some(({ actor }) => actor === 'author');
  return [
    ...(isForOwner ? [FIX_ON_BASE] : []),
    ...steps
      .filter(({ actor }) => !isForOwner || actor !== 'author')
      .map((step) => (submission === 'open' && step.link === 'run' ? { ...step, note } : step)),
    ...(reason === 'timeout' ? [RAISE_TIMEOUT] : []),
    ...(isOutage && isFailing ? [FORGIVE] : []),
  ];
}
