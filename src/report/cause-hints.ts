import { actorOf, type Cause } from '../lib/cause.ts';
import { forActor } from './phrases.ts';

/** What the advice of a cause depends on, beside the cause itself. */
interface HintFacts {
  /** Whether an error makes the check fail. */
  readonly isFailing: boolean;
  /** Whether a later run can find the submission that this one waited for. */
  readonly isSubmissionSaved: boolean;
  readonly haveFailedAlike: boolean;
}

const FAILED_ALIKE =
  "Re-run the job later. If every file fails again, contact the service's support and give them the submission's id.";
const RESUMES = 'The next run goes on waiting for this submission: it sends and bills nothing again.';
const SENDS_AGAIN =
  'A re-run submits and bills all files again, because this run could not save its state (see `state-file`).';
const RAISE_TIMEOUT = 'If analyses usually take this long, raise `wait-timeout-minutes`.';
/** The name of the variable is that of the guide. */
const FORGIVE =
  'In an outage, you can let changes through unchecked: set `on-service-error` to `warn` (in the example workflows by the variable `COMPLIANCE_ON_SERVICE_ERROR`), and set it back afterwards.';

/** Adds who can act, and the advice that the step which failed cannot give, because it depends on the rest of the run. */
export function withHints(cause: Cause, { isFailing, isSubmissionSaved, haveFailedAlike }: HintFacts): Cause {
  const { reason, submission } = cause;
  const resumed = submission === 'open' ? ` ${isSubmissionSaved ? RESUMES : SENDS_AGAIN}` : '';
  const isOutage = reason === 'service' || reason === 'timeout';
  const parts = [
    forActor(haveFailedAlike ? FAILED_ALIKE : cause.fix + resumed, actorOf(cause)),
    ...(reason === 'timeout' ? [forActor(RAISE_TIMEOUT, 'workflow owner')] : []),
    ...(isOutage && isFailing ? [forActor(FORGIVE, 'workflow owner')] : []),
  ];
  return { ...cause, fix: parts.join('\n') };
}
