import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Passes bytes on to a server without reading them. */
export async function startRelay(target: string) {
  const sockets = new Set<Socket>();
  const { protocol, hostname, port } = new URL(target);
  let replacement: Buffer | undefined;
  const server = createServer((client) => {
    const onward = connect(Number(port), hostname);
    for (const socket of [client, onward]) sockets.add(socket.on('error', () => socket.destroy()));
    client.on('data', (bytes) => onward.write(bytes));
    onward.on('data', (bytes: Buffer) => {
      client.write(replacement ?? bytes);
      replacement = undefined;
    });
    onward.on('end', () => client.end());
    client.on('close', () => onward.destroy());
  });
  // The certificate of the tests is for localhost, not for 127.0.0.1.
  const host = protocol === 'https:' ? 'localhost' : '127.0.0.1';
  server.listen(0, host);
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The relay has no port.');
  return {
    url: `${protocol}//${host}:${bound.port}`,
    /** Replaces the next bytes that the server sends, whichever connection they are for. */
    replaceNext: (bytes: Buffer) => void (replacement = bytes),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}
