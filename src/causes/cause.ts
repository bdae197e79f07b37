/** Why a run did not pass, or did not check everything. The names are public, as values of the output `reason`. */
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

/** Who can act. In the report of a run without a pull request, the steps of the author go to the owner of the file. */
export type Actor = 'author' | 'file owner' | 'workflow owner' | 'account owner' | 'anyone';

/** One thing that a person can do: it fixes the problem, or begins with "If" and says what to do if there is none. */
export interface Step {
  readonly actor: Actor;
  /** Has `FILE` in place of the file's name. Backticks mark a name as code. */
  readonly text: string;
}

/** A placeholder for the file of a cause. If several files have the same cause, one step names all of them. */
export const FILE = '{file}';

/** One thing that went wrong, for the people who have to fix it. */
export interface Cause {
  readonly reason: Reason;
  /** What happened, without ids. Never contains a key or a signed URL. */
  readonly message: string;
  /** The response of the service, for people who investigate the cause. The headline does not show it. */
  readonly detail?: string;
  /** What to do about the cause, in this order. */
  readonly steps: readonly Step[];
  /** The file that the cause is about, relative to the checkout. */
  readonly path?: string;
  /**
   * `unconfirmed`: the service may have a submission that this run does not know, so the cost is unknown. `open`: the
   * service may still be analysing the submission.
   */
  readonly submission?: 'unconfirmed' | 'open';
}

const stepOf =
  (actor: Actor) =>
  (text: string): Step => ({ actor, text });
export const author = stepOf('author');
export const workflowOwner = stepOf('workflow owner');
export const accountOwner = stepOf('account owner');

export function rerun(text = 'Re-run this job.', note?: string): Step {
  return { actor: 'anyone', text: note === undefined ? text : `${text} ${note}` };
}

export const SUPPORT: Step = workflowOwner("If this happens again, contact the service's support.");

/** An expected error that ends the run early. `causesOf` in `findings.ts` lists the others; any other error is a defect. */
export class GateError extends Error {
  override readonly name = 'GateError';
  readonly causes: readonly Cause[];

  constructor(causes: Cause | readonly Cause[], options?: ErrorOptions) {
    const list: readonly Cause[] = 'reason' in causes ? [causes] : causes;
    super(list.map((cause) => (cause.path ? `${cause.path}: ${cause.message}` : cause.message)).join('\n'), options);
    this.causes = list;
  }
}

/** The runner stopped the job: it was cancelled, or reached its time limit. The message is the name of the signal. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
}

/** A cause that only the owner of the workflow can fix. */
export function forOwner(reason: Reason, message: string, fix: string): Cause {
  return { reason, message, steps: [workflowOwner(fix)] };
}

/** The cause of a file that cannot be sent. `fix` says what the author has to do, with `FILE` for the name of the file. */
export function preFlight(path: string, message: string, fix: string): Cause {
  return { reason: 'pre-flight', path, message, steps: [author(`${fix}. Then commit and push.`), EXCLUDE_IT] };
}

export const EXCLUDE_IT = workflowOwner(
  `If ${FILE} should not be checked, add a line that starts with \`!\` to the input \`files\`.`,
);
