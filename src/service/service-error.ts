import type { Cause, Reason } from '../cause.ts';
import type { ConnectionError } from './http.ts';

/** What a request was about, in words that fit behind "while". */
export type Doing =
  | 'asking for an upload address'
  | 'uploading'
  | 'creating the submission'
  | 'reading the submission'
  | 'reading an asset'
  | 'reading the issues'
  | 'reading the topics'
  | 'reading the versions'
  | 'retrying an asset'
  | 'firing the sandbox event';

export type Failure =
  /** Any status but the one that was asked for. */
  | { readonly kind: 'status'; readonly status: number; readonly words: string; readonly location: string | undefined }
  /** No answer, and no hope of one. */
  | { readonly kind: 'connection'; readonly error: ConnectionError }
  /** The right status with an answer that does not hold what the contract says. */
  | { readonly kind: 'unreadable'; readonly words: string };

/** A request to the service that failed for good. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly doing: Doing;
  readonly failure: Failure;

  constructor(doing: Doing, failure: Failure) {
    super(`${describe(failure)} while ${doing}`, failure.kind === 'connection' ? { cause: failure.error } : {});
    this.doing = doing;
    this.failure = failure;
  }

  get status(): number | undefined {
    return this.failure.kind === 'status' ? this.failure.status : undefined;
  }

  /** True where one bad file explains the refusal, so that the other files can still be tried. */
  get isAboutOneFile(): boolean {
    return (
      (this.doing === 'uploading' || this.doing === 'asking for an upload address') &&
      explain(this).reason === 'refused'
    );
  }
}

function describe(failure: Failure): string {
  switch (failure.kind) {
    case 'status':
      return `The service answered ${failure.status}${failure.words && `: ${failure.words}`}`;
    case 'connection':
      return `The service did not answer: ${failure.error.what}`;
    case 'unreadable':
      return `The service's answer could not be read (${failure.words})`;
  }
}

/** What a person is told, and what to do about it. Only `service` and `timeout` can be opened by `on-service-error: warn`. */
export function explain(error: ServiceError, path?: string): Cause {
  const { reason, fix } = advise(error);
  return { reason, message: `${error.message}.`, fix, ...(path !== undefined && { path }) };
}

interface Advice {
  readonly reason: Reason;
  readonly fix: string;
}

const OUTAGE: Advice = {
  reason: 'service',
  fix: 'Re-run the job when the service is well again. To let merges through in an outage, set `on-service-error: warn`.',
};

function advise({ doing, failure }: ServiceError): Advice {
  switch (failure.kind) {
    case 'connection':
      return {
        reason: 'service',
        fix: 'Check `base-url` and the network (proxy, firewall), then re-run the job. To let merges through in an outage, set `on-service-error: warn`.',
      };
    case 'unreadable':
      return {
        reason: 'results',
        fix: 'Check that `base-url` is the compliance service itself, not a login page or proxy. If it is, tell the service: its answer is not what its contract says.',
      };
    case 'status':
      return adviseOnStatus(doing, failure.status, failure.location);
  }
}

function adviseOnStatus(doing: Doing, status: number, location: string | undefined): Advice {
  if (status >= 500) return OUTAGE;
  if (status >= 300 && status < 400) {
    const target = location === undefined ? undefined : URL.parse(location)?.origin;
    return {
      reason: 'bad-input',
      fix: `The service redirects${target ? ` to ${target}` : ''}, and a redirect is never followed with the API key. Set \`base-url\` to the service's final address.`,
    };
  }
  switch (status) {
    case 400:
      return {
        reason: 'bad-input',
        fix: 'The service takes `simulation-delay-seconds` only with a sandbox key. Remove it, or use a key that begins with `sk_test_`.',
      };
    case 401:
      return {
        reason: 'auth',
        fix: 'Check the secret behind `api-key`: it must be a current key of this workspace at this `base-url`. Nothing was billed.',
      };
    case 402:
      return {
        reason: 'plan',
        fix: "The workspace's plan does not include the service's integrations API. Ask whoever manages the account to add it; a re-run does not help.",
      };
    case 403:
      return { reason: 'refused', fix: forbidden(doing) };
    case 404:
      return notFound(doing);
    case 409:
      return {
        reason: 'asset-failed',
        fix: 'The service does not retry this asset again. Look at its error, mend the file and push it.',
      };
    case 413:
      return {
        reason: 'refused',
        fix: 'The file is over the size that the service takes for its kind (video 5 GB, audio 500 MB, document 100 MB, image 50 MB). Make it smaller, or exclude it with a `!` line in `files`.',
      };
    case 415:
      return {
        reason: 'refused',
        fix: 'The service does not take this type of file, or its bytes are not what its name says. Convert it to a common type (MP4, MP3, PNG, PDF), or exclude it with a `!` line in `files`.',
      };
    case 422:
      return { reason: 'refused', fix: unprocessable(doing) };
    case 429:
      return {
        reason: 'service',
        fix: 'The rate limit of this API key is used up for longer than this run can wait. Re-run later, lower `upload-concurrency`, or ask the service for a higher limit.',
      };
    default:
      return {
        reason: 'refused',
        fix: 'This answer is not in the contract of the service. Check `base-url`; if it is right, tell the service.',
      };
  }
}

function forbidden(doing: Doing): string {
  switch (doing) {
    case 'firing the sandbox event':
      return 'Only a sandbox key may fire events. Use a key that begins with `sk_test_`, or remove `sandbox-event`.';
    case 'creating the submission':
      return 'The service does not accept the path of an uploaded file. Re-run the job; if it stays, tell the service.';
    case 'uploading':
    case 'asking for an upload address':
      return 'The service does not accept the name of this file. Rename it, or exclude it with a `!` line in `files`.';
    default:
      return 'The API key may not do this. Check that it belongs to the workspace that holds the submission.';
  }
}

function notFound(doing: Doing): Advice {
  switch (doing) {
    case 'uploading':
    case 'asking for an upload address':
      return { reason: 'bad-input', fix: 'There is no compliance service at `base-url`. Check the address.' };
    case 'creating the submission':
      return {
        reason: 'refused',
        fix: 'The service does not find what the submission refers to. Re-run the job; if it stays, check `base-url` and tell the service.',
      };
    default:
      return {
        reason: 'results',
        fix: 'The submission is not in the workspace of this API key. If the key was exchanged for one of another workspace, re-run the job: the files are then sent anew.',
      };
  }
}

function unprocessable(doing: Doing): string {
  return doing === 'creating the submission'
    ? 'Look at what the service says about the request: `sidekick-ids` and `metadata` are yours, and it may limit the number of assets.'
    : 'The service does not accept this file as it was described. Rename or convert it, or exclude it with a `!` line in `files`.';
}
