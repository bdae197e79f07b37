import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface TlsRelay extends AsyncDisposable {
  readonly url: string;
  /** Changes the next bytes that the server sends, whichever connection they are for. */
  damageNext(damage: (bytes: Buffer) => Buffer): void;
}

/** Passes the bytes of TLS connections on to a server, and changes some of them on the way back. */
export async function startTlsRelay(target: string): Promise<TlsRelay> {
  const sockets = new Set<Socket>();
  const { hostname, port } = new URL(target);
  let pending: ((bytes: Buffer) => Buffer) | undefined;
  const server = createServer((client) => {
    const onward = connect(Number(port), hostname);
    for (const socket of [client, onward]) sockets.add(socket.on('error', () => socket.destroy()));
    client.pipe(onward);
    onward.on('data', (bytes: Buffer) => {
      const damage = pending;
      pending = undefined;
      client.write(damage ? damage(bytes) : bytes);
    });
    onward.on('end', () => client.end());
    client.on('close', () => onward.destroy());
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The relay has no port.');
  return {
    url: `https://localhost:${bound.port}`,
    damageNext: (damage) => {
      pending = damage;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}
