import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { listen } from '../../emulator/server.ts';

export type ProxyBehaviour = 'works' | 'requires credentials' | 'forbids';

/** As squid responds. */
const REFUSALS: Partial<Record<ProxyBehaviour, string>> = {
  'requires credentials':
    'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="x"\r\nContent-Length: 2\r\n\r\nno',
  forbids: 'HTTP/1.1 403 Forbidden\r\nX-Squid-Error: ERR_ACCESS_DENIED 0\r\nContent-Length: 2\r\n\r\nno',
};

/** A forward proxy for tunnels (CONNECT). `places` has addresses of hosts without a DNS entry. */
export async function startProxy(behaviour: ProxyBehaviour = 'works', places: Readonly<Record<string, string>> = {}) {
  /** The `host:port` of every tunnel. */
  const targets: string[] = [];
  const tunnels = new Set<Socket>();

  const server = createServer();
  server.on('connect', (incoming, client: Socket) => {
    targets.push(incoming.url ?? '');
    tunnels.add(client.on('error', () => client.destroy()));
    const refusal = REFUSALS[behaviour];
    if (refusal) return void client.end(refusal);
    const target = new URL(`http://${incoming.url}`);
    const { hostname, port } = new URL(places[target.hostname] ?? target);
    const onward = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(client).pipe(onward);
    });
    tunnels.add(onward.on('error', () => client.destroy()));
  });

  const { url, close } = await listen(server);
  return {
    url,
    targets,
    async [Symbol.asyncDispose]() {
      for (const socket of tunnels) socket.destroy();
      await close();
    },
  };
}
