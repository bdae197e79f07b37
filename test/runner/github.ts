import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { listen } from '../../emulator/server.ts';
import { type GitHubModel, type GitHubServer, startGitHub } from '../harness/github-server.ts';
import type { ListedRun } from '../harness/listed-run.ts';

/** The parts of the model that change from run to run. */
export type ChangingModel = { -readonly [Part in keyof GitHubModel]: GitHubModel[Part] } & {
  readonly pulls: Record<number, NonNullable<GitHubModel['pulls']>[number]>;
  readonly pullsOf: Record<string, readonly number[]>;
  readonly contents: Record<string, unknown>;
  readonly commits: Record<string, readonly string[]>;
};

export type StoredArtifact = {
  readonly id: number;
  readonly name: string;
  readonly size_in_bytes: number;
  readonly expired: boolean;
  readonly created_at: string;
  readonly workflow_run: ListedRun & { readonly id: number };
};

/** A request that the gate does not make, but scripts in workflows do. */
export interface ScriptRoute {
  /** Method, and path within the repository. */
  readonly on: RegExp;
  /** What a job must be granted. */
  readonly needs: readonly [permission: string, level: 'read' | 'write'];
  readonly answer: (request: ScriptRequest) => unknown;
}

export interface ScriptRequest {
  /** What the groups of `on` have matched. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  readonly body: unknown;
}

/** What is known of a run before the runner starts. */
export interface RunGrants {
  /** Port of act's artifact server, and the folder in which it stores. */
  readonly port: number;
  readonly folder: string;
  /** `permissions` of the jobs that use the API. */
  readonly permissions: Readonly<Record<string, string>>;
  /** How the REST API lists its artifacts. */
  readonly run: ListedRun;
}

/**
 * GitHub as a runner's jobs see it: the REST API, and the artifact service. Artifacts are stored by act's own server. What
 * act does not do is added on the way: a name is taken once in a run, and what was finalized is listed by the REST API.
 */
export interface RunnerGitHub extends AsyncDisposable {
  readonly url: string;
  readonly server: GitHubServer;
  readonly model: ChangingModel;
  /** Newest first. */
  readonly artifacts: readonly StoredArtifact[];
  /** For scripts, beside what the model knows. */
  readonly routes: ScriptRoute[];
  /** Called when an artifact has got its name, with a way to give the name back, and before the answer. */
  onCreateArtifact: ((name: string, free: () => void) => Promise<void>) | undefined;
  grant(grants: RunGrants): void;
}

/** What the artifact client sends, as far as it is read here. */
interface Message {
  readonly name?: string;
  readonly workflow_run_backend_id: string;
  readonly name_filter?: string;
  readonly mime_type?: unknown;
}

export const REPOSITORY = 'acme/campaigns';
export const REPOSITORY_ID = 4711;
const TWIRP = '/twirp/github.actions.results.api.v1.ArtifactService/';

export async function startRunnerGitHub(): Promise<RunnerGitHub> {
  const artifacts: StoredArtifact[] = [];
  const archives: Record<number, Uint8Array> = {};
  const model: ChangingModel = { artifacts, archives, pulls: {}, pullsOf: {}, contents: {}, commits: {} };
  // day-one.yml asks GitHub for this order; the action itself works with any.
  const server = await startGitHub(Object.assign(model, { artifactOrder: 'newest first' as const }));
  const taken = new Set<string>();
  /** By their path here: the addresses to which act's server lets parts be uploaded. */
  const uploads = new Map<string, string>();
  let grants: RunGrants | undefined;

  const http = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      sendJson(response, 500, { message: String(error) });
    });
  });
  const { url, close } = await listen(http);
  const github: RunnerGitHub = {
    url,
    server,
    model,
    artifacts,
    routes: [],
    onCreateArtifact: undefined,
    grant: (given) => {
      grants = given;
      const levelOf = (name: string): 'none' | 'read' | 'write' => {
        const level = given.permissions[name];
        return level === 'read' || level === 'write' ? level : 'none';
      };
      model.permissions = {
        contents: levelOf('contents'),
        actions: levelOf('actions'),
        'pull-requests': levelOf('pull-requests'),
      };
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([close(), server[Symbol.asyncDispose]()]);
    },
  };
  return github;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', url);
    const body = await buffer(request);
    if (pathname.startsWith(TWIRP)) return await artifactRequest(pathname.slice(TWIRP.length), body, response);
    const signed = uploads.get(pathname);
    if (signed) return await upload(`${signed}&${searchParams.toString()}`, body, response);
    const on = `${request.method} ${pathname.replace(`/repos/${REPOSITORY}/`, '')}`;
    const route = github.routes.find((each) => each.on.test(on));
    if (!route) return await forward(request, body, { base: server.url, response });
    const [permission, level] = route.needs;
    const granted = grants?.permissions[permission];
    if (granted !== level && granted !== 'write')
      return sendJson(response, 403, { message: `Resource not accessible by integration: ${permission}: ${level}` });
    const [, ...parts] = route.on.exec(on) ?? [];
    const parsed: unknown = body.length === 0 ? undefined : JSON.parse(body.toString());
    sendJson(response, 200, await route.answer({ parts, query: searchParams, body: parsed }));
  }

  async function artifactRequest(method: string, body: Buffer, response: ServerResponse): Promise<void> {
    if (!grants) throw new Error('No run was announced.');
    // act's server does not know a field that the current client sends. https://github.com/nektos/act/issues/6022
    const { mime_type: _, ...message }: Message = JSON.parse(body.toString());
    const { name = '', workflow_run_backend_id: runId } = message;
    if (method === 'CreateArtifact') {
      // act's server writes over what is there: pkg/artifacts/artifacts_v4.go, createArtifact.
      if (taken.has(`${runId}/${name}`))
        return sendJson(response, 409, { code: 'already_exists', msg: 'an artifact with this name already exists' });
      taken.add(`${runId}/${name}`);
      await github.onCreateArtifact?.(name, () => remove(runId, name));
    }
    // act's server breaks off as long as the run has no artifact: pkg/artifacts/artifacts_v4.go, listArtifacts.
    if (method === 'ListArtifacts') return sendJson(response, 200, { artifacts: listArtifacts(message) });
    const answered = await fetch(`http://127.0.0.1:${grants.port}${TWIRP}${method}`, {
      method: 'POST',
      body: JSON.stringify(message),
    });
    if (method === 'FinalizeArtifact' && answered.ok) {
      const archive = await readFile(path.join(grants.folder, runId, name, `${name}.zip`));
      const id = Object.keys(archives).length + 1;
      archives[id] = archive;
      artifacts.unshift({
        id,
        name,
        size_in_bytes: archive.length,
        expired: false,
        created_at: new Date().toISOString(),
        workflow_run: { id: Number(runId), ...grants.run },
      });
    }
    if (method === 'DeleteArtifact') remove(runId, name);
    if (!answered.ok) return sendJson(response, answered.status, { msg: await answered.text() });
    const answer: Record<string, unknown> = JSON.parse(await answered.text());
    sendJson(response, 200, method === 'CreateArtifact' ? { ...answer, signedUploadUrl: addressHere(answer) } : answer);
  }

  function listArtifacts({ workflow_run_backend_id: runId, name_filter: filter }: Message): readonly object[] {
    return artifacts
      .filter(({ name, workflow_run }) => String(workflow_run.id) === runId && [undefined, name].includes(filter))
      .map(({ id, name, size_in_bytes }) => ({
        workflowRunBackendId: runId,
        workflowJobRunBackendId: runId,
        databaseId: String(id),
        name,
        size: String(size_in_bytes),
      }));
  }

  function remove(runId: string, name: string): void {
    const index = artifacts.findIndex((each) => each.name === name && String(each.workflow_run.id) === runId);
    if (index >= 0) artifacts.splice(index, 1);
    taken.delete(`${runId}/${name}`);
  }

  /**
   * The current client sends another form of a signed address than it was given, and act's server refuses it. So the
   * client gets an address without a signature. https://github.com/nektos/act/issues/6021
   */
  function addressHere({ signedUploadUrl }: Record<string, unknown>): string {
    const address = `/upload/${uploads.size + 1}`;
    uploads.set(address, String(signedUploadUrl));
    return `${url}${address}`;
  }
}

async function upload(signed: string, body: Buffer, response: ServerResponse): Promise<void> {
  const { status } = await fetch(signed, { method: 'PUT', body: new Uint8Array(body) });
  response.writeHead(status).end();
}

async function forward(
  request: IncomingMessage,
  body: Buffer,
  { base, response }: { readonly base: string; readonly response: ServerResponse },
): Promise<void> {
  const { authorization, accept, 'content-type': type } = request.headers;
  const answered = await fetch(`${base}${request.url}`, {
    method: request.method ?? 'GET',
    headers: {
      ...(authorization !== undefined && { authorization }),
      ...(accept !== undefined && { accept }),
      ...(type !== undefined && { 'content-type': type }),
    },
    redirect: 'manual',
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  });
  const kept = ['content-type', 'location', 'link'].flatMap((name) => {
    const value = answered.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  response.writeHead(answered.status, Object.fromEntries(kept)).end(Buffer.from(await answered.arrayBuffer()));
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
