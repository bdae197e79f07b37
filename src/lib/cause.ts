/** Why a run did not end in a plain pass. The names are public: they are the values of the output `reason`. */
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
  | 'checkout';

/** One thing that went wrong, told to the person who has to mend it. */
export interface Cause {
  readonly reason: Reason;
  /** What happened. Never holds a key or a signed URL. */
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
  /** The file it happened to, as it is named in the repository. */
  readonly path?: string;
}

/** Ends the run early. Everything thrown on purpose is one of these; anything else is a defect of ours. */
export class GateError extends Error {
  override readonly name = 'GateError';
  readonly causes: readonly Cause[];

  constructor(causes: Cause | readonly Cause[], options?: ErrorOptions) {
    const list: readonly Cause[] = 'reason' in causes ? [causes] : causes;
    super(list.map((cause) => (cause.path ? `${cause.path}: ${cause.message}` : cause.message)).join('\n'), options);
    this.causes = list;
  }
}
