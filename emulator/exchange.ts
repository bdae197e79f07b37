import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, json, Refusal } from './answer.ts';
import { type Body, type BodyKind, readBody } from './body.ts';
import type { Fault, When } from './fault.ts';
import { answerInstead, send, sendDamaged } from './fault-answer.ts';
import type { Endpoint, RecordedRequest } from './record.ts';
import type { Workspace } from './workspace.ts';

/** What handles a request. */
export interface Route {
  readonly server: 'service' | 'storage';
  readonly endpoint: Endpoint | 'unknown';
  /** `undefined` if the key or URL belongs to no workspace. */
  readonly workspace: Workspace | undefined;
  readonly body: BodyKind;
  /** Filenames that the path refers to, for faults that match by name. */
  readonly names: readonly string[];
  /** Handles the request; throws a `Refusal` if it is refused. */
  readonly work: (body: Body) => Answer | Promise<Answer>;
}

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly route: Route;
  /** Called with the record when the exchange has ended. */
  readonly onEnded: (record: RecordedRequest) => void;
  /** Collects requests that belong to no workspace. */
  readonly unauthenticated: RecordedRequest[];
}

/** Handles one request: records it, applies faults at their moment, does the work, answers. */
export async function serve(exchange: Exchange): Promise<void> {
  const { request, response, route } = exchange;
  const { workspace } = route;
  const record = newRecord(exchange);
  (workspace?.requests ?? exchange.unauthenticated).push(record);
  let cutByUs = false;
  response.once('close', () => {
    record.endedAt = Date.now();
    record.aborted = !response.writableFinished && !cutByUs;
    exchange.onEnded(record);
    workspace?.requestsChanged();
  });
  workspace?.requestsChanged();

  const nth = workspace?.count(route.endpoint) ?? 0;
  const faultAt = (when: When): Fault | undefined =>
    workspace?.faults.take({ endpoint: route.endpoint, nth, when, names: namesOf(record, route), path: record.path });
  /** Applies a fault. Returns whether that ended the exchange. */
  const apply = async (fault: Fault | undefined, answer: Answer | undefined): Promise<boolean> => {
    if (fault === undefined) return false;
    const instead = answerInstead(fault);
    if (fault.reset) {
      cutByUs = true;
      request.socket.resetAndDestroy();
    } else if (instead !== undefined) {
      record.status = instead.status;
      send(response, instead);
    } else if (answer !== undefined && !fault.stall) {
      record.status = answer.status;
      cutByUs = fault.truncate !== undefined;
      await sendDamaged(response, answer, fault);
    }
    return true;
  };

  if (await apply(faultAt('before-body'), undefined)) return;
  const body = await readBody(request, route.body, record).catch(() => undefined);
  if (body === undefined) return;
  addBody(record, body, route);
  if (await apply(faultAt('before-work'), undefined)) return;
  const answer = await answerTo(route, body);
  if (await apply(faultAt('after-work'), answer)) return;
  record.status = answer.status;
  send(response, answer);
}

async function answerTo(route: Route, body: Body): Promise<Answer> {
  try {
    return await route.work(body);
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
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
    bodySize: 0,
    json: undefined,
    file: undefined,
    status: undefined,
    aborted: false,
  };
}

/** The URL of a request; only its path and query are used. */
export function urlOf(request: IncomingMessage): URL {
  return URL.parse(`http://emulator${request.url}`) ?? new URL('http://emulator/');
}

/** Percent-decoded, if that is possible. */
export function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function addBody(record: RecordedRequest, body: Body, route: Route): void {
  record.json = body.json;
  if (body.form !== undefined) {
    const { filename, contentType, digest } = body.form;
    record.file = { filename, contentType, size: digest.size, sha256: digest.sha256 };
  } else if (body.bytes !== undefined) {
    const { size, sha256 } = body.bytes;
    record.file = { filename: route.names[0] ?? '', contentType: record.headers['content-type'] ?? '', size, sha256 };
  }
}

function namesOf(record: RecordedRequest, route: Route): readonly string[] {
  const named = record.file === undefined ? [] : [record.file.filename];
  return [...route.names, ...named, ...namesIn(record.json)];
}

/** The filename of an upload, or those of a creation's blob paths. */
function namesIn(json: unknown): readonly string[] {
  if (typeof json !== 'object' || json === null) return [];
  const own = 'filename' in json && typeof json.filename === 'string' ? [json.filename] : [];
  const assets: readonly unknown[] = 'assets' in json && Array.isArray(json.assets) ? json.assets : [];
  const paths = assets
    .filter((asset) => typeof asset === 'object' && asset !== null && 'blobPath' in asset)
    .map((asset) => String(asset.blobPath));
  return [...own, ...paths.map((path) => path.slice(path.lastIndexOf('/') + 1))];
}
