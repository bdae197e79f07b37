import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Passes bytes on to a server, at a limited rate. */
export async function startSlowConnection(
  target: string,
  bytesPerSecond: number,
): Promise<AsyncDisposable & { url: string }> {
  const sockets = new Set<Socket>();
  const { hostname, port } = new URL(target);
  const server = createServer((client) => {
    const onward = connect(Number(port), hostname);
    for (const socket of [client, onward]) sockets.add(socket.on('error', () => socket.destroy()));
    client.on('data', (piece) => {
      onward.write(piece);
      client.pause();
      setTimeout(() => client.resume(), (piece.length / bytesPerSecond) * 1000);
    });
    client.on('close', () => onward.destroy());
    onward.pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The server has no port.');
  return {
    url: `http://127.0.0.1:${bound.port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}
