/** What GitHub's list of artifacts says about the run that left one. */
export interface ListedRun {
  readonly repository_id: number;
  readonly head_repository_id: number;
  readonly head_branch: string;
  readonly head_sha: string;
}

/** As much of a payload as says which run it starts. */
interface About {
  readonly repository?: { readonly default_branch?: string };
  readonly pull_request?: {
    readonly head: { readonly ref: string; readonly sha: string; readonly repo: { readonly id: number } | null };
  };
}

/**
 * For each event as GitHub does it; `day-one-events.yml` checks that. A run of `pull_request_target` has the repository and
 * the branch of its pull request, and the commit of the base. A tag is listed by its name, like a branch.
 */
export function listedRun(env: Readonly<Record<string, string | undefined>>, payload: unknown): ListedRun {
  const { GITHUB_EVENT_NAME: event = '', GITHUB_REF: ref = '', GITHUB_SHA: head_sha = '' } = env;
  const { repository, pull_request: pull }: About = Object(payload);
  const repository_id = Number(env['GITHUB_REPOSITORY_ID']);
  const own = { repository_id, head_repository_id: repository_id, head_sha };
  if (event === 'workflow_run') return { ...own, head_branch: repository?.default_branch ?? 'main' };
  if (!pull) return { ...own, head_branch: ref.replace(/^refs\/(?:heads|tags)\//, '') };
  const { ref: head_branch, sha, repo } = pull.head;
  const commit = event === 'pull_request_target' ? head_sha : sha;
  return { repository_id, head_repository_id: repo?.id ?? 0, head_branch, head_sha: commit };
}
