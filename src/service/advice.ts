import { retryAfterMs } from '../http/http.ts';
import { accountOwner, author, type Cause, EXCLUDE_IT, FILE, rerun, SUPPORT, workflowOwner } from '../lib/cause.ts';
import { type Failure, isTransient, type Operation, type ServiceError } from './service-error.ts';

/** The output `reason`, and what people can do. */
type Advice = Pick<Cause, 'reason' | 'steps'>;

function refusedFile(fix: string): Advice {
  return { reason: 'refused', steps: [author(`${fix}. Then commit and push.`), EXCLUDE_IT] };
}

const CHECK_BASE_URL = workflowOwner(
  "Check that `base-url` is the address of the compliance service. If it is, contact the service's support.",
);

/** What a refused file means, while it is uploaded and while a submission is created with it. */
const REFUSED_FILES: Readonly<Record<number, Advice>> = {
  413: refusedFile(
    `Make ${FILE} smaller: the service takes at most 5 GB of video, 500 MB of audio, 100 MB of document and 50 MB of image`,
  ),
  415: refusedFile(`Save ${FILE} in a form that the service accepts: its message says what it refuses`),
};

const AT_UPLOAD: Readonly<Record<number, Advice>> = {
  ...REFUSED_FILES,
  403: refusedFile(`Rename ${FILE}: the service does not accept its name`),
  404: {
    reason: 'bad-input',
    steps: [
      workflowOwner(
        "Set `base-url` to the service's own address, commit and push. The present one takes no uploads, so it is probably not the compliance service.",
      ),
    ],
  },
  422: refusedFile(`Rename or convert ${FILE}: the service does not accept its name or its type`),
};

const AT_CREATION: Readonly<Record<number, Advice>> = {
  ...REFUSED_FILES,
  400: {
    reason: 'bad-input',
    steps: [
      workflowOwner(
        "Remove `simulation-delay-seconds`, or use a sandbox key (`sk_test_…`): the service accepts it with such a key only. If it is not set, see the service's message.",
      ),
    ],
  },
  // The path of an uploaded file is the service's own.
  403: { reason: 'refused', steps: [rerun(), SUPPORT] },
  404: {
    reason: 'refused',
    steps: [
      rerun(),
      workflowOwner(
        "If the service again does not find what the submission refers to, check `base-url` and contact the service's support.",
      ),
    ],
  },
  422: {
    reason: 'refused',
    steps: [
      workflowOwner("See the service's message. It may be about `sidekick-ids`, `metadata` or the number of assets."),
    ],
  },
};

const ALWAYS: Readonly<Record<number, Advice>> = {
  401: {
    reason: 'auth',
    steps: [
      workflowOwner(
        'Store a valid key in the secret behind `api-key`. The present one was revoked, has expired, or is for another server than the one in `base-url`.',
      ),
      rerun('Then re-run this job.'),
    ],
  },
  402: {
    reason: 'plan',
    steps: [accountOwner('Choose a plan that includes this kind of request.'), rerun('Then re-run this job.')],
  },
  404: {
    reason: 'results',
    steps: [
      rerun(
        'If the key now belongs to another workspace of the service, re-run this job.',
        'It uploads the files again.',
      ),
      SUPPORT,
    ],
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
      const { fix = 'Check `base-url` and the network (proxy, firewall).', unknownHost } = failure.error.facts;
      if (unknownHost === undefined || operation === 'storing the file')
        return { reason: 'service', steps: [workflowOwner(fix), rerun('If that is right, re-run this job later.')] };
      const typo = 'Correct `base-url`, or `HTTPS_PROXY` if it is the host of a proxy. Then commit and push.';
      return { reason: 'bad-input', steps: [workflowOwner(typo)] };
    }
    case 'unreadable': {
      const other = 'Check `base-url` and the network: a login page, a proxy or another site answered instead.';
      return { reason: 'results', steps: [failure.isJson ? CHECK_BASE_URL : workflowOwner(other)] };
    }
    case 'status':
      return operation === 'storing the file' ? adviseOnStorage(failure) : adviseOnService(operation, failure);
  }
}

type Refusal = Extract<Failure, { kind: 'status' }>;

function adviseOnStorage({ status }: Refusal): Advice {
  return isTransient(status)
    ? { reason: 'service', steps: [rerun('Re-run this job when the storage is available again.')] }
    : { reason: 'refused', steps: [rerun(), SUPPORT] };
}

function adviseOnService(operation: Operation, { status, location, retryAfter }: Refusal): Advice {
  if (status === 429) return adviseOnRateLimit(retryAfter);
  if (isTransient(status))
    return { reason: 'service', steps: [rerun('Re-run this job when the service is available again.')] };
  if (status < 400) return adviseOnRedirect(location);
  return BY_OPERATION[operation]?.[status] ?? ALWAYS[status] ?? { reason: 'refused', steps: [CHECK_BASE_URL] };
}

function adviseOnRedirect(location: string | undefined): Advice {
  const target = location === undefined ? undefined : URL.parse(location)?.origin;
  const fix = `Set \`base-url\` to the service's final address${target ? `: it redirects to ${target}` : ''}. A redirect is never followed, because the request carries the API key.`;
  return { reason: 'bad-input', steps: [workflowOwner(fix)] };
}

function adviseOnRateLimit(retryAfter: string | undefined): Advice {
  const waitMs = retryAfterMs(retryAfter);
  const when = waitMs === undefined ? 'later' : `after ${Math.ceil(waitMs / 1000)} s`;
  return {
    reason: 'service',
    steps: [
      rerun(`Re-run this job ${when}.`, 'The rate limit of this API key lasts longer than this run can wait.'),
      workflowOwner('Lower `upload-concurrency`, or ask the service for a higher limit.'),
    ],
  };
}
