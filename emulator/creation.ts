import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { beginAnalysis } from './analysis.ts';
import { type Answer, json, type Refusal, refusal } from './answer.ts';
import { type Call, validated } from './call.ts';
import { stemOf } from './filenames.ts';
import { rotate } from './lists.ts';
import { categoryOf, isAllowedType, typeMismatch } from './media-types.ts';
import type { Asset, Submission } from './model.ts';
import type { Blob, Workspace } from './workspace.ts';

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
export async function createSubmission(call: Call): Promise<Answer> {
  const { workspace, body } = call;
  const delaySeconds = simulationDelay(call);
  const wanted = validated(CreationRequest, body.json);
  const { maxAssets = Infinity, linkVersions, versionsBefore } = workspace.scenario;
  if (wanted.assets.length > maxAssets) {
    throw refusal(422, `A submission holds at most ${maxAssets} assets, and this one has ${wanted.assets.length}.`);
  }
  const sources = [];
  const followers = new Map<Submission, number>();
  for (const { blobPath, previousSubmissionId } of wanted.assets) {
    const blob = await acceptedBlob(workspace, blobPath);
    const earlier = previousSubmissionId === undefined ? undefined : earlierSubmission(workspace, previousSubmissionId);
    const position = earlier === undefined ? 0 : (followers.get(earlier) ?? 0);
    if (earlier !== undefined) followers.set(earlier, position + 1);
    sources.push({ blob, previous: earlier && LINKS[linkVersions](earlier, blob.filename, position) });
  }
  const submission = newSubmission({
    sidekickIds: wanted.sidekickIds,
    metadata: wanted.metadata,
    assets: sources.map(({ blob, previous }) => newAsset(blob, previous, versionsBefore)),
    creditsSpent: workspace.mode === 'live' ? sources.length : 0,
  });
  workspace.add(submission);
  const answer = json(201, creationAnswer(workspace, submission));
  for (const asset of submission.assets) beginAnalysis(workspace, submission, asset, delaySeconds);
  return answer;
}

/** The answer to a creation and to a retry. The interface does not show the real name of the channel's field. */
export function creationAnswer(workspace: Workspace, submission: Submission, assets = submission.assets): unknown {
  const ordered = workspace.scenario.shuffleAssets ? rotate(assets, 0) : assets;
  return {
    submissionId: submission.submissionId,
    workflowId: submission.workflowId,
    liveChannel: `private-submission-${submission.submissionId}`,
    status: 'submitted',
    assets: ordered.map(({ assetId, versionGroupId, versionNumber }) => ({ assetId, versionGroupId, versionNumber })),
  };
}

export function newSubmission(
  parts: Pick<Submission, 'assets' | 'sidekickIds' | 'metadata' | 'creditsSpent'>,
): Submission {
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
    blob: { size: blob.size, sha256: blob.sha256, head: blob.head },
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
    stale: undefined,
  };
}

type Link = (earlier: Submission, filename: string, position: number) => Asset | undefined;

/**
 * The earlier version of a new asset. The interface does not say how the service finds it, so each way is a scenario.
 * `position` counts the assets of this request that name the same earlier submission.
 */
const LINKS: Readonly<Record<Workspace['scenario']['linkVersions'], Link>> = {
  filename: ({ assets }, filename) =>
    assets.length === 1 ? assets[0] : assets.find((asset) => stemOf(asset.filename) === stemOf(filename)),
  order: ({ assets }, _filename, position) => assets[position],
  none: () => undefined,
  'not-found': ({ submissionId }) => {
    throw noPreviousSubmission(submissionId);
  },
};

function simulationDelay({ workspace, query }: Call): number {
  const given = query.get('simulationDelaySeconds');
  if (given === null) return 0;
  if (workspace.mode === 'live') throw refusal(400, 'simulationDelaySeconds works only with a sandbox key.');
  if (!/^\d{1,2}$/.test(given) || Number(given) > 30) {
    throw refusal(422, 'simulationDelaySeconds must be an integer from 0 to 30.');
  }
  return Number(given);
}

function earlierSubmission(workspace: Workspace, submissionId: string): Submission {
  const submission = workspace.submission(submissionId);
  if (submission === undefined) throw noPreviousSubmission(submissionId);
  return submission;
}

function noPreviousSubmission(submissionId: string): Refusal {
  return refusal(404, `There is no previous submission ${submissionId}.`);
}

async function acceptedBlob(workspace: Workspace, blobPath: string): Promise<Blob> {
  const blob = await workspace.blob(blobPath);
  if (blob === undefined) throw refusal(403, `Nothing was uploaded to this workspace as ${blobPath}.`);
  const { scenario } = workspace;
  const { contentType, filename, size } = blob;
  if (!isAllowedType(contentType, scenario.allowTypes)) {
    throw refusal(415, `${filename}: the content type ${contentType} is not allowed.`);
  }
  const category = categoryOf(contentType);
  if (size > scenario.sizeCaps[category]) {
    throw refusal(413, `${filename}: ${size} bytes are over the ${category} cap of ${scenario.sizeCaps[category]}.`);
  }
  const mismatch = await typeMismatch(contentType, filename, blob.head);
  if (mismatch !== undefined) throw refusal(415, `${filename}: ${mismatch}.`);
  return blob;
}
