import { randomUUID } from 'node:crypto';
import { noteAssetRead, noteRead, statusOf } from './analysis.ts';
import { type HttpResponse, json, refusal } from './http.ts';
import type { Asset, Status, Submission } from './model.ts';
import type { Issue } from './scenario.ts';
import type { Call } from './workspace.ts';

export function readSubmission({ workspace, ids }: Call): HttpResponse {
  const submission = workspace.existingSubmission(ids[0]);
  noteRead(workspace, submission);
  const { submissionId, workflowId, createdAt, assets } = submission;
  const failed = assets.filter(({ status }) => status === 'failed').length;
  const status = reportedStatus(submission);
  const isOver = status === 'complete' || status === 'failed';
  const finished = assets.filter(({ pending }) => pending === undefined).length;
  return json(200, {
    submissionId,
    workflowId,
    workspaceId: workspace.id,
    status,
    progressPercent: Math.floor((100 * finished) / assets.length),
    createdAt,
    completedAt: isOver
      ? (assets
          .map(({ completedAt }) => completedAt ?? '')
          .toSorted()
          .at(-1) ?? null)
      : null,
    errorMessage: isOver && failed > 0 ? `${failed} of ${assets.length} assets failed.` : null,
    assets: assets.map(assetStatus),
    isRetryable: assets.some(({ failure }) => failure?.isRetryable),
  });
}

/** The first read of an unfinished submission still finds it queued. */
function reportedStatus(submission: Submission): Status {
  const status = statusOf(submission);
  return status === 'processing' && submission.reads === 1 ? 'submitted' : status;
}

function assetStatus({ failure, assetId, versionGroupId, versionNumber, issueCount, retryCount }: Asset): object {
  return {
    assetId,
    versionGroupId,
    versionNumber,
    issueCount,
    errorMessage: failure?.errorMessage ?? null,
    errorType: failure?.errorType ?? null,
    isRetryable: failure?.isRetryable ?? false,
    retryCount,
  };
}

/** Every version of every asset of a submission. The interface does not show the form of this list. */
export function listVersions({ workspace, ids }: Call): HttpResponse {
  const groups = new Set(workspace.existingSubmission(ids[0]).assets.map(({ versionGroupId }) => versionGroupId));
  const versions = workspace.submissions
    .flatMap(({ submissionId, createdAt, assets }) => assets.map((asset) => ({ submissionId, createdAt, asset })))
    .filter(({ asset }) => groups.has(asset.versionGroupId))
    .toSorted((one, other) => one.asset.versionNumber - other.asset.versionNumber)
    .map(({ asset: { assetId, versionGroupId, versionNumber, filename, status, issueCount }, ...of }) => {
      return { ...of, assetId, versionGroupId, versionNumber, filename, status, issueCount };
    });
  return json(200, { versions });
}

export function readAsset({ workspace, ids }: Call): HttpResponse {
  const { submission, asset } = workspace.existingAsset(ids);
  noteAssetRead(workspace, submission, asset);
  const { assetId, filename, status, mimeType, issues, issueCount, versionNumber, versionGroupId } = asset;
  const { submissionId } = submission;
  const found = issues.map(compactIssue);
  return json(200, {
    assetId,
    submissionId,
    filename,
    status,
    issues: found,
    mimeType,
    issueCount,
    versionNumber,
    versionGroupId,
  });
}

/** The flat list of issues, with every field. The interface does not show its form. */
export function listIssues(call: Call): HttpResponse {
  return json(200, { issues: finishedAsset(call).issues });
}

export function listTopics(call: Call): HttpResponse {
  const { assetId, issues } = finishedAsset(call);
  return json(200, clusterIssues(assetId, issues));
}

function finishedAsset({ workspace, ids }: Call): Asset {
  const { asset } = workspace.existingAsset(ids);
  if (asset.status !== 'complete') throw refusal(404, `Asset ${asset.assetId} has not finished processing.`);
  return asset;
}

/** The short form of an issue in an asset result. */
function compactIssue({ id, referenceNumber, ruleCode, summary, severity, status }: Issue): object {
  return { id, referenceNumber, ruleCode, summary, severity, status };
}

/** Two or more issues of one rule make a topic; the others are orphans. */
function clusterIssues(assetId: string, issues: readonly Issue[]): object {
  const groups = [...Map.groupBy(issues, (issue) => issue.ruleCode)];
  const topics = groups.filter(([, group]) => group.length > 1);
  const orphans = groups.filter(([, group]) => group.length === 1);
  return {
    assetId,
    topics: topics.map(([ruleCode, group]) => ({
      id: randomUUID(),
      title: `${group.length} issues of ${ruleCode}`,
      issues: group.map(compactIssue),
    })),
    orphanIssues: orphans.flatMap(([, group]) => group.map(compactIssue)),
    metadata: { totalIssues: issues.length, topicCount: topics.length },
  };
}
