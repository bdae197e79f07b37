import { retryAfterMs } from '../http/http.ts';
import { type Cause, EXCLUDE_IT } from '../lib/cause.ts';
import { type Failure, isTransient, type Operation, type ServiceError } from './service-error.ts';

/** The output `reason`, what a person can do, and who if it is somebody else than usual. */
type Advice = Pick<Cause, 'reason' | 'fix' | 'actor'>;

const SUPPORT = "If this happens again, contact the service's support.";
const CHECK_BASE_URL =
  "Check that `base-url` is the address of the compliance service. If it is, contact the service's support.";

/** What a refused file means, while it is uploaded and while a submission is created with it. */
const REFUSED_FILES: Readonly<Record<number, Advice>> = {
  413: {
    reason: 'refused',
    fix: `The file is larger than the service accepts for its kind (video 5 GB, audio 500 MB, document 100 MB, image 50 MB). Make it smaller. ${EXCLUDE_IT}`,
  },
  415: {
    reason: 'refused',
    fix: `Save the file in a form that the service accepts: its message says what it refuses. ${EXCLUDE_IT}`,
  },
};

const AT_UPLOAD: Readonly<Record<number, Advice>> = {
  ...REFUSED_FILES,
  403: {
    reason: 'refused',
    fix: `The service does not accept the name of this file. Rename it. ${EXCLUDE_IT}`,
  },
  404: {
    reason: 'bad-input',
    fix: "The address in `base-url` takes no uploads, so it is probably not the compliance service. Set `base-url` to the service's own address, commit and push.",
  },
  422: {
    reason: 'refused',
    fix: `The service does not accept the name or the type of this file. Rename or convert it. ${EXCLUDE_IT}`,
  },
};

const AT_CREATION: Readonly<Record<number, Advice>> = {
  ...REFUSED_FILES,
  400: {
    reason: 'bad-input',
    fix: "The service accepts `simulation-delay-seconds` only with a sandbox key: remove it, or use a key that begins with `sk_test_`. If it is not set, see the service's message.",
  },
  403: {
    reason: 'refused',
    actor: 'workflow owner',
    fix: `The service does not accept the path of an uploaded file. Re-run the job. ${SUPPORT}`,
  },
  404: {
    reason: 'refused',
    fix: "The service does not find something that the submission refers to. Re-run the job. If this happens again, check `base-url` and contact the service's support.",
  },
  422: {
    reason: 'refused',
    actor: 'workflow owner',
    fix: "See the service's message. It may be about `sidekick-ids`, `metadata` or the number of assets.",
  },
};

const ALWAYS: Readonly<Record<number, Advice>> = {
  401: {
    reason: 'auth',
    fix: 'Store a valid key in the secret behind `api-key`, then re-run the job. The present one was revoked, has expired, or is for another server than the one in `base-url`.',
  },
  402: {
    reason: 'plan',
    fix: 'Choose a plan that includes this kind of request, then re-run the job.',
  },
  404: {
    reason: 'results',
    fix: `The service does not find this in the workspace of the API key. If the key now belongs to another workspace, re-run the job: it uploads the files again. ${SUPPORT}`,
  },
};

const BY_OPERATION: Partial<Readonly<Record<Operation, Readonly<Record<number, Advice>>>>> = {
  uploading: AT_UPLOAD,
  'asking for an upload address': AT_UPLOAD,
  'creating the submission': AT_CREATION,
};

/** What happened and what to do. `on-service-error: warn` forgives only the reasons `service` and `timeout`. */
export function explain(error: ServiceError, path?: string): Cause {
  return { message: `${error.message}.`, ...advise(error), ...(path !== undefined && { path }) };
}

function advise({ operation, failure }: ServiceError): Advice {
  switch (failure.kind) {
    case 'connection': {
      const { fix, unknownHost } = failure.error.facts;
      if (unknownHost !== undefined && operation !== 'storing the file') {
        return {
          reason: 'bad-input',
          fix: 'This is probably a typing error in `base-url`, or in `HTTPS_PROXY` if it is the host of a proxy. Correct it, commit and push.',
        };
      }
      const usual = 'Check `base-url` and the network (proxy, firewall). If both are right, re-run the job later.';
      return { reason: 'service', actor: 'workflow owner', fix: fix ?? usual };
    }
    case 'unreadable':
      return {
        reason: 'results',
        actor: 'workflow owner',
        fix: failure.isJson
          ? `The response does not follow the service's contract. ${CHECK_BASE_URL}`
          : 'Something other than the compliance service answered: a login page, a proxy or another site. Check `base-url` and the network.',
      };
    case 'status':
      return operation === 'storing the file' ? adviseOnStorage(failure) : adviseOnService(operation, failure);
  }
}

type Refusal = Extract<Failure, { kind: 'status' }>;

function adviseOnStorage({ status }: Refusal): Advice {
  return isTransient(status)
    ? { reason: 'service', fix: 'Re-run the job when the storage is available again.' }
    : { reason: 'refused', fix: `Re-run the job. ${SUPPORT}` };
}

function adviseOnService(operation: Operation, { status, location, retryAfter }: Refusal): Advice {
  if (status === 429) return { reason: 'service', fix: adviseOnRateLimit(retryAfter) };
  if (isTransient(status)) return { reason: 'service', fix: 'Re-run the job when the service is available again.' };
  if (status < 400) return { reason: 'bad-input', fix: adviseOnRedirect(location) };
  return (
    BY_OPERATION[operation]?.[status] ??
    ALWAYS[status] ?? {
      reason: 'refused',
      actor: 'workflow owner',
      fix: `This response is not part of the service's contract. ${CHECK_BASE_URL}`,
    }
  );
}

function adviseOnRedirect(location: string | undefined): string {
  const target = location === undefined ? undefined : URL.parse(location)?.origin;
  return `The service redirects${target ? ` to ${target}` : ''}. A redirect is never followed, because the request carries the API key. Set \`base-url\` to the service's final address.`;
}

function adviseOnRateLimit(retryAfter: string | undefined): string {
  const waitMs = retryAfterMs(retryAfter);
  const when =
    waitMs === undefined
      ? 'Re-run the job later.'
      : `The service asks to wait ${Math.ceil(waitMs / 1000)} s: re-run the job after that.`;
  return `The rate limit of this API key lasts longer than this run can wait. ${when} Lower \`upload-concurrency\`, or ask the service for a higher limit.`;
}
