import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { listen } from '../../emulator/server.ts';
import { type GitHubServer, startGitHub } from '../harness/github-server.ts';

/** An artifact as GitHub's REST API lists it. */
interface StoredArtifact {
  readonly id: number;
  readonly name: string;
  readonly [field: string]: unknown;
}

/** Somebody else's artifact service, and a model of the REST API that lists and hands out what is in it. */
export interface ArtifactService extends AsyncDisposable {
  readonly github: GitHubServer;
  readonly artifacts: readonly StoredArtifact[];
  /** By id: the zip archives, and files that are stored as they are. */
  readonly archives: Readonly<Record<number, Uint8Array>>;
  /** What the runner would set for a step of this run. */
  envOf(runId: string): Readonly<Record<string, string>>;
}

const REPOSITORY_ID = 4711;

export async function startArtifactService(): Promise<ArtifactService> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gate-artifacts-'));
  const dtu = await startDtu(folder);
  const artifacts: StoredArtifact[] = [];
  const archives: Record<number, Uint8Array> = {};
  const door = createServer((request, response) => {
    void pass(request, response).catch(() => response.destroy());
  });
  const { url, close } = await listen(door);
  const github = await startGitHub({ artifacts, archives });
  return {
    github,
    artifacts,
    archives,
    envOf: (runId) => ({
      ACTIONS_RESULTS_URL: url,
      ACTIONS_RUNTIME_TOKEN: `${encoded({ alg: 'none' })}.${encoded({ scp: `Actions.Results:${runId}:job` })}.none`,
    }),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([close(), dtu.close(), github[Symbol.asyncDispose]()]);
      await rm(folder, { recursive: true });
    },
  };

  /** The addresses for uploads that the service gives out lead to itself, so only its messages pass here. */
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const answered = await fetch(`${dtu.url}${request.url}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Uint8Array(body),
    });
    const answer = await answered.text();
    if (answered.ok && request.url?.endsWith('/FinalizeArtifact')) await list(JSON.parse(body.toString()), answer);
    response.writeHead(answered.status, { 'content-type': 'application/json' }).end(answer);
  }

  /** The service has no REST API. */
  async function list(message: Readonly<Record<string, string>>, answer: string): Promise<void> {
    const { artifactId }: { artifactId: string } = JSON.parse(answer);
    const blob = await fetch(`${dtu.url}/_apis/artifactblob/${artifactId}/download`);
    const id = artifacts.length + 1;
    const archive = new Uint8Array(await blob.arrayBuffer());
    archives[id] = archive;
    artifacts.unshift({
      id,
      name: message['name'] ?? '',
      size_in_bytes: archive.length,
      expired: false,
      created_at: new Date().toISOString().replace(/\.\d+/, ''),
      workflow_run: {
        id: Number(message['workflow_run_backend_id'] ?? message['workflowRunBackendId']),
        repository_id: REPOSITORY_ID,
        head_repository_id: REPOSITORY_ID,
        head_branch: 'main',
        head_sha: '0'.repeat(40),
      },
    });
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
