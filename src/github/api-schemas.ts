import * as v from 'valibot';

/** The fields of GitHub's responses that this action reads. All other fields are dropped. */

export const User = v.object({ login: v.string() });

export const ChangedFile = v.object({
  filename: v.string(),
  /** GitHub sends added, removed, modified, renamed, copied or changed. Gitea also sends deleted. */
  status: v.string(),
});
export type ChangedFile = v.InferOutput<typeof ChangedFile>;

const Side = v.object({
  ref: v.string(),
  sha: v.string(),
  /** GitHub sends `owner:branch`, Gitea only the branch, and a `workflow_run` event nothing. */
  label: v.nullish(v.string()),
  /** The repository is null if the fork was deleted. */
  repo: v.nullish(v.object({ id: v.number() })),
});

/** A pull request, as GitHub sends it in a response or in the payload of an event. */
export const Pull = v.pipe(
  v.object({
    number: v.number(),
    html_url: v.nullish(v.string()),
    head: Side,
    base: Side,
    merged_at: v.nullish(v.string()),
    changed_files: v.nullish(v.number()),
  }),
  v.transform(({ number, html_url, head, base, merged_at, changed_files }) => {
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
      isMerged: typeof merged_at === 'string',
      changedFiles: changed_files ?? undefined,
    };
  }),
);
export type Pull = v.InferOutput<typeof Pull>;

/** A file of at most 1 MB. For directories, links and larger files, GitHub sends other fields. */
export const FileContent = v.object({
  type: v.literal('file'),
  encoding: v.literal('base64'),
  content: v.string(),
});

export const Commit = v.object({ parents: v.array(v.object({ sha: v.string() })) });

/** A comment in the conversation of a pull request. `user` is null if the account of its author was deleted. */
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
    /** The hash of the uploaded archive. Undefined for older artifacts, or if a server sends it in another form. */
    digest: v.fallback(v.optional(v.pipe(v.string(), v.regex(/^sha256:[0-9a-f]{64}$/))), undefined),
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
  v.transform(({ id, name, size_in_bytes, digest, expired, workflow_run: run }) => ({
    id,
    name,
    size: size_in_bytes,
    digest,
    isExpired: expired,
    runId: String(run?.id ?? ''),
    /** For some events, GitHub reports the default branch as `branch`, and a commit of it as `commit`. */
    branch: run?.head_branch ?? undefined,
    commit: run?.head_sha ?? undefined,
    headRepositoryId: run?.head_repository_id ?? undefined,
    /** False for an artifact of a fork's run. A fork can give its artifacts any name. */
    isOwn: Boolean(run?.id && run.repository_id && run.repository_id === run.head_repository_id),
  })),
);
export type Artifact = v.InferOutput<typeof Artifact>;

export const ArtifactPage = v.pipe(
  v.object({ artifacts: v.array(Artifact) }),
  v.transform(({ artifacts }) => artifacts),
);
