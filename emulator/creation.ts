import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { beginAnalysis, MAX_RETRIES } from './analysis.ts';
import { type HttpResponse, invalid, json, refusal, validated } from './http.ts';
import { type Category, categoryOf, isAllowedType, typeMismatch } from './media-types.ts';
import type { Asset, Submission } from './model.ts';
import type { Blob, Call, Workspace } from './workspace.ts';

const CreationRequest = v.strictObject({
  assets: v.pipe(
    v.array(v.strictObject({ blobPath: v.string(), previousSubmissionId: v.exactOptional(v.string()) })),
    v.minLength(1),
  ),
  sidekickIds: v.exactOptional(v.array(v.pipe(v.string(), v.uuid()))),
  metadata: v.exactOptional(
    // Valibot accepts an array as a record.
    v.pipe(
      v.unknown(),
      v.check((value) => !Array.isArray(value), 'Invalid type: Expected Object but received Array'),
      v.record(v.string(), v.unknown()),
    ),
  ),
});

/** Creates one submission of all assets, or none. */
export function createSubmission(call: Call): HttpResponse {
  const { workspace, body } = call;
  const delaySeconds = simulationDelay(call);
  const { assets: wanted, sidekickIds, metadata } = validated(CreationRequest, body.json);
  const sources = [];
  for (const { blobPath, previousSubmissionId } of wanted) {
    const blob = acceptedBlob(workspace, blobPath);
    sources.push({ blob, previous: previousAsset(workspace, previousSubmissionId, blob.filename) });
  }
  const submission: Submission = {
    submissionId: randomUUID(),
    workflowId: `wf-${randomUUID()}`,
    createdAt: new Date().toISOString(),
    reads: 0,
    sidekickIds,
    metadata,
    assets: sources.map(({ blob, previous }) => newAsset(blob, previous)),
    creditsSpent: workspace.mode === 'live' ? sources.length : 0,
  };
  workspace.add(submission);
  for (const asset of submission.assets) beginAnalysis(workspace, submission, asset, delaySeconds);
  return json(201, creationBody(submission));
}

/** The response to a creation and to a retry. The interface does not show the real name of the channel's field. */
function creationBody({ submissionId, workflowId, assets }: Submission): unknown {
  return {
    submissionId,
    workflowId,
    liveChannel: `private-submission-${submissionId}`,
    status: 'submitted',
    assets: assets.map(({ assetId, versionGroupId, versionNumber }) => ({ assetId, versionGroupId, versionNumber })),
  };
}

function newAsset(blob: Blob, previous: Asset | undefined): Asset {
  return {
    assetId: randomUUID(),
    versionGroupId: previous?.versionGroupId ?? randomUUID(),
    versionNumber: (previous?.versionNumber ?? 0) + 1,
    blobPath: blob.blobPath,
    filename: blob.filename,
    mimeType: blob.contentType,
    blob: { size: blob.size, sha256: blob.sha256 },
    status: 'submitted',
    completedAt: null,
    issues: [],
    issueCount: null,
    failure: undefined,
    retryCount: 0,
    failures: 0,
    pending: undefined,
  };
}

/**
 * The earlier version of a new asset. The interface does not say how the service finds it: here by the name without its
 * content hash and extension, and the only asset of a submission under any name.
 */
function previousAsset(workspace: Workspace, submissionId: string | undefined, filename: string): Asset | undefined {
  if (submissionId === undefined) return undefined;
  const earlier = workspace.submission(submissionId);
  if (earlier === undefined) throw refusal(404, `There is no previous submission ${submissionId}.`);
  if (earlier.assets.length === 1) return earlier.assets[0];
  return earlier.assets.findLast((asset) => stemOf(asset.filename) === stemOf(filename));
}

function stemOf(filename: string): string {
  return filename.replace(/(-[0-9a-f]{16,})?(\.[^.]*)?$/, '');
}

function simulationDelay({ workspace, query }: Call): number {
  const given = query.get('simulationDelaySeconds');
  if (given === null) return 0;
  if (workspace.mode === 'live') throw refusal(400, 'simulationDelaySeconds works only with a sandbox key.');
  if (!/^\d{1,2}$/.test(given) || Number(given) > 30) {
    throw invalid('simulationDelaySeconds: It must be an integer from 0 to 30.');
  }
  return Number(given);
}

const MAX_SIZE: Readonly<Record<Category, number>> = {
  video: 5_000_000_000,
  audio: 500_000_000,
  image: 50_000_000,
  document: 100_000_000,
};

function acceptedBlob(workspace: Workspace, blobPath: string): Blob {
  const blob = workspace.blob(blobPath);
  if (blob === undefined) throw refusal(403, `Nothing was uploaded to this workspace as ${blobPath}.`);
  const { contentType, filename, size } = blob;
  if (!isAllowedType(contentType)) {
    throw refusal(415, `${filename}: the content type ${contentType} is not allowed.`);
  }
  const category = categoryOf(contentType);
  if (size > MAX_SIZE[category]) {
    throw refusal(413, `${filename}: ${size} bytes are over the ${category} cap of ${MAX_SIZE[category]}.`);
  }
  const mismatch = typeMismatch(contentType, filename, blob.detected);
  if (mismatch !== undefined) throw refusal(415, `${filename}: ${mismatch}.`);
  return blob;
}

/** The interface shows no body, so only an empty one, or an empty object, is accepted. */
const RetryRequest = v.strictObject({});

export function retryAsset(call: Call): HttpResponse {
  const { workspace } = call;
  const { submission, asset } = workspace.existingAsset(call.ids);
  validated(RetryRequest, call.body.json ?? {});
  const problem = retryProblem(asset);
  if (problem !== undefined) throw refusal(409, problem);
  asset.failure = undefined;
  asset.completedAt = null;
  asset.retryCount += 1;
  beginAnalysis(workspace, submission, asset, 0);
  return json(202, creationBody({ ...submission, assets: [asset] }));
}

function retryProblem({ pending, retryCount, failure }: Asset): string | undefined {
  if (pending !== undefined && retryCount > 0) return 'A retry of this asset is already in flight.';
  if (failure === undefined) return 'This asset is not in a failed state.';
  if (retryCount >= MAX_RETRIES) return 'The maximum number of attempts is reached.';
  return failure.isRetryable ? undefined : 'The error of this asset is not retryable.';
}
