import { createServer, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { listen } from '../../emulator/server.ts';

export interface Proxy extends AsyncDisposable {
  readonly url: string;
  /** The requested targets, `host:port`, of tunnels and plain requests. */
  readonly asked: readonly string[];
  /** Local ports that it went out from. */
  readonly ways: ReadonlySet<number>;
  /** What it was shown as `Proxy-Authorization`. */
  readonly credentials: ReadonlySet<string | undefined>;
}

export type ProxyManners = 'works' | 'asks for credentials' | 'forbids' | 'never answers';

/**
 * A forward proxy: tunnels (CONNECT) and plain requests.
 *
 * @param places where hosts are that no name server knows
 */
export async function startProxy(
  manners: ProxyManners = 'works',
  places: Readonly<Record<string, string>> = {},
): Promise<Proxy> {
  const asked: string[] = [];
  const ways = new Set<number>();
  const credentials = new Set<string | undefined>();
  const tunnels = new Set<Socket>();
  const refusal = manners === 'asks for credentials' ? 407 : 403;

  const server = createServer((incoming, response) => {
    const target = new URL(incoming.url ?? '');
    asked.push(target.host);
    if (manners === 'never answers') return;
    if (manners !== 'works') {
      response.writeHead(refusal).end();
      return;
    }
    const { method } = incoming;
    // They are for the proxy alone.
    const { 'proxy-authorization': shown, ...headers } = incoming.headers;
    credentials.add(shown);
    const { hostname, port } = new URL(places[target.hostname] ?? target);
    const { pathname, search } = target;
    const onward = request({ hostname, port, path: pathname + search, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('socket', (socket) => noteWay(socket));
    onward.on('error', () => response.destroy());
    incoming.pipe(onward);
  });
  server.on('connect', (incoming, client: Socket) => {
    asked.push(incoming.url ?? '');
    tunnels.add(client);
    client.on('error', () => client.destroy());
    if (manners === 'never answers') return;
    if (manners !== 'works') {
      client.end(`HTTP/1.1 ${refusal} No\r\n\r\n`);
      return;
    }
    const target = new URL(`http://${incoming.url}`);
    const { hostname, port } = new URL(places[target.hostname] ?? target);
    const onward = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(client).pipe(onward);
    });
    tunnels.add(onward);
    noteWay(onward);
    onward.on('error', () => client.destroy());
  });
  function noteWay(socket: Socket): void {
    const note = (): void => {
      if (socket.localPort !== undefined) ways.add(socket.localPort);
    };
    if (socket.connecting) socket.once('connect', note);
    else note();
  }

  const { url, close } = await listen(server);
  return {
    url,
    asked,
    ways,
    credentials,
    async [Symbol.asyncDispose]() {
      for (const socket of tunnels) socket.destroy();
      await close();
    },
  };
}
