import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { getEventListeners, once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttp } from '../../src/http/create-http.ts';
import {
  ConnectionError,
  type HttpAnswer,
  type HttpRequest,
  MAX_ANSWER_BYTES,
  type StreamedBody,
  type Timeouts,
} from '../../src/http/http.ts';

const TIMEOUTS: Timeouts = { connectMs: 10_000, stallMs: 10_000, answerMs: 10_000 };

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

async function send(url: string, request: Partial<HttpRequest> = {}): Promise<HttpAnswer> {
  const http = createHttp({});
  ends.push(async () => await http.close());
  const signal = new AbortController().signal;
  return await http.send({ method: 'GET', url, headers: {}, timeouts: TIMEOUTS, signal, ...request });
}

/** The pieces share a few large buffers in turn, as those of a file do. */
function bodyOf(pieces: number, bytes: number): StreamedBody & { closed: boolean } {
  const buffers = Array.from({ length: 4 }, () => Buffer.alloc(bytes));
  return {
    closed: false,
    pieces: (async function* () {
      for (let index = 0; index < pieces; index += 1) {
        const buffer = buffers[index % 4] ?? Buffer.alloc(0);
        yield buffer.fill(index);
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
  const answer = await send(url, { method: 'PUT', headers: { 'content-length': String(pieces * bytes) }, body });

  expect(seen).toEqual({
    method: 'PUT',
    url: '/x?y=1',
    size: pieces * bytes,
    isIntact: Array(pieces).fill(true),
    length: String(pieces * bytes),
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
  const answer = await send(url, { ...ENDLESS_PUT, body: { pieces: endless(), close } });
  expect(answer).toMatchObject({ status: 413, text: 'too large' });
  expect(closed).toBe(true);
});

it('a redirect is an answer', async () => {
  const url = await serve((_request, response) => response.writeHead(307, { location: 'http://x.invalid/' }).end());
  expect(await send(url)).toMatchObject({ status: 307, location: 'http://x.invalid/' });
});

it('an informational response is not the answer', async () => {
  const url = await serve((_request, response) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    response.end('ok');
  });
  expect(await send(url)).toMatchObject({ status: 200, text: 'ok' });
});

it('an answer is read up to a size, and says so', async () => {
  const url = await serve((_request, response) => response.end(Buffer.alloc(MAX_ANSWER_BYTES + 1, 'x')));
  const answer = await send(url);
  expect(answer).toMatchObject({ status: 200, isTruncated: true });
  expect(answer.text.length).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
});

it('an answer of exactly that size is whole', async () => {
  const url = await serve((_request, response) => response.end(Buffer.alloc(MAX_ANSWER_BYTES, 'x')));
  const answer = await send(url);
  expect(answer).not.toHaveProperty('isTruncated');
  expect(answer.text).toHaveLength(MAX_ANSWER_BYTES);
});

it('an error of the body is thrown as it is', async () => {
  const url = await serve((incoming) => incoming.resume());
  const failure = new Error('the file is gone');
  const pieces = (async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from('x');
    throw failure;
  })();
  const body = { pieces, close: async () => undefined };
  await expect(send(url, { method: 'PUT', headers: { 'content-length': '2' }, body })).rejects.toBe(failure);
});

it.each<[string, RequestListener]>([
  ['closed without an answer', (incoming) => incoming.socket.end()],
  ['cut off in the answer', (_request, response) => response.writeHead(200, { 'content-length': '9' }).write('cut')],
])('%s: may have been received', async (_title, listener) => {
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

it('no server: cannot have been received', async () => {
  const url = await serve(() => undefined);
  await ends.pop()?.();
  await expect(send(url)).rejects.toMatchObject({ what: expect.stringContaining('refused'), maybeReceived: false });
});

/** Sends a blank now and then, and never ends. */
const drip: RequestListener = (_request, response) => {
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
};

describe('time limits', () => {
  it.each<[string, RegExp, Partial<Timeouts>, RequestListener]>([
    ['no answer', /^no answer for/, { answerMs: 200 }, () => undefined],
    [
      'an answer that stops',
      /^the answer stopped arriving for/,
      { stallMs: 200 },
      (_request, response) => void response.write('a'),
    ],
    [
      'a body that is not taken',
      /^the other side stopped taking the data for/,
      { stallMs: 200 },
      (incoming) => void incoming.pause(),
    ],
  ])('%s is given up', async (title, what, limit, listener) => {
    const url = await serve(listener);
    const put = { ...ENDLESS_PUT, body: { pieces: endless(), close: async () => undefined } };
    const sending = send(url, { ...(title.includes('body') && put), timeouts: { ...TIMEOUTS, ...limit } });
    await expect(sending).rejects.toThrow(ConnectionError);
    await expect(sending).rejects.toMatchObject({
      what: expect.stringMatching(what),
      maybeReceived: true,
      silentMs: expect.any(Number),
    });
  });

  it('a response that drips is given up', async () => {
    const url = await serve(drip);
    await expect(send(url, { timeouts: { ...TIMEOUTS, answerMs: 200 } })).rejects.toMatchObject({
      what: expect.stringMatching(/^the answer was not complete after/),
    });
  });

  it('a response that drips while the body is being sent is given up', async () => {
    const url = await serve((incoming, response) => {
      incoming.resume();
      drip(incoming, response);
    });
    const body = { pieces: endless(), close: async () => undefined };
    await expect(send(url, { ...ENDLESS_PUT, body, timeouts: { ...TIMEOUTS, answerMs: 200 } })).rejects.toMatchObject({
      what: expect.stringMatching(/^the answer was not complete after/),
    });
  });

  it('a deadline ends a request at once, whatever its other limits', async () => {
    const url = await serve(drip);
    await expect(send(url, { timeouts: { ...TIMEOUTS, totalMs: 100 } })).rejects.toMatchObject({
      what: expect.stringMatching(/^no complete answer within/),
      maybeReceived: true,
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
    const sending = send(`https://127.0.0.1:${port}/`, { timeouts: { ...TIMEOUTS, connectMs: 200 } });
    await expect(sending).rejects.toMatchObject({
      what: expect.stringMatching(/^no connection for/),
      maybeReceived: false,
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

  it('leaves no listener on the signal of the run', async () => {
    const { signal } = new AbortController();
    const url = await serve((_request, response) => response.end('ok'));
    await send(url, { signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
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
    await http.send({ method: 'GET', url, headers: {}, timeouts: TIMEOUTS, signal, freshConnection });
    // undici takes a moment to see that a connection is free.
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(visitors[0]).toBe(visitors[1]);
  expect(visitors[2]).not.toBe(visitors[1]);
});
