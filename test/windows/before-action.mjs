import net from 'node:net';

// Wine 8 has no TCP_KEEPIDLE: libuv takes the refusal for a broken socket.
net.Socket.prototype.setKeepAlive = function setKeepAlive() {
  return this;
};
