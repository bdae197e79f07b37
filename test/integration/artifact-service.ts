import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '../../emulator/server.ts';
import { uploadEnv } from '../harness/artifact-service.ts';
import { startGitHub } from '../harness/github-server.ts';
import { makeWorkspace } from '../harness/workspace.ts';

/** Starts the artifact service of another project, and our model of the REST API that lists its artifacts. */
export async function startArtifactService() {
  const folder = await makeWorkspace({});
  const dtu = await startDtu(folder.path);
  const door = createServer((request, response) => {
    void pass(request, response).catch(() => response.destroy());
  });
  const { url, close } = await listen(door);
  const github = await startGitHub();
  const { artifacts, archives, plant } = github.artifacts;
  return {
    github,
    artifacts,
    archives,
    envOf: (runId: string) => uploadEnv(url, runId),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([close(), dtu.close(), github[Symbol.asyncDispose]()]);
      await folder.remove();
    },
  };

  /** Forwards a request to the service. Uploads do not pass here: their addresses lead to the service itself. */
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const answered = await fetch(`${dtu.url}${request.url}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Uint8Array(body),
    });
    const text = await answered.text();
    if (answered.ok && request.url?.endsWith('/FinalizeArtifact')) await addToList(JSON.parse(body.toString()), text);
    response.writeHead(answered.status, { 'content-type': 'application/json' }).end(text);
  }

  /** Adds a finished artifact to our model, because the service has no REST API. */
  async function addToList(message: Readonly<Record<string, string>>, finalized: string): Promise<void> {
    const { artifactId }: { artifactId: string } = JSON.parse(finalized);
    const blob = await fetch(`${dtu.url}/_apis/artifactblob/${artifactId}/download`);
    const runId = Number(message['workflow_run_backend_id'] ?? message['workflowRunBackendId']);
    plant(message['name'] ?? '', new Uint8Array(await blob.arrayBuffer()), { id: runId });
  }
}

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
