import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { listen } from '../../emulator/listen.ts';
import type { Certificate } from './certificate.ts';

export type Json = Readonly<Record<string, unknown>>;

/** Puts another JSON in place of an answer, with 200; undefined leaves it as it is. */
export type Edit = (path: string, json: Json) => Json | undefined;

export interface FrontOptions {
  readonly edit?: Edit;
  /** Speaks https. */
  readonly certificate?: Certificate;
}

export interface Front extends AsyncDisposable {
  readonly url: string;
  /** Local ports of those who came: tells whether they came through a proxy. */
  readonly visitors: ReadonlySet<number>;
}

/** Stands before a server and passes everything on, byte for byte but for what `edit` changes. */
export async function startFront(target: string, { edit, certificate }: FrontOptions): Promise<Front> {
  const visitors = new Set<number>();
  const handle: Parameters<typeof createServer>[1] = (incoming, response) => {
    if (incoming.socket.remotePort !== undefined) visitors.add(incoming.socket.remotePort);
    const { method, headers, url = '/' } = incoming;
    const onward = request(new URL(url, target), { method, headers }, async (answer) => {
      const body = await textOf(answer);
      const edited = isJson(answer) ? edit?.(new URL(url, target).pathname, JSON.parse(body)) : undefined;
      const sent = edited === undefined ? body : JSON.stringify(edited);
      const length = { 'content-length': String(Buffer.byteLength(sent)) };
      const status = edited === undefined ? (answer.statusCode ?? 502) : 200;
      response.writeHead(status, { ...answer.headers, ...length }).end(sent);
    });
    onward.on('error', () => response.destroy());
    incoming.pipe(onward);
  };
  const server: Server = certificate ? createTlsServer(certificate, handle) : createServer(handle);
  const { url, close } = await listen(server, {});
  return {
    url: certificate ? url.replace('http://127.0.0.1', 'https://localhost') : url,
    visitors,
    [Symbol.asyncDispose]: close,
  };
}

function isJson({ headers }: IncomingMessage): boolean {
  return headers['content-type'] === 'application/json';
}

async function textOf(stream: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of stream as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

/** Leads uploads to another address. */
export function storageAt(own: string, other: string): Edit {
  return (_, json) =>
    'uploadUrl' in json ? { ...json, uploadUrl: String(json['uploadUrl']).replace(own, other) } : undefined;
}

/** The assets of a submission that is on its way. */
export function assetsIn({ assets }: Json): readonly Json[] {
  return Array.isArray(assets) ? assets : [];
}
