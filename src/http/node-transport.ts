import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { Transport } from './exchange.ts';
import type { HttpRequest } from './http.ts';
import type { StallTimer } from './stall-timer.ts';

/** Shorter than the idle timeout of the usual load balancers, so that it is us who close first. */
export const KEEP_ALIVE_MS = 4_000;

/** Straight to the other side, over Node's own client: it loads fast, and what is written goes to the socket uncopied. */
export function createNodeTransport(): Transport {
  const options = { keepAlive: true, timeout: KEEP_ALIVE_MS };
  const agents = { http: new http.Agent(options), https: new https.Agent(options) };

  return {
    async begin(request, watch, signal) {
      const url = new URL(request.url);
      const scheme = url.protocol === 'https:' ? 'https' : 'http';
      const { method, headers } = request;
      const agent = request.freshConnection ? false : agents[scheme];
      const outgoing = { http, https }[scheme].request(url, { method, headers, agent, signal });
      const incoming = await new Promise<http.IncomingMessage>((resolve, reject) => {
        outgoing.on('socket', (socket) => watchConnecting(socket, scheme, watch));
        outgoing.on('response', resolve);
        // Also after the answer began: what breaks then, its body tells.
        outgoing.on('error', reject);
        send(outgoing, request.body, watch).catch((error: unknown) => {
          outgoing.destroy();
          reject(error);
        });
      });
      const end = (): void => {
        if (!outgoing.writableFinished) outgoing.destroy();
      };
      return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: incoming, end };
    },
    async close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

function watchConnecting(socket: Socket, scheme: 'http' | 'https', watch: StallTimer): void {
  if (!socket.connecting) return;
  watch.connecting();
  socket.once(scheme === 'https' ? 'secureConnect' : 'connect', () => watch.connected());
}

/** Waits for each piece to be taken before it asks for the next: that is the backpressure, and frees the piece's memory. */
async function send(outgoing: http.ClientRequest, body: HttpRequest['body'], watch: StallTimer): Promise<void> {
  if (typeof body !== 'object') {
    outgoing.end(body);
    return;
  }
  for await (const piece of body.pieces) {
    await new Promise<void>((resolve, reject) => {
      outgoing.write(piece, (error) => (error ? reject(error) : resolve()));
    });
    watch.sent();
  }
  outgoing.end();
  watch.sentAll();
}
