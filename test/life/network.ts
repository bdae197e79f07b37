import { AsyncLocalStorage } from 'node:async_hooks';
import { readFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { zipSync } from 'fflate';
import { Dispatcher } from 'undici';

/** A request of a run, when all of it has been sent. */
export interface Request {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** `reset`: the connection breaks. `silence`: no response ever comes. */
export type Response =
  | { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }
  | 'reset'
  | 'silence';

/** Everything outside of a run's machine. */
export interface Outside {
  /** False: the connection is refused before anything is sent. */
  readonly connects: (url: URL) => boolean;
  readonly respond: (request: Request) => Promise<Response>;
  /** Throws what the client of GitHub's artifacts throws. */
  readonly upload: (name: string, archive: Uint8Array) => number;
  readonly deleteArtifact: (name: string) => void;
  /** All that this run has uploaded, in any attempt. */
  readonly listArtifacts: () => readonly object[];
}

const outside = new AsyncLocalStorage<Outside>();

/** Does the work on a machine of its own, which reaches only this. */
export async function onMachine<T>(reached: Outside, work: () => Promise<T>): Promise<T> {
  return await outside.run(reached, work);
}

function reached(): Outside {
  const found = outside.getStore();
  if (!found) throw new Error('Something outside of a run has sent a request.');
  return found;
}

/** The packages with which the action reaches other machines are replaced by this module. */
const REPLACED = ['undici', '@actions/artifact'];
registerHooks({
  resolve: (name, context, next) => {
    const isOfAction = context.parentURL?.includes('/src/') && !context.parentURL.includes('/node_modules/');
    return isOfAction && REPLACED.includes(name) ? { url: import.meta.url, shortCircuit: true } : next(name, context);
  },
});

export { fetch } from 'undici';

export class DefaultArtifactClient {
  async uploadArtifact(name: string, files: readonly string[]): Promise<{ id: number }> {
    const { upload } = reached();
    const entries = await Promise.all(files.map(async (file) => [path.basename(file), await readFile(file)] as const));
    return { id: upload(name, zipSync(Object.fromEntries(entries), { level: 0 })) };
  }

  async listArtifacts(): Promise<{ artifacts: readonly object[] }> {
    return { artifacts: reached().listArtifacts() };
  }

  async deleteArtifact(name: string): Promise<{ id: number }> {
    reached().deleteArtifact(name);
    return { id: 1 };
  }
}

export class EnvHttpProxyAgent extends Dispatcher {
  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    let hasEnded = false;
    const fail = (error: Error): void => {
      if (!hasEnded) handler.onResponseError?.(controller, error);
      hasEnded = true;
    };
    const controller = {
      aborted: false,
      paused: false,
      reason: null,
      rawHeaders: new Array<string>(),
      pause: () => {},
      resume: () => {},
      abort: fail,
    };
    const exchange = async (): Promise<void> => {
      const { connects, respond } = reached();
      if (!connects(new URL(String(options.origin)))) return fail(failure('ECONNREFUSED', 'connect ECONNREFUSED'));
      handler.onRequestStart?.(controller, {});
      const response = await respond(await requestOf(options));
      if (response === 'silence' || hasEnded) return;
      if (response === 'reset') return fail(failure('UND_ERR_SOCKET', 'other side closed'));
      hasEnded = true;
      const { status, body } = response;
      const headers = { 'content-type': 'application/json; charset=utf-8', ...response.headers };
      const isRaw = typeof body === 'string' || body instanceof Uint8Array;
      controller.rawHeaders = Object.entries(headers).flat();
      handler.onResponseStart?.(controller, status, headers, '');
      handler.onResponseData?.(controller, Buffer.from(isRaw ? body : JSON.stringify(body)));
      handler.onResponseEnd?.(controller, {});
    };
    exchange().catch(fail);
    return true;
  }

  override async close(): Promise<void> {}

  override async destroy(): Promise<void> {}
}

function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

async function requestOf({ origin, path, method, headers, body }: Dispatcher.DispatchOptions): Promise<Request> {
  const list: readonly unknown[] = Array.isArray(headers) ? headers : Object.entries(headers ?? {}).flat();
  const names = list.flatMap((name, index) => (index % 2 === 0 ? [[String(name).toLowerCase(), list[index + 1]]] : []));
  const pieces: Buffer[] = [];
  if (typeof body === 'string' || body instanceof Uint8Array) pieces.push(Buffer.from(body));
  else if (body) for await (const piece of Object(body)) pieces.push(Buffer.from(piece));
  return {
    method,
    url: new URL(path, String(origin)),
    headers: Object.fromEntries(names),
    body: Buffer.concat(pieces),
  };
}
