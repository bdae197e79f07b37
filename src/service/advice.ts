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
} from '../causes/cause.ts';
import { ConnectionError } from '../http/http.ts';
import { ENDPOINTS, type Endpoint } from './endpoints.ts';
import type { FailureClass, ServiceError } from './service-error.ts';

interface Advice {
  readonly reason: Reason;
  readonly steps: readonly Step[];
  /** What the service refused, or that it is down, in words for people who do not know the protocol. */
  readonly refusal?: string;
}

type ByClass = Readonly<Partial<Record<FailureClass, Advice>>>;

const advice = (reason: Reason, ...steps: readonly Step[]): Advice => ({ reason, steps });

const refuses = (what: string, given: Advice): Advice => ({
  ...given,
  refusal: `The compliance service does not accept ${what}.`,
});

const aboutFile = (what: string, fix: string): Advice =>
  refuses(what, advice('refused', author(`${fix}. Then commit and push.`), EXCLUDE_IT));

const CHECK_BASE_URL = workflowOwner(
  "Check that `base-url` is the address of the compliance service. If it is, contact the service's support.",
);
const OTHER_SITE = workflowOwner(
  'Check `base-url` and the network: a login page, gateway, proxy or firewall responded instead of the service. If it is in front of the service, ask its administrator to let this request through.',
);
const VALID_KEY = workflowOwner('Store a valid key for the server in `base-url` in the secret of `api-key`.');
const ABOUT_REQUEST = workflowOwner('The message may be about `sidekick-ids`, `metadata` or the number of assets.');
const OTHER_PLAN = accountOwner('Choose a plan that includes this kind of request.');
export const LATER = rerun('Re-run this job later.');

const AT_UPLOAD: ByClass = {
  forbidden: aboutFile('the name of this file', `Rename ${FILE}: the service does not accept its name`),
  'too large': aboutFile('a file of this size', `Make ${FILE} smaller`),
  'wrong type': aboutFile(
    'this kind of file',
    `Save ${FILE} in a form that the service accepts: usually MP4 (video), WAV or MP3 (audio), JPEG or PNG (image), or PDF (document)`,
  ),
  invalid: aboutFile(
    'the name or the type of this file',
    `Rename or convert ${FILE}: the service does not accept its name or its type`,
  ),
};

const AT_CREATION: ByClass = {
  ...AT_UPLOAD,
  // The service itself chose the path of an uploaded file, so renaming the file does not help.
  forbidden: refuses('an uploaded file', advice('refused', rerun(), SUPPORT)),
  invalid: refuses('this submission', advice('refused', ABOUT_REQUEST)),
};

const ALWAYS: ByClass = {
  page: advice('refused', OTHER_SITE, rerun()),
  // No redirect is followed, because the request carries the API key.
  redirect: advice('bad-input', OTHER_SITE),
  'wrong JSON': advice('results', CHECK_BASE_URL, rerun()),
  'wrong key': refuses('the API key', advice('auth', VALID_KEY, rerun())),
  'wrong plan': refuses('this kind of request under the plan of the account', advice('plan', OTHER_PLAN, rerun())),
};

const BY_ENDPOINT = new Map<Endpoint, ByClass>([
  [ENDPOINTS.uploadUrl, AT_UPLOAD],
  [ENDPOINTS.uploadDirect, AT_UPLOAD],
  [ENDPOINTS.create, AT_CREATION],
]);

/** Says what happened and what to do. `on-service-error: warn` forgives only the reasons `service` and `timeout`. */
export function explain(error: ServiceError, path?: string): Cause {
  const { reason, steps, refusal } = adviceFor(error);
  const response = `${error.message}.`;
  const said = refusal === undefined ? { message: response } : { message: refusal, detail: response };
  return { reason, ...said, steps, ...(path !== undefined && { path }) };
}

function adviceFor({ endpoint, failure, failureClass, isOutage, endsRun, storage }: ServiceError): Advice {
  const known = BY_ENDPOINT.get(endpoint)?.[failureClass] ?? ALWAYS[failureClass];
  if (known && storage === '') return known;
  if (failure instanceof ConnectionError) {
    const place = storage === '' ? '`base-url` and the network' : `that this machine can reach ${storage}`;
    const check = workflowOwner(failure.fix ?? `Check ${place} (proxy, firewall).`);
    return endsRun ? advice('bad-input', check, LATER) : advice('service', LATER, check);
  }
  if (failureClass === 'rate limit') {
    const limit = `Ask the service for a higher limit of \`${endpoint.bucket}\`.`;
    return advice('service', LATER, workflowOwner(limit));
  }
  if (isOutage && storage === '' && failure.status >= 500)
    return { ...advice('service', LATER), refusal: `The compliance service is down (${failure.status}).` };
  if (isOutage) return advice('service', LATER, ...(failure.isPage ? [OTHER_SITE] : []));
  if (storage === '') return advice('refused', CHECK_BASE_URL);
  const check = `Check that the connection to ${storage} is fast enough, and that no proxy or firewall on the way changes requests.`;
  return advice('refused', workflowOwner(check), rerun(), SUPPORT);
}
