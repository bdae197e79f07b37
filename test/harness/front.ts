import { createServer, type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import type { Endpoint } from '../../emulator/http.ts';
import { listen } from '../../emulator/server.ts';
import { routeService } from '../../emulator/service.ts';

/** A function rewrites the body. */
export type FrontFault =
  | 'silence'
  | ((body: string) => string)
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string };

/** Called for every request, as `METHOD /path`. Returns undefined if the response is passed on unchanged. */
export type FindFault = (line: string) => FrontFault | undefined;

/**
 * A server that passes requests on to another one, except for faults. With `certificate` it is an https server. It removes
 * `folder`, such as `/a`, from the beginning of every path.
 */
export async function startFront(
  target: string,
  {
    fault: findFault,
    certificate,
    folder = '',
  }: { readonly fault?: FindFault } & Partial<Record<'certificate' | 'folder', string>>,
) {
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL((incoming.url ?? '/').replace(folder, ''), target);
    const fault = findFault?.(`${incoming.method} ${decodeURIComponent(url.pathname)}`);
    if (typeof fault === 'string' || typeof fault === 'object') {
      await buffer(incoming);
      if (typeof fault === 'object') response.writeHead(fault.status, fault.headers).end(fault.body);
      return;
    }
    const { status, headers, body } = await forward(incoming, url);
    const sent = fault ? Buffer.from(fault(body.toString('utf8'))) : body;
    response.writeHead(status, { ...headers, 'content-length': sent.length }).end(sent);
  };
  const handle: RequestListener = (incoming, response) => {
    serve(incoming, response).catch(() => response.destroy());
  };
  const server = certificate ? createTlsServer({ cert: certificate, key: certificate }, handle) : createServer(handle);
  const { url, close } = await listen(server);
  return {
    url: certificate ? url.replace('http://127.0.0.1', 'https://localhost') : url,
    [Symbol.asyncDispose]: close,
  };
}

async function forward(incoming: IncomingMessage, url: URL) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { method, headers } = incoming;
  const onward = request(url, { method, headers }, resolve);
  onward.on('error', reject);
  incoming.on('error', reject);
  incoming.pipe(onward);
  const response = await promise;
  const { 'transfer-encoding': _, connection: _connection, ...kept } = response.headers;
  return { status: response.statusCode ?? 502, headers: kept, body: await buffer(response) };
}

/** Rewrites the origin of presigned upload addresses. */
export function storageAt(origin: string): FindFault {
  return () => (body) => body.replace(/(?<="uploadUrl":")https?:\/\/[^/]+/, origin);
}

/** @param line a request, as `METHOD /path` */
export function endpointOf(line: string): Endpoint | undefined {
  const [method = '', path = ''] = line.split(' ');
  const { endpoint } = routeService(method, new URL(path, 'http://service.test'), undefined);
  return endpoint === 'unknown' ? undefined : endpoint;
}
