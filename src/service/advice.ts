import { retryAfterMs } from '../http/http.ts';
import {
  accountOwner,
  author,
  type Cause,
  EXCLUDE_IT,
  FILE,
  type Reason,
  rerun,
  type Step,
  SUPPORT,
  workflowOwner,
} from '../lib/cause.ts';
import { type Failure, isTransient, type Operation, type ServiceError } from './service-error.ts';

/** The output `reason`, and what people can do. */
type Advice = readonly [Reason, ...Step[]];
type ByStatus = Readonly<Record<number, Advice>>;

const THEN_RERUN = rerun('Then re-run this job.');
const CHECK_BASE_URL = workflowOwner(
  "Check that `base-url` is the address of the compliance service. If it is, contact the service's support.",
);

/** What a refused file means, while it is uploaded and while a submission is created with it. */
const REFUSED_FILES: ByStatus = {
  413: fixFile(`Make ${FILE} smaller (video up to 5 GB, audio 500 MB, document 100 MB, image 50 MB)`),
  415: fixFile(`Save ${FILE} in a form that the service accepts: its message says what it refuses`),
};

const AT_UPLOAD: ByStatus = {
  ...REFUSED_FILES,
  403: fixFile(`Rename ${FILE}: the service does not accept its name`),
  404: ['bad-input', workflowOwner("Set `base-url` to the service's own address: the present one takes no uploads.")],
  422: fixFile(`Rename or convert ${FILE}: the service does not accept its name or its type`),
};

const AT_CREATION: ByStatus = {
  ...REFUSED_FILES,
  400: ['bad-input', workflowOwner('Remove `simulation-delay-seconds`, or use a sandbox key (`sk_test_…`) with it.')],
  // The path of an uploaded file is the service's own.
  403: ['refused', rerun(), SUPPORT],
  404: ['refused', rerun(), CHECK_BASE_URL],
  422: ['refused', workflowOwner('The message may be about `sidekick-ids`, `metadata` or the number of assets.')],
};

const ALWAYS: ByStatus = {
  401: [
    'auth',
    workflowOwner('Store a valid key for the server in `base-url` in the secret of `api-key`.'),
    THEN_RERUN,
  ],
  402: ['plan', accountOwner('Choose a plan that includes this kind of request.'), THEN_RERUN],
  404: [
    'results',
    rerun('If the key is of another workspace now, re-run this job.', 'It sends the files again.'),
    SUPPORT,
  ],
};

const BY_OPERATION: Partial<Readonly<Record<Operation, ByStatus>>> = {
  uploading: AT_UPLOAD,
  'asking for an upload address': AT_UPLOAD,
  'creating the submission': AT_CREATION,
};

/** What happened and what to do. `on-service-error: warn` forgives only the reasons `service` and `timeout`. */
export function explain(error: ServiceError, path?: string): Cause {
  const [reason, ...steps] = advise(error);
  return { reason, message: `${error.message}.`, steps, ...(path !== undefined && { path }) };
}

function fixFile(fix: string): Advice {
  return ['refused', author(`${fix}. Then commit and push.`), EXCLUDE_IT];
}

function advise({ operation, failure }: ServiceError): Advice {
  const isStorage = operation === 'storing the file';
  switch (failure.kind) {
    case 'connection': {
      const { fix = 'Check `base-url` and the network (proxy, firewall).', unknownHost } = failure.error.facts;
      if (unknownHost !== undefined && !isStorage)
        return ['bad-input', workflowOwner('Correct `base-url`, or `HTTPS_PROXY` if it is the host of a proxy.')];
      return ['service', workflowOwner(fix), rerun('If that is right, re-run this job later.')];
    }
    case 'unreadable': {
      const other = 'Check `base-url` and the network: a login page, a proxy or another site answered instead.';
      return ['results', failure.isJson ? CHECK_BASE_URL : workflowOwner(other)];
    }
    case 'status':
      if (!isStorage) return adviseOnStatus(operation, failure);
      if (!isTransient(failure.status)) return ['refused', rerun(), SUPPORT];
      return ['service', rerun('Re-run this job when the storage is available again.')];
  }
}

type Refusal = Extract<Failure, { kind: 'status' }>;

function adviseOnStatus(operation: Operation, { status, location = '', retryAfter }: Refusal): Advice {
  if (status === 429) {
    const waitMs = retryAfterMs(retryAfter);
    const when = waitMs === undefined ? 'later' : `after ${Math.ceil(waitMs / 1000)} s`;
    const wait = rerun(
      `Re-run this job ${when}.`,
      'The rate limit of the API key lasts longer than this run can wait.',
    );
    return ['service', wait, workflowOwner('Lower `upload-concurrency`, or ask the service for a higher limit.')];
  }
  if (isTransient(status)) return ['service', rerun('Re-run this job when the service is available again.')];
  if (status < 400) {
    const target = URL.parse(location)?.origin;
    const fix = `Set \`base-url\` to the service's final address${target ? `: it redirects to ${target}` : ''}. A redirect is never followed, because the request carries the API key.`;
    return ['bad-input', workflowOwner(fix)];
  }
  return BY_OPERATION[operation]?.[status] ?? ALWAYS[status] ?? ['refused', CHECK_BASE_URL];
}
