import net from 'node:net';

// Wine 8 cannot run Node 24, so the build was rewritten for the one that it can run.
Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '24.0.0' } });

// Wine 8 has no TCP_KEEPIDLE: libuv takes the refusal for a broken socket.
net.Socket.prototype.setKeepAlive = function setKeepAlive() {
  return this;
};
