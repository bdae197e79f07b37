import type { FrontFault } from '../harness/front.ts';

/** A request to GitHub, and how a run ends if the request fails. No failure may turn the run into a pass. */
export interface GitHubRequest {
  readonly name: string;
  /** Matches `METHOD /path`. */
  readonly line: RegExp;
  /** Default: `pull_request`. */
  readonly event?: 'pull_request_target';
  /** The gate has written no comment yet. */
  readonly isFirst?: true;
  /** The gate reads only the status of the response, and the work is done whatever its body is. */
  readonly isWrite?: true;
  /** The response is a redirect, so a body that is cut off has no effect. */
  readonly isRedirect?: true;
  /** The outcome if GitHub refuses the request or does not respond. */
  readonly refused: Outcome;
  /** The outcome if GitHub does not respond. Default: that of a refusal. */
  readonly outage?: Outcome;
  /** The outcome of a 404. Default: that of a refusal. */
  readonly missing?: Outcome;
  readonly says: RegExp;
}

/** The outputs of a run, and whether the comment is about this run. */
type Outcome = Readonly<Record<string, string | boolean>>;

/** Without a fault: one of two files is changed, was analysed before and has a waived CRITICAL issue. */
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

/** Without the earlier results, sending could bill files again. */
const STOPPED: Outcome = { ...UNDISTURBED, verdict: 'error', reason: 'github', 'files-reused': '0' };
const NO_STATE =
  /results of earlier runs could not be read|No state of an earlier run was found|was deleted or has expired/;
const NO_LIST = /`only-changed` was not applied and all 2 matched files are checked/;
const NOT_WRITTEN = { refused: { ...UNDISTURBED, hasComment: false }, says: /The verdict stands/ };

/** @param path the beginning of a path in the repository, as a pattern */
function request(method: string, path: string): RegExp {
  return new RegExp(`^${method} /repos/acme/campaigns${path}`);
}

export const GITHUB_REQUESTS: readonly GitHubRequest[] = [
  { name: 'the list of artifacts', line: request('GET', '/actions/artifacts$'), refused: STOPPED, says: NO_STATE },
  {
    name: 'the archive of an artifact',
    line: request('GET', '/actions/artifacts/\\d+/zip$'),
    isRedirect: true,
    refused: STOPPED,
    missing: PAID_AGAIN,
    says: NO_STATE,
  },
  { name: 'the storage of artifacts', line: /^GET \/storage\/\d+$/, refused: STOPPED, says: NO_STATE },
  { name: 'the changed files', line: request('GET', '/pulls/2/files$'), refused: ALL_CHECKED, says: NO_LIST },
  {
    name: 'the pull request',
    line: request('GET', '/pulls/2$'),
    refused: { ...ALL_CHECKED, hasComment: false },
    outage: { ...STOPPED, 'files-matched': '2', hasComment: false },
    says: /all 2 matched files are checked|Could not read the pull request/,
  },
  {
    name: 'the waivers of the base',
    line: request('GET', '/contents/'),
    refused: { ...UNDISTURBED, verdict: 'fail', reason: 'issues' },
    says: /No waiver counts in this run|A waiver is proposed here/,
  },
  {
    name: 'the commit that is checked out',
    line: request('GET', '/git/commits/'),
    event: 'pull_request_target',
    refused: { ...STOPPED, reason: 'checkout', 'files-matched': '0' },
    outage: { ...STOPPED, 'files-matched': '0' },
    says: /Could not read the commit|whether that is the merge of|neither the head of the pull request/,
  },
  {
    name: 'the merge commit',
    line: request('GET', '/git/commits/'),
    refused: UNDISTURBED,
    outage: { ...STOPPED, 'files-matched': '0' },
    says: /Could not read the commit/,
  },
  { name: 'the comments', line: request('GET', '/issues/2/comments$'), ...NOT_WRITTEN },
  { name: 'whose token it is', line: /^POST \/graphql$/, ...NOT_WRITTEN },
  { name: 'a changed comment', line: request('PATCH', '/issues/comments/'), isWrite: true, ...NOT_WRITTEN },
  { name: 'a new comment', line: request('POST', '/issues/2/comments$'), isFirst: true, isWrite: true, ...NOT_WRITTEN },
];

const NESTED = `{"message":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;

function respond(status: number, body: string, headers: Readonly<Record<string, string>> = {}): FrontFault {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8', ...headers }, body };
}

interface GitHubFault {
  readonly name: string;
  /** @param elsewhere an address that is not GitHub's */
  readonly make: (elsewhere: string) => FrontFault;
}

const FAULTS: readonly GitHubFault[] = [
  { name: '401', make: () => respond(401, '{"message":"Bad credentials"}') },
  { name: '403', make: () => respond(403, '{"message":"Resource not accessible by integration"}') },
  { name: '404', make: () => respond(404, '{"message":"Not Found"}') },
  { name: '404, a web page', make: () => respond(404, '<!doctype html>', { 'content-type': 'text/html' }) },
  { name: '429', make: () => respond(429, '{"message":"Too many requests"}', { 'retry-after': '1' }) },
  { name: '500, nested 100,000 deep', make: () => respond(500, NESTED) },
  { name: 'reset', make: () => 'reset' },
  { name: 'silence', make: () => 'silence' },
  { name: 'the response breaks off', make: () => 'cut' },
  { name: 'a web page', make: () => respond(200, '<!doctype html>', { 'content-type': 'text/html' }) },
  { name: 'nested 100,000 deep', make: () => respond(200, NESTED) },
  { name: 'a redirect', make: (elsewhere) => respond(307, '', { location: `${elsewhere}/stolen` }) },
];

/** Responses with a success status and a wrong body. */
const NONSENSE: ReadonlySet<string> = new Set(['a web page', 'nested 100,000 deep']);
/** Responses of GitHub itself. Any other fault is an outage, also a 404 of the server that a redirect leads to. */
const REFUSALS: ReadonlySet<string> = new Set(['401', '403', '404']);

/** The faults of a request, and how the run ends. */
export function faultsOf(request: GitHubRequest): readonly (GitHubFault & { readonly outcome: Outcome })[] {
  const { isWrite, isRedirect, refused, missing = refused, outage = refused } = request;
  const possible = FAULTS.filter(({ name }) => !isWrite || !NONSENSE.has(name));
  return possible.map((fault) => {
    if (fault.name === 'the response breaks off' && (isWrite || isRedirect)) return { ...fault, outcome: UNDISTURBED };
    if (!REFUSALS.has(fault.name)) return { ...fault, outcome: outage };
    return { ...fault, outcome: fault.name === '404' ? missing : refused };
  });
}
