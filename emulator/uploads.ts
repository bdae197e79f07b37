import * as v from 'valibot';
import { type Answer, json, refusal } from './answer.ts';
import { stored } from './blob.ts';
import { type Call, validated } from './call.ts';
import { filenameProblem } from './filenames.ts';
import { isAllowedType, normaliseType } from './media-types.ts';

const UploadRequest = v.strictObject({
  filename: v.pipe(v.string(), v.minLength(1)),
  contentType: v.string(),
});

/** A presigned URL, and the blob path of what is uploaded there. */
export async function requestUploadUrl(call: Call): Promise<Answer> {
  const { workspace, body } = call;
  const { filename, contentType } = validated(UploadRequest, body.json);
  const type = acceptedType(call, filename, contentType);
  const blobPath = workspace.addUpload(filename, type);
  const expiresAt = new Date(Date.now() + workspace.scenario.uploadUrlSeconds * 1000);
  const uploadUrl = await workspace.storage.signUploadUrl(blobPath, expiresAt);
  workspace.uploadUrls.push(uploadUrl);
  return json(200, { uploadUrl, blobPath, expiresAt: expiresAt.toISOString() });
}

/** An upload through the service itself. */
export function uploadDirect(call: Call): Answer {
  const { workspace, body } = call;
  if (body.form === undefined) throw refusal(422, 'The body must hold a part named file.');
  const { filename, contentType, digest } = body.form;
  const type = acceptedType(call, filename, contentType);
  const cap = workspace.scenario.directCap;
  if (digest.size > cap) {
    throw refusal(
      413,
      `The file has ${digest.size} bytes and direct uploads take ${cap}. ` +
        'Use the presigned-URL flow instead: POST /api/integrations/uploads/url.',
    );
  }
  const blobPath = workspace.addUpload(filename, type, stored(digest));
  return json(201, { blobPath, sizeBytes: digest.size, contentType: type });
}

function acceptedType(call: Call, filename: string, contentType: string): string {
  const problem = filenameProblem(filename);
  if (problem !== undefined) throw refusal(403, problem);
  const type = normaliseType(contentType);
  if (!isAllowedType(type, call.workspace.scenario.allowTypes)) {
    throw refusal(415, `The content type ${type || '(none)'} is not allowed.`);
  }
  return type;
}
