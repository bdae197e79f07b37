import * as v from 'valibot';
import { artifactRequests } from './artifacts.ts';
import { asPage, connect, type GitHubOptions, type List, readPages, undefinedIfDeleted } from './connect.ts';

// The fields of GitHub's responses that this action reads. All other fields are dropped.

const User = v.object({ login: v.string() });

const ChangedFile = v.object({
  filename: v.string(),
  /** GitHub sends added, removed, modified, renamed, copied or changed. Gitea also sends deleted. */
  status: v.string(),
  /** The old name of a renamed file. */
  previous_filename: v.optional(v.string()),
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
export const PullRequest = v.pipe(
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
export type PullRequest = v.InferOutput<typeof PullRequest>;

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

export type GitHubApi = ReturnType<typeof createGitHubApi>;

/** The requests to GitHub about the repository of the run. If a request fails, its method throws a GitHubError. */
export function createGitHubApi(options: GitHubOptions) {
  const send = connect(options);
  const [owner = '', repo = ''] = options.repository.split('/');
  const here = { owner, repo };

  return {
    pullRequestFiles: async (number: number): Promise<List<ChangedFile>> =>
      await readPages((page) =>
        send('list the changed files', 'pull-requests: read', async ({ rest }) => {
          const { data, headers } = await rest.pulls.listFiles({ ...here, pull_number: number, ...page });
          return asPage(v.parse(v.array(ChangedFile), data), headers);
        }),
      ),

    pullRequest: async (number: number): Promise<PullRequest> =>
      await send('read the pull request', 'pull-requests: read', async ({ rest }) => {
        const { data } = await rest.pulls.get({ ...here, pull_number: number });
        return v.parse(PullRequest, data);
      }),

    /** Lists the pull requests that merged the commit, and the open ones that contain the commit. */
    pullRequestsOf: async (commit: string): Promise<readonly PullRequest[]> =>
      await send('find the pull request of a commit', 'pull-requests: read', async ({ rest }) => {
        const { data } = await rest.repos.listPullRequestsAssociatedWithCommit({ ...here, commit_sha: commit });
        return v.parse(v.array(PullRequest), data);
      }),

    /** Reads a file at a commit, by default at the default branch. Returns undefined if the file does not exist. */
    textAt: async (path: string, commit?: string): Promise<string | undefined> => {
      const operation = `read ${JSON.stringify(path)} at ${commit?.slice(0, 7) ?? 'the default branch'}`;
      const reading = send(operation, 'contents: read', async ({ rest }) => {
        const { data } = await rest.repos.getContent({ ...here, path, ...(commit !== undefined && { ref: commit }) });
        return Buffer.from(v.parse(FileContent, data).content, 'base64').toString('utf8');
      });
      return await reading.catch(undefinedIfDeleted);
    },

    /** Empty if GitHub does not have the commit, as one that a step of the workflow made. */
    parentsOf: async (commit: string): Promise<readonly string[]> => {
      const reading = send(`read the commit ${commit.slice(0, 7)}`, 'contents: read', async ({ rest }) => {
        const { data } = await rest.git.getCommit({ ...here, commit_sha: commit });
        return v.parse(Commit, data).parents.map(({ sha }) => sha);
      });
      return (await reading.catch(undefinedIfDeleted)) ?? [];
    },

    comments: async (number: number): Promise<List<Comment>> =>
      await readPages((page) =>
        // A run lists the comments before it writes one, so the message names the permission that covers both.
        send('list the comments', 'pull-requests: write', async ({ rest }) => {
          const { data, headers } = await rest.issues.listComments({ ...here, issue_number: number, ...page });
          return asPage(v.parse(v.array(Comment), data), headers);
        }),
      ),

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
          if (!v.is(v.object({ status: v.literal(404) }), error)) throw error;
          return v.parse(User, (await rest.users.getAuthenticated()).data).login;
        }
      }),

    ...artifactRequests(send, here),
  };
}
