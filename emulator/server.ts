import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { responseInstead, type When } from './fault.ts';
import {
  type Body,
  type BodyKind,
  type Digest,
  type Endpoint,
  type HttpResponse,
  invalid,
  json,
  type RecordedRequest,
  Refusal,
  refusal,
  type UploadedFile,
} from './http.ts';
import { detect, MAX_DETECTION_BYTES } from './media-types.ts';
import type { Workspace } from './workspace.ts';

export interface Address {
  readonly port?: number;
  readonly host?: string;
}

/** Addresses that stand for every network of this machine. */
const WILDCARDS = ['0.0.0.0', '::'];

/**
 * Starts a server, by default on any free port and for this machine only. Returns its URL, and a function that closes it
 * with all its connections. It keeps idle ones: for a client whose clock stands still under load, they would be closed in
 * the middle of a request.
 */
export async function listen(
  server: Server,
  { port = 0, host = '127.0.0.1' }: Address = {},
): Promise<{ url: string; close: () => Promise<void> }> {
  server.keepAliveTimeout = 0;
  server.listen(port, host);
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The server has no port.');
  return {
    url: `http://${WILDCARDS.includes(host) ? '127.0.0.1' : host}:${bound.port}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

export interface Route {
  readonly server: 'service' | 'storage';
  readonly endpoint: Endpoint | 'unknown';
  /** As 402 and 429 name it. */
  readonly bucket: string;
  /** `undefined` if the key or URL belongs to no workspace. */
  readonly workspace: Workspace | undefined;
  readonly body: BodyKind;
  /** Of a PUT to storage. */
  readonly filename?: string;
  /** Handles the request; throws a `Refusal` if it is refused. */
  readonly work: (body: Body) => HttpResponse | Promise<HttpResponse>;
}

export interface Exchange {
  readonly request: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly url: URL;
  readonly route: Route;
  readonly onEnded: (record: RecordedRequest) => void;
}

/** Handles one request: records it, applies faults at their moment, does the work, responds. */
export async function serve(exchange: Exchange): Promise<void> {
  const { request, outgoing, route } = exchange;
  const { workspace, endpoint } = route;
  const record = newRecord(exchange);
  workspace?.requests.push(record);
  let isReset = false;
  outgoing.once('close', () => {
    record.endedAt = Date.now();
    record.aborted = !outgoing.writableFinished && !isReset;
    exchange.onEnded(record);
    workspace?.requestsChanged();
  });
  workspace?.requestsChanged();

  const nth = workspace?.faults.count(endpoint) ?? 0;
  /** Applies the fault of this moment, if there is one. Returns whether that ended the exchange. */
  const isEndedByFault = (when: When): boolean => {
    const fault = workspace?.faults.use({ endpoint, nth, when });
    if (fault === undefined) return false;
    const instead = responseInstead(fault, route.bucket);
    if (fault.reset) {
      isReset = true;
      request.socket.resetAndDestroy();
    } else if (instead !== undefined) {
      record.status = instead.status;
      send(outgoing, instead);
    }
    return true;
  };

  if (isEndedByFault('before-body')) return;
  const body = await readBody(request, route).catch(() => undefined);
  if (body === undefined) return;
  record.json = body.json;
  if (body.file !== undefined) {
    const { detected: _, ...file } = body.file;
    record.file = file;
  }
  if (isEndedByFault('before-work')) return;
  const respond = async (): Promise<HttpResponse> => await responseOf(route, body);
  const response = await (workspace?.handler?.(record, respond) ?? respond());
  if (isEndedByFault('after-work')) return;
  record.status = response.status;
  send(outgoing, response);
}

function send(outgoing: ServerResponse, { status, headers, body }: HttpResponse): void {
  outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
}

async function responseOf(route: Route, body: Body): Promise<HttpResponse> {
  try {
    return await route.work(body);
  } catch (error) {
    if (error instanceof Refusal) return error.response;
    // A defect of the emulator: a test should see it and not hang.
    return json(500, { detail: `The emulator failed: ${error instanceof Error ? error.stack : String(error)}` });
  }
}

function newRecord({ request, url, route }: Exchange): RecordedRequest {
  return {
    at: Date.now(),
    endedAt: undefined,
    server: route.server,
    endpoint: route.endpoint,
    method: request.method ?? '',
    path: decoded(url.pathname),
    query: Object.fromEntries(url.searchParams),
    headers: request.headers,
    json: undefined,
    file: undefined,
    status: undefined,
    aborted: false,
  };
}

/** The URL of a request. Its host is the name under which the client reaches this machine. */
export function urlOf({ headers, url }: IncomingMessage): URL {
  return (
    URL.parse(`http://${headers.host}${url}`) ?? URL.parse(`http://127.0.0.1${url}`) ?? new URL('http://127.0.0.1')
  );
}

/** Percent-decoded, if that is possible. */
export function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Reads every body to its end, so that a refusal reaches the client. Throws if the client disconnects. */
async function readBody(request: IncomingMessage, { body: kind, filename = '' }: Route): Promise<Body> {
  const contentType = request.headers['content-type'] ?? '';
  const sink = new DigestSink();
  const kept: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (kind === 'bytes') sink.write(chunk);
    else kept.push(chunk);
  }
  if (kind === 'bytes') return { file: { filename, contentType, ...(await sink.finish()) } };
  const bytes = Buffer.concat(kept);
  if (kind === 'json' && bytes.length === 0) return {};
  try {
    return kind === 'form' ? { file: await fileIn(bytes, contentType) } : { json: jsonIn(bytes, contentType) };
  } catch (error) {
    if (error instanceof Refusal) return { problem: error };
    throw error;
  }
}

function jsonIn(bytes: Buffer, contentType: string): unknown {
  if (!/^application\/json\s*(;|$)/i.test(contentType)) {
    throw invalid('body: It must be sent as application/json.');
  }
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    throw invalid('body: It is not JSON.');
  }
}

const BOUNDARY = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;
const DISPOSITION = /^content-disposition: *form-data; *name="file"; *filename="((?:[^"\\]|\\.)*)" *$/im;

/** The one part of a form, which must be a file named `file`. Nothing is forgiven that a real service might refuse. */
async function fileIn(bytes: Buffer, contentType: string): Promise<UploadedFile> {
  const boundary = BOUNDARY.exec(contentType);
  const opening = `--${boundary?.[1] ?? boundary?.[2]}\r\n`;
  const headersEnd = bytes.indexOf('\r\n\r\n');
  const headers = bytes.subarray(0, Math.max(0, headersEnd)).toString('utf8');
  const closing = `\r\n${opening.trimEnd()}`;
  const contentEnd = bytes.indexOf(closing, headersEnd + 4);
  const rest = contentEnd === -1 ? '' : bytes.subarray(contentEnd + closing.length).toString('latin1');
  const filename = DISPOSITION.exec(headers)?.[1];
  if (boundary === null || !headers.startsWith(opening) || !/^--(\r\n)?$/.test(rest) || filename === undefined) {
    throw refusal(422, 'The body must be multipart/form-data with exactly one part, a file named file.');
  }
  const sink = new DigestSink();
  sink.write(bytes.subarray(headersEnd + 4, contentEnd));
  return {
    filename: filename.replaceAll(/\\"|%22/g, '"'),
    contentType: /^content-type: *(.*)$/im.exec(headers)?.[1] ?? '',
    ...(await sink.finish()),
  };
}

class DigestSink {
  readonly #hash = createHash('sha256');
  readonly #head: Buffer[] = [];
  #size = 0;

  write(chunk: Uint8Array): void {
    // A copy: a view would keep the whole network buffer alive.
    const missing = MAX_DETECTION_BYTES - this.#size;
    if (missing > 0) this.#head.push(Buffer.from(chunk.subarray(0, missing)));
    this.#hash.update(chunk);
    this.#size += chunk.length;
  }

  async finish(): Promise<Digest> {
    const detected = await detect(Buffer.concat(this.#head));
    return { size: this.#size, sha256: this.#hash.digest('hex'), detected };
  }
}
