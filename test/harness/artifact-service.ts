import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '../../emulator/listen.ts';

/** An artifact as GitHub's REST API lists it. */
type Artifact = Readonly<Record<string, unknown>> & { readonly name: string };

/** The steps of an upload. */
export type UploadStep = 'CreateArtifact' | 'put' | 'FinalizeArtifact';

/** What becomes of a request; undefined where it is answered as it should be. */
export type Trouble = (step: UploadStep, nth: number) => 'reset' | 'silence' | number | undefined;

/** As much of the runner's artifact service as an upload takes, and what a REST API can list and hand out of it. */
export interface ArtifactService extends AsyncDisposable {
  /** Newest first. */
  readonly artifacts: Artifact[];
  /** Zip archives by id. */
  readonly archives: Record<number, Uint8Array>;
  /** Requests of an upload, in order. */
  readonly steps: readonly UploadStep[];
  /** The signatures that it handed out. */
  readonly signatures: readonly string[];
  /** Resolves when a step of an upload has begun. */
  begun(step: UploadStep, nth?: number): Promise<void>;
  /** What the runner would set for a step of this run. */
  envOf(runId: string): Readonly<Record<string, string>>;
}

const TWIRP = /^\/twirp\/github\.actions\.results\.api\.v1\.ArtifactService\/(\w+)$/;

export async function startArtifacts(
  trouble: Trouble = () => undefined,
  repositoryId: number = 4711,
): Promise<ArtifactService> {
  const artifacts: Artifact[] = [];
  const archives: Record<number, Uint8Array> = {};
  const steps: UploadStep[] = [];
  const signatures: string[] = [];
  const blobs = new Map<string, Buffer>();
  const taken = new Set<string>();
  const watchers = new Set<() => void>();
  let clock = Date.now();

  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  const { url, close } = await listen(server, {});

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    const method = TWIRP.exec(pathname)?.[1];
    const body = await buffer(request);
    const step: UploadStep | undefined = method === 'CreateArtifact' || method === 'FinalizeArtifact' ? method : 'put';
    steps.push(step);
    for (const watch of watchers) watch();
    const wrong = trouble(step, steps.filter((each) => each === step).length);
    if (wrong === 'reset') return void request.socket.resetAndDestroy();
    if (wrong === 'silence') return;
    if (wrong !== undefined) return reply(response, wrong, { code: 'internal', msg: 'A fault of the test.' });
    if (method === undefined) {
      // A block and then the list of blocks, or everything at once.
      if (searchParams.get('comp') !== 'blocklist') blobs.set(pathname, body);
      return void response.writeHead(201, { etag: '"1"', 'x-ms-request-id': '1' }).end();
    }
    const { name, workflow_run_backend_id: run } = messageIn(body);
    const place = `/blob/${encodeURIComponent(run)}/${encodeURIComponent(name)}`;
    if (method === 'CreateArtifact') {
      if (taken.has(place)) return reply(response, 409, { msg: 'an artifact with this name already exists' });
      taken.add(place);
      const signature = `signature-of-artifact-${signatures.length}`;
      signatures.push(signature);
      return reply(response, 200, { ok: true, signed_upload_url: `${url}${place}?sig=${signature}` });
    }
    if (method === 'FinalizeArtifact') add(name, Number(run), blobs.get(place) ?? Buffer.of());
    if (method === 'DeleteArtifact') taken.delete(place);
    if (method === 'ListArtifacts') {
      const { name_filter: filter } = messageIn(body);
      const isThere = taken.has(`/blob/${encodeURIComponent(run)}/${encodeURIComponent(filter)}`);
      const found = { workflowRunBackendId: run, workflowJobRunBackendId: 'job', databaseId: '1', name: filter };
      return reply(response, 200, { artifacts: isThere ? [{ ...found, size: '1' }] : [] });
    }
    reply(response, 200, { ok: true, artifact_id: String(artifacts.length) });
  }

  function add(name: string, runId: number, archive: Buffer): void {
    // GitHub tells seconds.
    clock = Math.max(clock + 1_000, Date.now());
    const id = artifacts.length + 1;
    archives[id] = archive;
    artifacts.unshift({
      id,
      name,
      size_in_bytes: archive.length,
      expired: false,
      created_at: new Date(clock).toISOString().replace(/\.\d+/, ''),
      workflow_run: { id: runId, repository_id: repositoryId, head_repository_id: repositoryId },
    });
  }

  return {
    artifacts,
    archives,
    steps,
    signatures,
    async begun(step, nth = 1) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = (): void => {
        if (steps.filter((each) => each === step).length >= nth) resolve();
      };
      watchers.add(look);
      look();
      await promise;
      watchers.delete(look);
    },
    envOf: (runId) => ({ ACTIONS_RESULTS_URL: url, ACTIONS_RUNTIME_TOKEN: tokenOf(runId), GITHUB_RUN_ID: runId }),
    [Symbol.asyncDispose]: close,
  };
}

function tokenOf(runId: string): string {
  const parts = [{ alg: 'none' }, { scp: `Actions.Results:${runId}:job` }];
  return [...parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')), 'none'].join('.');
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

type Field = 'name' | 'name_filter' | 'workflow_run_backend_id';

function messageIn(body: Buffer): Record<Field, string> {
  const message: Partial<Record<Field, string>> = JSON.parse(body.toString('utf8'));
  return { name: '', name_filter: '', workflow_run_backend_id: '', ...message };
}
