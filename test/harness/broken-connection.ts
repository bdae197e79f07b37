import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Endpoint } from '../../emulator/http.ts';
import { listen } from '../../emulator/server.ts';
import { endpointOf } from './front.ts';

/** How the connection breaks: the port is closed, or the name of the host is no longer known. */
export type Break = 'connection refused' | 'unknown host';

export interface BrokenConnection extends AsyncDisposable {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The last answer that comes through: the nth of an endpoint, from 1. */
export interface LastAnswer {
  readonly of: Endpoint;
  readonly nth: number;
}

/** Passes requests on to the service until a given answer, or none at all; then the service cannot be reached. */
export async function startBreakingConnection(
  target: string,
  how: Break,
  last: LastAnswer | undefined,
): Promise<BrokenConnection> {
  let left = last?.nth ?? 0;
  const flag = path.join(tmpdir(), `no-names-${randomUUID()}`);
  const server = createServer((incoming, response) => {
    const { method = '', headers, url = '/' } = incoming;
    const onward = request(new URL(url, target), { method, headers }, (answer) => {
      if (endpointOf(`${method} ${url}`) === last?.of) left -= 1;
      const isLast = left === 0;
      // Before the answer is sent: the next request must not get through.
      if (isLast) breakDown();
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...(isLast && { connection: 'close' }) });
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    incoming.pipe(onward);
  });
  const { url, close } = await listen(server);
  let isDown = false;
  const breakDown = (): void => {
    if (isDown) return;
    isDown = true;
    if (how === 'unknown host') writeFileSync(flag, '');
    else server.close();
    // Connections that are kept alive must not be used again.
    server.closeIdleConnections();
  };
  if (last === undefined) breakDown();
  return {
    url: how === 'unknown host' ? url.replace('127.0.0.1', 'localhost') : url,
    env:
      how === 'unknown host'
        ? { NODE_OPTIONS: `--import=${new URL('./no-names.mjs', import.meta.url).href}`, NO_NAMES_WHILE: flag }
        : {},
    async [Symbol.asyncDispose]() {
      rmSync(flag, { force: true });
      if (how === 'unknown host' || !isDown) await close();
      else server.closeAllConnections();
    },
  };
}
