import net from 'node:net';

// Wine 8 cannot run Node 24, so this is Node 22 and claims to be Node 24.
Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '24.0.0' } });

// Wine 8 does not support TCP_KEEPIDLE, and libuv then treats the socket as broken.
net.Socket.prototype.setKeepAlive = function setKeepAlive() {
  return this;
};
