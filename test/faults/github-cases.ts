import type { FrontFault } from '../harness/front.ts';

/** A request to GitHub, and what its failure may change. It never causes a pass. */
export interface GitHubRequest {
  readonly name: string;
  /** `METHOD /path` of it. */
  readonly line: RegExp;
  readonly event: 'pull_request' | 'pull_request_target';
  /** There is no comment of ours yet. */
  readonly isFirst?: true;
  /** A write: only its status counts, and the body is not read. */
  readonly isWrite?: true;
  /** A cut-off response has no effect: it was only a redirect, or the work was done. */
  readonly needsNoBody?: true;
  /** If GitHub refuses it or does not answer. */
  readonly lost: Outcome;
  /** If GitHub answers that it is not there; by default as if it refuses. */
  readonly gone?: Outcome;
  /** The message about it. */
  readonly says: RegExp;
}

/** How a run ends. */
export interface Outcome {
  readonly verdict: 'pass' | 'fail' | 'error';
  readonly reason: string;
  readonly 'files-matched': string;
  readonly 'files-reused': string;
  readonly 'files-submitted': string;
  /** Whether the comment is about this run. */
  readonly hasComment: boolean;
}

/** In the pull request one of two files has changed; it has a CRITICAL issue that is waived, and was analysed before. */
export const UNDISTURBED: Outcome = {
  verdict: 'pass',
  reason: '',
  'files-matched': '1',
  'files-reused': '1',
  'files-submitted': '0',
  hasComment: true,
};

/** Somebody has deleted the artifact: its files are sent again, and the verdict is the same. */
const PAID_AGAIN: Outcome = { ...UNDISTURBED, 'files-reused': '0', 'files-submitted': '1' };
const ALL_CHECKED: Outcome = { ...UNDISTURBED, 'files-matched': '2', 'files-reused': '2' };
const WITHOUT_COMMENT: Outcome = { ...UNDISTURBED, hasComment: false };

/** Sending without an answer could bill files again. */
const STOPPED: Outcome = {
  verdict: 'error',
  reason: 'github',
  'files-matched': '1',
  'files-reused': '0',
  'files-submitted': '0',
  hasComment: true,
};
const NO_STATE = /results of earlier runs could not be read|No state of an earlier run was found/;
const NO_LIST = /`only-changed` was not applied and all 2 matched files are checked/;
const NO_COMMENT = /The verdict stands/;
const REPOSITORY = '/repos/acme/campaigns';

export const GITHUB_REQUESTS: readonly GitHubRequest[] = [
  {
    name: 'the list of artifacts',
    line: new RegExp(`^GET ${REPOSITORY}/actions/artifacts$`),
    event: 'pull_request',
    lost: STOPPED,
    says: NO_STATE,
  },
  {
    name: 'the archive of an artifact',
    line: new RegExp(`^GET ${REPOSITORY}/actions/artifacts/\\d+/zip$`),
    event: 'pull_request',
    needsNoBody: true,
    lost: STOPPED,
    gone: PAID_AGAIN,
    says: NO_STATE,
  },
  {
    name: 'the storage of artifacts',
    line: /^GET \/storage\/\d+$/,
    event: 'pull_request',
    lost: STOPPED,
    gone: PAID_AGAIN,
    says: NO_STATE,
  },
  {
    name: 'the changed files',
    line: new RegExp(`^GET ${REPOSITORY}/pulls/2/files$`),
    event: 'pull_request',
    lost: ALL_CHECKED,
    says: NO_LIST,
  },
  {
    name: 'the pull request',
    line: new RegExp(`^GET ${REPOSITORY}/pulls/2$`),
    event: 'pull_request',
    lost: { ...ALL_CHECKED, hasComment: false },
    says: NO_LIST,
  },
  {
    name: 'the waivers of the base',
    line: new RegExp(`^GET ${REPOSITORY}/contents/`),
    event: 'pull_request',
    lost: { ...UNDISTURBED, verdict: 'fail', reason: 'issues' },
    says: /No waiver counts in this run|Proposed, and not counted before it is merged/,
  },
  {
    name: 'the commit that is checked out',
    line: new RegExp(`^GET ${REPOSITORY}/git/commits/`),
    event: 'pull_request_target',
    lost: {
      verdict: 'error',
      reason: 'checkout',
      'files-matched': '0',
      'files-reused': '0',
      'files-submitted': '0',
      hasComment: true,
    },
    says: /whether that is the merge of the pull request|neither the head of the pull request/,
  },
  {
    name: 'the comments',
    line: new RegExp(`^GET ${REPOSITORY}/issues/2/comments$`),
    event: 'pull_request',
    lost: WITHOUT_COMMENT,
    says: NO_COMMENT,
  },
  {
    name: 'whose token it is',
    line: /^POST \/graphql$/,
    event: 'pull_request',
    lost: WITHOUT_COMMENT,
    says: NO_COMMENT,
  },
  {
    name: 'a changed comment',
    line: new RegExp(`^PATCH ${REPOSITORY}/issues/comments/`),
    event: 'pull_request',
    isWrite: true,
    needsNoBody: true,
    lost: WITHOUT_COMMENT,
    says: NO_COMMENT,
  },
  {
    name: 'a new comment',
    line: new RegExp(`^POST ${REPOSITORY}/issues/2/comments$`),
    event: 'pull_request',
    isFirst: true,
    isWrite: true,
    needsNoBody: true,
    lost: WITHOUT_COMMENT,
    says: NO_COMMENT,
  },
];

const DEEP = 100_000;
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

function answer(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): FrontFault {
  const body = typeof value === 'string' ? value : JSON.stringify(value);
  return { status, headers: { ...JSON_TYPE, ...headers }, body };
}

const PAGE = { headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Unicorn!</title>' };
const NESTED = `{"message":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`;

interface GitHubFault {
  readonly name: string;
  /** @param elsewhere an address that is not GitHub's */
  readonly make: (elsewhere: string) => FrontFault;
}

const FAULTS: readonly GitHubFault[] = [
  { name: '401', make: () => answer(401, { message: 'Bad credentials' }) },
  { name: '403', make: () => answer(403, { message: 'Resource not accessible by integration' }) },
  {
    name: '403, a rate limit',
    make: () => answer(403, { message: 'API rate limit exceeded' }, { 'x-ratelimit-remaining': '0' }),
  },
  { name: '404', make: () => answer(404, { message: 'Not Found' }) },
  { name: '429', make: () => answer(429, { message: 'Too many requests' }, { 'retry-after': '1' }) },
  { name: '500', make: () => answer(500, { message: 'Server Error' }) },
  { name: '500, nested 100,000 deep', make: () => answer(500, NESTED) },
  { name: 'reset', make: () => 'reset' },
  { name: 'silence', make: () => 'silence' },
  { name: 'the answer breaks off', make: () => 'cut' },
  { name: 'a web page', make: () => ({ status: 200, ...PAGE }) },
  { name: 'null', make: () => answer(200, 'null') },
  { name: 'nested 100,000 deep', make: () => answer(200, NESTED) },
  {
    name: 'a redirect',
    make: (elsewhere) => ({ status: 307, headers: { location: `${elsewhere}/stolen` }, body: '' }),
  },
];

/** They have a success status and a wrong body. */
const NONSENSE: ReadonlySet<string> = new Set(['a web page', 'null', 'nested 100,000 deep']);
const BREAKS_OFF = 'the answer breaks off';
/** The redirect leads to a server that has nothing. */
const GONE: ReadonlySet<string> = new Set(['404', 'a redirect']);

export interface GitHubCase {
  readonly request: GitHubRequest;
  readonly fault: GitHubFault;
  readonly outcome: Outcome;
}

export const GITHUB_CASES: readonly GitHubCase[] = GITHUB_REQUESTS.flatMap((request) =>
  FAULTS.filter(({ name }) => !request.isWrite || !NONSENSE.has(name)).map((fault) => ({
    request,
    fault,
    outcome: outcomeOf(request, fault),
  })),
);

function outcomeOf({ needsNoBody, lost, gone = lost }: GitHubRequest, { name }: GitHubFault): Outcome {
  if (name === BREAKS_OFF && needsNoBody) return UNDISTURBED;
  return GONE.has(name) ? gone : lost;
}
