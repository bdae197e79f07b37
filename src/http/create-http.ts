import { exchange, type Transport } from './exchange.ts';
import type { Http } from './http.ts';
import { createNodeTransport } from './node-transport.ts';
import { proxySettings } from './proxy.ts';

/** Http, through the proxies that the environment names. `NODE_EXTRA_CA_CERTS` is read by Node itself. */
export function createHttp(env: NodeJS.ProcessEnv = process.env): Http {
  const proxies = proxySettings(env);
  const direct = createNodeTransport();
  let proxied: Promise<Transport> | undefined;
  const load = async (): Promise<Transport> => {
    const { createUndiciTransport } = await import('./undici-transport.ts');
    return createUndiciTransport(proxies);
  };

  return {
    async send(request) {
      const proxy = new URL(request.url).protocol === 'https:' ? proxies.https : proxies.http;
      return await exchange(request, proxy === '' ? direct : await (proxied ??= load()));
    },
    async close() {
      await Promise.all([direct.close(), proxied?.then(async (transport) => await transport.close())]);
    },
  };
}
