import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { getOctokit } from '@actions/github';
import type { Trouble } from './artifact-service.ts';

/** What GitHub knows about the repository acme/campaigns, and how its REST API responds. */
export interface GitHubModel {
  /** Default: GitHub. */
  readonly kind?: ServerKind;
  readonly pulls?: Readonly<Record<number, ModelPull>>;
  /** The numbers of the pull requests that each commit belongs to. */
  readonly pullsOf?: Readonly<Record<string, readonly number[]>>;
  readonly comments?: readonly StoredComment[];
  /** Text, or the whole response body, by `commit:path`, or by `:path` for the default branch. */
  readonly contents?: Readonly<Record<string, unknown>>;
  readonly commits?: Readonly<Record<string, readonly string[]>>;
  /** Default: what runs upload. */
  readonly artifacts?: readonly (Readonly<Record<string, unknown>> & { readonly name: string })[];
  /** Default: shuffled, because GitHub documents no order. */
  readonly artifactOrder?: ArtifactOrder;
  /** Zip files by the id of their artifact. GitHub redirects to them on another host. */
  readonly archives?: Readonly<Record<number, Uint8Array>>;
  /** What goes wrong with uploads of artifacts. */
  readonly trouble?: Trouble | undefined;
  /** Whether a re-run may use the name of an artifact again. Default: GitHub refuses it with 409. */
  readonly isFreeInRerun?: boolean | undefined;
  readonly login?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  /** A test may change this list between requests. */
  readonly faults?: readonly Fault[];
}

/** Gitea responds as its version 1.26 did when it was tried. */
export type ServerKind = 'GitHub' | 'Gitea';
export const SERVER_KINDS: readonly ServerKind[] = ['GitHub', 'Gitea'];

type ArtifactOrder = 'shuffled' | 'newest first' | 'oldest first';

export interface ModelPull {
  readonly headSha: string;
  readonly headRef?: string;
  readonly headLabel?: string;
  readonly headRepositoryId?: number | null;
  /** Default: master, as in GitHub's example of a pull request event. */
  readonly baseRef?: string;
  readonly mergedAt?: string | null;
  readonly files?: readonly {
    readonly filename: string;
    readonly status: string;
    readonly previous_filename?: string;
  }[];
  /** How many files the pull request changes, if GitHub's list of them is cut short. */
  readonly changedFiles?: number;
}

export interface StoredComment {
  readonly id: number;
  body: string;
  readonly user: { readonly login: string; readonly type: string } | null;
}

export interface Fault {
  /** Matches `METHOD /path`, or is a part of it. */
  readonly on: string | RegExp;
  /** Default: the connection breaks. `never`: there is no response. */
  readonly status?: number | 'never';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Default: always. */
  readonly times?: number;
  /** The request is carried out before it fails. */
  readonly afterwards?: boolean;
}

export interface RecordedRequest {
  readonly method: string;
  /** Decoded, without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export interface ModelResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Route {
  /** Matches `METHOD path`, in which the path is relative to the repository. */
  readonly on: RegExp;
  /** The permission that the job needs. */
  readonly needs?: readonly [permission: string, level: 'read' | 'write'];
  /** `parts` are the groups of `on`. Undefined means that the response is a 404. */
  readonly respond: (call: Call, ...parts: readonly string[]) => ModelResponse | undefined;
}

/** What requests have written: comments, and the states of commits. */
export interface Written {
  readonly comments: StoredComment[];
  readonly statuses: string[];
}

export interface Call extends Written {
  readonly request: RecordedRequest;
  readonly model: GitHubModel;
}

export const TOKEN = 'ghs_0123456789abcdefghijklmnopqrstuvwxyz';
const PREFIX = '/repos/acme/campaigns/';
const REPOSITORY_ID = 4711;
const MAX_FILES = 3_000;
const MAX_COMMENT_LENGTH = 65_536;
const BY_DEFAULT: Readonly<Record<string, string>> = { 'pull-requests': 'write', contents: 'read', actions: 'read' };
export const NOT_FOUND: ModelResponse = { status: 404, body: { message: 'Not Found', status: '404' } };
const FORBIDDEN: ModelResponse = {
  status: 403,
  body: { message: 'Resource not accessible by integration', documentation_url: 'https://docs.github.com/rest' },
};

type Rest = ReturnType<typeof getOctokit>['rest'];
type Request = (...parameters: never[]) => Promise<{ readonly data: unknown }>;
type Partly<T> = T extends string
  ? string
  : T extends readonly (infer Each)[]
    ? readonly Partly<Each>[]
    : T extends object
      ? PartlyObject<T>
      : T;
/** Null if a fork or an account was deleted, although GitHub's description does not say so. */
type PartlyObject<T> = { readonly [Key in keyof T]?: Partly<T[Key]> } | null;

export function ok(body: unknown, headers: Readonly<Record<string, string>> = {}): ModelResponse {
  return { status: 200, body, headers };
}

/** Has what GitHub's own client expects of the response, but only the fields that the gate or a script reads. */
function as<Sent extends Request>(body: Partly<Awaited<ReturnType<Sent>>['data']>, headers = {}): ModelResponse {
  return ok(body, headers);
}

const ROUTES: readonly Route[] = [
  {
    on: /^GET pulls\/(\d+)$/,
    needs: ['pull-requests', 'read'],
    respond: ({ model: { pulls } }, number) => {
      const pull = pulls?.[Number(number)];
      const changed_files = pull?.changedFiles ?? pull?.files?.length ?? 0;
      return pull && as<Rest['pulls']['get']>({ ...pullBody(Number(number), pull), changed_files });
    },
  },
  {
    on: /^GET pulls\/(\d+)\/files$/,
    needs: ['pull-requests', 'read'],
    respond: ({ model: { pulls } }, number) => {
      const pull = pulls?.[Number(number)];
      return pull && as<Rest['pulls']['listFiles']>((pull.files ?? []).slice(0, MAX_FILES));
    },
  },
  {
    on: /^GET issues\/(\d+)\/comments$/,
    needs: ['pull-requests', 'read'],
    respond: ({ model: { pulls }, comments }, number) =>
      pulls?.[Number(number)] && as<Rest['issues']['listComments']>(comments),
  },
  {
    on: /^POST issues\/(\d+)\/comments$/,
    needs: ['pull-requests', 'write'],
    respond: ({ request, model, comments }, number) => {
      const login = loginOf(model);
      const user = { login, type: login.endsWith('[bot]') ? 'Bot' : 'User' };
      const comment = { id: comments.length + 1001, body: '', user };
      return model.pulls?.[Number(number)] && writeComment(comment, request, comments);
    },
  },
  {
    on: /^PATCH issues\/comments\/(\d+)$/,
    needs: ['pull-requests', 'write'],
    respond: ({ request, comments }, commentId) => {
      const comment = comments.find(({ id }) => id === Number(commentId));
      return comment && writeComment(comment, request, comments);
    },
  },
  {
    on: /^GET commits\/(\w+)\/pulls$/,
    needs: ['pull-requests', 'read'],
    respond: ({ model: { pulls, pullsOf } }, commit = '') =>
      as<Rest['pulls']['list']>((pullsOf?.[commit] ?? []).map((number) => pullBody(number, pulls?.[number]))),
  },
  {
    on: /^GET git\/commits\/(\w+)$/,
    respond: ({ model: { commits } }, sha = '') => {
      const parents = commits?.[sha];
      return parents && as<Rest['git']['getCommit']>({ sha, parents: parents.map((parent) => ({ sha: parent })) });
    },
  },
  {
    on: /^GET contents\/(.+)$/s,
    needs: ['contents', 'read'],
    respond: ({ request: { query }, model: { contents } }, path) => {
      const content = contents?.[`${query['ref'] ?? ''}:${path}`];
      return content === undefined ? undefined : ok(contentBody(content));
    },
  },
  {
    on: /^GET actions\/artifacts$/,
    needs: ['actions', 'read'],
    respond: ({ request, model: { artifacts = [], artifactOrder } }) => {
      const { name: wanted } = request.query;
      const found = artifacts.filter(({ name }) => wanted === undefined || name === wanted);
      const { items, headers } = pageOf(ordered(found, artifactOrder), request);
      return as<Rest['actions']['listArtifactsForRepo']>({ total_count: found.length, artifacts: items }, headers);
    },
  },
  {
    on: /^GET actions\/artifacts\/(\d+)\/zip$/,
    respond: ({ request, model: { artifacts, archives } }, id) => {
      if (!archives?.[Number(id)]) return undefined;
      const isExpired = artifacts?.find((each) => each['id'] === Number(id))?.['expired'] === true;
      // Expired artifacts stay in the list.
      if (isExpired) return { status: 410, body: { message: 'Artifact has expired' } };
      const port = request.headers.host?.split(':')[1];
      return { status: 302, body: '', headers: { location: `http://localhost:${port}/storage/${id}` } };
    },
  },
  {
    on: /^GET pulls$/,
    needs: ['pull-requests', 'read'],
    respond: ({ request: { query }, model: { pulls = {} } }) => {
      const open = Object.entries(pulls).filter(([, { mergedAt }]) => !mergedAt);
      const listed = open.map(([number, pull]) => pullBody(Number(number), pull));
      return as<Rest['pulls']['list']>(listed.filter(({ head }) => [undefined, head.label].includes(query['head'])));
    },
  },
  {
    on: /^POST statuses\/([0-9a-f]{40})$/,
    needs: ['statuses', 'write'],
    respond: ({ request: { body }, statuses }) => ok({ id: statuses.push(Object(body).state) }),
  },
];

export function respondAsGitHub(call: Call): ModelResponse {
  const { request, model } = call;
  const [, blob] = /^\/storage\/(\d+)$/.exec(request.path) ?? [];
  if (blob !== undefined) return ok(model.archives?.[Number(blob)], { 'content-type': 'application/zip' });
  if (request.headers.authorization !== `token ${TOKEN}`) return { status: 401, body: { message: 'Bad credentials' } };
  if (request.path.endsWith('/graphql')) return ok({ data: { viewer: { login: loginOf(model) } } });
  // The token of a workflow belongs to no user.
  if (request.path === '/user') return FORBIDDEN;
  const route = routeOf(request);
  if (!route) return NOT_FOUND;
  const [permission = '', level] = route.needs ?? [];
  const granted = { ...BY_DEFAULT, ...model.permissions }[permission];
  if (route.needs && granted !== 'write' && granted !== level) return FORBIDDEN;
  return route.respond(call, ...(route.on.exec(lineOf(request))?.slice(1) ?? [])) ?? NOT_FOUND;
}

function routeOf(request: RecordedRequest): Route | undefined {
  return ROUTES.find(({ on }) => on.test(lineOf(request)));
}

function lineOf({ method, path }: RecordedRequest): string {
  return `${method} ${path.startsWith(PREFIX) ? path.slice(PREFIX.length) : path}`;
}

function loginOf({ login = 'github-actions[bot]' }: GitHubModel): string {
  return login;
}

/** One page of a list, with a link to the next page that repeats the query. */
export function pageOf<T>(list: readonly T[], { query, path, headers }: RecordedRequest) {
  const size = Math.min(100, Number(query['per_page'] ?? 30));
  const number = Number(query['page'] ?? 1);
  const next = new URLSearchParams({ ...query, page: String(number + 1) }).toString();
  const link = `<http://${headers.host ?? ''}${path}?${next}>; rel="next"`;
  const hasNext = number * size < list.length;
  return { items: list.slice((number - 1) * size, number * size), ...(hasNext && { headers: { link } }) };
}

function ordered<T extends object>(artifacts: readonly T[], order: ArtifactOrder = 'shuffled'): readonly T[] {
  const digest = (artifact: T): string => createHash('sha256').update(JSON.stringify(artifact)).digest('hex');
  if (order === 'shuffled') return artifacts.toSorted((a, b) => (digest(a) < digest(b) ? -1 : 1));
  const time = (artifact: T): string => ('created_at' in artifact ? String(artifact.created_at) : '');
  const sign = order === 'newest first' ? 1 : -1;
  return artifacts.toSorted((a, b) => (time(a) < time(b) ? sign : -sign));
}

function writeComment(comment: StoredComment, request: RecordedRequest, comments: StoredComment[]): ModelResponse {
  const body = String(Object(request.body).body ?? '');
  if (body.length > MAX_COMMENT_LENGTH) {
    const problem = { resource: 'IssueComment', message: 'Body is too long (maximum is 65536 characters)' };
    return { status: 422, body: { message: 'Validation Failed', errors: [problem] } };
  }
  comment.body = body;
  if (comments.includes(comment)) return as<Rest['issues']['updateComment']>(comment);
  comments.push(comment);
  return { status: 201, body: comment };
}

function pullBody(number: number, pull: ModelPull = { headSha: '' }) {
  const { headSha: sha, headRef: ref = 'changes', headRepositoryId: id = REPOSITORY_ID, baseRef = 'master' } = pull;
  return {
    number,
    head: { ref, label: pull.headLabel ?? `acme:${ref}`, sha, repo: id === null ? null : { id } },
    base: { ref: baseRef, label: `acme:${baseRef}`, sha: 'b'.repeat(40), repo: { id: REPOSITORY_ID } },
    merged_at: pull.mergedAt ?? null,
  };
}

function contentBody(content: unknown): unknown {
  if (typeof content !== 'string') return content;
  return { type: 'file', encoding: 'base64', content: Buffer.from(content).toString('base64') };
}
