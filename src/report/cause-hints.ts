import type { Cause } from '../lib/cause.ts';
import type { ReportedContent } from './report.ts';

/** What the advice of a cause depends on, beside the cause itself. */
export interface HintFacts {
  /** Undefined if something else than `error` is the verdict. */
  readonly check: 'passes' | 'fails' | undefined;
  /** Whether a later run can find the submission that this one waited for. */
  readonly isSubmissionSaved: boolean;
  /** Whether earlier runs left results that only the present API key can open. */
  readonly isStateBoundToKey: boolean;
  readonly assets: readonly Pick<ReportedContent, 'paths' | 'sourceReason'>[];
}

/** Adds the advice that the step which failed cannot give, because it depends on the rest of the run. */
export function withHints(cause: Cause, facts: HintFacts): Cause {
  const fix = hasFailedBefore(cause, facts) ? FAILED_AGAIN : cause.fix;
  return { ...cause, fix: [fix, ...hintsFor(cause, facts)].join(' ') };
}

const FAILED_AGAIN =
  "The file failed in an earlier run as well, so a re-run is unlikely to help, and is billed again. Check that the file opens. If it is damaged, replace it, commit and push. If it is intact, contact the service's support, or exclude it with a line that starts with `!` in the input `files`.";

function hasFailedBefore({ reason, path }: Cause, { assets }: HintFacts): boolean {
  if (reason !== 'asset-failed' || path === undefined) return false;
  return assets.some(({ paths, sourceReason }) => sourceReason === 'earlier analysis failed' && paths.includes(path));
}

function hintsFor(cause: Cause, facts: HintFacts): readonly string[] {
  return [
    ...(cause.submission === 'open' ? [facts.isSubmissionSaved ? RESUMES : SENDS_AGAIN] : []),
    ...(cause.reason === 'timeout' ? [RAISE_TIMEOUT] : []),
    ...(cause.reason === 'auth' && facts.isStateBoundToKey ? [KEY_OPENS_STATE] : []),
    ...outageHint(cause, facts),
  ];
}

const RESUMES = 'Re-run the job later: it resumes waiting for this submission and uploads nothing.';
const SENDS_AGAIN =
  'This run could not save its state, so a re-run submits and bills all files again. Set `state-file` to keep the state.';
const RAISE_TIMEOUT = 'If analyses usually take this long, raise `wait-timeout-minutes`.';
const KEY_OPENS_STATE =
  'A new key cannot open the saved results: the next run analyses and bills every file again, unless `state-key` was set before.';

/** `on-service-error: warn` is only worth a hint while it is not set. */
function outageHint({ reason }: Cause, { check }: HintFacts): readonly string[] {
  if (check === 'passes' && (reason === 'service' || reason === 'timeout'))
    return ['Until then, these files are not judged.'];
  if (check !== 'fails' || reason !== 'service') return [];
  return ['A maintainer can set `on-service-error: warn`; changes can then be merged unchecked during an outage.'];
}
