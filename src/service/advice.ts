import type { Reason } from '../lib/cause.ts';
import type { Operation } from './endpoints.ts';
import type { Failure } from './failure.ts';

/** What a failure is called in the output `reason`, and what a person can do about it. */
export interface Advice {
  readonly reason: Reason;
  readonly fix: string;
}

export function advise(operation: Operation, failure: Failure): Advice {
  switch (failure.kind) {
    case 'connection':
      return { reason: 'service', fix: adviseOnConnection(failure.error.fix) };
    case 'unreadable':
      return {
        reason: 'results',
        fix: failure.isJson
          ? 'The answer is not what the contract of the service says. Check that `base-url` is the compliance service; if it is, tell the service.'
          : 'Something else than the compliance service answered: a login page, a proxy or another site. Check `base-url` and the network, then re-run the job.',
      };
    case 'status':
      return failure.status >= 300 && failure.status < 400
        ? { reason: 'bad-input', fix: adviseOnRedirect(failure.location) }
        : adviseOnStatus(operation, failure.status);
  }
}

function adviseOnConnection(fix: string | undefined): string {
  return fix ?? 'Check `base-url` and the network (proxy, firewall), then re-run the job.';
}

function adviseOnRedirect(location: string | undefined): string {
  const target = location === undefined ? undefined : URL.parse(location)?.origin;
  return `The service redirects${target ? ` to ${target}` : ''}, and a redirect is never followed with the API key. Set \`base-url\` to the service's final address.`;
}

function adviseOnStatus(operation: Operation, status: number): Advice {
  if (status >= 500 || status === 408) {
    return { reason: 'service', fix: `Re-run the job when the service is well again.` };
  }
  switch (status) {
    case 400:
      return badRequest(operation);
    case 401:
      return {
        reason: 'auth',
        fix: 'Check the secret behind `api-key`: it must be a current key of this workspace at this `base-url`. A key that was revoked or belongs to another environment is refused like this. Before you store another key: unless `state-key` is set, what earlier runs know is lost with the old one, and every file is sent and paid for again.',
      };
    case 402:
      return {
        reason: 'plan',
        fix: "The workspace's plan does not include the service's integrations API. Ask whoever manages the account to add it; a re-run does not help.",
      };
    case 403:
      return { reason: 'refused', fix: forbidden(operation) };
    case 404:
      return notFound(operation);
    case 407:
      return {
        reason: 'bad-input',
        fix: 'A proxy on the way wants credentials: put them into the address in `HTTPS_PROXY`, from a secret.',
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
      return { reason: 'refused', fix: unprocessable(operation) };
    case 429:
      return {
        reason: 'service',
        fix: 'The rate limit of this API key is used up for longer than this run can wait. Re-run later, lower `upload-concurrency`, or ask the service for a higher limit.',
      };
    default:
      return {
        reason: 'refused',
        fix: 'This answer is not in the contract of the service. Check that `base-url` is the compliance service; if it is, tell the service.',
      };
  }
}

function badRequest(operation: Operation): Advice {
  if (operation === 'creating the submission') {
    return {
      reason: 'bad-input',
      fix: 'The service takes `simulation-delay-seconds` only with a sandbox key: remove it, or use a key that begins with `sk_test_`. If it is not set, look at what the service says.',
    };
  }
  return {
    reason: 'refused',
    fix: 'The service does not understand the request. Check that `base-url` is the compliance service; if it is, report it to the authors of this action with this message.',
  };
}

function forbidden(operation: Operation): string {
  switch (operation) {
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

function notFound(operation: Operation): Advice {
  switch (operation) {
    case 'uploading':
    case 'asking for an upload address':
      return { reason: 'bad-input', fix: 'There is no compliance service at `base-url`. Check the address.' };
    case 'creating the submission':
      return {
        reason: 'refused',
        fix: 'The service does not find what the submission refers to. Re-run the job; if it stays, check `base-url` and tell the service.',
      };
    case 'reading the issues':
    case 'reading the topics':
      return {
        reason: 'results',
        fix: 'The service says that the analysis is complete, but does not have its issues. Re-run the job; if it stays, tell the service.',
      };
    default:
      return {
        reason: 'results',
        fix: 'The submission is not in the workspace of this API key. If the key was exchanged for one of another workspace, re-run the job: the files are then sent anew.',
      };
  }
}

function unprocessable(operation: Operation): string {
  switch (operation) {
    case 'creating the submission':
      return 'Look at what the service says about the request: `sidekick-ids` and `metadata` are yours, and it may limit the number of assets.';
    case 'uploading':
    case 'asking for an upload address':
      return 'The service does not accept this file as it was described. Rename or convert it, or exclude it with a `!` line in `files`.';
    default:
      return 'The service does not accept the request. Re-run the job; if it stays, tell the service.';
  }
}
