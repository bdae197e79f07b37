import * as v from 'valibot';
import { type HttpResponse, json, refusal, validated } from './http.ts';
import { isAllowedType, normaliseType } from './media-types.ts';
import type { Call } from './workspace.ts';

const UploadRequest = v.strictObject({
  filename: v.pipe(v.string(), v.minLength(1)),
  contentType: v.string(),
});

/** A presigned URL, and the blob path of what is uploaded there. */
export function requestUploadUrl({ workspace, hostname, body }: Call): HttpResponse {
  const { filename, contentType } = validated(UploadRequest, body.json);
  const type = acceptedType(filename, contentType);
  const blobPath = workspace.addUpload(filename, type);
  const expiresAt = new Date(Date.now() + workspace.scenario.uploadUrlSeconds * 1000);
  const uploadUrl = workspace.storage.signUploadUrl(blobPath, expiresAt, hostname);
  workspace.uploadUrls.push(uploadUrl);
  return json(200, { uploadUrl, blobPath, expiresAt: expiresAt.toISOString() });
}

export function uploadDirect({ workspace, body }: Call): HttpResponse {
  if (body.file === undefined) throw refusal(422, 'The body must hold a file.');
  const { filename, contentType, size } = body.file;
  const type = acceptedType(filename, contentType);
  const cap = workspace.scenario.directCap;
  if (size > cap) {
    throw refusal(
      413,
      `The file has ${size} bytes and direct uploads may have ${cap}. ` +
        'Use the presigned-URL flow instead: POST /api/integrations/uploads/url.',
    );
  }
  const blobPath = workspace.addUpload(filename, type, body.file);
  return json(201, { blobPath, sizeBytes: size, contentType: type });
}

function acceptedType(filename: string, contentType: string): string {
  const problem = filenameProblem(filename);
  if (problem !== undefined) throw refusal(403, problem);
  const type = normaliseType(contentType);
  if (!isAllowedType(type)) {
    throw refusal(415, `The content type ${type || '(none)'} is not allowed.`);
  }
  return type;
}

/** Why the service refuses a filename; `undefined` if it accepts it. */
function filenameProblem(filename: string): string | undefined {
  if (filename.trim() === '') return 'The filename is empty.';
  if (filename.length > 255) return 'The filename is longer than 255 characters.';
  if (/[/\\]/.test(filename)) return 'The filename must not contain a path separator.';
  if (/\p{Cc}/u.test(filename)) return 'The filename must not contain control characters.';
  if (filename.startsWith('.')) return 'The filename must not start with a dot.';
  return undefined;
}
