import * as v from 'valibot';

/** What we read of GitHub's responses; everything else is dropped. */

export const User = v.object({ login: v.string() });
export const Viewer = v.object({ viewer: User });

export const ChangedFile = v.object({
  filename: v.string(),
  /** GitHub: added, removed, modified, renamed, copied, changed. Gitea also: deleted. */
  status: v.string(),
});
export type ChangedFile = v.InferOutput<typeof ChangedFile>;

const Side = v.object({
  ref: v.string(),
  sha: v.string(),
  /** `owner:branch`, at Gitea the branch alone; missing in the short form that a workflow_run lists. */
  label: v.nullish(v.string()),
  /** Null if the fork was deleted. */
  repo: v.nullish(v.object({ id: v.number() })),
});

/** A pull request, in a response and in the payload of an event. */
export const Pull = v.pipe(
  v.object({
    number: v.number(),
    /** Its page; missing in the short form. */
    html_url: v.nullish(v.string()),
    head: Side,
    base: Side,
    user: v.nullish(User),
    merged_at: v.nullish(v.string()),
  }),
  v.transform(({ number, html_url, head, base, user, merged_at }) => {
    // `head.repo.fork` is also true for a pull request inside a repository that is itself a fork.
    const isFork = !head.repo || head.repo.id !== base.repo?.id;
    const label = head.label?.includes(':') ? head.label : `:${head.ref}`;
    return {
      number,
      url: html_url ?? undefined,
      headSha: head.sha,
      headRef: head.ref,
      /** Undefined if the fork was deleted. */
      headRepositoryId: head.repo?.id,
      /** `owner:branch` for a fork, so that the fork's `main` differs from ours. */
      branch: isFork ? label : head.ref,
      baseBranch: base.ref,
      baseCommit: base.sha,
      baseRepositoryId: base.repo?.id,
      isFork,
      isDependabot: user?.login === 'dependabot[bot]',
      isMerged: typeof merged_at === 'string',
    };
  }),
);
export type Pull = v.InferOutput<typeof Pull>;

/** Directories, links and files of more than 1 MB have another form. */
export const FileContent = v.object({
  type: v.literal('file'),
  encoding: v.literal('base64'),
  content: v.string(),
});

export const Commit = v.object({ parents: v.array(v.object({ sha: v.string() })) });

/** In the conversation of a pull request. Its author is null if the account was deleted. */
export const Comment = v.object({
  id: v.number(),
  body: v.nullish(v.string()),
  user: v.nullish(User),
});
export type Comment = v.InferOutput<typeof Comment>;

export const Artifact = v.pipe(
  v.object({
    id: v.number(),
    name: v.string(),
    size_in_bytes: v.number(),
    expired: v.boolean(),
    workflow_run: v.nullish(
      v.object({
        id: v.nullish(v.number()),
        repository_id: v.nullish(v.number()),
        head_repository_id: v.nullish(v.number()),
        head_branch: v.nullish(v.string()),
        head_sha: v.nullish(v.string()),
      }),
    ),
  }),
  v.transform(({ id, name, size_in_bytes, expired, workflow_run: run }) => ({
    id,
    name,
    size: size_in_bytes,
    isExpired: expired,
    runId: String(run?.id ?? ''),
    /** The branch and commit of its run, which under some events are the default branch's. A tag looks like a branch. */
    branch: run?.head_branch ?? undefined,
    commit: run?.head_sha ?? undefined,
    headRepositoryId: run?.head_repository_id ?? undefined,
    /** False for a run of a fork. Its artifacts can have any name. */
    isOwn: Boolean(run?.id && run.repository_id && run.repository_id === run.head_repository_id),
  })),
);
export type Artifact = v.InferOutput<typeof Artifact>;

/** A fork can upload any file as an artifact. */
export const AnyFile = v.instance(Uint8Array);

/** A proxy's page in place of an archive must not look like a damaged state. */
export const Archive = v.pipe(
  AnyFile,
  v.check((bytes) => bytes[0] === 0x50 && bytes[1] === 0x4b, 'not a zip archive'),
);
