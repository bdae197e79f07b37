import { type Cause, EXCLUDE_IT, FILE, rerun, type Step, workflowOwner } from '../lib/cause.ts';

/** What the advice of a cause depends on, beside the cause itself. */
interface HintFacts {
  /** Whether an error makes the check fail. */
  readonly isFailing: boolean;
  /** Whether a later run can find the submission that this one waited for. */
  readonly isSubmissionSaved: boolean;
  readonly isUntouched: boolean;
  readonly haveAllFailed: boolean;
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
const FIX_ON_BASE = workflowOwner(
  `Fix ${FILE} on the base branch, or exclude it with a \`!\` line in the input \`files\`: this pull request does not change it.`,
);

/** The steps of a cause, with the advice that the step which failed cannot give, because it depends on the rest of the run. */
export function withHints({ reason, steps, submission }: Cause, facts: HintFacts): readonly Step[] {
  if (facts.haveAllFailed) return FAILED_ALIKE;
  const isOutage = reason === 'service' || reason === 'timeout';
  const note = facts.isSubmissionSaved ? RESUMES : SENDS_AGAIN;
  const isForOwner = facts.isUntouched && steps.some(({ actor }) => actor === 'author');
  return [
    ...(isForOwner ? [FIX_ON_BASE] : []),
    ...steps
      .filter((step) => !isForOwner || (step.actor !== 'author' && step !== EXCLUDE_IT))
      .map((step) => (submission === 'open' && step.link === 'run' ? { ...step, note } : step)),
    ...(reason === 'timeout' ? [RAISE_TIMEOUT] : []),
    ...(isOutage && facts.isFailing ? [FORGIVE] : []),
  ];
}
