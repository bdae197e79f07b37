import { actorOf, type Cause } from '../lib/cause.ts';
import { forActor } from './phrases.ts';
import type { ReportedContent } from './report.ts';

/** What the advice of a cause depends on, beside the cause itself. */
export interface HintFacts {
  /** Undefined if something else than `error` is the verdict. */
  readonly check: 'passes' | 'fails' | undefined;
  /** Whether a later run can find the submission that this one waited for. */
  readonly isSubmissionSaved: boolean;
  /** Whether earlier runs left results that only the present API key can open. */
  readonly isStateBoundToKey: boolean;
  readonly haveFailedAlike: boolean;
  readonly assets: readonly Pick<ReportedContent, 'paths' | 'sourceReason'>[];
}

/** Adds who can act, and the advice that the step which failed cannot give, because it depends on the rest of the run. */
export function withHints(cause: Cause, facts: HintFacts): Cause {
  const fix = forActor(fixOf(cause, facts), actorOf(cause));
  return { ...cause, fix: [fix, ...hintsFor(cause, facts)].join(' ') };
}

const FAILED_AGAIN =
  "The file failed in an earlier run as well, so a re-run is unlikely to help, and is billed again. Check that the file opens. If it is damaged, replace it, commit and push. If it is intact, contact the service's support, or exclude it with a line that starts with `!` in the input `files`.";
const FAILED_ALIKE =
  "Re-run the job later. If every file fails again, contact the service's support and give them the submission's id.";
const RESUMES = 'Re-run the job later: it resumes waiting for this submission and uploads nothing.';
const SENDS_AGAIN =
  'This run could not save its state, so a re-run submits and bills all files again. Set `state-file` to keep the state.';

function fixOf({ reason, path, fix, submission }: Cause, facts: HintFacts): string {
  const { assets, haveFailedAlike, isSubmissionSaved } = facts;
  if (haveFailedAlike) return FAILED_ALIKE;
  if (submission === 'open') return `${fix} ${isSubmissionSaved ? RESUMES : SENDS_AGAIN}`;
  const hasFailedBefore =
    reason === 'asset-failed' &&
    path !== undefined &&
    assets.some(({ paths, sourceReason }) => sourceReason === 'earlier analysis failed' && paths.includes(path));
  return hasFailedBefore ? FAILED_AGAIN : fix;
}

const RAISE_TIMEOUT = 'If analyses usually take this long, the owner of the workflow can raise `wait-timeout-minutes`.';
const KEY_OPENS_STATE =
  'A new key cannot open the saved results: the next run analyses and bills every file again, unless `state-key` was set before.';
const UNTIL_THEN = 'Until then, these files are not judged.';
/** Only worth a hint while it is not set. The name of the variable is that of the guide. */
const FORGIVE =
  'If the service is down, the owner of the workflow can set the variable `COMPLIANCE_ON_SERVICE_ERROR`, which the examples read into `on-service-error`, to `warn`: changes can then be merged unchecked.';

function hintsFor({ reason }: Cause, facts: HintFacts): readonly string[] {
  const isOutage = reason === 'service' || reason === 'timeout';
  return [
    ...(reason === 'timeout' ? [RAISE_TIMEOUT] : []),
    ...(reason === 'auth' && facts.isStateBoundToKey ? [KEY_OPENS_STATE] : []),
    ...(isOutage && facts.check === 'passes' ? [UNTIL_THEN] : []),
    ...(isOutage && facts.check === 'fails' ? [FORGIVE] : []),
  ];
}
