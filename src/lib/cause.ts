import { formatList } from './format.ts';

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

/** Who can act: the author of the change, the owner of the workflow or of the account at the service, or anyone of them. */
export type Actor = 'author' | 'workflow owner' | 'account owner' | 'anyone';

/** One thing to do about a cause. */
export interface Step {
  readonly actor: Actor;
  /** Names the cause's file as `FILE`. A name may stand in backticks. */
  readonly text: string;
  /** Where it is done: `run` is the page of this run, anything else an address. The text leads there. */
  readonly link?: string;
  /** What that means, behind the text. */
  readonly note?: string;
  /** Whether it is another way out, for a file or an issue that is not a problem. */
  readonly isAlternative?: true;
}

/** Stands in a step for the file of its cause: many files can share one cause, and then one step names them all. */
export const FILE = '{file}';

/** One thing that went wrong, for the people who have to fix it. */
export interface Cause {
  readonly reason: Reason;
  /** What happened, without ids. Never contains a key or a signed URL. */
  readonly message: string;
  /** What to do about it, in this order. */
  readonly steps: readonly Step[];
  /** The file that it is about, relative to the checkout. */
  readonly path?: string;
  /** The line in that file, from 1. */
  readonly line?: number;
  /** The submission that it is about; the service's support asks for it. */
  readonly submissionId?: string;
  /** `unconfirmed`: one may exist that this run does not know, so the cost is unknown. `open`: the service may still be analysing it. */
  readonly submission?: 'unconfirmed' | 'open';
}

export function author(text: string): Step {
  return { actor: 'author', text };
}

export function workflowOwner(text: string): Step {
  return { actor: 'workflow owner', text };
}

export function accountOwner(text: string): Step {
  return { actor: 'account owner', text };
}

/** Leads to the page of this run. */
export function rerun(text = 'Re-run this job.', note?: string): Step {
  return { actor: 'anyone', text, link: 'run', ...(note !== undefined && { note }) };
}

/** In plain text. */
export function stepText({ text, note }: Step): string {
  return note === undefined ? text : `${text} ${note}`;
}

export const SUPPORT: Step = workflowOwner("If this happens again, contact the service's support.");

export const MAX_NAMED = 3;

/** Names the files that a step is about. */
export function withFiles(step: Step, paths: readonly string[]): Step {
  const names = paths.map((path) => `\`${path}\``);
  const files = names.length === 0 ? 'the file' : formatList(names, MAX_NAMED);
  return { ...step, text: step.text.replaceAll(FILE, () => files) };
}

/** Makes it a step for a file or an issue that is not a problem. */
export function ifNoProblem(step: Step): Step {
  return { ...step, isAlternative: true };
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

/** A file that cannot be sent. `fix` is what its author does about it, with `FILE` for its name. */
export function preFlight(path: string, message: string, fix: string): Cause {
  return { reason: 'pre-flight', path, message, steps: [author(`${fix}. Then commit and push.`), EXCLUDE_IT] };
}

export const EXCLUDE_IT: Step = ifNoProblem(
  workflowOwner(`Exclude ${FILE} from every check: a line that starts with \`!\` in the input \`files\`.`),
);
