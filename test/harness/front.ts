import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import type { Endpoint } from '../../emulator/http.ts';
import { listen } from '../../emulator/server.ts';
import { routeService } from '../../emulator/service.ts';
import type { Certificate } from './certificate.ts';

export type Json = Readonly<Record<string, unknown>>;

/** Replaces a JSON answer with another one, with status 200; undefined leaves it unchanged. */
export type Edit = (path: string, json: Json) => Json | undefined;

/** What comes instead of the answer. `cut`: half of it, and then the connection ends. A function rewrites its body. */
export type FrontFault =
  | 'reset'
  | 'silence'
  | 'cut'
  | ((body: string) => string)
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string };

export interface FrontOptions {
  readonly edit?: Edit;
  /** Called for every request, as `METHOD /path`. */
  readonly fault?: (line: string) => FrontFault | undefined;
  readonly certificate?: Certificate;
}

export interface Front extends AsyncDisposable {
  readonly url: string;
  /** Remote ports of the clients: shows whether they came through a proxy. */
  readonly clientPorts: ReadonlySet<number>;
}

/** Stands before a server and passes everything on unchanged, except what `edit` and `fault` ask for. */
export async function startFront(target: string, { edit, fault, certificate }: FrontOptions): Promise<Front> {
  const clientPorts = new Set<number>();
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (incoming.socket.remotePort !== undefined) clientPorts.add(incoming.socket.remotePort);
    const url = new URL(incoming.url ?? '/', target);
    const wrong = fault?.(`${incoming.method} ${decodeURIComponent(url.pathname)}`);
    if (wrong === 'reset' || wrong === 'silence' || typeof wrong === 'object') {
      await buffer(incoming);
      if (wrong === 'reset') incoming.socket.resetAndDestroy();
      if (typeof wrong === 'object') response.writeHead(wrong.status, wrong.headers).end(wrong.body);
      return;
    }
    const { status, headers, body } = await forward(incoming, url);
    if (wrong === 'cut') {
      response.writeHead(status, { ...headers, 'content-length': body.length + 1 });
      response.write(body.subarray(0, Math.ceil(body.length / 2)), () => response.socket?.end());
      return;
    }
    const isJson = headers['content-type'] === 'application/json';
    const edited = isJson ? edit?.(url.pathname, JSON.parse(body.toString('utf8'))) : undefined;
    const rewritten = wrong ? wrong(body.toString('utf8')) : edited && JSON.stringify(edited);
    const sent = rewritten === undefined ? body : Buffer.from(rewritten);
    response.writeHead(edited ? 200 : status, { ...headers, 'content-length': sent.length }).end(sent);
  };
  const handle: Parameters<typeof createServer>[1] = (incoming, response) => {
    serve(incoming, response).catch(() => response.destroy());
  };
  const server = certificate ? createTlsServer(certificate, handle) : createServer(handle);
  const { url, close } = await listen(server);
  return {
    url: certificate ? url.replace('http://127.0.0.1', 'https://localhost') : url,
    clientPorts,
    [Symbol.asyncDispose]: close,
  };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

async function forward(incoming: IncomingMessage, url: URL): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const { method, headers } = incoming;
  const onward = request(url, { method, headers }, (answer) => {
    const { 'transfer-encoding': _, ...rest } = answer.headers;
    buffer(answer).then((body) => resolve({ status: answer.statusCode ?? 502, headers: rest, body }), reject);
  });
  onward.on('error', reject);
  incoming.on('error', reject);
  incoming.pipe(onward);
  return await promise;
}

/** Leads uploads to another address. */
export function storageAt(own: string, other: string): Edit {
  return (_, json) =>
    'uploadUrl' in json ? { ...json, uploadUrl: String(json['uploadUrl']).replace(own, other) } : undefined;
}

export function assetsIn({ assets }: Json): readonly Json[] {
  return Array.isArray(assets) ? assets : [];
}

/** @param line a request, as `METHOD /path` */
export function endpointOf(line: string): Endpoint | undefined {
  const [method = '', path = ''] = line.split(' ');
  const { endpoint } = routeService(method, new URL(path, 'http://service.test'), undefined);
  return endpoint === 'unknown' ? undefined : endpoint;
}
