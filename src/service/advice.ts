import { type Cause, EXCLUDE_IT } from '../lib/cause.ts';
import { plural } from '../lib/format.ts';
import type { Failure, Operation, ServiceError } from './service-error.ts';

/** The output `reason`, what a person can do, and what happened if that is clearer than the response itself. */
type Advice = Pick<Cause, 'reason' | 'fix'> & Partial<Pick<Cause, 'message' | 'actor'>>;

const CONTACT_SUPPORT = "If this happens again, contact the service's support.";
const CHECK_BASE_URL = `Check that \`base-url\` is the address of the compliance service. If it is, contact the service's support.`;

/** What happened and what to do. `on-service-error: warn` forgives only the reasons `service` and `timeout`. */
export function explain(error: ServiceError, path?: string): Cause {
  return { message: `${error.message}.`, ...advise(error), ...(path !== undefined && { path }) };
}

function advise(error: ServiceError): Advice {
  const { failure, baseUrl } = error;
  switch (failure.kind) {
    case 'connection':
      return failure.error.unknownHost === undefined
        ? { reason: 'service', fix: adviseOnConnection(failure.error.fix) }
        : { reason: 'bad-input', fix: adviseOnUnknownHost(failure.error.unknownHost, baseUrl) };
    case 'unreadable':
      return {
        reason: 'results',
        fix: failure.isJson
          ? `The response does not follow the service's contract. ${CHECK_BASE_URL}`
          : 'Something other than the compliance service answered: a login page, a proxy or another site. Check `base-url` and the network.',
      };
    case 'status':
      return failure.status >= 300 && failure.status < 400
        ? { reason: 'bad-input', fix: adviseOnRedirect(failure.location) }
        : adviseOnStatus(error, failure);
  }
}

function adviseOnConnection(fix: string | undefined): string {
  return fix ?? 'Check `base-url` and the network (proxy, firewall). If both are right, re-run the job later.';
}

/** The name of a proxy may be wrong as well. */
function adviseOnUnknownHost(host: string, baseUrl: string): string {
  return URL.parse(baseUrl)?.hostname === host
    ? 'This is probably a typing error in `base-url`. Correct it, commit and push.'
    : `\`${host}\` is not the host in \`base-url\`: check the address of the proxy in \`HTTPS_PROXY\` or \`HTTP_PROXY\`.`;
}

function adviseOnRedirect(location: string | undefined): string {
  const target = location === undefined ? undefined : URL.parse(location)?.origin;
  return `The service redirects${target ? ` to ${target}` : ''}. A redirect is never followed, because the request carries the API key. Set \`base-url\` to the service's final address.`;
}

type Refusal = Extract<Failure, { kind: 'status' }>;

function adviseOnStatus({ operation, baseUrl }: ServiceError, { status, details, retryAfter }: Refusal): Advice {
  if (status >= 500 || status === 408) {
    return { reason: 'service', fix: 'Re-run the job when the service is available again.' };
  }
  switch (status) {
    case 400:
      return badRequest(operation);
    case 401:
      return {
        reason: 'auth',
        fix: 'The key was revoked, has expired, or belongs to another address than `base-url`. Update the secret behind `api-key`, then re-run the job.',
      };
    case 402:
      return {
        reason: 'plan',
        fix: `Change the workspace's plan at the service so that it includes this, then re-run the job. Before that, a re-run ends in the same way.${details ? ` Details: ${details}.` : ''}`,
      };
    case 403:
      return { reason: 'refused', fix: forbidden(operation) };
    case 404:
      return notFound(operation, baseUrl);
    case 407:
      return {
        reason: 'bad-input',
        fix: 'A proxy asks for credentials. Add them to the address in `HTTPS_PROXY`, from a secret.',
      };
    case 413:
      return {
        reason: 'refused',
        fix: `The file is larger than the service accepts for its kind (video 5 GB, audio 500 MB, document 100 MB, image 50 MB). Make it smaller, or ${EXCLUDE_IT}`,
      };
    case 415:
      return {
        reason: 'refused',
        fix: `The service does not accept this type of file, or the content does not match the file extension. Convert the file to a common type (MP4, MP3, PNG, PDF), or ${EXCLUDE_IT}`,
      };
    case 422:
      return { reason: 'refused', fix: unprocessable(operation) };
    case 429:
      return {
        reason: 'service',
        fix: `The rate limit of this API key lasts longer than this run can wait. ${describeRetryAfter(retryAfter)}Lower \`upload-concurrency\`, or ask the service for a higher limit.`,
      };
    default:
      return { reason: 'refused', fix: `This response is not part of the service's contract. ${CHECK_BASE_URL}` };
  }
}

function describeRetryAfter(header: string | undefined): string {
  const seconds = header !== undefined && /^\s*\d{1,9}\s*$/.test(header) ? Number(header) : undefined;
  if (seconds === undefined) return 'Re-run the job later. ';
  const wait = seconds < 120 ? plural(seconds, 'second') : plural(Math.ceil(seconds / 60), 'minute');
  return `The service asks to wait ${wait}: re-run the job after that. `;
}

function badRequest(operation: Operation): Advice {
  if (operation === 'creating the submission') {
    return {
      reason: 'bad-input',
      fix: "The service accepts `simulation-delay-seconds` only with a sandbox key: remove it, or use a key that begins with `sk_test_`. If it is not set, see the service's message.",
    };
  }
  return {
    reason: 'refused',
    fix: 'The service does not understand the request. Check that `base-url` is the address of the compliance service. If it is, report this message to the authors of this action.',
  };
}

function forbidden(operation: Operation): string {
  switch (operation) {
    case 'firing the sandbox event':
      return 'Only a sandbox key may fire events. Use a key that begins with `sk_test_`, or remove `sandbox-event`.';
    case 'creating the submission':
      return `The service does not accept the path of an uploaded file. Re-run the job. ${CONTACT_SUPPORT}`;
    case 'uploading':
    case 'asking for an upload address':
      return `The service does not accept the name of this file. Rename it, or ${EXCLUDE_IT}`;
    default:
      return 'This API key may not do this. Check that it belongs to the workspace that holds the submission.';
  }
}

function notFound(operation: Operation, baseUrl: string): Advice {
  switch (operation) {
    case 'uploading':
    case 'asking for an upload address':
      return {
        reason: 'bad-input',
        message: `${baseUrl.replace(/\/api\/integrations$/, '') || 'The address in `base-url`'} answered 404 to an upload, so it is probably not the compliance service.`,
        fix: "Set `base-url` to the service's own address, commit and push.",
      };
    case 'creating the submission':
      return {
        reason: 'refused',
        fix: `The service does not find something that the submission refers to. Re-run the job. If this happens again, check \`base-url\` and contact the service's support.`,
      };
    case 'reading the issues':
    case 'reading the topics':
      return {
        reason: 'results',
        fix: `The service reports a complete analysis, but does not find its issues. Re-run the job. ${CONTACT_SUPPORT}`,
      };
    default:
      return {
        reason: 'results',
        fix: 'The submission is not in the workspace of this API key. If the key now belongs to another workspace, re-run the job: it uploads the files again.',
      };
  }
}

function unprocessable(operation: Operation): string {
  switch (operation) {
    case 'creating the submission':
      return "See the service's message. It may be about `sidekick-ids`, `metadata` or the number of assets.";
    case 'uploading':
    case 'asking for an upload address':
      return `The service does not accept the name or the type of this file. Rename or convert it, or ${EXCLUDE_IT}`;
    default:
      return `The service does not accept the request. Re-run the job. ${CONTACT_SUPPORT}`;
  }
}
