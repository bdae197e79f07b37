import { randomUUID } from 'node:crypto';
import { noteAssetRead, noteRead, statusOf } from './analysis.ts';
import { type HttpResponse, json, refusal } from './http.ts';
import type { Asset, AssetStatus, Status, Submission } from './model.ts';
import { type Issue, type ListShape, type LoadedScenario, ruleFor } from './scenario.ts';
import type { Call } from './workspace.ts';

export function readSubmission(call: Call): HttpResponse {
  const { scenario, id } = call.workspace;
  const submission = call.workspace.existingSubmission(call.ids[0]);
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
export function listVersions(call: Call): HttpResponse {
  const { workspace } = call;
  const groups = new Set(workspace.existingSubmission(call.ids[0]).assets.map((asset) => asset.versionGroupId));
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
  return json(200, { versions });
}

export function readAsset(call: Call): HttpResponse {
  const { submission, asset } = call.workspace.existingAsset(call.ids);
  const { scenario } = call.workspace;
  noteAssetRead(call.workspace, submission, asset);
  if (scenario.assetOnlyWhenComplete) refuseUnfinished(asset);
  const { resultShort } = ruleFor(scenario, asset.filename);
  return json(200, {
    assetId: asset.assetId,
    submissionId: submission.submissionId,
    filename: asset.filename,
    status: asset.status,
    issues: asset.issues.slice(0, resultShort).map(compactIssue),
    mimeType: asset.mimeType,
    issueCount: asset.issueCount,
    versionNumber: asset.versionNumber,
    versionGroupId: asset.versionGroupId,
  });
}

/** The flat list of issues, with every field. */
export function listIssues(call: Call): HttpResponse {
  const asset = finishedAsset(call);
  const { issuesList = {} } = ruleFor(call.workspace.scenario, asset.filename);
  return json(200, shapedIssues(asset.issues, issuesList, call.query));
}

export function listTopics(call: Call): HttpResponse {
  const asset = finishedAsset(call);
  const { topics } = ruleFor(call.workspace.scenario, asset.filename);
  return json(200, topics ?? clusterIssues(asset.assetId, asset.issues));
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

function finishedAsset(call: Call): Asset {
  const { asset } = call.workspace.existingAsset(call.ids);
  refuseUnfinished(asset);
  return asset;
}

function refuseUnfinished({ assetId, status }: Asset): void {
  if (status !== 'complete') throw refusal(404, `Asset ${assetId} has not finished processing.`);
}

/** A list of issues in one of the shapes that the service may use. */
function shapedIssues(items: readonly Issue[], shape: ListShape, query: URLSearchParams): unknown {
  const name = shape.as ?? 'issues';
  if (name === 'unreadable') return { issues: `${items.length} in all` };
  const shown = items.slice(0, shape.short);
  if (shape.pageSize !== undefined) {
    const page = Math.max(1, Number.parseInt(query.get('page') ?? '1', 10) || 1);
    const start = (page - 1) * shape.pageSize;
    const next = start + shape.pageSize < shown.length ? `?page=${page + 1}` : null;
    const wrapper = name === 'array' ? 'items' : name;
    return { [wrapper]: shown.slice(start, start + shape.pageSize), total: shown.length, page, next };
  }
  return name === 'array' ? shown : { [name]: shown };
}

/** The items in another order, which changes with each turn. */
export function rotate<T>(items: readonly T[], turn: number): readonly T[] {
  if (items.length < 2) return items;
  const by = 1 + (turn % (items.length - 1));
  return [...items.slice(by), ...items.slice(0, by)];
}

/** The short form of an issue in an asset result. */
function compactIssue(issue: Issue): Record<string, unknown> {
  const { id, referenceNumber, ruleCode, summary, severity, status } = issue;
  return { id, referenceNumber, ruleCode, summary, severity, status };
}

/** Two or more issues of one rule make a topic; the others are orphans. */
function clusterIssues(assetId: string, issues: readonly Issue[]): Record<string, unknown> {
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
