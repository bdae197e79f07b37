import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Passes bytes on to a port, only so many in a second, as a thin line does. */
export async function startThinLine(
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
  if (bound === null || typeof bound === 'string') throw new Error('The line has no port.');
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
