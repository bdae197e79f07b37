import * as v from 'valibot';
import type { Artifact, ChangedFile, Comment, PullSummary } from './api-schemas.ts';
import * as answers from './api-schemas.ts';
import { type Ask, GitHubError, unreadable } from './github-error.ts';
import { type Connection, connect } from './octokit.ts';

/** GitHub lists no more files of a pull request than this. */
export const MAX_CHANGED_FILES = 3_000;
/** More than GitHub takes in one conversation, which is 2,500. */
const MAX_COMMENTS = 3_000;
const PAGE = 100;

/** What we ask GitHub for, all of it about the repository of the run. Every method throws a GitHubError. */
export interface GitHubApi {
  /** At most MOST_CHANGED_FILES: with that many, some may be missing. */
  pullRequestFiles(number: number): Promise<readonly ChangedFile[]>;
  pullRequest(number: number): Promise<PullSummary>;
  /** The pull requests that brought a commit in, or that are open with it. */
  pullRequestsOf(commit: string): Promise<readonly PullSummary[]>;
  /** Undefined where that commit has no such file. */
  textAt(path: string, commit: string): Promise<string | undefined>;
  parentsOf(commit: string): Promise<readonly string[]>;
  comments(pullRequest: number): Promise<readonly Comment[]>;
  createComment(pullRequest: number, body: string): Promise<void>;
  updateComment(id: number, body: string): Promise<void>;
  /** Whose token this is, as it signs its comments. */
  ownLogin(): Promise<string>;
  /** Newest first, of all runs; those of forks, too. */
  artifacts(name: string): Promise<readonly Artifact[]>;
  /** The zip archive of an artifact. */
  artifactArchive(id: number): Promise<Uint8Array>;
}

export interface GitHubOptions extends Connection {
  /** owner/name */
  readonly repository: string;
}

type Parameters = Readonly<Record<string, string | number>>;

export function createGitHubApi(options: GitHubOptions): GitHubApi {
  const send = connect(options);
  const [owner = '', repo = ''] = options.repository.split('/');

  const call = async (ask: Ask, route: string, parameters: Parameters) =>
    await send(ask, async (octokit, request) => await octokit.request(route, { owner, repo, ...parameters, request }));

  const get = async <const S extends v.GenericSchema>(ask: Ask, answer: S, path: string, parameters: Parameters) => {
    const { data } = await call(ask, `GET /repos/{owner}/{repo}/${path}`, parameters);
    return read(answer, data, ask);
  };

  /** A list that comes in pages, up to `most` items of it. */
  const pages = async <const S extends v.GenericSchema>(
    ask: Ask,
    item: S,
    most: number,
    path: string,
    parameters: Parameters,
  ): Promise<readonly v.InferOutput<S>[]> => {
    const all: v.InferOutput<S>[] = [];
    for (let page = 1; all.length < most; page++) {
      const { data, headers } = await call(ask, `GET /repos/{owner}/{repo}/${path}`, {
        ...parameters,
        per_page: PAGE,
        page,
      });
      const items = read(v.array(item), data, ask);
      all.push(...items);
      // A page may hold fewer than asked for without being the last one.
      if (items.length === 0 || !headers.link?.includes('rel="next"')) break;
    }
    return all.slice(0, most);
  };

  return {
    pullRequestFiles: async (number) =>
      await pages(
        reading('list the changed files', 'pull-requests'),
        answers.ChangedFile,
        MAX_CHANGED_FILES,
        'pulls/{number}/files',
        { number },
      ),

    pullRequest: async (number) =>
      await get(reading('read the pull request', 'pull-requests'), answers.Pull, 'pulls/{number}', { number }),

    pullRequestsOf: async (commit) =>
      await get(
        reading('find the pull request of a commit', 'pull-requests'),
        v.array(answers.Pull),
        'commits/{commit}/pulls',
        { commit },
      ),

    textAt: async (path, commit) => {
      const ask = reading(`read ${JSON.stringify(path)} at ${commit.slice(0, 7)}`, 'contents');
      try {
        return textOf(await get(ask, answers.FileContent, 'contents/{path}', { path, ref: commit }), ask);
      } catch (error) {
        if (error instanceof GitHubError && error.trouble === 'not-found') return undefined;
        throw error;
      }
    },

    parentsOf: async (commit) => {
      const ask = reading(`read the commit ${commit.slice(0, 7)}`, 'contents');
      const { parents } = await get(ask, answers.Commit, 'git/commits/{commit}', { commit });
      return parents.map(({ sha }) => sha);
    },

    comments: async (number) =>
      await pages(
        // Whoever lists them wants to write one: a workflow should be mended once, not twice.
        { operation: 'list the comments', needs: 'pull-requests: write', isRepeatable: true },
        answers.Comment,
        MAX_COMMENTS,
        'issues/{number}/comments',
        { number },
      ),

    createComment: async (number, body) => {
      const ask: Ask = { operation: 'write the comment', needs: 'pull-requests: write', isRepeatable: false };
      await call(ask, 'POST /repos/{owner}/{repo}/issues/{number}/comments', { number, body });
    },

    updateComment: async (id, body) => {
      const ask: Ask = { operation: 'update the comment', needs: 'pull-requests: write', isRepeatable: true };
      await call(ask, 'PATCH /repos/{owner}/{repo}/issues/comments/{id}', { id, body });
    },

    ownLogin: async () => {
      const ask = reading('find out whose token this is', 'pull-requests');
      // The REST API tells the token of an installation nothing about itself.
      const answer = await send(
        ask,
        async (octokit, request) => await octokit.graphql('query { viewer { login } }', { request }),
      );
      return read(answers.Viewer, answer, ask).viewer.login;
    },

    artifacts: async (name) => {
      const ask = reading('list the artifacts', 'actions');
      return (await get(ask, answers.Artifacts, 'actions/artifacts', { name, per_page: PAGE })).artifacts;
    },

    artifactArchive: async (id) =>
      new Uint8Array(
        await get(reading('download an artifact', 'actions'), v.instance(ArrayBuffer), 'actions/artifacts/{id}/zip', {
          id,
        }),
      ),
  };
}

function reading(operation: string, permission: 'pull-requests' | 'contents' | 'actions'): Ask {
  return { operation, needs: `${permission}: read`, isRepeatable: true };
}

function textOf({ type, encoding, content }: v.InferOutput<typeof answers.FileContent>, ask: Ask): string {
  if (type === 'file' && encoding === 'base64') return Buffer.from(content, 'base64').toString('utf8');
  const what = type === 'file' ? 'it is larger than 1 MB' : `it is a ${type}`;
  throw new GitHubError(ask, 'refused', what, 'Name a text file of less than 1 MB.');
}

function read<const S extends v.GenericSchema>(schema: S, data: unknown, ask: Ask): v.InferOutput<S> {
  const parsed = v.safeParse(schema, data);
  if (!parsed.success) throw unreadable(ask);
  return parsed.output;
}
