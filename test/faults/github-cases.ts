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
  /** The gate reads only the status of the response. */
  readonly isWrite?: true;
  /** A cut-off body has no effect: the response is a redirect, or the work is done. */
  readonly needsNoBody?: true;
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
const WITHOUT_COMMENT: Outcome = { ...UNDISTURBED, hasComment: false };

/** Without the earlier results, sending could bill files again. */
const STOPPED: Outcome = { ...UNDISTURBED, verdict: 'error', reason: 'github', 'files-reused': '0' };
const NO_STATE = /results of earlier runs could not be read|No state of an earlier run was found|a state, was deleted/;
const NO_LIST = /`only-changed` was not applied and all 2 matched files are checked/;
const NO_COMMENT = /The verdict stands/;
const REPOSITORY = '/repos/acme/campaigns';

export const GITHUB_REQUESTS: readonly GitHubRequest[] = [
  {
    name: 'the list of artifacts',
    line: new RegExp(`^GET ${REPOSITORY}/actions/artifacts$`),
    refused: STOPPED,
    says: NO_STATE,
  },
  {
    name: 'the archive of an artifact',
    line: new RegExp(`^GET ${REPOSITORY}/actions/artifacts/\\d+/zip$`),
    needsNoBody: true,
    refused: STOPPED,
    missing: PAID_AGAIN,
    says: NO_STATE,
  },
  {
    name: 'the storage of artifacts',
    line: /^GET \/storage\/\d+$/,
    refused: STOPPED,
    says: NO_STATE,
  },
  {
    name: 'the changed files',
    line: new RegExp(`^GET ${REPOSITORY}/pulls/2/files$`),
    refused: ALL_CHECKED,
    says: NO_LIST,
  },
  {
    name: 'the pull request',
    line: new RegExp(`^GET ${REPOSITORY}/pulls/2$`),
    refused: { ...ALL_CHECKED, hasComment: false },
    outage: { ...STOPPED, 'files-matched': '2', hasComment: false },
    says: /all 2 matched files are checked|Could not read the pull request/,
  },
  {
    name: 'the waivers of the base',
    line: new RegExp(`^GET ${REPOSITORY}/contents/`),
    refused: { ...UNDISTURBED, verdict: 'fail', reason: 'issues' },
    says: /No waiver counts in this run|A waiver is proposed here/,
  },
  {
    name: 'the commit that is checked out',
    line: new RegExp(`^GET ${REPOSITORY}/git/commits/`),
    event: 'pull_request_target',
    refused: { ...STOPPED, reason: 'checkout', 'files-matched': '0' },
    outage: { ...STOPPED, 'files-matched': '0' },
    says: /Could not read the commit|whether that is the merge of the pull request|neither the head of the pull request/,
  },
  {
    name: 'the merge commit',
    line: new RegExp(`^GET ${REPOSITORY}/git/commits/`),
    refused: UNDISTURBED,
    outage: { ...STOPPED, 'files-matched': '0' },
    says: /Could not read the commit/,
  },
  {
    name: 'the comments',
    line: new RegExp(`^GET ${REPOSITORY}/issues/2/comments$`),
    refused: WITHOUT_COMMENT,
    says: NO_COMMENT,
  },
  {
    name: 'whose token it is',
    line: /^POST \/graphql$/,
    refused: WITHOUT_COMMENT,
    says: NO_COMMENT,
  },
  {
    name: 'a changed comment',
    line: new RegExp(`^PATCH ${REPOSITORY}/issues/comments/`),
    isWrite: true,
    needsNoBody: true,
    refused: WITHOUT_COMMENT,
    says: NO_COMMENT,
  },
  {
    name: 'a new comment',
    line: new RegExp(`^POST ${REPOSITORY}/issues/2/comments$`),
    isFirst: true,
    isWrite: true,
    needsNoBody: true,
    refused: WITHOUT_COMMENT,
    says: NO_COMMENT,
  },
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
  { name: '429', make: () => respond(429, '{"message":"Too many requests"}', { 'retry-after': '1' }) },
  { name: '500, nested 100,000 deep', make: () => respond(500, NESTED) },
  { name: 'reset', make: () => 'reset' },
  { name: 'silence', make: () => 'silence' },
  { name: 'the response breaks off', make: () => 'cut' },
  { name: 'a web page', make: () => respond(200, '<!doctype html>', { 'content-type': 'text/html' }) },
  { name: 'nested 100,000 deep', make: () => respond(200, NESTED) },
  {
    name: 'a redirect',
    make: (elsewhere) => ({ status: 307, headers: { location: `${elsewhere}/stolen` }, body: '' }),
  },
];

/** Responses with a success status and a wrong body. */
const NONSENSE: ReadonlySet<string> = new Set(['a web page', 'nested 100,000 deep']);
/** Responses of GitHub itself. Any other fault is an outage, also a 404 of the server that a redirect leads to. */
const REFUSALS: ReadonlySet<string> = new Set(['401', '403', '404']);

/** The faults of a request, and how the run ends. */
export function faultsOf(request: GitHubRequest): readonly (GitHubFault & { readonly outcome: Outcome })[] {
  const { isWrite, needsNoBody, refused, missing = refused, outage = refused } = request;
  const possible = FAULTS.filter(({ name }) => !isWrite || !NONSENSE.has(name));
  return possible.map((fault) => {
    if (fault.name === 'the response breaks off' && needsNoBody) return { ...fault, outcome: UNDISTURBED };
    if (!REFUSALS.has(fault.name)) return { ...fault, outcome: outage };
    return { ...fault, outcome: fault.name === '404' ? missing : refused };
  });
}
