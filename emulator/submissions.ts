import { noteRead, statusOf } from './analysis.ts';
import { type Answer, json } from './answer.ts';
import { type Call, submissionOf } from './call.ts';
import { rotate, shapeList } from './lists.ts';
import type { Asset, AssetStatus, Status, Submission } from './model.ts';
import { type LoadedScenario, ruleFor } from './scenario.ts';

/** The status of a submission and of its assets. */
export function readSubmission(call: Call): Answer {
  const { scenario, id } = call.workspace;
  const submission = submissionOf(call);
  noteRead(call.workspace, submission);
  const stale = submission.assets.some((asset) => asset.stale !== undefined);
  const truth = stale ? 'failed' : statusOf(submission);
  const status = reportedStatus(scenario, submission, truth);
  const assets = submission.assets.map((asset) => visibleStatus(scenario, asset));
  const failed = submission.assets.filter((asset) => asset.status === 'failed').length;
  const ends = submission.assets.map((asset) => asset.completedAt ?? '').toSorted();
  return json(200, {
    submissionId: submission.submissionId,
    workflowId: submission.workflowId,
    workspaceId: id,
    status,
    progressPercent: progressOf(scenario, submission),
    createdAt: submission.createdAt,
    completedAt: truth === 'processing' ? null : (ends.at(-1) ?? null),
    errorMessage: status === 'failed' && failed > 0 ? `${failed} of ${assets.length} assets failed.` : null,
    assets: scenario.shuffleAssets ? rotate(assets, submission.reads) : assets,
    isRetryable: assets.some((asset) => asset.isRetryable),
  });
}

/** Every version of every asset of a submission. */
export function listVersions(call: Call): Answer {
  const { workspace } = call;
  const groups = new Set(submissionOf(call).assets.map((asset) => asset.versionGroupId));
  const versions = workspace.submissions
    .flatMap((submission) => submission.assets.map((asset) => ({ submission, asset })))
    .filter(({ asset }) => groups.has(asset.versionGroupId))
    .toSorted((a, b) => a.asset.versionNumber - b.asset.versionNumber)
    .map(({ submission, asset }) => ({
      submissionId: submission.submissionId,
      assetId: asset.assetId,
      versionGroupId: asset.versionGroupId,
      versionNumber: asset.versionNumber,
      filename: asset.filename,
      status: asset.status,
      issueCount: asset.issueCount,
      createdAt: submission.createdAt,
    }));
  return json(200, shapeList(versions, 'versions', workspace.scenario.versionsList, call.query));
}

export function assetStatus(scenario: LoadedScenario, asset: Asset): AssetStatus {
  const hidden = asset.readsSinceComplete <= ruleFor(scenario, asset.filename).nullIssueCountReads;
  const error = asset.failure ?? asset.errorBeforeRetry;
  return {
    assetId: asset.assetId,
    versionGroupId: asset.versionGroupId,
    versionNumber: asset.versionNumber,
    issueCount: hidden ? null : asset.issueCount,
    errorMessage: error?.errorMessage ?? null,
    errorType: error?.errorType ?? null,
    isRetryable: asset.failure?.isRetryable ?? false,
    retryCount: asset.retryCount,
  };
}

/** What a read reports. After a retry it may be the old failure for a while. */
function visibleStatus(scenario: LoadedScenario, asset: Asset): AssetStatus {
  if (asset.stale === undefined) return assetStatus(scenario, asset);
  const { status } = asset.stale;
  asset.stale.readsLeft -= 1;
  if (asset.stale.readsLeft === 0) asset.stale = undefined;
  return status;
}

function reportedStatus(scenario: LoadedScenario, submission: Submission, truth: Status): Status {
  const scripted = scenario.statuses[submission.reads - 1];
  if (scripted !== undefined) return scripted;
  if (truth !== 'processing') return truth;
  return scenario.statusWhileUnfinished ?? (submission.reads === 1 ? 'submitted' : 'processing');
}

function progressOf(scenario: LoadedScenario, submission: Submission): number {
  const finished = submission.assets.filter((asset) => asset.pending === undefined).length;
  return scenario.progress[submission.reads - 1] ?? Math.floor((100 * finished) / submission.assets.length);
}
