import { createServer, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '../../emulator/listen.ts';

/** What comes instead of the answer. `cut`: half of it, and then the connection ends. A function rewrites its body. */
export type Trouble =
  | 'reset'
  | 'silence'
  | 'cut'
  | ((body: string) => string)
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string };

export interface Front extends AsyncDisposable {
  readonly url: string;
}

/**
 * Stands before a server, passes everything on, and makes trouble where it is told to.
 *
 * @param trouble asked for every request, told as `METHOD /path`
 */
export async function startTroubledFront(
  target: string,
  trouble: (line: string) => Trouble | undefined,
): Promise<Front> {
  const server = createServer((incoming, response) => {
    void (async () => {
      const { method = '', headers, url = '/' } = incoming;
      const body = await buffer(incoming);
      const wrong = trouble(`${method} ${decodeURIComponent(url.split('?')[0] ?? '')}`);
      if (wrong === 'reset') return void incoming.socket.resetAndDestroy();
      if (wrong === 'silence') return;
      if (typeof wrong === 'object') return void response.writeHead(wrong.status, wrong.headers).end(wrong.body);
      const answer = await ask(new URL(url, target), method, headers, body);
      if (typeof wrong === 'function') {
        const body = Buffer.from(wrong(answer.body.toString('utf8')));
        const length = { 'content-length': String(body.length) };
        return void response.writeHead(answer.status, { ...answer.headers, ...length }).end(body);
      }
      if (wrong !== 'cut') return void response.writeHead(answer.status, answer.headers).end(answer.body);
      const half = answer.body.subarray(0, Math.ceil(answer.body.length / 2));
      response.writeHead(answer.status, { ...answer.headers, 'content-length': answer.body.length + 1 });
      response.write(half, () => response.socket?.end());
    })().catch(() => response.destroy());
  });
  const { url, close } = await listen(server, {});
  return { url, [Symbol.asyncDispose]: close };
}

type Headers = Parameters<typeof request>[1]['headers'];

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Buffer;
}

async function ask(url: URL, method: string, headers: Headers, body: Buffer): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  request(url, { method, headers }, (answer) => {
    const { 'transfer-encoding': _, ...rest } = answer.headers;
    buffer(answer).then((whole) => resolve({ status: answer.statusCode ?? 502, headers: rest, body: whole }), reject);
  })
    .on('error', reject)
    .end(body);
  return await promise;
}
