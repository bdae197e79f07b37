import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../emulator/server.ts';
import { problemsOfAnswer, problemsOfRequest } from './openapi.ts';

/**
 * As much of GitHub's REST API as the gate uses, with its real refusals. Every request and every answer of the model is
 * held against GitHub's own description; what does not fit is thrown when the server is closed.
 */
export interface GitHubServer extends AsyncDisposable {
  /** Of the API. */
  readonly url: string;
  /** Of the pages. */
  readonly serverUrl: string;
  readonly token: string;
  readonly requests: RecordedRequest[];
  readonly comments: StoredComment[];
  readonly asked: readonly string[];
}

export interface RecordedRequest {
  readonly method: string;
  /** Decoded, without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export interface StoredComment {
  readonly id: number;
  body: string;
  readonly user: { readonly login: string; readonly type: string } | null;
}

export interface ModelPull {
  readonly headSha: string;
  readonly headRef?: string;
  readonly headLabel?: string;
  readonly headRepositoryId?: number | null;
  /** Default: that of GitHub's own example of a pull request event. */
  readonly baseRef?: string;
  readonly mergedAt?: string | null;
  readonly files?: readonly { readonly filename: string; readonly status: string }[];
}

type ArtifactOrder = 'shuffled' | 'newest first' | 'oldest first';
type Level = 'read' | 'write';

/** A request that the gate does not make, but a script in a workflow does. GitHub's description does not cover it here. */
export interface ScriptRoute {
  /** Method, and path within the repository. */
  readonly on: RegExp;
  /** What the job must be granted. */
  readonly needs: readonly [permission: string, level: Level];
  /** Returns the body of the response. `parts` are the groups of `on`. */
  readonly respond: (request: RecordedRequest, parts: readonly string[]) => unknown;
}

export interface Fault {
  /** Found in `METHOD /path`. */
  readonly on: string;
  /** A broken connection, if there is none; `never` is a request without an answer. */
  readonly status?: number | 'never';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Default: always. */
  readonly times?: number;
  /** The request is carried out before it fails. */
  readonly afterwards?: boolean;
}

/** Gitea answers as its version 1.26 was seen to. */
export type ServerKind = 'GitHub' | 'Gitea';
export const SERVER_KINDS: readonly ServerKind[] = ['GitHub', 'Gitea'];

export interface GitHubModel {
  /** Default: GitHub. */
  readonly kind?: ServerKind;
  readonly pulls?: Readonly<Record<number, ModelPull>>;
  /** Numbers of the pull requests of a commit. */
  readonly pullsOf?: Readonly<Record<string, readonly number[]>>;
  readonly comments?: readonly StoredComment[];
  /** By `commit:path`, or `:path` on the default branch: text, or the whole answer. */
  readonly contents?: Readonly<Record<string, unknown>>;
  readonly commits?: Readonly<Record<string, readonly string[]>>;
  readonly artifacts?: readonly (Readonly<Record<string, unknown>> & { readonly name: string })[];
  /** GitHub documents no order, so by default there is none. */
  readonly artifactOrder?: ArtifactOrder;
  /** Zip files by the id of their artifact. GitHub redirects to them on another host. */
  readonly archives?: Readonly<Record<number, Uint8Array>>;
  readonly login?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly scriptRoutes?: readonly ScriptRoute[];
  /** Read at every request: a test may change them. */
  readonly faults?: readonly Fault[];
  readonly onRequest?: () => void;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const NOT_FOUND: Answer = { status: 404, body: { message: 'Not Found', status: '404' } };
const FORBIDDEN: Answer = {
  status: 403,
  body: { message: 'Resource not accessible by integration', documentation_url: 'https://docs.github.com/rest' },
};
const PREFIX = '/repos/acme/campaigns/';
const GITEA = { api: '/api/v1', login: 'gitea-actions' };
const REPOSITORY_ID = 4711;
const MAX_FILES = 3_000;
const MAX_COMMENT_LENGTH = 65_536;

export async function startGitHub(model: GitHubModel = {}): Promise<GitHubServer> {
  const isGitea = model.kind === 'Gitea';
  const token = 'ghs_0123456789abcdefghijklmnopqrstuvwxyz';
  const requests: RecordedRequest[] = [];
  const comments: StoredComment[] = structuredClone([...(model.comments ?? [])]);
  const misfits = new Set<string>();
  const happened = new Map<Fault, number>();

  const server = createServer((request, response) => {
    void (async () => {
      const recorded = await record(request, isGitea ? GITEA.api : '');
      requests.push(recorded);
      const arrived = { ...recorded, url: request.url ?? '' };
      const isDescribed = !isGitea && isOfRest(recorded) && !scriptRoute(recorded, model);
      if (isDescribed) for (const problem of problemsOfRequest(arrived)) misfits.add(problem);
      model.onRequest?.();
      const line = `${recorded.method} ${recorded.path}`;
      const isLeft = (each: Fault): boolean => (happened.get(each) ?? 0) < (each.times ?? Number.POSITIVE_INFINITY);
      const fault = model.faults?.find((each) => line.includes(each.on) && isLeft(each));
      if (!fault || fault.afterwards) {
        const answer = (isGitea ? respondAsGitea : respond)(recorded, model, comments, token);
        if (!fault) {
          const whole = paged(answer, recorded);
          if (isDescribed) for (const problem of problemsOfAnswer(arrived, whole)) misfits.add(problem);
          return send(response, whole);
        }
      }
      happened.set(fault, (happened.get(fault) ?? 0) + 1);
      if (fault.status === undefined) return void request.socket.destroy();
      if (fault.status === 'never') return;
      send(response, { status: fault.status, body: fault.body ?? '', headers: fault.headers ?? {} });
    })();
  });
  const { url, close } = await listen(server);
  return {
    url: url + (isGitea ? GITEA.api : ''),
    serverUrl: isGitea ? 'https://gitea.example.com/' : 'https://github.com',
    token,
    requests,
    comments,
    get asked() {
      return requests.map(({ method, path }) => `${method} ${path}`);
    },
    async [Symbol.asyncDispose]() {
      await close();
      if (misfits.size > 0) throw new Error(`Not as GitHub describes its API:\n${[...misfits].join('\n')}`);
    },
  };
}

/** Only what is about the repository is in the slice of GitHub's description. */
function isOfRest({ path }: RecordedRequest): boolean {
  return !path.endsWith('/graphql') && !path.startsWith('/storage/') && path !== '/user';
}

/** @param prefix of Gitea's API; empty at GitHub */
async function record(request: IncomingMessage, prefix: string): Promise<RecordedRequest> {
  const url = new URL(request.url ?? '', 'http://github.test');
  const body = await text(request);
  return {
    method: request.method ?? '',
    path: decodeURIComponent(url.pathname).replace(prefix, ''),
    // Gitea does not know `per_page`.
    query: Object.fromEntries([...url.searchParams].filter(([name]) => prefix === '' || name !== 'per_page')),
    headers: request.headers,
    body: body === '' ? undefined : JSON.parse(body),
  };
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    .end(isRaw ? body : JSON.stringify(body));
}

/** GitHub gives every list in pages and says in a header whether there is another one. */
function paged(answer: Answer, request: RecordedRequest): Answer {
  const { body, headers } = answer;
  if (!Array.isArray(body)) return answer;
  const page = pageOf(body, request);
  return { ...answer, body: page.items, headers: { ...headers, ...page.headers } };
}

/** One page of a list. The whole query goes on to the next one. */
function pageOf<T>(list: readonly T[], { query, path, headers }: RecordedRequest) {
  const size = Math.min(100, Number(query['per_page'] ?? 30));
  const number = Number(query['page'] ?? 1);
  const next = new URLSearchParams({ ...query, page: String(number + 1) }).toString();
  const link = `<http://${headers.host ?? ''}${path}?${next}>; rel="next"`;
  return {
    items: list.slice((number - 1) * size, number * size),
    headers: number * size < list.length ? { link } : {},
  };
}

function respond(request: RecordedRequest, model: GitHubModel, comments: StoredComment[], token: string): Answer {
  const [, blob] = /^\/storage\/(\d+)$/.exec(request.path) ?? [];
  if (blob !== undefined) {
    return { status: 200, body: model.archives?.[Number(blob)], headers: { 'content-type': 'application/zip' } };
  }
  if (request.headers.authorization !== `token ${token}`) return { status: 401, body: { message: 'Bad credentials' } };
  const login = model.login ?? 'github-actions[bot]';
  if (request.path.endsWith('/graphql')) return { status: 200, body: { data: { viewer: { login } } } };
  // The token of a workflow belongs to no user.
  if (request.path === '/user') return FORBIDDEN;
  if (!request.path.startsWith(PREFIX)) return NOT_FOUND;
  const path = request.path.slice(PREFIX.length);
  const grants: Readonly<Record<string, string>> = {
    'pull-requests': 'write',
    contents: 'read',
    actions: 'read',
    ...model.permissions,
  };
  const may = (permission: string, level: Level): boolean =>
    grants[permission] === 'write' || grants[permission] === level;

  const route = scriptRoute(request, model);
  if (route)
    return may(...route.needs)
      ? { status: 200, body: route.respond(request, route.on.exec(lineOf(request))?.slice(1) ?? []) }
      : FORBIDDEN;

  const [, number, what] = /^(?:pulls|issues)\/(\d+)(?:\/(\w+))?$/.exec(path) ?? [];
  const pull = model.pulls?.[Number(number)];
  if (number !== undefined) {
    if (!may('pull-requests', request.method === 'GET' ? 'read' : 'write')) return FORBIDDEN;
    if (!pull) return NOT_FOUND;
    if (what === 'files') return { status: 200, body: (pull.files ?? []).slice(0, MAX_FILES) };
    if (what === undefined) {
      const counted = { changed_files: pull.files?.length ?? 0 };
      return { status: 200, body: { ...pullBody(Number(number), pull), ...counted } };
    }
    if (request.method === 'GET') return { status: 200, body: comments };
    const user = { login, type: login.endsWith('[bot]') ? 'Bot' : 'User' };
    return writeComment({ id: comments.length + 1001, body: '', user }, request, comments);
  }
  const [, commentId] = /^issues\/comments\/(\d+)$/.exec(path) ?? [];
  if (commentId !== undefined) {
    const comment = comments.find(({ id }) => id === Number(commentId));
    if (!may('pull-requests', 'write')) return FORBIDDEN;
    return comment ? writeComment(comment, request, comments) : NOT_FOUND;
  }
  const [, pullsOf] = /^commits\/(\w+)\/pulls$/.exec(path) ?? [];
  if (pullsOf !== undefined) {
    if (!may('pull-requests', 'read')) return FORBIDDEN;
    const numbers = model.pullsOf?.[pullsOf] ?? [];
    return { status: 200, body: numbers.map((each) => pullBody(each, model.pulls?.[each])) };
  }
  const [, commit] = /^git\/commits\/(\w+)$/.exec(path) ?? [];
  const parents = model.commits?.[commit ?? ''];
  if (parents) return { status: 200, body: { sha: commit, parents: parents.map((sha) => ({ sha })) } };
  if (path.startsWith('contents/')) {
    const content = model.contents?.[`${request.query['ref'] ?? ''}:${path.slice('contents/'.length)}`];
    if (!may('contents', 'read')) return FORBIDDEN;
    return content === undefined ? NOT_FOUND : { status: 200, body: contentBody(content) };
  }
  if (path === 'actions/artifacts') {
    if (!may('actions', 'read')) return FORBIDDEN;
    const { name: asked } = request.query;
    const found = (model.artifacts ?? []).filter(({ name }) => asked === undefined || name === asked);
    const { items, headers } = pageOf(ordered(found, model.artifactOrder), request);
    return { status: 200, body: { total_count: found.length, artifacts: items }, headers };
  }
  const [, archive] = /^actions\/artifacts\/(\d+)\/zip$/.exec(path) ?? [];
  if (archive !== undefined && model.archives?.[Number(archive)]) {
    const isExpired = model.artifacts?.find(({ id }) => id === Number(archive))?.['expired'] === true;
    // Expired artifacts stay in the list.
    if (isExpired) return { status: 410, body: { message: 'Artifact has expired' } };
    const port = request.headers.host?.split(':')[1];
    return { status: 302, body: '', headers: { location: `http://localhost:${port}/storage/${archive}` } };
  }
  return NOT_FOUND;
}

function scriptRoute(request: RecordedRequest, { scriptRoutes }: GitHubModel): ScriptRoute | undefined {
  return scriptRoutes?.find(({ on }) => on.test(lineOf(request)));
}

/** `METHOD path`, with the path within the repository. */
function lineOf({ method, path }: RecordedRequest): string {
  return `${method} ${path.replace(PREFIX, '')}`;
}

/** What Gitea lacks, and what it calls differently. */
const GITEA_LACKS = /\/graphql$|\/commits\/\w+\/pulls$/;
const GITEA_STATUSES: Readonly<Record<string, string>> = { removed: 'deleted', modified: 'changed' };

function respondAsGitea(...[request, model, comments, token]: Parameters<typeof respond>): Answer {
  if (GITEA_LACKS.test(request.path)) return NOT_FOUND;
  if (request.path === '/user') return { status: 200, body: { id: -2, login: GITEA.login } };
  const answer = respond(request, { ...model, login: GITEA.login, artifactOrder: 'oldest first' }, comments, token);
  const isArtifacts = request.path.endsWith('/actions/artifacts');
  return { ...answer, body: asGitea(answer.body), ...(isArtifacts && { headers: {} }) };
}

function asGitea(body: unknown): unknown {
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  return JSON.parse(JSON.stringify(body), (key, value) => {
    if (key === 'head_repository_id' || key === 'head_branch') return undefined;
    if (key === 'status') return GITEA_STATUSES[value] ?? value;
    return key === 'label' ? value.replace(/^.*:/, '') : value;
  });
}

function ordered<T extends object>(artifacts: readonly T[], order: ArtifactOrder = 'shuffled'): readonly T[] {
  const digest = (artifact: T): string => createHash('sha256').update(JSON.stringify(artifact)).digest('hex');
  if (order === 'shuffled') return artifacts.toSorted((a, b) => (digest(a) < digest(b) ? -1 : 1));
  const time = (artifact: T): string => ('created_at' in artifact ? String(artifact.created_at) : '');
  const sign = order === 'newest first' ? 1 : -1;
  return artifacts.toSorted((a, b) => (time(a) < time(b) ? sign : -sign));
}

function writeComment(comment: StoredComment, request: RecordedRequest, comments: StoredComment[]): Answer {
  const body = bodyIn(request.body);
  if (body.length > MAX_COMMENT_LENGTH) {
    const problem = { resource: 'IssueComment', message: 'Body is too long (maximum is 65536 characters)' };
    return { status: 422, body: { message: 'Validation Failed', errors: [problem] } };
  }
  comment.body = body;
  if (comments.includes(comment)) return { status: 200, body: comment };
  comments.push(comment);
  return { status: 201, body: comment };
}

function bodyIn(sent: unknown): string {
  const isComment = typeof sent === 'object' && sent !== null && 'body' in sent;
  return isComment && typeof sent.body === 'string' ? sent.body : '';
}

function pullBody(number: number, pull: ModelPull | undefined): object {
  const {
    headSha,
    headRef = 'changes',
    headRepositoryId = REPOSITORY_ID,
    baseRef = 'master',
  } = pull ?? { headSha: '' };
  const repo = headRepositoryId === null ? null : { id: headRepositoryId };
  return {
    number,
    head: { ref: headRef, label: pull?.headLabel ?? `acme:${headRef}`, sha: headSha, repo },
    base: { ref: baseRef, label: `acme:${baseRef}`, sha: 'b'.repeat(40), repo: { id: REPOSITORY_ID } },
    merged_at: pull?.mergedAt ?? null,
  };
}

function contentBody(content: unknown): unknown {
  if (typeof content !== 'string') return content;
  return { type: 'file', encoding: 'base64', content: Buffer.from(content).toString('base64') };
}
