import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import type { Client, Dispatcher } from 'undici';

/** An idle connection is closed after this time, before the usual load balancers would close it. */
const KEEP_ALIVE_MS = 4_000;
/** How long establishing a connection may take, directly or through a proxy. */
export const CONNECT_MS = 20_000;

/** If TLS breaks after the handshake, the socket emits `error` but not `close`, and undici would wait for `close`. */
function destroyAfterError(message: unknown): void {
  if (typeof message !== 'object' || message === null || !('socket' in message)) return;
  const { socket } = message;
  if (socket instanceof Socket) socket.on('error', () => socket.destroy());
}

/**
 * Connects through the proxy in the variables that `unifyProxies` has rewritten. HTTP/2 stays off: several large bodies
 * over one connection share one window and slow each other down.
 */
export async function createAgent(
  timeouts: Pick<Client.Options, 'headersTimeout' | 'bodyTimeout'> = {},
): Promise<Dispatcher> {
  // undici is loaded at the first request: a run that sends nothing ends 50 ms earlier.
  const { EnvHttpProxyAgent } = await import('undici');
  // All agents share the channel: without `unsubscribe`, each agent would subscribe the function once more.
  unsubscribe('undici:client:connected', destroyAfterError);
  subscribe('undici:client:connected', destroyAfterError);
  return new EnvHttpProxyAgent({
    ...timeouts,
    allowH2: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectTimeout: CONNECT_MS,
    // Plain http is allowed for this machine only and uses no proxy.
    httpProxy: '',
    // The entries `.host` are removed. `unifyProxies` adds them for the client that stores artifacts. undici would take
    // them for every port of the host, although the user may have excepted one port only.
    noProxy: (process.env['NO_PROXY'] ?? '').replaceAll(/(?<=^|,)\.[^,]*/g, ''),
  });
}
