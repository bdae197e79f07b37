import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../emulator/server.ts';
import { openArtifacts } from './artifact-service.ts';
import { GITEA, respondAsGitea } from './gitea-model.ts';
import {
  type Fault,
  type GitHubModel,
  type ModelResponse,
  pageOf,
  type RecordedRequest,
  respondAsGitHub,
  TOKEN,
  type Written,
} from './github-model.ts';

export type GitHubServer = Awaited<ReturnType<typeof startGitHub>>;

/** Serves the part of GitHub that the gate uses: its REST API, and the artifact service of its runners. */
export async function startGitHub(model: GitHubModel = {}) {
  const isGitea = model.kind === 'Gitea';
  const requests: RecordedRequest[] = [];
  const written: Written = { comments: structuredClone([...(model.comments ?? [])]), statuses: [] };
  const artifacts = openArtifacts(() => url, model);
  const { artifacts: listed, archives } = artifacts;
  const happened = new Map<Fault, number>();

  const server = createServer((incoming, outgoing) => {
    if (artifacts.isFor(incoming)) return void artifacts.respond(incoming, outgoing).catch(() => outgoing.destroy());
    void (async () => {
      const request = await record(incoming, isGitea ? GITEA.api : '');
      requests.push(request);
      const line = `${request.method} ${request.path}`;
      const isLeft = (each: Fault): boolean => (happened.get(each) ?? 0) < (each.times ?? Number.POSITIVE_INFINITY);
      const fault = model.faults?.find((each) => isHit(each, line) && isLeft(each));
      const respond = isGitea ? respondAsGitea : respondAsGitHub;
      const isDone = !fault || fault.afterwards;
      const response = isDone
        ? paged(respond({ request, model: { artifacts: listed, archives, ...model }, ...written }), request)
        : undefined;
      if (!fault) return response && send(outgoing, response);
      happened.set(fault, (happened.get(fault) ?? 0) + 1);
      if (fault.status === undefined) return void incoming.socket.destroy();
      if (fault.status === 'never') return;
      send(outgoing, { status: fault.status, body: fault.body ?? '', headers: fault.headers ?? {} });
    })();
  });
  const { url, close } = await listen(server);
  return {
    /** The address of the API. */
    url: url + (isGitea ? GITEA.api : ''),
    /** The address of GitHub's web pages. */
    serverUrl: isGitea ? 'https://gitea.example.com/' : 'https://github.com',
    token: TOKEN,
    requests,
    ...written,
    artifacts,
    get asked(): readonly string[] {
      return requests.map(({ method, path }) => `${method} ${path}`);
    },
    [Symbol.asyncDispose]: close,
  };
}

function isHit({ on }: Fault, line: string): boolean {
  return typeof on === 'string' ? line.includes(on) : on.test(line);
}

/** @param prefix of Gitea's API; empty at GitHub */
async function record(incoming: IncomingMessage, prefix: string): Promise<RecordedRequest> {
  const url = new URL(incoming.url ?? '', 'http://github.test');
  const body = await text(incoming);
  return {
    method: incoming.method ?? '',
    path: decodeURIComponent(url.pathname).replace(prefix, ''),
    // Gitea ignores `per_page`.
    query: Object.fromEntries([...url.searchParams].filter(([name]) => prefix === '' || name !== 'per_page')),
    headers: incoming.headers,
    body: body === '' ? undefined : JSON.parse(body),
  };
}

function send(outgoing: ServerResponse, { status, headers, body }: ModelResponse): void {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  outgoing
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    .end(isRaw ? body : JSON.stringify(body));
}

/** GitHub sends every list in pages, and a header says whether there is another page. */
function paged(response: ModelResponse, request: RecordedRequest): ModelResponse {
  if (!Array.isArray(response.body)) return response;
  const { items, headers } = pageOf(response.body, request);
  return { ...response, body: items, headers: { ...response.headers, ...headers } };
}
