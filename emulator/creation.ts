import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { beginAnalysis } from './analysis.ts';
import { type HttpResponse, invalid, json, refusal, validated } from './http.ts';
import { categoryOf, isAllowedType, typeMismatch } from './media-types.ts';
import type { Asset, Submission } from './model.ts';
import { assetStatus, rotate } from './reading.ts';
import { ruleFor } from './scenario.ts';
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
export async function createSubmission(call: Call): Promise<HttpResponse> {
  const { workspace, body } = call;
  const delaySeconds = simulationDelay(call);
  const wanted = validated(CreationRequest, body.json);
  const {
    maxAssets = Infinity,
    linkVersions,
    versionsBefore,
    strayAsset,
    listEarlierVersions,
    creationMs,
  } = workspace.scenario;
  if (wanted.assets.length > maxAssets) {
    const msg = `List should have at most ${maxAssets} items after validation, not ${wanted.assets.length}`;
    throw invalid({ type: 'too_long', loc: ['body', 'assets'], msg });
  }
  const sources = [];
  for (const [index, { blobPath, previousSubmissionId }] of wanted.assets.entries()) {
    const blob = await acceptedBlob(workspace, blobPath);
    if (previousSubmissionId !== undefined && linkVersions === 'refused') {
      const loc = ['body', 'assets', index, 'previousSubmissionId'];
      throw invalid({ type: 'value_error', loc, msg: 'Value error, assets cannot be linked to this submission' });
    }
    const previous =
      previousSubmissionId === undefined ? undefined : previousAsset(workspace, previousSubmissionId, blob.filename);
    sources.push({ blob, previous });
  }
  const assets = sources.map(({ blob, previous }) => newAsset(blob, previous, versionsBefore));
  const submission = newSubmission({
    sidekickIds: wanted.sidekickIds,
    metadata: wanted.metadata,
    assets: [
      ...assets,
      ...(strayAsset === undefined ? [] : assets.slice(0, 1).map(strayOf(strayAsset))),
      ...(listEarlierVersions ? sources.flatMap(({ previous }) => previous ?? []) : []),
    ],
    creditsSpent: workspace.mode === 'live' ? sources.length : 0,
  });
  workspace.add(submission);
  const response = json(201, creationBody(workspace, submission));
  const started = submission.assets.filter(({ status }) => status === 'submitted');
  for (const asset of started) beginAnalysis(workspace, submission, asset, delaySeconds);
  await sleep(creationMs);
  return response;
}

/** The response to a creation and to a retry. The interface does not show the real name of the channel's field. */
function creationBody(workspace: Workspace, submission: Submission, assets = submission.assets): unknown {
  const { shuffleAssets, assetsNullUntilEnd } = workspace.scenario;
  const ordered = shuffleAssets ? rotate(assets, 0) : assets;
  const listed = ordered.map(({ assetId, versionGroupId, versionNumber }) => {
    return { assetId, versionGroupId, versionNumber };
  });
  return {
    submissionId: submission.submissionId,
    workflowId: submission.workflowId,
    liveChannel: `private-submission-${submission.submissionId}`,
    status: 'submitted',
    assets: assetsNullUntilEnd ? null : listed,
  };
}

function newSubmission(parts: Pick<Submission, 'assets' | 'sidekickIds' | 'metadata' | 'creditsSpent'>): Submission {
  return {
    submissionId: randomUUID(),
    workflowId: `wf-${randomUUID()}`,
    createdAt: new Date().toISOString(),
    reads: 0,
    ...parts,
  };
}

function newAsset(blob: Blob, previous: Asset | undefined, versionsBefore: number): Asset {
  return {
    assetId: randomUUID(),
    versionGroupId: previous?.versionGroupId ?? randomUUID(),
    versionNumber: (previous?.versionNumber ?? versionsBefore) + 1,
    blobPath: blob.blobPath,
    filename: blob.filename,
    mimeType: blob.contentType,
    blob: { size: blob.size, sha256: blob.sha256 },
    status: 'submitted',
    completedAt: null,
    issues: [],
    issueCount: null,
    failure: undefined,
    errorBeforeRetry: undefined,
    retryCount: 0,
    failures: 0,
    pending: undefined,
    readsSinceComplete: 0,
    ownReadsSinceComplete: 0,
    isSuperseded: false,
    stale: undefined,
  };
}

/** An asset that is none of the files, such as a poster frame of the first one. */
function strayOf(name: string): (first: Asset) => Asset {
  return (first) => ({
    ...first,
    assetId: randomUUID(),
    versionGroupId: randomUUID(),
    filename: name.replace('*', first.filename.replace(/\.[^.]*$/, '')),
  });
}

/** The earlier version of a new asset. The interface does not say how the service finds it, so the scenario does. */
function previousAsset(workspace: Workspace, submissionId: string, filename: string): Asset | undefined {
  const { linkVersions } = workspace.scenario;
  const earlier = workspace.submission(submissionId);
  if (earlier === undefined || linkVersions === 'not-found') {
    throw refusal(404, `There is no previous submission ${submissionId}.`);
  }
  if (linkVersions === 'never') return undefined;
  if (linkVersions === 'exact-filename') return earlier.assets.findLast((asset) => asset.filename === filename);
  if (earlier.assets.length === 1) return earlier.assets[0];
  // A film may be there in two formats, or a new version may have another format.
  const isSame = (partOf: (name: string) => string) => (asset: Asset) => partOf(asset.filename) === partOf(filename);
  return earlier.assets.findLast(isSame(withoutHash)) ?? earlier.assets.findLast(isSame(stemOf));
}

/** The name without its content hash: the part that all versions of a file in one format share. */
function withoutHash(filename: string): string {
  return filename.replace(/-[0-9a-f]{16,}(?=\.[^.]*$|$)/, '');
}

function stemOf(filename: string): string {
  return withoutHash(filename).replace(/\.[^.]*$/, '');
}

function simulationDelay({ workspace, query }: Call): number {
  const given = query.get('simulationDelaySeconds');
  if (given === null) return 0;
  if (workspace.mode === 'live') throw refusal(400, 'simulationDelaySeconds works only with a sandbox key.');
  if (!/^\d{1,2}$/.test(given) || Number(given) > 30) {
    const msg = 'Input should be an integer from 0 to 30';
    throw invalid({ type: 'int_range', loc: ['query', 'simulationDelaySeconds'], msg });
  }
  return Number(given);
}

async function acceptedBlob(workspace: Workspace, blobPath: string): Promise<Blob> {
  const blob = await workspace.blob(blobPath);
  if (blob === undefined) throw refusal(403, `Nothing was uploaded to this workspace as ${blobPath}.`);
  const { scenario } = workspace;
  const { contentType, filename, size } = blob;
  if (!isAllowedType(contentType)) {
    throw refusal(415, `${filename}: the content type ${contentType} is not allowed.`);
  }
  const category = categoryOf(contentType);
  if (size > scenario.sizeCaps[category]) {
    throw refusal(413, `${filename}: ${size} bytes are over the ${category} cap of ${scenario.sizeCaps[category]}.`);
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
  const problem = retryProblem(workspace, submission, asset);
  if (problem !== undefined) throw refusal(409, problem);
  const { scenario } = workspace;
  const retried = retriedAs(workspace, submission, asset);
  const next = retried.asset;
  if (scenario.retryLagReads > 0) {
    next.stale = { status: assetStatus(scenario, next), readsLeft: scenario.retryLagReads };
  }
  if (ruleFor(scenario, next.filename).fails?.errorStays) next.errorBeforeRetry = next.failure;
  next.failure = undefined;
  next.completedAt = null;
  next.retryCount += 1;
  const response = json(202, creationBody(workspace, retried.submission, [next]));
  beginAnalysis(workspace, retried.submission, next, 0);
  return response;
}

function isRetried({ pending, retryCount }: Asset): boolean {
  return pending !== undefined && retryCount > 0;
}

function retryProblem({ scenario }: Workspace, { assets }: Submission, asset: Asset): string | undefined {
  if (isRetried(asset) || asset.isSuperseded) return 'A retry of this asset is already in flight.';
  if (scenario.oneRetryAtATime && assets.some(isRetried)) return 'A retry of another asset is in flight.';
  if (asset.failure === undefined) return 'This asset is not in a failed state.';
  if (asset.retryCount >= scenario.maxRetries) return 'The maximum number of attempts is reached.';
  return asset.failure.isRetryable ? undefined : 'The error of this asset is not retryable.';
}

/**
 * Where a retry goes on. A new asset replaces the old one in its submission, a new version is listed after the old one. If
 * there is a new submission, the old asset stays failed, and only the new submission shows the outcome.
 */
function retriedAs(workspace: Workspace, old: Submission, failed: Asset): { submission: Submission; asset: Asset } {
  const { retryCreates } = workspace.scenario;
  if (retryCreates === 'nothing') return { submission: old, asset: failed };
  const asset: Asset = { ...failed, assetId: randomUUID() };
  if (retryCreates === 'asset') {
    old.assets = old.assets.map((each) => (each === failed ? asset : each));
    return { submission: old, asset };
  }
  if (retryCreates === 'version') {
    failed.isSuperseded = true;
    const next = { ...asset, isSuperseded: false, versionNumber: failed.versionNumber + 1 };
    old.assets = [...old.assets, next];
    return { submission: old, asset: next };
  }
  if (failed.failure !== undefined) failed.failure = { ...failed.failure, isRetryable: false };
  const { sidekickIds, metadata } = old;
  const submission = newSubmission({ sidekickIds, metadata, assets: [asset], creditsSpent: 0 });
  workspace.add(submission);
  return { submission, asset };
}
