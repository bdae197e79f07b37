import { shorten } from '../http/error-body.ts';
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
import { FAILURES, type FailureClass, type Operation } from './failure.ts';
import type { ServiceError } from './service-error.ts';

/** The value of the output `reason`, and what the user can do. */
type Advice = readonly [Reason, ...Step[]];
type ByClass = Readonly<Partial<Record<FailureClass, Advice>>>;

const CHECK_BASE_URL = workflowOwner(
  "Check that `base-url` is the address of the compliance service. If it is, contact the service's support.",
);

const OTHER_SITE = 'Check `base-url` and the network: a login page, a proxy or another site responded instead.';

/** The advice on a file that the service refuses during the upload or the creation of the submission. */
const REFUSED_FILES: ByClass = {
  'too large': fixFile(`Make ${FILE} smaller (video up to 5 GB, audio 500 MB, document 100 MB, image 50 MB)`),
  'wrong type': fixFile(`Save ${FILE} in a form that the service accepts: its message says what it refuses`),
};

const AT_UPLOAD: ByClass = {
  ...REFUSED_FILES,
  forbidden: fixFile(`Rename ${FILE}: the service does not accept its name`),
  missing: [
    'bad-input',
    workflowOwner("Set `base-url` to the service's own address: the present one takes no uploads."),
  ],
  invalid: fixFile(`Rename or convert ${FILE}: the service does not accept its name or its type`),
};

const AT_CREATION: ByClass = {
  ...REFUSED_FILES,
  // The service itself chose the path of an uploaded file, so renaming the file does not help.
  forbidden: ['refused', rerun(), SUPPORT],
  missing: ['refused', rerun(), CHECK_BASE_URL],
  invalid: ['refused', workflowOwner('The message may be about `sidekick-ids`, `metadata` or the number of assets.')],
};

const ALWAYS: ByClass = {
  page: [
    'refused',
    workflowOwner(
      'The response is a page of a gateway, proxy or firewall in front of the service, not of the service. Ask its administrator to let this request through.',
    ),
    rerun(),
  ],
  redirect: [
    'bad-input',
    workflowOwner(
      'Check `base-url` and the network: the request was redirected, perhaps to a login page. That is not followed, because the request carries the API key. If the service has moved, ask its support for the new address.',
    ),
  ],
  'wrong key': [
    'auth',
    workflowOwner('Store a valid key for the server in `base-url` in the secret of `api-key`.'),
    rerun(),
  ],
  'wrong plan': ['plan', accountOwner('Choose a plan that includes this kind of request.'), rerun()],
  missing: [
    'results',
    rerun('If the key is of another workspace now, re-run this job.', 'It sends the files again.'),
    SUPPORT,
  ],
};

const BY_OPERATION: Partial<Readonly<Record<Operation, ByClass>>> = {
  uploading: AT_UPLOAD,
  'asking for an upload address': AT_UPLOAD,
  'creating the submission': AT_CREATION,
};

/** What the service does not accept, in words for people who do not know the protocol. */
const REFUSED_AT_UPLOAD: Readonly<Partial<Record<FailureClass, string>>> = {
  forbidden: 'the name of this file',
  'too large': 'a file of this size',
  'wrong type': 'this kind of file',
  invalid: 'the name or the type of this file',
};

const REFUSED_BY_SERVICE: typeof REFUSED_AT_UPLOAD = {
  'wrong key': 'the API key',
  'wrong plan': 'this kind of request under the plan of the account',
};

const REFUSED: Partial<Readonly<Record<Operation, typeof REFUSED_AT_UPLOAD>>> = {
  uploading: REFUSED_AT_UPLOAD,
  'asking for an upload address': REFUSED_AT_UPLOAD,
  'creating the submission': { ...REFUSED_AT_UPLOAD, forbidden: 'an uploaded file', invalid: 'this submission' },
};

/** Says what happened and what to do. `on-service-error: warn` forgives only the reasons `service` and `timeout`. */
export function explain(error: ServiceError, path?: string): Cause {
  const [reason, ...steps] = advise(error);
  const response = describeServiceError(error);
  const always = error.operation === 'storing the file' ? undefined : REFUSED_BY_SERVICE[error.failureClass];
  const refused = REFUSED[error.operation]?.[error.failureClass] ?? always;
  const said =
    refused === undefined
      ? { message: response }
      : { message: `The compliance service does not accept ${refused}.`, detail: response };
  return { reason, ...said, steps, ...(path !== undefined && { path }) };
}

/** The message on an outage begins with a sentence that every reader understands. The status comes last. */
function describeServiceError({ operation, failure, isOutage, message, storage }: ServiceError): string {
  if (!isOutage || failure.kind === 'unreadable') return `${message}.`;
  const who = storage ? `The storage of the compliance service, ${storage},` : 'The compliance service';
  const seen =
    failure.kind === 'connection'
      ? failure.error.message
      : `status ${failure.status}${failure.message && `, ${shorten(failure.message)}`}`;
  return `${who} did not respond while ${operation}: ${seen}.`;
}

function fixFile(fix: string): Advice {
  return ['refused', author(`${fix}. Then commit and push.`), EXCLUDE_IT];
}

function advise({ operation, failure, failureClass, retryAfterMs, storage }: ServiceError): Advice {
  const isStorage = operation === 'storing the file';
  switch (failure.kind) {
    case 'connection': {
      if (failureClass === 'unknown host' && !isStorage)
        return ['bad-input', workflowOwner('Correct `base-url`, or `HTTPS_PROXY` if it is the host of a proxy.')];
      const place = isStorage ? `that this machine can reach ${storage}` : '`base-url` and the network';
      const { fix } = failure.error.facts;
      const later = rerun('Re-run this job later.');
      // Without a known cause, this is most often an outage.
      if (fix === undefined) return ['service', later, workflowOwner(`Check ${place} (proxy, firewall).`)];
      return ['service', workflowOwner(fix), later];
    }
    case 'unreadable':
      return ['results', failure.isJson ? CHECK_BASE_URL : workflowOwner(OTHER_SITE)];
    case 'status':
      if (FAILURES[failureClass].stops === 'reading') return adviseToWait(isStorage, failureClass, retryAfterMs);
      if (isStorage) return ['refused', rerun(), SUPPORT];
      return BY_OPERATION[operation]?.[failureClass] ?? ALWAYS[failureClass] ?? ['refused', CHECK_BASE_URL];
  }
}

function adviseToWait(isStorage: boolean, failureClass: FailureClass, waitMs: number | undefined): Advice {
  if (isStorage) return ['service', rerun('Re-run this job when the storage is available again.')];
  if (failureClass !== 'rate limit') return ['service', rerun('Re-run this job when the service is available again.')];
  const when = waitMs === undefined ? 'later' : `after ${Math.ceil(waitMs / 1000)} s`;
  const wait = rerun(`Re-run this job ${when}.`, 'The rate limit of the API key lasts longer than this run can wait.');
  return ['service', wait, workflowOwner('Lower `upload-concurrency`, or ask the service for a higher limit.')];
}
