import { hash } from 'node:crypto';
import * as v from 'valibot';
import { connect, GitHubError, type GitHubOptions } from './connect.ts';

// The fields of GitHub's responses that this action reads. All other fields are dropped.

const User = v.object({ login: v.string() });

const ChangedFile = v.object({
  filename: v.string(),
  /** GitHub sends added, removed, modified, renamed, copied or changed. Gitea also sends deleted. */
  status: v.string(),
});
type ChangedFile = v.InferOutput<typeof ChangedFile>;

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
const FileContent = v.object({
  type: v.literal('file'),
  encoding: v.literal('base64'),
  content: v.string(),
});

const Commit = v.object({ parents: v.array(v.object({ sha: v.string() })) });

/** A comment in the conversation of a pull request. `user` is null if the account of its author was deleted. */
const Comment = v.object({
  id: v.number(),
  body: v.nullish(v.string()),
  user: v.nullish(User),
});
export type Comment = v.InferOutput<typeof Comment>;

const Artifact = v.pipe(
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

const PAGE_SIZE = 100;
/** Limits the lists of comments and changed files: anybody can add to them. GitHub lists at most 3,000 changed files. */
const MAX_PAGES = 30;

/** The last resort if an artifact stays unavailable: without it, every run would end in an error. */
const DELETE_ARTIFACT =
  'If this happens again, delete the artifact, or change `name`: under a new name, every file is sent and billed once.';

export type GitHubApi = ReturnType<typeof createGitHubApi>;

/** The requests to GitHub about the repository of the run. If a request fails, its method throws a GitHubError. */
export function createGitHubApi(options: GitHubOptions) {
  const send = connect(options);
  const [owner = '', repo = ''] = options.repository.split('/');
  const here = { owner, repo };

  return {
    pullRequestFiles: async (number: number): Promise<List<ChangedFile>> =>
      await send('list the changed files', 'pull-requests: read', async ({ rest }) => {
        const readPage = async (page: Page) => await rest.pulls.listFiles({ ...here, pull_number: number, ...page });
        return await readPages(readPage, v.array(ChangedFile));
      }),

    pullRequest: async (number: number): Promise<Pull> =>
      await send('read the pull request', 'pull-requests: read', async ({ rest }) => {
        const { data } = await rest.pulls.get({ ...here, pull_number: number });
        return v.parse(Pull, data);
      }),

    /** Lists the pull requests that merged the commit, and the open ones that contain the commit. */
    pullRequestsOf: async (commit: string): Promise<readonly Pull[]> =>
      await send('find the pull request of a commit', 'pull-requests: read', async ({ rest }) => {
        const { data } = await rest.repos.listPullRequestsAssociatedWithCommit({ ...here, commit_sha: commit });
        return v.parse(v.array(Pull), data);
      }),

    /** Reads a file at a commit, by default at the default branch. Returns undefined if the file does not exist. */
    textAt: async (path: string, commit?: string): Promise<string | undefined> => {
      const operation = `read ${JSON.stringify(path)} at ${commit?.slice(0, 7) ?? 'the default branch'}`;
      const reading = send(operation, 'contents: read', async ({ rest }) => {
        const { data } = await rest.repos.getContent({ ...here, path, ...(commit !== undefined && { ref: commit }) });
        return Buffer.from(v.parse(FileContent, data).content, 'base64').toString('utf8');
      });
      return await reading.catch(undefinedIfMissing);
    },

    parentsOf: async (commit: string): Promise<readonly string[]> =>
      await send(`read the commit ${commit.slice(0, 7)}`, 'contents: read', async ({ rest }) => {
        const { data } = await rest.git.getCommit({ ...here, commit_sha: commit });
        return v.parse(Commit, data).parents.map(({ sha }) => sha);
      }),

    comments: async (number: number): Promise<List<Comment>> =>
      // A run lists the comments before it writes one, so the message names the permission that covers both.
      await send('list the comments', 'pull-requests: write', async ({ rest }) => {
        const readPage = async (page: Page) =>
          await rest.issues.listComments({ ...here, issue_number: number, ...page });
        return await readPages(readPage, v.array(Comment));
      }),

    createComment: async (number: number, body: string): Promise<void> =>
      await send('write the comment', 'pull-requests: write', async ({ rest }) => {
        await rest.issues.createComment({ ...here, issue_number: number, body });
      }),

    updateComment: async (id: number, body: string): Promise<void> =>
      await send('update the comment', 'pull-requests: write', async ({ rest }) => {
        await rest.issues.updateComment({ ...here, comment_id: id, body });
      }),

    /** The login of the token's account. The login of an app may or may not end in `[bot]`. */
    tokenLogin: async (): Promise<string> =>
      await send('find out whose token this is', 'pull-requests: read', async ({ graphql, rest }) => {
        try {
          // GitHub's REST API does not say which app an installation token belongs to.
          return v.parse(v.object({ viewer: User }), await graphql('query { viewer { login } }')).viewer.login;
        } catch (error) {
          // Gitea and Forgejo have no GraphQL API, but their REST API returns the login.
          if (!(error instanceof GitHubError) || error.status !== 404) throw error;
          return v.parse(User, (await rest.users.getAuthenticated()).data).login;
        }
      }),

    /** One page, counted from 1, of the artifacts with one name: of all runs, even of forks, in no documented order. */
    artifacts: async (name: string, page: number): Promise<List<Artifact>> =>
      await send('list the artifacts', 'actions: read', async ({ rest }) => {
        const request = { ...here, name, page, per_page: PAGE_SIZE };
        const { data, headers } = await rest.actions.listArtifactsForRepo(request);
        return asPage(v.parse(v.object({ artifacts: v.array(Artifact) }), data).artifacts, headers);
      }),

    /**
     * Downloads an artifact, up to 64 MiB. Undefined if the artifact was deleted or has expired. Throws if an artifact
     * of this repository arrives damaged. Those of forks are not checked, because a fork can upload any bytes.
     */
    artifactArchive: async (artifact: Artifact): Promise<Uint8Array | undefined> => {
      const operation = `download the artifact ${artifact.name} of run ${artifact.runId}`;
      const assertWhole = (bytes: Buffer): void => {
        const problem = artifact.isOwn ? damageOf(bytes, artifact.digest) : undefined;
        if (problem === undefined) return;
        throw new GitHubError(operation, {
          trouble: 'unavailable',
          problem,
          fix: `Re-run the job. ${DELETE_ARTIFACT}`,
        });
      };
      const reading = send(
        operation,
        'actions: read',
        async ({ rest }) => {
          const request = { parseSuccessResponseBody: false, assertWhole };
          const wanted = { ...here, artifact_id: artifact.id, archive_format: 'zip', request };
          const { data } = await rest.actions.downloadArtifact(wanted);
          return v.parse(v.instance(Uint8Array), data);
        },
        DELETE_ARTIFACT,
      );
      return await reading.catch(undefinedIfMissing);
    },
  };
}

function undefinedIfMissing(error: unknown): undefined {
  if (!(error instanceof GitHubError) || error.trouble !== 'not-found') throw error;
}

interface Page {
  readonly page: number;
  readonly per_page: number;
}

interface Headers {
  readonly link?: string | undefined;
}

/** A list, or one page of it. */
interface List<Item> {
  readonly items: readonly Item[];
  /** Whether there may be more items than were read. */
  readonly isCut: boolean;
}

/** A page with fewer items than requested need not be the last one. */
function asPage<Item>(items: readonly Item[], { link = '' }: Headers): List<Item> {
  return { items, isCut: items.length >= PAGE_SIZE || /rel="?next\b/.test(link) };
}

/** Counts the pages itself: a `Link` header may lead to another host, or to the same page again. */
async function readPages<Item>(
  readPage: (page: Page) => Promise<{ readonly data: unknown; readonly headers: Headers }>,
  schema: v.GenericSchema<unknown, Item[]>,
): Promise<List<Item>> {
  const items: Item[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { data, headers } = await readPage({ page, per_page: PAGE_SIZE });
    const found = asPage(v.parse(schema, data), headers);
    items.push(...found.items);
    if (!found.isCut) return { items, isCut: false };
  }
  return { items, isCut: true };
}

/** Why these bytes are not the archive that was uploaded. Undefined if they are, or if nothing shows a difference. */
function damageOf(bytes: Buffer, digest: string | undefined): string | undefined {
  if (digest === undefined) {
    const isZip = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1') !== -1;
    return isZip ? undefined : 'what arrived is not a complete zip archive';
  }
  const arrived = `sha256:${hash('sha256', bytes)}`;
  return arrived === digest ? undefined : `its digest is ${digest}, but what arrived has ${arrived}`;
}
