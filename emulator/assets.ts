import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { beginAnalysis, noteAssetRead } from './analysis.ts';
import { type Answer, json, refusal } from './answer.ts';
import { assetOf, type Call, validated } from './call.ts';
import { creationAnswer, newSubmission } from './creation.ts';
import { clusterIssues, compactIssue } from './issues.ts';
import { shapeList } from './lists.ts';
import type { Asset, Submission } from './model.ts';
import { ruleFor } from './scenario.ts';
import { assetStatus } from './submissions.ts';
import type { Workspace } from './workspace.ts';

/** The interface shows no body, so only an empty one, or an empty object, is accepted. */
const RetryRequest = v.strictObject({});

/** One asset with its issues. */
export function readAsset(call: Call): Answer {
  const { submission, asset } = assetOf(call);
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
export function listIssues(call: Call): Answer {
  const asset = finishedAsset(call);
  const { issuesList = {} } = ruleFor(call.workspace.scenario, asset.filename);
  return json(200, shapeList(asset.issues, 'issues', issuesList, call.query));
}

/** The issues, grouped into topics. */
export function listTopics(call: Call): Answer {
  const asset = finishedAsset(call);
  const { topics } = ruleFor(call.workspace.scenario, asset.filename);
  return json(200, topics ?? clusterIssues(asset.assetId, asset.issues));
}

/** Starts the analysis of a failed asset again. */
export function retryAsset(call: Call): Answer {
  const { workspace } = call;
  const { submission, asset } = assetOf(call);
  validated(RetryRequest, call.body.json ?? {});
  const problem = retryProblem(workspace, asset);
  if (problem !== undefined) throw refusal(409, problem);
  const retried = workspace.scenario.retryInNewSubmission
    ? retryInNewSubmission(workspace, submission, asset)
    : retryInPlace(workspace, submission, asset);
  const answer = json(202, creationAnswer(workspace, retried.submission, [retried.asset]));
  beginAnalysis(workspace, retried.submission, retried.asset, 0);
  return answer;
}

function finishedAsset(call: Call): Asset {
  const { asset } = assetOf(call);
  refuseUnfinished(asset);
  return asset;
}

function refuseUnfinished({ assetId, status }: Asset): void {
  if (status !== 'complete') throw refusal(404, `Asset ${assetId} has not finished processing.`);
}

function retryProblem(workspace: Workspace, asset: Asset): string | undefined {
  if (asset.pending !== undefined && asset.retryCount > 0) return 'A retry of this asset is already in flight.';
  if (asset.failure === undefined) return 'This asset is not in a failed state.';
  if (asset.retryCount >= workspace.scenario.maxRetries) return 'The maximum number of attempts is reached.';
  return asset.failure.isRetryable ? undefined : 'The error of this asset is not retryable.';
}

/** The error that the list goes on showing, if the scenario says so. */
function remainingError({ scenario }: Workspace, { filename, failure }: Asset): Asset['errorBeforeRetry'] {
  return ruleFor(scenario, filename).fails?.errorStays ? failure : undefined;
}

interface Retried {
  readonly submission: Submission;
  readonly asset: Asset;
}

function retryInPlace(workspace: Workspace, submission: Submission, asset: Asset): Retried {
  const lag = workspace.scenario.retryLagReads;
  if (lag > 0) asset.stale = { status: assetStatus(workspace.scenario, asset), readsLeft: lag };
  asset.retryCount += 1;
  asset.errorBeforeRetry = remainingError(workspace, asset);
  asset.failure = undefined;
  asset.completedAt = null;
  return { submission, asset };
}

/** The old asset stays failed: only the new submission shows the outcome of the retry. */
function retryInNewSubmission(workspace: Workspace, old: Submission, failed: Asset): Retried {
  const asset: Asset = {
    ...failed,
    assetId: randomUUID(),
    retryCount: failed.retryCount + 1,
    errorBeforeRetry: remainingError(workspace, failed),
    failure: undefined,
    completedAt: null,
  };
  if (failed.failure !== undefined) failed.failure = { ...failed.failure, isRetryable: false };
  const { sidekickIds, metadata } = old;
  const submission = newSubmission({ sidekickIds, metadata, assets: [asset], creditsSpent: 0 });
  workspace.add(submission);
  return { submission, asset };
}
