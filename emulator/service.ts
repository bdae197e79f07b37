import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, json, planRefusal, Refusal, rateRefusal, refusal } from './answer.ts';
import { listIssues, listTopics, readAsset, retryAsset } from './assets.ts';
import type { Body, BodyKind } from './body.ts';
import type { Bucket } from './buckets.ts';
import type { Call } from './call.ts';
import { createSubmission } from './creation.ts';
import type { Route } from './exchange.ts';
import { withExtraFields } from './lists.ts';
import type { Endpoint } from './record.ts';
import { fireEvent } from './sandbox.ts';
import { listVersions, readSubmission } from './submissions.ts';
import { requestUploadUrl, uploadDirect } from './uploads.ts';
import type { Workspace } from './workspace.ts';

interface EndpointRow {
  readonly endpoint: Endpoint;
  readonly method: 'GET' | 'POST';
  /** `*` stands for an identifier. */
  readonly path: string;
  readonly bucket: Bucket;
  readonly body: BodyKind;
  readonly sandboxOnly?: true;
  readonly handle: (call: Call) => Answer | Promise<Answer>;
}

/** The interface uses the first everywhere but in one example, which shows the second. */
const PREFIXES = ['/api/integrations', '/api/v1/integrations'];
const ASSET = '/submissions/*/assets/*';

/** The whole interface. */
// biome-ignore format: one endpoint per line reads as the table it is
const TABLE: readonly EndpointRow[] = [
  { endpoint: 'uploads/url', method: 'POST', path: '/uploads/url', bucket: 'upload', body: 'json', handle: requestUploadUrl },
  { endpoint: 'uploads/direct', method: 'POST', path: '/uploads/direct', bucket: 'upload', body: 'form', handle: uploadDirect },
  { endpoint: 'submissions/create', method: 'POST', path: '/submissions', bucket: 'submission_write', body: 'json', handle: createSubmission },
  { endpoint: 'submissions/read', method: 'GET', path: '/submissions/*', bucket: 'submission_read', body: 'any', handle: readSubmission },
  { endpoint: 'assets/read', method: 'GET', path: ASSET, bucket: 'submission_read', body: 'any', handle: readAsset },
  { endpoint: 'assets/issues', method: 'GET', path: `${ASSET}/issues`, bucket: 'submission_read', body: 'any', handle: listIssues },
  { endpoint: 'assets/topics', method: 'GET', path: `${ASSET}/topics`, bucket: 'submission_read', body: 'any', handle: listTopics },
  { endpoint: 'assets/retry', method: 'POST', path: `${ASSET}/retry`, bucket: 'submission_write', body: 'optional-json', handle: retryAsset },
  { endpoint: 'submissions/versions', method: 'GET', path: '/submissions/*/versions', bucket: 'submission_read', body: 'any', handle: listVersions },
  { endpoint: 'sandbox/fire', method: 'POST', path: '/sandbox/events/fire', bucket: 'sandbox', body: 'json', sandboxOnly: true, handle: fireEvent },
];

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Finds the endpoint for a method and a URL. */
export function routeService(method: string, url: URL, workspace: Workspace | undefined): Route {
  const path = withoutPrefix(url.pathname);
  const rows = TABLE.filter((row) => idsIn(path, row.path) !== undefined);
  const row = rows.find((row) => row.method === method);
  if (row === undefined) {
    const known = rows.map((row) => row.method).join(', ');
    const problem =
      known === ''
        ? refusal(404, `There is no endpoint ${url.pathname}; they all begin with ${PREFIXES[0]}.`)
        : new Refusal(json(405, { detail: `This path takes ${known}.` }, { allow: known }));
    return unknownRoute(workspace, problem);
  }
  const ids = idsIn(path, row.path) ?? [];
  return {
    server: 'service',
    endpoint: row.endpoint,
    workspace,
    body: row.body,
    names: namesOf(workspace, ids),
    work: async (body) => handle(row, { workspace, ids, query: url.searchParams, body }),
  };
}

function unknownRoute(workspace: Workspace | undefined, problem: Refusal): Route {
  return {
    server: 'service',
    endpoint: 'unknown',
    workspace,
    body: 'any',
    names: [],
    work: () => {
      throw problem;
    },
  };
}

/** A request to a known endpoint, before the key is checked. */
interface Arrival {
  readonly workspace: Workspace | undefined;
  readonly ids: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Body;
}

async function handle(row: EndpointRow, { workspace, ids, query, body }: Arrival): Promise<Answer> {
  if (workspace === undefined) throw refusal(401, 'The X-API-Key header is missing or its key is invalid.');
  if (workspace.scenario.latencyMs > 0) await sleep(workspace.scenario.latencyMs);
  if (workspace.plan === 'none') throw new Refusal(planRefusal(row.bucket));
  const retryAfter = workspace.buckets.take(row.bucket, Date.now());
  if (retryAfter !== undefined) throw new Refusal(rateRefusal(row.bucket, retryAfter));
  if (row.sandboxOnly && workspace.mode === 'live') throw refusal(403, 'This endpoint works only with a sandbox key.');
  const malformed = ids.find((id) => !UUID.test(id));
  if (malformed !== undefined) throw refusal(422, `${malformed} is not a UUID.`);
  if (body.problem !== undefined) throw body.problem;
  const answer = await row.handle({ workspace, ids, query, body });
  return workspace.scenario.extraFields
    ? json(answer.status, withExtraFields(JSON.parse(answer.body)), answer.headers)
    : answer;
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

/** The filename of the asset, or those of the submission, that a path names. */
function namesOf(workspace: Workspace | undefined, [submissionId, assetId]: readonly string[]): readonly string[] {
  const assets = (submissionId === undefined ? undefined : workspace?.submission(submissionId))?.assets ?? [];
  return assets
    .filter((asset) => assetId === undefined || asset.assetId === assetId.toLowerCase())
    .map((asset) => asset.filename);
}
