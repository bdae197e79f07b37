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

/** The author of the change, the owner of the workflow, or the owner of the account at the service. */
export type Actor = 'author' | 'workflow owner' | 'account owner';

/** One thing that went wrong, for the person who has to fix it. */
export interface Cause {
  readonly reason: Reason;
  /** What happened. Never contains a key or a signed URL. */
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
  /** Set if it is somebody else than usual for this reason. */
  readonly actor?: Actor;
  /** The file that it is about, relative to the checkout. */
  readonly path?: string;
  /** The line in that file, from 1. */
  readonly line?: number;
  /** `unconfirmed`: one may exist that this run does not know, so the cost is unknown. `open`: the service may still be analysing it. */
  readonly submission?: 'unconfirmed' | 'open';
}

const USUAL_ACTORS: Readonly<Record<Reason, Actor>> = {
  issues: 'author',
  'asset-failed': 'author',
  'pre-flight': 'author',
  'bad-input': 'workflow owner',
  'no-key': 'workflow owner',
  auth: 'workflow owner',
  plan: 'account owner',
  service: 'author',
  timeout: 'author',
  'no-files': 'workflow owner',
  'dry-run': 'workflow owner',
  refused: 'author',
  results: 'author',
  checkout: 'workflow owner',
  github: 'workflow owner',
  cancelled: 'author',
  internal: 'workflow owner',
};

/** Who can do what `fix` says. */
export function actorOf({ reason, actor }: Pick<Cause, 'reason' | 'actor'>): Actor {
  return actor ?? USUAL_ACTORS[reason];
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
export const EXCLUDE_IT =
  'Then commit and push. If it should never be checked, the owner of the workflow can exclude it with a line that starts with `!` in the input `files`.';
