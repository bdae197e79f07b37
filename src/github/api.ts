import * as v from 'valibot';
import type { Artifact, ChangedFile, Comment, Pull } from './api-schemas.ts';
import * as schemas from './api-schemas.ts';
import { GitHubError } from './github-error.ts';
import { connect, type GitHubOptions } from './octokit.ts';

/** GitHub lists at most this many files of a pull request. */
export const MAX_CHANGED_FILES = 3_000;

/** Limits how many pages of artifacts a run reads: forks can upload any number of artifacts under any name. */
export const MAX_ARTIFACT_PAGES = 30;

export type GitHubApi = ReturnType<typeof createGitHubApi>;

/** The requests to GitHub about the repository of the run. If a request fails, its method throws a GitHubError. */
export function createGitHubApi(options: GitHubOptions) {
  const send = connect(options);
  const [owner = '', repo = ''] = options.repository.split('/');
  const here = { owner, repo };
  const list = { ...here, per_page: 100 };

  return {
    pullRequestFiles: async (number: number): Promise<readonly ChangedFile[]> =>
      await send('list the changed files', 'pull-requests: read', async ({ rest, paginate }) => {
        const readPage = pageReader(schemas.ChangedFile, () => false);
        return await paginate(rest.pulls.listFiles, { ...list, pull_number: number }, readPage);
      }),

    pullRequest: async (number: number): Promise<Pull> =>
      await send('read the pull request', 'pull-requests: read', async ({ rest }) => {
        const { data } = await rest.pulls.get({ ...here, pull_number: number });
        return v.parse(schemas.Pull, data);
      }),

    /** Lists the pull requests that merged the commit, and the open ones that contain the commit. */
    pullRequestsOf: async (commit: string): Promise<readonly Pull[]> =>
      await send('find the pull request of a commit', 'pull-requests: read', async ({ rest }) => {
        const { data } = await rest.repos.listPullRequestsAssociatedWithCommit({ ...here, commit_sha: commit });
        return v.parse(v.array(schemas.Pull), data);
      }),

    /** Reads a file at a commit, by default at the default branch. Returns undefined if the file does not exist. */
    textAt: async (path: string, commit?: string): Promise<string | undefined> => {
      const operation = `read ${JSON.stringify(path)} at ${commit?.slice(0, 7) ?? 'the default branch'}`;
      const reading = send(operation, 'contents: read', async ({ rest }) => {
        const { data } = await rest.repos.getContent({ ...here, path, ...(commit !== undefined && { ref: commit }) });
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
      // A run lists the comments before it writes one, so the message names the permission that covers both.
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

    /** The login of the token's account. The login of an app may or may not end in `[bot]`. */
    ownLogin: async (): Promise<string> =>
      await send('find out whose token this is', 'pull-requests: read', async ({ graphql, rest }) => {
        try {
          // GitHub's REST API does not say which app an installation token belongs to.
          return v.parse(v.object({ viewer: schemas.User }), await graphql('query { viewer { login } }')).viewer.login;
        } catch (error) {
          // Gitea and Forgejo have no GraphQL API, but their REST API returns the login.
          if (!(error instanceof GitHubError) || error.trouble !== 'not-found') throw error;
          return v.parse(schemas.User, (await rest.users.getAuthenticated()).data).login;
        }
      }),

    /**
     * Lists the artifacts that have this name, from all runs and also from forks, in no documented order. Reads pages
     * until `isEnough` returns true for a page, at most 30 pages.
     */
    artifacts: async (name: string, isEnough: (page: readonly Artifact[]) => boolean): Promise<readonly Artifact[]> =>
      await send('list the artifacts', 'actions: read', async ({ rest, paginate }) => {
        let pages = 0;
        const readPage = pageReader(schemas.Artifact, (page) => {
          pages += 1;
          return isEnough(page) || pages === MAX_ARTIFACT_PAGES;
        });
        return await paginate(rest.actions.listArtifactsForRepo, { ...list, name }, readPage);
      }),

    /** Downloads the zip archive of an artifact, up to 64 MiB. Undefined if the artifact was deleted or has expired. */
    artifactArchive: async ({ id, isOwn }: Pick<Artifact, 'id' | 'isOwn'>): Promise<Uint8Array | undefined> => {
      const reading = send('download an artifact', 'actions: read', async ({ rest }) => {
        const archive = { artifact_id: id, archive_format: 'zip', request: { parseSuccessResponseBody: false } };
        const { data } = await rest.actions.downloadArtifact({ ...here, ...archive });
        return v.parse(isOwn ? schemas.Archive : schemas.AnyFile, data);
      });
      return await reading.catch(undefinedIfMissing);
    },
  };
}

function undefinedIfMissing(error: unknown): undefined {
  if (!(error instanceof GitHubError) || error.trouble !== 'not-found') throw error;
}

/** Makes a function for `paginate` that checks the items of each page, and stops after the last page. */
function pageReader<const S extends v.GenericSchema>(item: S, isLast: (page: v.InferOutput<S>[]) => boolean) {
  return ({ data }: { readonly data: unknown }, done: () => void): v.InferOutput<S>[] => {
    const page = v.parse(v.array(item), data);
    // A page with fewer items than requested need not be the last one, but an empty page is.
    if (page.length === 0 || isLast(page)) done();
    return page;
  };
}
