import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer, json } from 'node:stream/consumers';
import { listen } from '../../emulator/server.ts';
import { type GitHubModel, type GitHubServer, startGitHub } from '../harness/github-server.ts';
import type { ListedRun } from '../harness/listed-run.ts';

/** An artifact as GitHub's REST API lists it. */
export type StoredArtifact = {
  readonly id: number;
  readonly name: string;
  readonly size_in_bytes: number;
  expired: boolean;
  readonly created_at: string;
  readonly workflow_run: ListedRun & { readonly id: number };
};

/** Somebody else's artifact service, and a model of the REST API that lists and hands out what is in it. */
export interface ArtifactService extends AsyncDisposable {
  readonly github: GitHubServer;
  /** Newest first. */
  readonly artifacts: readonly StoredArtifact[];
  /** The zip archives. */
  readonly archives: Record<number, Uint8Array>;
  /** If false, the service refuses everything. */
  isUp: boolean;
  /** Called when an upload has got its name, before the response; if it never ends, there is no response. */
  onCreate: (() => void | Promise<void>) | undefined;
  /** What the runner would set for a step of this run. */
  envOf(runId: string, attempt: number): Readonly<Record<string, string>>;
  /** How the REST API lists the artifacts of a run. */
  beginRun(runId: string, run: ListedRun): void;
}

const REPOSITORY_ID = 4711;
/** The list of a run that was not announced. */
const OWN: ListedRun = {
  repository_id: REPOSITORY_ID,
  head_repository_id: REPOSITORY_ID,
  head_branch: 'main',
  head_sha: '0'.repeat(40),
};
const TWIRP = '/twirp/github.actions.results.api.v1.ArtifactService/';

export async function startArtifactService(model: GitHubModel = {}): Promise<ArtifactService> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gate-artifacts-'));
  const dtu = await startDtu(folder);
  const artifacts: StoredArtifact[] = [];
  const archives: Record<number, Uint8Array> = {};
  /** By attempt: a name can be taken once in each, from the moment that it is asked for; true once it is finalized. */
  const taken = new Map<string, Map<string, boolean>>();
  const runs = new Map<number, ListedRun>();
  let ids = 0;
  // In seconds, and never the same twice.
  let clock = Date.now();
  const add = (name: string, archive: Uint8Array, run: StoredArtifact['workflow_run']): void => {
    clock = Math.max(clock + 1_000, Date.now());
    const created_at = new Date(clock).toISOString().replace(/\.\d+/, '');
    ids += 1;
    const artifact = {
      id: ids,
      name,
      size_in_bytes: archive.length,
      expired: false,
      created_at,
      workflow_run: run,
    };
    artifacts.unshift(artifact);
    archives[artifact.id] = archive;
  };

  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  const { url: resultsUrl, close } = await listen(server);
  const github = await startGitHub({ ...model, artifacts, archives });
  const service: ArtifactService = {
    github,
    artifacts,
    archives,
    isUp: true,
    onCreate: undefined,
    beginRun: (runId, run) => void runs.set(Number(runId), run),
    envOf: (runId, attempt) => ({
      ACTIONS_RESULTS_URL: resultsUrl,
      ACTIONS_RUNTIME_TOKEN: `${encoded({ alg: 'none' })}.${encoded({ scp: `Actions.Results:${runId}/${attempt}:job` })}.none`,
    }),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([close(), dtu.close(), github[Symbol.asyncDispose]()]);
      await rm(folder, { recursive: true });
    },
  };
  return service;

  /** What GitHub does and the other service does not: it refuses a name twice, deletes, and keeps what every run left. */
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.url?.startsWith(TWIRP) ? request.url.slice(TWIRP.length) : undefined;
    if (!service.isUp) return refuse(response, 403, 'the artifact service is closed');
    if (method === undefined) {
      const { status, body, headers } = await forward(request, await buffer(request));
      response.writeHead(status, headers).end(body);
      return;
    }
    const message = readMessage(await json(request));
    const attempt = message.workflowRunBackendId;
    const names = taken.get(attempt) ?? new Map<string, boolean>();
    taken.set(attempt, names);
    if (method === 'CreateArtifact') {
      if (names.has(message.name))
        return refuse(response, 409, 'an artifact with this name already exists on the workflow run');
      names.set(message.name, false);
      await service.onCreate?.();
    }
    if (method === 'ListArtifacts') {
      const name = message.nameFilter;
      const found = names.get(name)
        ? [{ workflowRunBackendId: attempt, workflowJobRunBackendId: 'job', databaseId: '1', name, size: '1' }]
        : [];
      return void response.writeHead(200, JSON_TYPE).end(JSON.stringify({ artifacts: found }));
    }
    if (method === 'DeleteArtifact') {
      if (!names.get(message.name)) return refuse(response, 404, 'artifact not found');
      names.delete(message.name);
      const index = artifacts.findIndex(
        ({ name, workflow_run }) => name === message.name && String(workflow_run.id) === attempt.split('/')[0],
      );
      if (index >= 0) artifacts.splice(index, 1);
      return void response.writeHead(200, JSON_TYPE).end(JSON.stringify({ ok: true, artifactId: '1' }));
    }
    const answered = await forward(request, Buffer.from(JSON.stringify(message.whole)));
    if (method === 'FinalizeArtifact' && answered.status === 200) {
      names.set(message.name, true);
      const { artifactId }: { artifactId: string } = JSON.parse(answered.body.toString());
      const blob = await fetch(`${dtu.url}/_apis/artifactblob/${artifactId}/download`);
      const id = Number(attempt.split('/')[0]);
      add(message.name, new Uint8Array(await blob.arrayBuffer()), { id, ...(runs.get(id) ?? OWN) });
    }
    response.writeHead(answered.status, answered.headers).end(answered.body);
  }

  async function forward(
    request: IncomingMessage,
    body: Buffer,
  ): Promise<{ status: number; body: Buffer; headers: Record<string, string> }> {
    const { 'content-type': type = '' } = request.headers;
    const answered = await fetch(`${dtu.url}${request.url}`, {
      method: request.method ?? 'GET',
      // Addresses that it gives out lead to itself.
      headers: { 'content-type': type },
      ...(request.method !== 'GET' && { body: new Uint8Array(body) }),
    });
    return {
      status: answered.status,
      body: Buffer.from(await answered.arrayBuffer()),
      headers: { 'content-type': answered.headers.get('content-type') ?? 'application/json' },
    };
  }
}

/** What it says about itself is of no use to a reader of test results. */
async function startDtu(folder: string): Promise<{ readonly url: string; close(): Promise<void> }> {
  const child = fork(new URL('./dtu.ts', import.meta.url), {
    env: { ...process.env, DTU_CACHE_DIR: folder },
    stdio: 'ignore',
  });
  const [url]: unknown[] = await once(child, 'message');
  return {
    url: String(url),
    close: async () => {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

function encoded(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

const JSON_TYPE = { 'content-type': 'application/json' };

function refuse(response: ServerResponse, status: number, msg: string): void {
  response.writeHead(status, JSON_TYPE).end(JSON.stringify({ code: 'refused', msg }));
}

interface Message {
  readonly name: string;
  readonly workflowRunBackendId: string;
  readonly nameFilter: string;
  readonly whole: unknown;
}

/** The client writes names with underscores. */
function readMessage(whole: unknown): Message {
  const fields = new Map(Object.entries(Object(whole)));
  const text = (...names: readonly string[]): string => {
    const value = names.map((name) => fields.get(name)).find((each) => typeof each === 'string');
    return typeof value === 'string' ? value : '';
  };
  return {
    name: text('name'),
    workflowRunBackendId: text('workflow_run_backend_id', 'workflowRunBackendId'),
    nameFilter: text('name_filter', 'nameFilter'),
    whole,
  };
}
