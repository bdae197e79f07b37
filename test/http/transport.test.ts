import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ConnectionError, type HttpRequest, type StreamedBody } from '../../src/http/http.ts';
import { createHttp } from '../../src/http/transport.ts';
import { startProxy } from '../harness/proxy.ts';

const it = test
  .extend('server', async ({}, { onCleanup }) => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    onCleanup(() => {
      server.closeAllConnections();
      server.close();
    });
    return server;
  })
  .extend('url', ({ server }) => {
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/x?y=1`;
  })
  .extend('send', ({ url }) => {
    const http = createHttp();
    const common = { method: 'GET', url, headers: {}, timeoutMs: 60_000 } as const;
    return async (request: Partial<HttpRequest> = {}) =>
      await http.send({ ...common, signal: new AbortController().signal, ...request });
  });

/** Yields pieces that reuse four buffers, as the body of a file does. */
async function* bodyOf(pieces: number, bytes: number): StreamedBody {
  const buffers = Array.from({ length: 4 }, () => Buffer.alloc(bytes));
  for (let index = 0; index < pieces; index += 1) yield (buffers[index % 4] ?? Buffer.alloc(0)).fill(index);
}

it('a streamed body arrives whole, with its length and not in chunks', async ({ server, send }) => {
  let seen: unknown;
  const [pieces, bytes] = [40, 300_000];
  server.on('request', async (incoming, response) => {
    const received = Buffer.concat(await incoming.toArray());
    const isIntact = received.every((byte, at) => byte === Math.floor(at / bytes));
    const { 'content-length': length, 'transfer-encoding': encoding } = incoming.headers;
    seen = { method: incoming.method, url: incoming.url, size: received.length, isIntact, length, encoding };
    response.writeHead(201, { 'retry-after': '7', location: '/there' }).end('stored');
  });
  const size = pieces * bytes;
  const length = String(size);
  const headers = { 'content-length': length };
  const response = await send({ method: 'PUT', headers, body: bodyOf(pieces, bytes) });
  expect(seen).toEqual({ method: 'PUT', url: '/x?y=1', size, isIntact: true, length, encoding: undefined });
  expect(response).toEqual({ status: 201, retryAfter: '7', text: 'stored' });
});

it.for<[string, RequestListener]>([
  ['closed without a response', (incoming) => incoming.socket.end()],
  ['cut off in the response', (_request, response) => response.writeHead(200, { 'content-length': '9' }).write('cut')],
])('%s: may have been received', async ([, listener], { server, send }) => {
  server.on('request', (incoming, response) => {
    listener(incoming, response);
    setImmediate(() => incoming.socket.destroy());
  });
  await expect(send()).rejects.toMatchObject({ name: 'ConnectionError', kind: 'lost' });
});

it('a response of more than 16 MB is not kept', async ({ server, send }) => {
  let bytes = 16_000_000;
  server.on('request', (_request, response) => response.end(Buffer.alloc(bytes, 'x')));
  expect((await send()).text).toHaveLength(bytes);
  bytes += 1;
  expect((await send()).text).toBeUndefined();
});

it.for<[string, (bytes: Buffer) => Buffer]>([
  ['gzip', gzipSync],
  // The best compression takes seconds on a busy machine.
  ['br', (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
])('a response in %s is decoded, up to 16 MB', async ([encoding, compress], { server, send }) => {
  // Compressing takes seconds on a busy machine, so it is done before the first connection, which would be closed.
  const bodies = [Buffer.from('{"a":1}'), Buffer.alloc(16_000_001, 'x')].map(compress);
  server.on('request', (_request, response) =>
    response.writeHead(200, { 'content-encoding': encoding }).end(bodies.shift()),
  );
  expect((await send()).text).toBe('{"a":1}');
  expect((await send()).text).toBeUndefined();
});

it('a response that cannot be decoded did not arrive', async ({ server, send }) => {
  server.on('request', (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('{"a":1}'));
  await expect(send()).rejects.toMatchObject({ name: 'ConnectionError', kind: 'lost' });
});

it.for([301, 302, 303, 307, 308])('a redirect with %d is not followed', async (status, { server, send }) => {
  const seen: (string | undefined)[] = [];
  server.on('request', ({ url: path }, response) => {
    seen.push(path);
    response.writeHead(status, { location: '/z' }).end();
  });
  expect((await send()).status).toBe(status);
  expect(seen).toEqual(['/x?y=1']);
});

/** Sends a space every 20 ms and never ends the response. */
const drip: RequestListener = (incoming, response) => {
  incoming.resume();
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
};
const endless = (body = bodyOf(Number.POSITIVE_INFINITY, 65_536)): Partial<HttpRequest> => ({
  method: 'PUT',
  headers: { 'content-length': '1000000000000' },
  body,
});

it.for<[string, number, RequestListener]>([
  ['refused before it was read', 10_000, (_request, response) => response.writeHead(403).end()],
  ['not taken', 200, (incoming) => void incoming.pause()],
])('a streamed body has ended when the request has: %s', async ([, timeoutMs, listener], { server, send }) => {
  let isOpen = false;
  async function* body(): StreamedBody {
    isOpen = true;
    try {
      yield* bodyOf(Number.POSITIVE_INFINITY, 65_536);
    } finally {
      // Closing a file is asynchronous as well.
      await new Promise((resolve) => setImmediate(resolve));
      isOpen = false;
    }
  }
  server.on('request', listener);
  await send({ ...endless(body()), timeoutMs }).catch(() => undefined);
  expect(isOpen).toBe(false);
});

/** Takes three seconds. */
async function* slow(): StreamedBody {
  for (let piece = 0; piece < 5; piece += 1) {
    await sleep(600);
    yield Buffer.from('x');
  }
}

describe.concurrent('time limits', () => {
  // This is enough to connect on a busy machine.
  const timeoutMs = 2_000;
  const [SILENT, INCOMPLETE] = [/^no response for/, /^the response was not complete after/];

  it.for<[string, RegExp, Partial<HttpRequest>, RequestListener]>([
    ['no response', SILENT, {}, () => undefined],
    ['a response that drips', INCOMPLETE, {}, drip],
    ['a body that is not taken', SILENT, endless(), (incoming) => void incoming.pause()],
    ['a response that drips while the body is being sent', INCOMPLETE, endless(), drip],
  ])('%s is given up', async ([, what, request, listener], { server, send }) => {
    server.on('request', listener);
    const error = await send({ ...request, timeoutMs }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ message: expect.stringMatching(what), kind: 'lost' });
  });

  it('a body that keeps moving may take longer', async ({ server, send }) => {
    server.on('request', (incoming, response) => void incoming.resume().on('end', () => response.end('stored')));
    const request = { method: 'PUT', headers: { 'content-length': '5' }, body: slow(), timeoutMs } as const;
    expect((await send(request)).text).toBe('stored');
  });

  it('the response to a large body may take longer', async ({ server, send }) => {
    const answer = (response: ServerResponse): void => void setTimeout(() => response.end('stored'), 1.5 * timeoutMs);
    server.on('request', (incoming, response) => void incoming.resume().on('end', () => answer(response)));
    const headers = { 'content-length': '1000000' };
    const request = { method: 'PUT', headers, body: bodyOf(10, 100_000), timeoutMs } as const;
    expect((await send(request)).text).toBe('stored');
  });

  it('a connection that is not established is given up: cannot have been received', async ({ server, url, send }) => {
    // The server never takes part in the TLS handshake.
    server.removeAllListeners('connection').on('connection', (socket) => socket.on('error', () => undefined).resume());
    await expect(send({ url: url.replace('http:', 'https:'), timeoutMs: 200 })).rejects.toMatchObject({
      // The time limit of the request is shorter than that of a connection, so it applies.
      message: 'no connection for 0 s',
      kind: 'no connection',
    });
  });
});

it('an abort ends a request at once, with its own reason', async ({ server, send }) => {
  const stop = new AbortController();
  server.on('request', () => stop.abort(new Error('stopped')));
  await expect(send({ signal: stop.signal })).rejects.toThrow('stopped');
});

it('after an abort before the connection is established, nothing is sent', async ({ server, send }) => {
  let requests = 0;
  const stop = new AbortController();
  const abort = () => stop.abort(new Error('stopped'));
  server.on('request', (_request, response) => {
    requests += 1;
    response.end();
  });
  const connected = once(server, 'connection');
  subscribe('undici:client:beforeConnect', abort);
  await expect(send({ signal: stop.signal })).rejects.toThrow('stopped');
  unsubscribe('undici:client:beforeConnect', abort);
  // The aborted request still opens a connection. When the second one is served, the first would have been, too.
  await connected;
  await send();
  expect(requests).toBe(1);
});

it('connections are kept, except that of a request that asks for a new one', async ({ server, send }) => {
  const visitors: (number | undefined)[] = [];
  const firstClosed = Promise.withResolvers<number | undefined>();
  server.on('connection', (socket) => {
    const { remotePort } = socket;
    socket.on('close', () => firstClosed.resolve(remotePort));
  });
  server.on('request', (incoming, response) => {
    visitors.push(incoming.socket.remotePort);
    response.end('ok');
  });
  for (const freshConnection of [false, false, true]) {
    await send({ freshConnection });
    // undici marks a connection as free only after the current tick.
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(visitors[0]).toBe(visitors[1]);
  expect(visitors[2]).not.toBe(visitors[1]);
  expect(await firstClosed.promise).toBe(visitors[2]);
});

it.for([
  ['the port that `NO_PROXY` names, without the proxy', 'https://localhost:1/', 'no connection', 0],
  ['another port of that host, through the proxy', 'https://localhost:2/', 'no access', 1],
] as const)('a request goes to %s', async ([, url, kind, tunnels], { send }) => {
  await using proxy = await startProxy('forbids');
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('HTTPS_PROXY', proxy.url);
  // As `unifyProxies` writes the exception `localhost:1`.
  vi.stubEnv('NO_PROXY', 'localhost:1,.localhost');
  await expect(send({ url })).rejects.toMatchObject({ kind });
  expect(proxy.targets).toHaveLength(tunnels);
});
