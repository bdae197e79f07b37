import { hash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** What GitHub's list of artifacts says about the run that uploaded an artifact. */
export interface ListedRun {
  readonly repository_id: number;
  readonly head_repository_id: number;
  readonly head_branch: string;
  readonly head_sha: string;
}

/**
 * How GitHub lists the run of each event; `day-one-events.yml` checks that on GitHub. For `pull_request_target`, it
 * lists the repository and branch of the pull request, and the commit of the base. It lists a tag by its name.
 */
export function listedRun(env: Readonly<Record<string, string | undefined>>, payload: unknown): ListedRun {
  const { GITHUB_EVENT_NAME: event = '', GITHUB_REF: ref = '', GITHUB_SHA: head_sha = '' } = env;
  const { repository, pull_request: pull } = Object(payload);
  const repository_id = Number(env['GITHUB_REPOSITORY_ID']);
  const own = { repository_id, head_repository_id: repository_id, head_sha };
  if (event === 'workflow_run') return { ...own, head_branch: repository?.default_branch ?? 'main' };
  if (!pull) return { ...own, head_branch: ref.replace(/^refs\/(?:heads|tags)\//, '') };
  const { ref: head_branch, sha, repo } = pull.head;
  const commit = event === 'pull_request_target' ? head_sha : sha;
  return { repository_id, head_repository_id: repo?.id ?? 0, head_branch, head_sha: commit };
}

export type UploadedBy = Partial<ListedRun> & { readonly id: number };

type ListedArtifact = {
  readonly id: number;
  readonly name: string;
  readonly size_in_bytes: number;
  /** Null for artifacts that were uploaded before GitHub computed digests. */
  readonly digest: string | null;
  readonly expired: boolean;
  readonly created_at: string;
  readonly workflow_run: UploadedBy;
};

/** The requests that upload or delete an artifact. */
export type UploadStep = 'CreateArtifact' | 'put' | 'FinalizeArtifact' | 'DeleteArtifact';

/**
 * Returns what goes wrong with a request, or undefined. `full`: the storage quota is used up. `lingers`: the
 * artifact is deleted, but its name stays taken, as users of `overwrite` have seen.
 */
export type Trouble = (step: UploadStep, nth: number) => 'reset' | 'silence' | 'full' | 'lingers' | number | undefined;

const STEPS: readonly UploadStep[] = ['CreateArtifact', 'FinalizeArtifact', 'DeleteArtifact'];
const BY_DEFAULT = { repository_id: 4711, head_repository_id: 4711, head_branch: 'main', head_sha: '0'.repeat(40) };
const TWIRP = /^\/twirp\/github\.actions\.results\.api\.v1\.ArtifactService\/(\w+)$/;

/** Where an artifact is uploaded: `job` is the job of one attempt of the run. */
interface UploadPlace {
  readonly run: string;
  readonly job: string;
  readonly name: string;
}

export interface ArtifactOptions {
  readonly trouble?: Trouble | undefined;
  /** Whether a re-run may use a name again that an earlier attempt has used. GitHub does not document it. */
  readonly isFreeInRerun?: boolean | undefined;
}

/**
 * The artifacts of a repository, as the REST API lists them and hands them out, and the runner's artifact service, as
 * far as uploads need it. As at GitHub, a name is taken from the moment that its upload is created. Until the upload is
 * finalized, the artifact can be neither listed nor deleted. If that never happens, the name stays blocked for the rest
 * of the run.
 *
 * @param origin the address of the server that passes requests on
 */
export function openArtifacts(
  origin: () => string,
  { trouble = () => undefined, isFreeInRerun }: ArtifactOptions = {},
) {
  /** Newest first. */
  const artifacts: ListedArtifact[] = [];
  const archives: Record<number, Uint8Array> = {};
  const runs = new Map<number, ListedRun>();
  const steps: UploadStep[] = [];
  const created: { name: string; days: number | undefined }[] = [];
  const blobs = new Map<string, Buffer>();
  /** The blob path of each created artifact; true once its upload is finalized. */
  const taken = new Map<string, boolean>();
  /** The job of the attempt that uploaded each artifact, by artifact id. */
  const jobs = new Map<number, string>();
  const arrivals = new EventEmitter();
  let lastTime = Date.now();
  let lastId = 0;

  /** Returns the id of the artifact. Default: by a run of this repository on main. */
  const add = (name: string, archive: Uint8Array, run: UploadedBy): number => {
    // GitHub's times are whole seconds.
    lastTime = Math.max(lastTime + 1_000, Date.now());
    lastId += 1;
    archives[lastId] = archive;
    artifacts.unshift({
      id: lastId,
      name,
      size_in_bytes: archive.length,
      digest: `sha256:${hash('sha256', archive)}`,
      expired: false,
      created_at: new Date(lastTime).toISOString().replace(/\.\d+/, ''),
      workflow_run: { ...BY_DEFAULT, ...runs.get(run.id), ...run },
    });
    return lastId;
  };

  const placeOf = ({ run, job, name }: UploadPlace): string => {
    return `/blob/${encodeURIComponent(isFreeInRerun ? `${run}/${job}` : run)}/${encodeURIComponent(name)}`;
  };

  /** Takes the name. False if it is taken already. */
  const create = (upload: UploadPlace): boolean => {
    const place = placeOf(upload);
    if (taken.has(place)) return false;
    taken.set(place, false);
    return true;
  };

  const finalize = (upload: UploadPlace, archive: Uint8Array): number => {
    taken.set(placeOf(upload), true);
    const id = add(upload.name, archive, { id: Number(upload.run) });
    jobs.set(id, upload.job);
    return id;
  };

  const ofRun = (run: string): readonly ListedArtifact[] => {
    return artifacts.filter((each) => each.workflow_run.id === Number(run));
  };

  /** Returns the id of the deleted artifact. Undefined if there is none. */
  const remove = (upload: UploadPlace, lingers = false): number | undefined => {
    const place = placeOf(upload);
    const isReachable = (id: number): boolean => !isFreeInRerun || jobs.get(id) === upload.job;
    const found = ofRun(upload.run).find(({ id, name }) => name === upload.name && isReachable(id));
    if (taken.get(place) !== true || !found) return undefined;
    if (lingers) taken.set(place, false);
    else taken.delete(place);
    artifacts.splice(artifacts.indexOf(found), 1);
    return found.id;
  };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', origin());
    const method = TWIRP.exec(pathname)?.[1];
    const body = await buffer(request);
    const message = messageIn(body, method);
    const { name, expires_at: expires, workflow_run_backend_id: run, workflow_job_run_backend_id: job } = message;
    const upload = { run, job, name };
    const place = placeOf(upload);
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
    if (typeof wrong === 'number') return reply(response, wrong, { code: 'internal', msg: 'A fault of the test.' });
    if (method === undefined) {
      // A client sends a block and then a list of blocks, or everything at once.
      if (searchParams.get('comp') !== 'blocklist') blobs.set(pathname, body);
      return void response.writeHead(201, { etag: '"1"', 'x-ms-request-id': '1' }).end();
    }
    if (method === 'CreateArtifact') {
      if (!create(upload)) return reply(response, 409, { msg: 'an artifact with this name already exists' });
      const days = expires && Math.round((Date.parse(expires) - Date.now()) / 86_400_000);
      created.push({ name, days: days || undefined });
      const signed = `${origin()}${place}?sig=signature-of-artifact-${created.length}`;
      return reply(response, 200, { ok: true, signed_upload_url: signed });
    }
    if (method === 'FinalizeArtifact') {
      const id = finalize(upload, blobs.get(place) ?? Buffer.of());
      return reply(response, 200, { ok: true, artifact_id: String(id) });
    }
    if (method === 'DeleteArtifact') {
      const isDeleted = remove(upload, wrong === 'lingers') !== undefined;
      return isDeleted ? reply(response, 200, { ok: true }) : reply(response, 404, { msg: 'artifact not found' });
    }
    if (method === 'ListArtifacts') {
      const filter = message.name_filter;
      const found = ofRun(run)
        .filter((each) => filter === '' || each.name === filter)
        .map((each) => {
          const ids = { workflowRunBackendId: run, workflowJobRunBackendId: jobs.get(each.id) ?? job };
          const facts = { databaseId: String(each.id), name: each.name, size: String(each.size_in_bytes) };
          return { ...ids, ...facts, ...(each.digest !== null && { digest: each.digest }) };
        });
      return reply(response, 200, { artifacts: found });
    }
  }

  return {
    artifacts,
    archives,
    steps,
    created,
    /** Adds an artifact without an upload. */
    plant: add,
    create,
    finalize,
    remove,
    ofRun,
    async begun(step: UploadStep, nth = 1) {
      while (steps.filter((each) => each === step).length < nth) await once(arrivals, 'step');
    },
    envOf: (runId: string, attempt = 1) => uploadEnv(origin(), runId, attempt),
    /** Sets how the artifacts of a run are listed. */
    beginRun: (runId: string, run: ListedRun) => void runs.set(Number(runId), run),
    /** Whether a request is for the artifact service. */
    isFor: ({ url = '' }: IncomingMessage) => /^\/(?:twirp|blob)\//.test(url),
    respond,
  };
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

type Field = 'name' | 'name_filter' | 'workflow_run_backend_id' | 'workflow_job_run_backend_id' | 'expires_at';

/** @param method undefined for a request to the storage, which has no message */
function messageIn(body: Buffer, method: string | undefined): Record<Field, string> {
  const message: Partial<Record<Field, string>> = method === undefined ? {} : JSON.parse(body.toString('utf8'));
  const ids = { workflow_run_backend_id: '', workflow_job_run_backend_id: '' };
  return { name: '', name_filter: '', ...ids, expires_at: '', ...message };
}

/** The environment variables with which a step can upload artifacts. */
function uploadEnv(url: string, runId: string, attempt = 1): Readonly<Record<string, string>> {
  const parts = [{ alg: 'none' }, { scp: `Actions.Results:${runId}:job-${attempt}` }];
  const token = [...parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')), 'none'].join('.');
  return { ACTIONS_RESULTS_URL: url, ACTIONS_RUNTIME_TOKEN: token, GITHUB_RUN_ID: runId };
}
