import { once } from 'node:events';
import type { Server } from 'node:http';

export interface Address {
  /** Default: any free one. */
  readonly port?: number;
  /** Default: 127.0.0.1. */
  readonly host?: string;
}

/** Starts a server. Returns its URL, and a function that closes it with all its connections. */
export async function listen(server: Server, address: Address): Promise<{ url: string; close: () => Promise<void> }> {
  const host = address.host ?? '127.0.0.1';
  server.listen(address.port ?? 0, host);
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The server has no port.');
  // A wildcard address can be listened on but not called.
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return {
    url: `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${bound.port}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
