import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type Digest, Refusal } from './http.ts';
import type { BlobStorage } from './model.ts';
import { type Address, decoded, type Exchange, listen, type Route, serve, urlOf } from './server.ts';
import type { Workspace } from './workspace.ts';

const CONTAINER = '/uploads/';

export interface StorageOptions {
  readonly address: Address;
  readonly workspaceOf: (workspaceId: string) => Workspace | undefined;
  readonly onEnded: Exchange['onEnded'];
}

/** Starts the object store that presigned URLs lead to: one PUT per URL, signed and for a limited time. */
export async function startStorage(options: StorageOptions): Promise<BlobStorage> {
  const secret = randomBytes(32);
  const blobs = new Map<string, Digest>();
  const server = createServer({ requestTimeout: 0 }, (request, outgoing) => {
    const url = urlOf(request);
    const path = decoded(url.pathname);
    const blobPath = path.startsWith(CONTAINER) ? path.slice(CONTAINER.length) : undefined;
    const slash = blobPath?.indexOf('/') ?? -1;
    const put = request.method === 'PUT' && blobPath !== undefined;
    // Checked on arrival: a long upload may take longer than its signature is valid.
    const problem = put ? putProblem(url, blobPath, request.headers, secret) : refuse(405, 'UnsupportedHttpVerb');
    const route: Route = {
      server: 'storage',
      bucket: 'storage',
      endpoint: put ? 'storage/put' : 'unknown',
      workspace: blobPath === undefined ? undefined : options.workspaceOf(blobPath.slice(0, slash)),
      body: 'bytes',
      filename: blobPath?.slice(slash + 1) ?? '',
      work: ({ file }) => {
        if (problem !== undefined) throw problem;
        if (blobPath === undefined || file === undefined) throw refuse(400, 'InvalidUri');
        blobs.set(blobPath, file);
        return { status: 201, headers: { etag: `"${file.sha256.slice(0, 16)}"` }, body: '' };
      },
    };
    void serve({ request, outgoing, url, route, onEnded: options.onEnded });
  });
  const { url, close } = await listen(server, options.address);
  return {
    url,
    close,
    lookUp: (blobPath) => blobs.get(blobPath),
    signUploadUrl: (blobPath, expiresAt, hostname) => {
      const target = new URL(CONTAINER + blobPath.split('/').map(encodeURIComponent).join('/'), url);
      if (hostname !== undefined) target.hostname = hostname;
      const expiry = expiresAt.toISOString();
      target.searchParams.set('sv', '2025-01-05');
      target.searchParams.set('sr', 'b');
      target.searchParams.set('sp', 'cw');
      target.searchParams.set('se', expiry);
      target.searchParams.set('sig', signatureOf(secret, blobPath, expiry));
      return target.href;
    },
  };
}

function signatureOf(secret: Buffer, blobPath: string, expiry: string): string {
  return createHmac('sha256', secret).update(`${blobPath}\n${expiry}`).digest('base64');
}

function putProblem(url: URL, blobPath: string, headers: IncomingHttpHeaders, secret: Buffer): Refusal | undefined {
  const expiry = url.searchParams.get('se') ?? '';
  const given = Buffer.from(url.searchParams.get('sig') ?? '');
  const expected = Buffer.from(signatureOf(secret, blobPath, expiry));
  const signed = given.length === expected.length && timingSafeEqual(given, expected);
  if (!signed) return refuse(403, 'AuthenticationFailed', 'The signature does not match this URL.');
  if (Date.parse(expiry) <= Date.now()) return refuse(403, 'AuthenticationFailed', 'The signature has expired.');
  if (headers['transfer-encoding'] !== undefined) {
    return refuse(400, 'InvalidHeaderValue', 'Transfer-Encoding is not supported; send a Content-Length.');
  }
  if (headers['x-api-key'] !== undefined) {
    return refuse(400, 'InvalidHeaderValue', 'X-API-Key must not be sent to storage.');
  }
  if (headers['content-length'] === undefined) return refuse(411, 'MissingContentLengthHeader');
  if (headers['x-ms-blob-type'] !== 'BlockBlob') {
    return refuse(400, 'MissingRequiredHeader', 'The header x-ms-blob-type must be BlockBlob.');
  }
  return undefined;
}

/** Storage is a separate system, so its errors have another format. */
function refuse(status: number, code: string, message = code): Refusal {
  return new Refusal({
    status,
    headers: { 'content-type': 'application/xml', 'x-ms-error-code': code },
    body: `<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`,
  });
}
