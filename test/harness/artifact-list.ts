import { hash } from 'node:crypto';

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

export type ListedArtifact = {
  readonly id: number;
  readonly name: string;
  readonly size_in_bytes: number;
  /** Null for artifacts that were uploaded before GitHub computed digests. */
  readonly digest: string | null;
  readonly expired: boolean;
  readonly created_at: string;
  readonly workflow_run: UploadedBy;
};

const BY_DEFAULT = { repository_id: 4711, head_repository_id: 4711, head_branch: 'main', head_sha: '0'.repeat(40) };

/** The artifacts of a repository, newest first, as the REST API lists them and hands them out. */
export class ArtifactList {
  readonly artifacts: ListedArtifact[] = [];
  readonly archives: Record<number, Uint8Array> = {};
  readonly #runs = new Map<number, ListedRun>();
  #lastTime = Date.now();
  #lastId = 0;

  /** Sets how the artifacts of a run are listed. */
  beginRun(runId: string, run: ListedRun): void {
    this.#runs.set(Number(runId), run);
  }

  /** Returns the id of the artifact. */
  add(name: string, archive: Uint8Array, run: UploadedBy): number {
    // GitHub's times are whole seconds.
    this.#lastTime = Math.max(this.#lastTime + 1_000, Date.now());
    this.#lastId += 1;
    const id = this.#lastId;
    this.archives[id] = archive;
    this.artifacts.unshift({
      id,
      name,
      size_in_bytes: archive.length,
      digest: `sha256:${hash('sha256', archive)}`,
      expired: false,
      created_at: new Date(this.#lastTime).toISOString().replace(/\.\d+/, ''),
      workflow_run: { ...BY_DEFAULT, ...this.#runs.get(run.id), ...run },
    });
    return id;
  }
}

/** The environment variables with which a step can upload artifacts. */
export function uploadEnv(url: string, runId: string): Readonly<Record<string, string>> {
  const parts = [{ alg: 'none' }, { scp: `Actions.Results:${runId}:job` }];
  const token = [...parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')), 'none'].join('.');
  return { ACTIONS_RESULTS_URL: url, ACTIONS_RUNTIME_TOKEN: token, GITHUB_RUN_ID: runId };
}
