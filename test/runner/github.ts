import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '../../emulator/server.ts';
import { type GitHubModel, startGitHub } from '../harness/github-server.ts';
import { scriptApi } from './script-api.ts';

/** The parts of the model that change from run to run. */
type ChangingModel = { -readonly [Part in keyof GitHubModel]: GitHubModel[Part] } & {
  readonly pulls: Record<number, NonNullable<GitHubModel['pulls']>[number]>;
  readonly pullsOf: Record<string, readonly number[]>;
  readonly contents: Record<string, unknown>;
  readonly commits: Record<string, readonly string[]>;
};

export const REPOSITORY = 'acme/campaigns';
export const REPOSITORY_ID = 4711;

/** GitHub's REST API as a runner's jobs see it: the gate's, and what scripts use of it. */
export async function startRunnerGitHub(stored: Required<Pick<GitHubModel, 'artifacts' | 'archives'>>) {
  const model: ChangingModel = {
    ...stored,
    pulls: {},
    pullsOf: {},
    contents: {},
    commits: {},
    // day-one-events.yml asks GitHub for this order; the action itself works with any.
    artifactOrder: 'newest first',
  };
  const server = await startGitHub(model);
  const { routes, effects } = scriptApi(model.pulls);
  let granted: Readonly<Record<string, string>> = {};
  const http = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      sendJson(response, 500, { message: String(error) });
    });
  });
  const { url, close } = await listen(http);
  return {
    url,
    token: server.token,
    model,
    comments: server.comments,
    /** What scripts have changed. */
    effects,
    /** Sets `permissions` of the jobs that use the API from now on. */
    grant: (permissions: Readonly<Record<string, string>>): void => {
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
    sendJson(response, 200, route.answer({ parts, query: searchParams, body: parsed }));
  }

  async function forward(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const { authorization = '', accept = '', 'content-type': type = '' } = request.headers;
    const forwarded = await fetch(`${server.url}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { authorization, accept, 'content-type': type },
      redirect: 'manual',
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    const { 'content-type': sent = '', location, link } = Object.fromEntries(forwarded.headers);
    const kept = { 'content-type': sent, ...(location && { location }), ...(link && { link }) };
    response.writeHead(forwarded.status, kept).end(Buffer.from(await forwarded.arrayBuffer()));
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
