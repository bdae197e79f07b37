import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '../../emulator/server.ts';
import { ArtifactList, type ListedArtifact, type ListedRun, type UploadedBy, uploadEnv } from './artifact-list.ts';

/** The requests that upload or delete an artifact. */
export type UploadStep = 'CreateArtifact' | 'put' | 'FinalizeArtifact' | 'DeleteArtifact';

/**
 * Returns what goes wrong with a request, or undefined. `full`: the storage quota is used up. `lingers`: the
 * artifact is deleted, but its name stays taken, as users of `overwrite` have seen.
 */
export type Trouble = (
  step: UploadStep,
  nth: number,
) => 'reset' | 'silence' | 'full' | 'late' | 'lingers' | number | undefined;

const LATE_MS = 1_500;
const STEPS: readonly UploadStep[] = ['CreateArtifact', 'FinalizeArtifact', 'DeleteArtifact'];

const TWIRP = /^\/twirp\/github\.actions\.results\.api\.v1\.ArtifactService\/(\w+)$/;

/**
 * The runner's artifact service, as far as uploads need it, and what the REST API lists of it. As at GitHub, a name is
 * taken from the moment that its upload is created. Until the upload is finalized, the artifact can be neither listed
 * nor deleted. If that never happens, the name stays blocked for the rest of the run.
 */
export async function startArtifacts(trouble: Trouble = () => undefined) {
  const list = new ArtifactList();
  const steps: UploadStep[] = [];
  const created: { name: string; days: number | undefined }[] = [];
  const blobs = new Map<string, Buffer>();
  /** The blob path of each created artifact; true once its upload is finalized. */
  const taken = new Map<string, boolean>();
  const arrivals = new EventEmitter();

  const server = createServer((request, response) => {
    void respond(request, response).catch(() => response.destroy());
  });
  const { url, close } = await listen(server);

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    const method = TWIRP.exec(pathname)?.[1];
    const body = await buffer(request);
    const { name, expires_at: expires, workflow_run_backend_id: run, name_filter: filter } = messageIn(body, method);
    const place = placeOf(run, name);
    const step = method === undefined ? 'put' : STEPS.find((each) => each === method);
    if (step) {
      steps.push(step);
      arrivals.emit('step');
    }
    const wrong = step && trouble(step, steps.filter((each) => each === step).length);
    // The name is taken although the response never arrives.
    if (method === 'CreateArtifact' && (wrong === 'reset' || wrong === 'silence'))
      taken.set(place, taken.get(place) ?? false);
    if (wrong === 'reset') return void request.socket.resetAndDestroy();
    if (wrong === 'silence') return;
    if (wrong === 'full')
      return reply(response, 403, { code: 'resource_exhausted', msg: 'insufficient usage to create artifact' });
    if (wrong === 'late') await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    else if (typeof wrong === 'number')
      return reply(response, wrong, { code: 'internal', msg: 'A fault of the test.' });
    if (method === undefined) {
      // A client sends a block and then a list of blocks, or everything at once.
      if (searchParams.get('comp') !== 'blocklist') blobs.set(pathname, body);
      return void response.writeHead(201, { etag: '"1"', 'x-ms-request-id': '1' }).end();
    }
    if (method === 'CreateArtifact') {
      if (taken.has(place)) return reply(response, 409, { msg: 'an artifact with this name already exists' });
      taken.set(place, false);
      const days = expires && Math.round((Date.parse(expires) - Date.now()) / 86_400_000);
      created.push({ name, days: days || undefined });
      const signed = `${url}${place}?sig=signature-of-artifact-${created.length}`;
      return reply(response, 200, { ok: true, signed_upload_url: signed });
    }
    if (method === 'FinalizeArtifact') {
      taken.set(place, true);
      const id = list.add(name, blobs.get(place) ?? Buffer.of(), { id: Number(run) });
      return reply(response, 200, { ok: true, artifact_id: String(id) });
    }
    if (method === 'DeleteArtifact') {
      if (taken.get(place) !== true) return reply(response, 404, { msg: 'artifact not found' });
      if (wrong === 'lingers') taken.set(place, false);
      else taken.delete(place);
      const isDeleted = (each: ListedArtifact): boolean => each.name === name && each.workflow_run.id === Number(run);
      list.artifacts.splice(list.artifacts.findIndex(isDeleted), 1);
      return reply(response, 200, { ok: true });
    }
    if (method === 'ListArtifacts') {
      const isThere = taken.get(placeOf(run, filter)) === true;
      const found = { workflowRunBackendId: run, workflowJobRunBackendId: 'job', databaseId: '1', name: filter };
      return reply(response, 200, { artifacts: isThere ? [{ ...found, size: '1' }] : [] });
    }
  }

  return {
    artifacts: list.artifacts,
    archives: list.archives,
    steps,
    created,
    /** Adds an artifact without an upload. Default: by a run of a fork, on a branch called main. */
    plant: (name: string, archive: Uint8Array, run: UploadedBy) =>
      void list.add(name, archive, { head_repository_id: 1, ...run }),
    async begun(step: UploadStep, nth = 1) {
      while (steps.filter((each) => each === step).length < nth) await once(arrivals, 'step');
    },
    envOf: (runId: string) => uploadEnv(url, runId),
    beginRun: (runId: string, run: ListedRun) => list.beginRun(runId, run),
    [Symbol.asyncDispose]: close,
  };
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

type Field = 'name' | 'name_filter' | 'workflow_run_backend_id' | 'expires_at';

/** @param method undefined for a request to the storage, which has no message */
function messageIn(body: Buffer, method: string | undefined): Record<Field, string> {
  const message: Partial<Record<Field, string>> = method === undefined ? {} : JSON.parse(body.toString('utf8'));
  return { name: '', name_filter: '', workflow_run_backend_id: '', expires_at: '', ...message };
}

function placeOf(run: string, name: string): string {
  return `/blob/${encodeURIComponent(run)}/${encodeURIComponent(name)}`;
}
