import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { exchange } from '../../src/http/exchange.ts';
import { ConnectionError, type HttpAnswer, type HttpRequest, type StreamedBody } from '../../src/http/http.ts';
import { createNodeTransport } from '../../src/http/node-transport.ts';
import { createUndiciTransport } from '../../src/http/undici-transport.ts';

const PATIENCE = { answerMs: 10_000, stallMs: 10_000 };
const TRANSPORTS = {
  'node:http': createNodeTransport,
  undici: () => createUndiciTransport({ http: '', https: '', except: '' }),
};

let server: Server;
let ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends) await end();
  ends = [];
});

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return `http://127.0.0.1:${address.port}/x?y=1`;
}

/** One buffer for all pieces, as a body may do it: whoever keeps a piece sees it change. */
function bodyOf(...texts: readonly string[]): StreamedBody & { closed: boolean } {
  const buffer = Buffer.alloc(Math.max(...texts.map((text) => text.length)));
  return {
    closed: false,
    pieces: (async function* () {
      for (const text of texts) {
        buffer.fill(0).write(text);
        yield buffer.subarray(0, text.length);
      }
    })(),
    async close() {
      this.closed = true;
    },
  };
}

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) yield Buffer.alloc(65_536);
}

describe.each(Object.entries(TRANSPORTS))('%s', (_, create) => {
  async function send(url: string, request: Partial<HttpRequest> = {}): Promise<HttpAnswer> {
    const transport = create();
    ends.push(async () => await transport.close());
    const signal = new AbortController().signal;
    return await exchange({ method: 'GET', url, headers: {}, timeouts: PATIENCE, signal, ...request }, transport);
  }

  it('a streamed body arrives whole, with its length and not in chunks', async () => {
    let seen: unknown;
    const url = await serve(async (incoming, response) => {
      const text = (await incoming.setEncoding('utf8').toArray()).join('');
      const { 'content-length': length, 'transfer-encoding': encoding } = incoming.headers;
      seen = { method: incoming.method, url: incoming.url, text, length, encoding };
      response.writeHead(201, { 'retry-after': '7', location: '/there' }).end('stored');
    });
    const body = bodyOf('first ', 'second ', 'third');
    const answer = await send(url, { method: 'PUT', headers: { 'content-length': '18' }, body });

    expect(seen).toEqual({
      method: 'PUT',
      url: '/x?y=1',
      text: 'first second third',
      length: '18',
      encoding: undefined,
    });
    expect(answer).toEqual({ status: 201, retryAfter: '7', location: '/there', text: 'stored' });
    expect(body.closed).toBe(true);
  });

  it('an answer that comes before all was sent counts, and ends the sending', async () => {
    const url = await serve((_request, response) => response.writeHead(413).end('too large'));
    let closed = false;
    const close = async (): Promise<void> => {
      closed = true;
    };
    const headers = { 'content-length': '1000000000000' };
    const answer = await send(url, { method: 'PUT', headers, body: { pieces: endless(), close } });
    expect(answer).toMatchObject({ status: 413, text: 'too large' });
    expect(closed).toBe(true);
  });

  it('a redirect is an answer', async () => {
    const url = await serve((_request, response) => response.writeHead(307, { location: 'http://x.invalid/' }).end());
    expect(await send(url)).toMatchObject({ status: 307, location: 'http://x.invalid/' });
  });

  it('a body that fails is told as it is', async () => {
    const url = await serve((incoming) => incoming.resume());
    const failure = new Error('the file is gone');
    const pieces = (async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('x');
      throw failure;
    })();
    const sending = send(url, {
      method: 'PUT',
      headers: { 'content-length': '2' },
      body: { pieces, close: async () => undefined },
    });
    await expect(sending).rejects.toBe(failure);
  });

  it.each<[string, RequestListener]>([
    ['closed without an answer', (incoming) => incoming.socket.end()],
    ['cut off in the answer', (_request, response) => response.writeHead(200, { 'content-length': '9' }).write('cut')],
  ])('%s: may have arrived', async (_title, listener) => {
    const url = await serve((incoming, response) => {
      listener(incoming, response);
      setImmediate(() => incoming.socket.destroy());
    });
    await expect(send(url)).rejects.toMatchObject({
      name: 'ConnectionError',
      what: expect.stringMatching(/^connection (closed before the answer was complete|reset)|^the answer was cut off/),
      maybeReceived: true,
    });
  });

  it('nobody there: cannot have arrived', async () => {
    const url = await serve(() => undefined);
    await ends.pop()?.();
    await expect(send(url)).rejects.toMatchObject({ what: expect.stringContaining('refused'), maybeReceived: false });
  });

  it.each<[string, RegExp, Partial<HttpRequest>, RequestListener]>([
    ['no answer', /^no answer for/, {}, () => undefined],
    ['an answer that stops', /^the answer broke off for/, {}, (_request, response) => void response.write('a')],
    [
      'a body that is not taken',
      /^the other side stopped taking the data for/,
      { method: 'PUT', headers: { 'content-length': '1000000000000' } },
      (incoming) => incoming.pause(),
    ],
  ])('%s is given up', async (_title, what, request, listener) => {
    const url = await serve(listener);
    const body = request.method === 'PUT' && { body: { pieces: endless(), close: async () => undefined } };
    const sending = send(url, { ...request, ...body, timeouts: { answerMs: 300, stallMs: 200 } });
    await expect(sending).rejects.toThrow(ConnectionError);
    await expect(sending).rejects.toMatchObject({ what: expect.stringMatching(what) });
  });

  it('a stop ends it at once, with its own reason', async () => {
    const stop = new AbortController();
    const url = await serve(() => stop.abort(new Error('stopped')));
    await expect(send(url, { signal: stop.signal })).rejects.toThrow('stopped');
  });

  it('connections are kept, but for a request that wants its own', async () => {
    const visitors: (number | undefined)[] = [];
    const url = await serve((incoming, response) => {
      visitors.push(incoming.socket.remotePort);
      response.end('ok');
    });
    const transport = create();
    ends.push(async () => await transport.close());
    for (const freshConnection of [false, false, true]) {
      const { signal } = new AbortController();
      await exchange({ method: 'GET', url, headers: {}, timeouts: PATIENCE, signal, freshConnection }, transport);
      // Undici takes a moment to see that a connection is free.
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(visitors[0]).toBe(visitors[1]);
    expect(visitors[2]).not.toBe(visitors[1]);
  });
});
