import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '../../emulator/server.ts';
import { type GitHubModel, type GitHubServer, startGitHub } from '../harness/github-server.ts';

/** The parts of the model that change from run to run. */
export type ChangingModel = { -readonly [Part in keyof GitHubModel]: GitHubModel[Part] } & {
  readonly pulls: Record<number, NonNullable<GitHubModel['pulls']>[number]>;
  readonly pullsOf: Record<string, readonly number[]>;
  readonly contents: Record<string, unknown>;
  readonly commits: Record<string, readonly string[]>;
};

/** A request that the gate does not make, but scripts in workflows do. */
export interface ScriptRoute {
  /** Method, and path within the repository. */
  readonly on: RegExp;
  /** What a job must be granted. */
  readonly needs: readonly [permission: string, level: 'read' | 'write'];
  readonly answer: (request: ScriptRequest) => unknown;
}

export interface ScriptRequest {
  /** What the groups of `on` have matched. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  readonly body: unknown;
}

/** GitHub's REST API as a runner's jobs see it: the gate's, and what scripts use of it. */
export interface RunnerGitHub extends AsyncDisposable {
  readonly url: string;
  readonly server: GitHubServer;
  readonly model: ChangingModel;
  /** For scripts, beside what the model knows. */
  readonly routes: ScriptRoute[];
  /** Sets `permissions` of the jobs that use the API from now on. */
  grant(permissions: Readonly<Record<string, string>>): void;
}

export const REPOSITORY = 'acme/campaigns';
export const REPOSITORY_ID = 4711;

export async function startRunnerGitHub(
  stored: Required<Pick<GitHubModel, 'artifacts' | 'archives'>>,
): Promise<RunnerGitHub> {
  const model: ChangingModel = {
    ...stored,
    pulls: {},
    pullsOf: {},
    contents: {},
    commits: {},
    // day-one.yml asks GitHub for this order; the action itself works with any.
    artifactOrder: 'newest first',
  };
  const server = await startGitHub(model);
  const routes: ScriptRoute[] = [];
  let granted: Readonly<Record<string, string>> = {};
  const http = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      sendJson(response, 500, { message: String(error) });
    });
  });
  const { url, close } = await listen(http);
  return {
    url,
    server,
    model,
    routes,
    grant: (permissions) => {
      granted = permissions;
      const levelOf = (name: string): 'none' | 'read' | 'write' => {
        const level = permissions[name];
        return level === 'read' || level === 'write' ? level : 'none';
      };
      model.permissions = {
        contents: levelOf('contents'),
        actions: levelOf('actions'),
        'pull-requests': levelOf('pull-requests'),
      };
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([close(), server[Symbol.asyncDispose]()]);
    },
  };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', url);
    const body = await buffer(request);
    const on = `${request.method} ${pathname.replace(`/repos/${REPOSITORY}/`, '')}`;
    const route = routes.find((each) => each.on.test(on));
    if (!route) return await forward(request, body, response);
    const [permission, level] = route.needs;
    if (granted[permission] !== level && granted[permission] !== 'write')
      return sendJson(response, 403, { message: `Resource not accessible by integration: ${permission}: ${level}` });
    const [, ...parts] = route.on.exec(on) ?? [];
    const parsed: unknown = body.length === 0 ? undefined : JSON.parse(body.toString());
    sendJson(response, 200, await route.answer({ parts, query: searchParams, body: parsed }));
  }

  async function forward(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const { authorization = '', accept = '', 'content-type': type = '' } = request.headers;
    const forwarded = await fetch(`${server.url}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { authorization, accept, 'content-type': type },
      redirect: 'manual',
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    const kept = ['content-type', 'location', 'link'].flatMap((name) => {
      const value = forwarded.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    response.writeHead(forwarded.status, Object.fromEntries(kept)).end(Buffer.from(await forwarded.arrayBuffer()));
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
