import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttp } from '../../src/http/create-http.ts';
import { ConnectionError, type HttpRequest, type HttpResponse, type StreamedBody } from '../../src/http/http.ts';

const timeoutMs = 10_000;

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

async function send(url: string, request: Partial<HttpRequest> = {}): Promise<HttpResponse> {
  const http = createHttp({});
  ends.push(async () => await http.close());
  const signal = new AbortController().signal;
  return await http.send({ method: 'GET', url, headers: {}, timeoutMs, signal, ...request });
}

/** The pieces share a few large buffers in turn, as those of a file do. */
async function* bodyOf(pieces: number, bytes: number): StreamedBody {
  const buffers = Array.from({ length: 4 }, () => Buffer.alloc(bytes));
  for (let index = 0; index < pieces; index += 1) {
    const buffer = buffers[index % 4] ?? Buffer.alloc(0);
    yield buffer.fill(index);
  }
}

async function* endless(): StreamedBody {
  for (;;) yield Buffer.alloc(65_536);
}

const ENDLESS_PUT = { method: 'PUT', headers: { 'content-length': '1000000000000' } } as const;

it('a streamed body arrives whole, with its length and not in chunks', async () => {
  let seen: unknown;
  const [pieces, bytes] = [40, 300_000];
  const url = await serve(async (incoming, response) => {
    const received = Buffer.concat(await incoming.toArray());
    const isIntact = Array.from({ length: pieces }, (_, index) =>
      received.subarray(index * bytes, (index + 1) * bytes).every((byte) => byte === index),
    );
    const { 'content-length': length, 'transfer-encoding': encoding } = incoming.headers;
    seen = { method: incoming.method, url: incoming.url, size: received.length, isIntact, length, encoding };
    response.writeHead(201, { 'retry-after': '7', location: '/there' }).end('stored');
  });
  const body = bodyOf(pieces, bytes);
  const response = await send(url, { method: 'PUT', headers: { 'content-length': String(pieces * bytes) }, body });

  expect(seen).toEqual({
    method: 'PUT',
    url: '/x?y=1',
    size: pieces * bytes,
    isIntact: Array(pieces).fill(true),
    length: String(pieces * bytes),
    encoding: undefined,
  });
  expect(response).toEqual({ status: 201, retryAfter: '7', location: '/there', text: 'stored' });
});

it.each<[string, RequestListener]>([
  ['closed without a response', (incoming) => incoming.socket.end()],
  ['cut off in the response', (_request, response) => response.writeHead(200, { 'content-length': '9' }).write('cut')],
])('%s: may have been received', async (_title, listener) => {
  const url = await serve((incoming, response) => {
    listener(incoming, response);
    setImmediate(() => incoming.socket.destroy());
  });
  await expect(send(url)).rejects.toMatchObject({ name: 'ConnectionError', facts: { maybeReceived: true } });
});

it('no server: cannot have been received', async () => {
  const url = await serve(() => undefined);
  await ends.pop()?.();
  await expect(send(url)).rejects.toMatchObject({
    message: expect.stringContaining('ECONNREFUSED'),
    facts: { maybeReceived: false },
  });
});

/** Sends a blank now and then, and never ends. */
const drip: RequestListener = (_request, response) => {
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
};

describe('time limits', () => {
  it.each<[string, RegExp, Partial<HttpRequest>, RequestListener]>([
    ['no response', /^no response for/, {}, () => undefined],
    [
      'a response that stops',
      /^the response was not complete after/,
      {},
      (_request, response) => void response.write('a'),
    ],
    ['a response that drips', /^the response was not complete after/, {}, drip],
    [
      'a body that is not taken',
      /^no response for/,
      { ...ENDLESS_PUT, body: endless() },
      (incoming) => void incoming.pause(),
    ],
    [
      'a response that drips while the body is being sent',
      /^the response was not complete after/,
      { ...ENDLESS_PUT, body: endless() },
      (incoming, response) => {
        incoming.resume();
        drip(incoming, response);
      },
    ],
  ])('%s is given up', async (_, what, request, listener) => {
    const url = await serve(listener);
    const sending = send(url, { ...request, timeoutMs: 200 });
    await expect(sending).rejects.toThrow(ConnectionError);
    await expect(sending).rejects.toMatchObject({
      message: expect.stringMatching(what),
      facts: { maybeReceived: true, silentMs: 200 },
    });
  });

  it('a connection that is not established is given up: cannot have been received', async () => {
    // The server never takes part in the TLS handshake.
    const sockets: Socket[] = [];
    const silent = createTcpServer((socket) => void sockets.push(socket.on('error', () => undefined)));
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    ends.push(async () => {
      for (const socket of sockets) socket.destroy();
      silent.close();
      await once(silent, 'close');
    });
    const address = silent.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const sending = send(`https://127.0.0.1:${port}/`, { timeoutMs: 200 });
    await expect(sending).rejects.toMatchObject({
      message: expect.stringMatching(/^no connection for/),
      facts: { maybeReceived: false },
    });
  });
});

describe('an abort', () => {
  it('ends a request at once, with its own reason', async () => {
    const stop = new AbortController();
    const url = await serve(() => stop.abort(new Error('stopped')));
    await expect(send(url, { signal: stop.signal })).rejects.toThrow('stopped');
  });

  it('before the connection is established: nothing is sent', async () => {
    let requests = 0;
    const stop = new AbortController();
    const url = await serve((_request, response) => {
      requests += 1;
      response.end();
    });
    const connected = once(server, 'connection');
    const abort = (): void => stop.abort(new Error('stopped'));
    subscribe('undici:client:beforeConnect', abort);
    await expect(send(url, { signal: stop.signal })).rejects.toThrow('stopped');
    unsubscribe('undici:client:beforeConnect', abort);
    // The socket connects nevertheless; a second request proves that the first one had its chance.
    await connected;
    await send(url);
    expect(requests).toBe(1);
  });
});

it('connections are kept, except for a request that asks for a new one', async () => {
  const visitors: (number | undefined)[] = [];
  const url = await serve((incoming, response) => {
    visitors.push(incoming.socket.remotePort);
    response.end('ok');
  });
  const http = createHttp({});
  ends.push(async () => await http.close());
  for (const freshConnection of [false, false, true]) {
    const { signal } = new AbortController();
    await http.send({ method: 'GET', url, headers: {}, timeoutMs, signal, freshConnection });
    // undici takes a moment to see that a connection is free.
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(visitors[0]).toBe(visitors[1]);
  expect(visitors[2]).not.toBe(visitors[1]);
});
