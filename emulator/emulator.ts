import { createServer } from 'node:http';
import { routeControl } from './control.ts';
import type { RecordedRequest } from './http.ts';
import { listen, serve, urlOf } from './server.ts';
import { routeService } from './service.ts';
import { startStorage } from './storage.ts';
import { Workspace, type WorkspaceOptions } from './workspace.ts';

export type { RecordedRequest } from './http.ts';
export type { Scenario } from './scenario.ts';
export type { Workspace, WorkspaceOptions } from './workspace.ts';

export interface EmulatorOptions {
  /** Default: any free one. */
  readonly port?: number;
  /** The same for its storage. */
  readonly storagePort?: number;
  /** The address to listen on. Default: 127.0.0.1, which only this machine reaches. */
  readonly host?: string;
  readonly onRequest?: (request: RecordedRequest) => void;
}

/** The compliance service over HTTP. Many tests can share one emulator: each creates its own workspace. */
export interface Emulator {
  readonly baseUrl: string;
  readonly storageUrl: string;
  workspace(options?: WorkspaceOptions): Workspace;
  close(): Promise<void>;
}

export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const byKey = new Map<string, Workspace>();
  const byId = new Map<string, Workspace>();
  const onEnded = options.onRequest ?? (() => undefined);
  const host = options.host === undefined ? {} : { host: options.host };
  const storage = await startStorage({
    address: { ...host, port: options.storagePort ?? 0 },
    onEnded,
    workspaceOf: (id) => byId.get(id),
  });

  const server = createServer({ requestTimeout: 0 }, (request, outgoing) => {
    const url = urlOf(request);
    const workspace = byKey.get(String(request.headers['x-api-key']));
    const { method = '' } = request;
    const route = routeControl(method, url, workspace) ?? routeService(method, url, workspace);
    void serve({ request, outgoing, url, route, onEnded });
  });
  const { url: baseUrl, close } = await listen(server, { ...host, port: options.port ?? 0 }).catch(
    async (error: unknown) => {
      await storage.close();
      throw error;
    },
  );

  return {
    baseUrl,
    storageUrl: storage.url,
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
