import { createServer } from 'node:http';
import type { BlobStorage } from './blob.ts';
import { serve, urlOf } from './exchange.ts';
import { listen } from './listen.ts';
import type { RecordedRequest } from './record.ts';
import { routeService } from './service.ts';
import { startStorage } from './storage.ts';
import { Workspace, type WorkspaceOptions } from './workspace.ts';

export type { BlobStorage } from './blob.ts';
export type { RecordedRequest } from './record.ts';
export type { Scenario } from './scenario.ts';
export type { Workspace, WorkspaceOptions } from './workspace.ts';

export interface EmulatorOptions {
  /** Default: any free one. */
  readonly port?: number;
  readonly storagePort?: number;
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** Default: the emulator's own. */
  readonly storage?: BlobStorage;
  /** Told of every request when it is over. */
  readonly onRequest?: (request: RecordedRequest) => void;
}

/** The compliance service over HTTP. One serves many tests: each makes a workspace of its own. */
export interface Emulator {
  readonly baseUrl: string;
  readonly storageUrl: string;
  /** Requests with a missing or unknown key, or to nobody's blob. */
  readonly strangers: readonly RecordedRequest[];
  workspace(options?: WorkspaceOptions): Workspace;
  close(): Promise<void>;
}

export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const byKey = new Map<string, Workspace>();
  const byId = new Map<string, Workspace>();
  const strangers: RecordedRequest[] = [];
  const ended = options.onRequest ?? (() => undefined);
  const { host = '127.0.0.1', port = 0, storagePort = 0 } = options;
  const storage =
    options.storage ??
    (await startStorage({ host, port: storagePort, strangers, ended, workspaceOf: (id) => byId.get(id) }));

  const server = createServer({ requestTimeout: 0, keepAliveTimeout: 0 }, (request, response) => {
    const url = urlOf(request);
    const workspace = byKey.get(String(request.headers['x-api-key']));
    const route = routeService(request.method ?? '', url, workspace);
    void serve({ request, response, url, route, strangers, ended });
  });
  const { url: baseUrl, close } = await listen(server, { host, port }).catch(async (error: unknown) => {
    await storage.close();
    throw error;
  });

  return {
    baseUrl,
    storageUrl: storage.url,
    strangers,
    workspace: (workspaceOptions) => {
      const workspace = new Workspace(storage, baseUrl, workspaceOptions);
      if (byKey.has(workspace.key)) throw new Error('Another workspace has this key.');
      byKey.set(workspace.key, workspace);
      byId.set(workspace.id, workspace);
      return workspace;
    },
    close: async () => {
      for (const workspace of byId.values()) workspace.stop();
      await Promise.all([close(), storage.close()]);
    },
  };
}
