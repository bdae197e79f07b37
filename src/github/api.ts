import * as v from 'valibot';
import type { Artifact, ChangedFile, Comment, Pull } from './api-schemas.ts';
import * as schemas from './api-schemas.ts';
import { GitHubError } from './github-error.ts';
import { connect, type GitHubConnection } from './octokit.ts';

/** GitHub lists no more files of a pull request than this. */
export const MAX_CHANGED_FILES = 3_000;
/** Three pages. */
export const MAX_ARTIFACTS = 300;

export interface GitHubOptions extends GitHubConnection {
  /** owner/name */
  readonly repository: string;
}

export type GitHubApi = ReturnType<typeof createGitHubApi>;

/** What we ask GitHub for, all of it about the repository of the run. Every method throws a GitHubError. */
export function createGitHubApi(options: GitHubOptions) {
  const send = connect(options);
  const [owner = '', repo = ''] = options.repository.split('/');
  const here = { owner, repo };
  const list = { ...here, per_page: 100 };

  return {
    /** At most MAX_CHANGED_FILES: with that many, some may be missing. */
    pullRequestFiles: async (number: number): Promise<readonly ChangedFile[]> =>
      await send('list the changed files', 'pull-requests: read', async ({ rest, paginate }) => {
        const upTo = atMost(MAX_CHANGED_FILES, schemas.ChangedFile);
        return await paginate(rest.pulls.listFiles, { ...list, pull_number: number }, upTo);
      }),

    pullRequest: async (number: number): Promise<Pull> =>
      await send('read the pull request', 'pull-requests: read', async ({ rest }) => {
        const { data } = await rest.pulls.get({ ...here, pull_number: number });
        return v.parse(schemas.Pull, data);
      }),

    /** The pull requests that brought a commit in, or that are open with it. */
    pullRequestsOf: async (commit: string): Promise<readonly Pull[]> =>
      await send('find the pull request of a commit', 'pull-requests: read', async ({ rest }) => {
        const { data } = await rest.repos.listPullRequestsAssociatedWithCommit({ ...here, commit_sha: commit });
        return v.parse(v.array(schemas.Pull), data);
      }),

    /** Undefined if that commit has no such file. */
    textAt: async (path: string, commit: string): Promise<string | undefined> => {
      const operation = `read ${JSON.stringify(path)} at ${commit.slice(0, 7)}`;
      const reading = send(operation, 'contents: read', async ({ rest }) => {
        const { data } = await rest.repos.getContent({ ...here, path, ref: commit });
        if (v.is(schemas.FileContent, data)) return Buffer.from(data.content, 'base64').toString('utf8');
        const problem = 'it is not a file of less than 1 MB';
        throw new GitHubError(operation, { trouble: 'refused', problem, fix: 'Name a text file of less than 1 MB.' });
      });
      return await reading.catch(undefinedIfMissing);
    },

    parentsOf: async (commit: string): Promise<readonly string[]> =>
      await send(`read the commit ${commit.slice(0, 7)}`, 'contents: read', async ({ rest }) => {
        const { data } = await rest.git.getCommit({ ...here, commit_sha: commit });
        return v.parse(schemas.Commit, data).parents.map(({ sha }) => sha);
      }),

    comments: async (number: number): Promise<readonly Comment[]> =>
      // Listing comes before writing, so the message names the permission for both.
      await send('list the comments', 'pull-requests: write', async ({ rest, paginate }) => {
        const comments = await paginate(rest.issues.listComments, { ...list, issue_number: number });
        return v.parse(v.array(schemas.Comment), comments);
      }),

    createComment: async (number: number, body: string): Promise<void> =>
      await send('write the comment', 'pull-requests: write', async ({ rest }) => {
        await rest.issues.createComment({ ...here, issue_number: number, body });
      }),

    updateComment: async (id: number, body: string): Promise<void> =>
      await send('update the comment', 'pull-requests: write', async ({ rest }) => {
        await rest.issues.updateComment({ ...here, comment_id: id, body });
      }),

    /** The account of the token. GitHub has been seen to name an app with and without `[bot]` at the end. */
    ownLogin: async (): Promise<string> =>
      await send('find out whose token this is', 'pull-requests: read', async ({ graphql, rest }) => {
        try {
          // GitHub's REST API does not say which app an installation token belongs to.
          return v.parse(schemas.Viewer, await graphql('query { viewer { login } }')).viewer.login;
        } catch (error) {
          // Gitea and Forgejo have no GraphQL, and their REST API says it.
          if (!(error instanceof GitHubError) || error.trouble !== 'not-found') throw error;
          return v.parse(schemas.User, (await rest.users.getAuthenticated()).data).login;
        }
      }),

    /** Those of one name in all runs, forks included, in no documented order. With MAX_ARTIFACTS, some may be missing. */
    artifacts: async (name: string): Promise<readonly Artifact[]> =>
      await send('list the artifacts', 'actions: read', async ({ rest, paginate }) => {
        const upTo = atMost(MAX_ARTIFACTS, schemas.Artifact);
        return await paginate(rest.actions.listArtifactsForRepo, { ...list, name }, upTo);
      }),

    /** The zip archive of an artifact, of at most 64 MiB; undefined if it is gone. */
    artifactArchive: async (id: number): Promise<Uint8Array | undefined> => {
      const reading = send('download an artifact', 'actions: read', async ({ rest }) => {
        const archive = { artifact_id: id, archive_format: 'zip', request: { parseSuccessResponseBody: false } };
        const { data } = await rest.actions.downloadArtifact({ ...here, ...archive });
        return v.parse(schemas.Archive, data);
      });
      return await reading.catch(undefinedIfMissing);
    },
  };
}

function undefinedIfMissing(error: unknown): undefined {
  if (!(error instanceof GitHubError) || error.trouble !== 'not-found') throw error;
}

/** Checks each page of a list, and ends the list after `max` items. */
function atMost<const S extends v.GenericSchema>(max: number, item: S) {
  let left = max;
  return ({ data }: { readonly data: unknown }, done: () => void): v.InferOutput<S>[] => {
    const items = v.parse(v.array(item), data).slice(0, left);
    left -= items.length;
    // A page may hold fewer than asked for without being the last one, but not none.
    if (left === 0 || items.length === 0) done();
    return items;
  };
}
