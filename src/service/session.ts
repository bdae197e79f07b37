import { createHttp } from '../http/create-http.ts';
import type { Http } from '../http/http.ts';
import type { Log } from '../lib/log.ts';
import { VERSION } from '../lib/version.ts';
import { ServiceClient } from './client.ts';
import type { ServiceAccess } from './endpoints.ts';

/** The connection to the compliance service. */
export interface ServiceSession {
  readonly access: ServiceAccess;
  readonly http: Http;
  readonly client: ServiceClient;
}

/** @param runId empty outside a runner */
export function openSession(access: ServiceAccess, runId: string, log: Log): ServiceSession {
  const http = createHttp();
  const userAgent = `media-compliance-gate/${VERSION} (run ${runId || 'local'})`;
  return { access, http, client: new ServiceClient({ access, http, userAgent, log }) };
}
