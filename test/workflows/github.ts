import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../emulator/server.ts';

/** What a request asks for, and what it answers. */
export interface Route {
  /** `GET pulls`: method, and path within the repository. */
  readonly on: string;
  /** What the job must be granted. */
  readonly needs: readonly [permission: string, level: 'read' | 'write'];
  readonly answer: (query: URLSearchParams, body: unknown) => unknown;
}

export interface FakeGitHub extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  /** Those that were answered, with their bodies. */
  readonly sent: readonly { readonly on: string; readonly body: unknown }[];
}

/** A refusal, to be thrown by a route. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** GitHub's API for one job: it grants exactly what the job's `permissions` say. */
export async function startGitHub(routes: readonly Route[], permissions: unknown): Promise<FakeGitHub> {
  const sent: { on: string; body: unknown }[] = [];
  const granted = new Map(Object.entries(permissions ?? {}));
  const answer = async (request: IncomingMessage): Promise<unknown> => {
    const url = new URL(request.url ?? '', 'http://github.test');
    const on = `${request.method} ${url.pathname.replace('/repos/acme/campaigns/', '')}`;
    const body = await text(request);
    const route = routes.find((each) => each.on === on);
    if (!route) throw new Refusal(404, `Not Found: ${on}`);
    const [permission, level] = route.needs;
    if (granted.get(permission) !== level && granted.get(permission) !== 'write')
      throw new Refusal(403, `Resource not accessible by integration: ${permission}: ${level}`);
    const parsed: unknown = body === '' ? undefined : JSON.parse(body);
    sent.push({ on, body: parsed });
    return route.answer(url.searchParams, parsed);
  };
  const server = createServer((request, response) => {
    answer(request).then(
      (value) => response.setHeader('content-type', 'application/json').end(JSON.stringify(value)),
      (error: unknown) => {
        const status = error instanceof Refusal ? error.status : 500;
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(JSON.stringify({ message: String(error) }));
      },
    );
  });
  const { url, close } = await listen(server);
  return { url, token: 'a-token', sent, [Symbol.asyncDispose]: close };
}
