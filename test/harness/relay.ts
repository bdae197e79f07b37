import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Passes bytes on to a server without reading them, and takes only so many from the client in a second. */
export async function startRelay(target: string, bytesPerSecond: number) {
  const sockets = new Set<Socket>();
  const { hostname, port } = new URL(target);
  const server = createServer((client) => {
    const onward = connect(Number(port), hostname);
    for (const socket of [client, onward]) sockets.add(socket.on('error', () => socket.destroy()));
    client.on('data', (bytes) => {
      onward.write(bytes);
      client.pause();
      setTimeout(() => client.resume(), (bytes.length / bytesPerSecond) * 1000);
    });
    onward.pipe(client);
    client.on('close', () => onward.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  return {
    url: `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}
