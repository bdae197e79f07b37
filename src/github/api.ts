import * as v from 'valibot';
import type { Artifact, ChangedFile, Comment, PullSummary } from './api-schemas.ts';
import * as answers from './api-schemas.ts';
import { type Ask, GitHubError, unreadableAnswer } from './github-error.ts';
import { connect, type GitHubConnection } from './octokit.ts';

/** GitHub lists no more files of a pull request than this. */
export const MAX_CHANGED_FILES = 3_000;
/** More than GitHub allows in one conversation, which is 2,500. */
const MAX_COMMENTS = 3_000;
const PAGE = 100;
const MAX_ARTIFACT_PAGES = 3;

/** What we ask GitHub for, all of it about the repository of the run. Every method throws a GitHubError. */
export interface GitHubApi {
  /** At most MAX_CHANGED_FILES: with that many, some may be missing. */
  pullRequestFiles(number: number): Promise<readonly ChangedFile[]>;
  pullRequest(number: number): Promise<PullSummary>;
  /** The pull requests that brought a commit in, or that are open with it. */
  pullRequestsOf(commit: string): Promise<readonly PullSummary[]>;
  /** Undefined if that commit has no such file. */
  textAt(path: string, commit: string): Promise<string | undefined>;
  parentsOf(commit: string): Promise<readonly string[]>;
  comments(pullRequest: number): Promise<readonly Comment[]>;
  createComment(pullRequest: number, body: string): Promise<void>;
  updateComment(id: number, body: string): Promise<void>;
  /** The account of the token. GitHub has been seen to name an app with and without `[bot]` at the end. */
  ownLogin(): Promise<string>;
  /** Those of one name in all runs but those of forks, in no particular order; at most three pages of the list. */
  artifacts(name: string): Promise<readonly Artifact[]>;
  /** The zip archive of an artifact. */
  artifactArchive(id: number): Promise<Uint8Array>;
}

export interface GitHubOptions extends GitHubConnection {
  /** owner/name */
  readonly repository: string;
}

type Parameters = Readonly<Record<string, string | number>>;

/** A path within the repository, and what is filled into it or sent as its query. */
type Target = Parameters & { readonly route: string };

export function createGitHubApi(options: GitHubOptions): GitHubApi {
  const send = connect(options);
  const [owner = '', repo = ''] = options.repository.split('/');

  const call = async (ask: Ask, route: string, parameters: Parameters) =>
    await send(ask, async (octokit, request) => await octokit.request(route, { owner, repo, ...parameters, request }));

  const get = async <const S extends v.GenericSchema>(ask: Ask, answer: S, { route, ...parameters }: Target) => {
    const { data } = await call(ask, `GET /repos/{owner}/{repo}/${route}`, parameters);
    return read(answer, data, ask);
  };

  /** A list that comes in pages, up to `max` items of it. */
  const pages = async <const S extends v.GenericSchema>(
    ask: Ask,
    { item, max }: { readonly item: S; readonly max: number },
    { route, ...parameters }: Target,
  ): Promise<readonly v.InferOutput<S>[]> => {
    const all: v.InferOutput<S>[] = [];
    for (let page = 1; all.length < max; page++) {
      const target = { ...parameters, per_page: PAGE, page };
      const { data, headers } = await call(ask, `GET /repos/{owner}/{repo}/${route}`, target);
      const items = read(v.array(item), data, ask);
      all.push(...items);
      // A page may hold fewer than asked for without being the last one.
      if (items.length === 0 || !headers.link?.includes('rel="next"')) break;
    }
    return all.slice(0, max);
  };

  return {
    pullRequestFiles: async (number) =>
      await pages(
        reading('list the changed files', 'pull-requests'),
        { item: answers.ChangedFile, max: MAX_CHANGED_FILES },
        { route: 'pulls/{number}/files', number },
      ),

    pullRequest: async (number) =>
      await get(reading('read the pull request', 'pull-requests'), answers.Pull, { route: 'pulls/{number}', number }),

    pullRequestsOf: async (commit) =>
      await get(reading('find the pull request of a commit', 'pull-requests'), v.array(answers.Pull), {
        route: 'commits/{commit}/pulls',
        commit,
      }),

    textAt: async (path, commit) => {
      const ask = reading(`read ${JSON.stringify(path)} at ${commit.slice(0, 7)}`, 'contents');
      try {
        return textOf(await get(ask, answers.FileContent, { route: 'contents/{path}', path, ref: commit }), ask);
      } catch (error) {
        if (error instanceof GitHubError && error.trouble === 'not-found') return undefined;
        throw error;
      }
    },

    parentsOf: async (commit) => {
      const ask = reading(`read the commit ${commit.slice(0, 7)}`, 'contents');
      const { parents } = await get(ask, answers.Commit, { route: 'git/commits/{commit}', commit });
      return parents.map(({ sha }) => sha);
    },

    comments: async (number) =>
      await pages(
        // Listing comes before writing, so the message names the permission for both.
        { operation: 'list the comments', needs: 'pull-requests: write', isRepeatable: true },
        { item: answers.Comment, max: MAX_COMMENTS },
        { route: 'issues/{number}/comments', number },
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
      // The REST API does not say which app an installation token belongs to.
      const answer = await send(
        ask,
        async (octokit, request) => await octokit.graphql('query { viewer { login } }', { request }),
      );
      return read(answers.Viewer, answer, ask).viewer.login;
    },

    artifacts: async (name) => {
      const ask = reading('list the artifacts', 'actions');
      const readPage = async (page: number) =>
        await get(ask, answers.Artifacts, { route: 'actions/artifacts', name, per_page: PAGE, page });
      const all: Artifact[] = [];
      for (let page = 1; page <= MAX_ARTIFACT_PAGES; page++) {
        const { artifacts, total_count: total } = await readPage(page);
        all.push(...artifacts);
        if (page * PAGE >= total) break;
      }
      // What a fork's run left is not even downloaded, whatever it is called.
      return all.filter(({ isOwn }) => isOwn);
    },

    artifactArchive: async (id) => {
      const ask = reading('download an artifact', 'actions');
      const route = 'GET /repos/{owner}/{repo}/actions/artifacts/{id}/zip';
      const data = await send(ask, async (octokit, request) => {
        const answer: { readonly data: unknown } = await octokit.request(route, { owner, repo, id, request });
        // octokit turns a body that breaks off into an empty one.
        if (answer.data instanceof ArrayBuffer && answer.data.byteLength === 0) throw new Error('the answer broke off');
        return answer.data;
      });
      return new Uint8Array(read(v.instance(ArrayBuffer), data, ask));
    },
  };
}

function reading(operation: string, permission: 'pull-requests' | 'contents' | 'actions'): Ask {
  return { operation, needs: `${permission}: read`, isRepeatable: true };
}

function textOf({ type, encoding, content }: v.InferOutput<typeof answers.FileContent>, ask: Ask): string {
  if (type === 'file' && encoding === 'base64') return Buffer.from(content, 'base64').toString('utf8');
  const problem = type === 'file' ? 'it is larger than 1 MB' : `it is a ${type}`;
  throw new GitHubError(ask, { trouble: 'refused', problem, fix: 'Name a text file of less than 1 MB.' });
}

function read<const S extends v.GenericSchema>(schema: S, data: unknown, ask: Ask): v.InferOutput<S> {
  const parsed = v.safeParse(schema, data);
  if (!parsed.success) throw unreadableAnswer(ask);
  return parsed.output;
}
