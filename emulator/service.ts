import { createSubmission, retryAsset } from './creation.ts';
import { fireEvent } from './events.ts';
import { type BodyKind, type Endpoint, type HttpResponse, invalid, Refusal, rateRefusal, refusal } from './http.ts';
import { listIssues, listTopics, listVersions, readAsset, readSubmission } from './reading.ts';
import type { Bucket } from './scenario.ts';
import type { Route } from './server.ts';
import { requestUploadUrl, uploadDirect } from './uploads.ts';
import type { Call, Workspace } from './workspace.ts';

interface EndpointRow {
  readonly endpoint: Endpoint;
  readonly method: 'GET' | 'POST';
  /** `*` stands for an identifier. */
  readonly path: string;
  readonly bucket: Bucket;
  /** Default: JSON. */
  readonly body?: BodyKind;
  readonly sandboxOnly?: true;
  readonly handle: (call: Call) => HttpResponse | Promise<HttpResponse>;
}

/** The interface uses the first everywhere but in one example, which shows the second. */
const PREFIXES = ['/api/integrations', '/api/v1/integrations'];
const ASSET = '/submissions/*/assets/*';

// biome-ignore format: one endpoint per line reads as the table it is
const TABLE: readonly EndpointRow[] = [
  { endpoint: 'uploads/url', method: 'POST', path: '/uploads/url', bucket: 'upload', handle: requestUploadUrl },
  { endpoint: 'uploads/direct', method: 'POST', path: '/uploads/direct', bucket: 'upload', body: 'form', handle: uploadDirect },
  { endpoint: 'submissions/create', method: 'POST', path: '/submissions', bucket: 'submission_write', handle: createSubmission },
  { endpoint: 'submissions/read', method: 'GET', path: '/submissions/*', bucket: 'submission_read', handle: readSubmission },
  { endpoint: 'assets/read', method: 'GET', path: ASSET, bucket: 'submission_read', handle: readAsset },
  { endpoint: 'assets/issues', method: 'GET', path: `${ASSET}/issues`, bucket: 'submission_read', handle: listIssues },
  { endpoint: 'assets/topics', method: 'GET', path: `${ASSET}/topics`, bucket: 'submission_read', handle: listTopics },
  { endpoint: 'assets/retry', method: 'POST', path: `${ASSET}/retry`, bucket: 'submission_write', handle: retryAsset },
  { endpoint: 'submissions/versions', method: 'GET', path: '/submissions/*/versions', bucket: 'submission_read', handle: listVersions },
  { endpoint: 'sandbox/fire', method: 'POST', path: '/sandbox/events/fire', bucket: 'sandbox', sandboxOnly: true, handle: fireEvent },
];

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function routeService(method: string, url: URL, workspace: Workspace | undefined): Route {
  const path = withoutPrefix(url.pathname);
  const row = TABLE.find((row) => row.method === method && idsIn(path, row.path) !== undefined);
  const ids = (row && idsIn(path, row.path)) ?? [];
  return {
    server: 'service',
    endpoint: row?.endpoint ?? 'unknown',
    bucket: row?.bucket ?? '',
    workspace,
    body: row?.body ?? 'json',
    work: async (body) => {
      if (row !== undefined)
        return handle(row, { workspace, ids, query: url.searchParams, hostname: url.hostname, body });
      throw refusal(404, `There is no endpoint ${method} ${url.pathname}; they all begin with ${PREFIXES[0]}.`);
    },
  };
}

/** Checks a request in the order of a real service, the key first, and hands it to its endpoint. */
async function handle(
  row: EndpointRow,
  { workspace, ids, query, hostname, body }: Omit<Call, 'workspace'> & { readonly workspace: Workspace | undefined },
): Promise<HttpResponse> {
  if (workspace === undefined) throw refusal(401, 'The X-API-Key header is missing or its key is invalid.');
  const retryAfter = workspace.rates.count(row.bucket, Date.now());
  if (retryAfter !== undefined) throw new Refusal(rateRefusal(row.bucket, retryAfter));
  if (row.sandboxOnly && workspace.mode === 'live') throw refusal(403, 'This endpoint works only with a sandbox key.');
  const malformed = ids.find((id) => !UUID.test(id));
  if (malformed !== undefined) throw invalid(`path: ${malformed} is no UUID.`);
  if (body.problem !== undefined) throw body.problem;
  return await row.handle({ workspace, ids, query, hostname, body });
}

function withoutPrefix(pathname: string): string | undefined {
  const prefix = PREFIXES.find((each) => pathname.startsWith(`${each}/`));
  return prefix === undefined ? undefined : pathname.slice(prefix.length);
}

function idsIn(path: string | undefined, pattern: string): readonly string[] | undefined {
  const given = path?.split('/') ?? [];
  const wanted = pattern.split('/');
  if (given.length !== wanted.length) return undefined;
  const fits = wanted.every((word, index) => word === given[index] || (word === '*' && given[index] !== ''));
  return fits ? given.filter((_, index) => wanted[index] === '*') : undefined;
}
