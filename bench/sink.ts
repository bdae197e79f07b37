/**
 * The smallest service that the action can run against: it accepts everything, stores nothing and finds nothing, so that
 * the action is measured and not the service. It runs as a separate process and prints its address.
 *
 *   node bench/sink.ts [latency in ms]
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as v from 'valibot';
import { listen } from '../emulator/server.ts';

const UploadRequest = v.object({ filename: v.string() });
const NewSubmission = v.object({ assets: v.array(v.object({ blobPath: v.string() })) });

const latencyMs = Number(process.argv[2] ?? 0);
const submissions = new Map<string, readonly string[]>();
/** When the uploads began and ended, and when the first request began. */
let uploads = { first: 0, last: 0, bytes: 0, firstRequest: 0 };

const server = createServer({ requestTimeout: 0, keepAliveTimeout: 60_000 }, (request, response) => {
  const begun = performance.timeOrigin + performance.now();
  const url = new URL(request.url ?? '/', 'http://sink');
  const path = url.pathname.replace('/api/integrations', '');
  if (path === '/bench') {
    respond(response, 200, uploads);
    uploads = { first: 0, last: 0, bytes: 0, firstRequest: 0 };
    return;
  }
  uploads.firstRequest ||= begun;
  const pieces: Buffer[] = [];
  let size = 0;
  const isFile = path === '/uploads/direct' || request.method === 'PUT';
  request.on('data', (piece: Buffer) => {
    size += piece.length;
    if (!isFile || pieces.length === 0) pieces.push(isFile ? Buffer.from(piece.subarray(0, 500)) : piece);
  });
  request.on('end', () => {
    const finish = (): void => {
      if (isFile) {
        uploads.first ||= begun;
        uploads.last = performance.timeOrigin + performance.now();
        uploads.bytes += size;
      }
      handle(request, response, path, Buffer.concat(pieces).toString('latin1'), size);
    };
    if (latencyMs > 0 && request.method !== 'PUT') setTimeout(finish, latencyMs);
    else finish();
  });
});
console.log((await listen(server)).url);

function handle(request: IncomingMessage, response: ServerResponse, path: string, text: string, size: number): void {
  if (request.method === 'PUT') {
    response.writeHead(201).end();
    return;
  }
  const [, , submissionId = '', , assetId] = path.split('/');
  const files = submissions.get(submissionId) ?? [];
  if (path === '/uploads/url') {
    const { filename } = v.parse(UploadRequest, JSON.parse(text));
    const uploadUrl = `http://${request.headers.host}/storage/${filename}`;
    respond(response, 200, { uploadUrl, blobPath: `w/${filename}`, expiresAt: new Date().toISOString() });
  } else if (path === '/uploads/direct') {
    const [head = '', boundary = ''] = /^(--[^\r]+)[\s\S]*?\r\n\r\n/.exec(text) ?? [];
    const filename = /filename="([^"]+)"/.exec(head)?.[1] ?? '';
    const sizeBytes = size - head.length - boundary.length - '\r\n--\r\n'.length;
    respond(response, 201, { blobPath: `w/${filename}`, sizeBytes, contentType: 'image/png' });
  } else if (request.method === 'POST') {
    const { assets } = v.parse(NewSubmission, JSON.parse(text));
    const id = randomUUID();
    submissions.set(
      id,
      assets.map(({ blobPath }) => blobPath.slice(2)),
    );
    respond(response, 201, { submissionId: id, workflowId: 'w', status: 'submitted', assets: [] });
  } else if (assetId !== undefined) {
    const filename = files[Number.parseInt(assetId.slice(-12), 16)];
    respond(response, 200, { assetId, submissionId, filename, status: 'complete', issues: [], issueCount: 0 });
  } else {
    const assets = files.map((_, index) => asset(index));
    const base = { workflowId: 'w', workspaceId: 'w', status: 'complete', progressPercent: 100, isRetryable: false };
    const times = { createdAt: new Date().toISOString(), completedAt: new Date().toISOString(), errorMessage: null };
    respond(response, 200, { submissionId, ...base, ...times, assets });
  }
}

function asset(index: number): object {
  const id = `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
  const healthy = { errorMessage: null, errorType: null, isRetryable: false, retryCount: 0 };
  return { assetId: id, versionGroupId: id, versionNumber: 1, issueCount: 0, ...healthy };
}

function respond(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
