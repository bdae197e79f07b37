/** Why a run did not simply pass. These names are public: they are the values of the output `reason`. */
export type Reason =
  | 'issues'
  | 'asset-failed'
  | 'pre-flight'
  | 'bad-input'
  | 'no-key'
  | 'auth'
  | 'plan'
  | 'service'
  | 'timeout'
  | 'no-files'
  | 'dry-run'
  | 'refused'
  | 'results'
  | 'checkout'
  | 'github'
  | 'cancelled'
  | 'internal';

/** One thing that went wrong, for the person who has to fix it. */
export interface Cause {
  readonly reason: Reason;
  /** What happened. Never contains a key or a signed URL. */
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
  /** The file that it is about, relative to the checkout. */
  readonly path?: string;
  /** The line in that file, from 1. */
  readonly line?: number;
  /** True if a submission may exist that this run does not know: then the cost is unknown. */
  readonly mayBeBilled?: true;
  /** True if the service or its storage was not available. */
  readonly isOutage?: true;
  /** True if the service may still be analysing a submission that this run knows. */
  readonly isSubmissionOpen?: true;
}

/** Ends the run early. Any other error, except a ServiceError, is a defect of the action. */
export class GateError extends Error {
  override readonly name = 'GateError';
  readonly causes: readonly Cause[];

  constructor(causes: Cause | readonly Cause[], options?: ErrorOptions) {
    const list: readonly Cause[] = 'reason' in causes ? [causes] : causes;
    super(list.map((cause) => (cause.path ? `${cause.path}: ${cause.message}` : cause.message)).join('\n'), options);
    this.causes = list;
  }
}

/** The runner stopped the job: it was cancelled, or reached its time limit. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  readonly signalName: string;

  constructor(signalName: string) {
    super(`stopped by ${signalName}`);
    this.signalName = signalName;
  }
}

/** A file that cannot be sent. */
export function preFlight(path: string, message: string, fix: string): Cause {
  return { reason: 'pre-flight', path, message, fix };
}

/** The end of a `fix` for one file. */
export const EXCLUDE_IT = 'exclude it with a line that starts with `!` in the input `files`.';
