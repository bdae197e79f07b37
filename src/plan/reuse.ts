import type { Cause } from '../lib/cause.ts';
import { monotonicMs } from '../lib/clock.ts';
import { explain } from '../service/advice.ts';
import { type Analysis, about, reusedAnalysis, stepsAfterFailure, unjudged } from '../service/analysis.ts';
import { topicsFor } from '../service/issue.ts';
import { type AssetReading, readMissing, reusedAsset, withCount } from '../service/read-asset.ts';
import { idKey, type ListedAsset, unlistedAsset } from '../service/responses.ts';
import { ServiceError } from '../service/service-error.ts';
import { catchUpWindow, type Deadline } from '../service/tries.ts';
import { type AnalysedRecord, analysisId, type FailedRecord } from '../state/document.ts';

import { type Plan, type PlannedContent, withSource } from './plan.ts';
import { canFail, type QueryOptions, readSubmissions } from './query.ts';
import { type EarlierResponses, type EarlierSubmissions, isFound } from './record-status.ts';

/** A reused content, and what this run has read about its asset so far. */
interface Reused extends PlannedContent<AnalysedRecord> {
  readonly asset: AssetReading;
}

/**
 * Reads the issues of reused analyses again, because people may have dismissed or re-opened an issue: a re-run can then
 * pass or fail at no cost. Saved failures are shown again.
 */
export async function readReused(
  plan: Plan,
  responses: EarlierResponses,
  options: QueryOptions,
): Promise<readonly Analysis[]> {
  const { submissions } = responses;
  const errorOf = ({ submissionId }: { readonly submissionId: string }): ServiceError | undefined => {
    const submission = submissions.get(submissionId);
    return submission instanceof ServiceError ? submission : undefined;
  };
  const unread = withSource(plan, 'analysed').map((each) => ({
    ...each,
    asset: earlierAsset(each.source, submissions),
  }));
  const reused = await readAgain(unread, (asset) => errorOf(asset) === undefined, options);
  const analyses = reused.map(({ content, source, asset }) => {
    const error = errorOf(source);
    // The read failed without an outage or a rate limit, so the file is unjudged: last known issues can only fail it.
    if (error && !error.stopsReading) return unjudged(content, source.submissionId, [about(content, explain(error))]);
    const analysis = reusedAnalysis(content, asset, error);
    return { ...analysis, topics: topicsFor(analysis.issues, source.topics ?? []) };
  });
  return [...analyses, ...withSource(plan, 'failed').map((each) => earlierFailure(each, responses))];
}

/**
 * Reads each asset once. For 20 seconds, assets that still lack a fact, and the lists of their submissions, are read
 * again: a replica of the service may lag behind.
 */
async function readAgain(
  reused: readonly Reused[],
  isReadable: (asset: AssetReading) => boolean,
  options: QueryOptions,
): Promise<readonly Reused[]> {
  const { client, deadline } = options;
  // If the issue count is unknown or has changed, the asset may have a new issue that changes the verdict.
  const isUrgent = ({ earlier, issueCount }: AssetReading): boolean =>
    canFail(earlier?.issues ?? [], options) || issueCount !== earlier?.issues.length;
  const deadlineFor = (asset: AssetReading): Deadline | undefined =>
    isReadable(asset) && monotonicMs() < deadline.until ? deadline : undefined;
  const read = async (all: readonly Reused[]): Promise<readonly Reused[]> => {
    const given = all.map(({ asset }) => asset);
    const assets = await readMissing(given, client, deadlineFor);
    return all.map((each, index) => ({ ...each, asset: assets[index] ?? each.asset }));
  };
  const isLagging = ({ content, asset }: Reused): boolean => reusedAnalysis(content, asset).outcome === 'unjudged';
  let current = await read(reused.toSorted((a, b) => Number(isUrgent(b.asset)) - Number(isUrgent(a.asset))));
  const mayReadAgain = catchUpWindow(deadline);
  for (;;) {
    const lagging = current.filter(isLagging);
    const isStopped = current.some(({ asset }) => asset.error?.stopsReading);
    if (lagging.length === 0 || isStopped || !(await mayReadAgain())) return current;
    const again = await readSubmissions([...new Set(lagging.map(({ source }) => source.submissionId))], options);
    current = await read(current.map((each) => ({ ...each, asset: relisted(each, again) })));
  }
}

/** Replaces the asset's entry in the list of its submission, if the list could be read again and has the asset. */
function relisted({ asset, source }: Reused, submissions: EarlierSubmissions): AssetReading {
  const listed = listedIn(submissions, source);
  return listed ? { ...withCount(asset, listed.issueCount), listed } : asset;
}

function listedIn(submissions: EarlierSubmissions, record: AnalysedRecord): ListedAsset | undefined {
  const submission = submissions.get(record.submissionId);
  return isFound(submission) ? submission.assets?.get(idKey(record.assetId)) : undefined;
}

/** The asset of a record. An earlier run has proved which file it belongs to, so this run does not check that again. */
function earlierAsset(record: AnalysedRecord, submissions: EarlierSubmissions): AssetReading {
  const { submissionId, assetId } = record;
  return reusedAsset(submissionId, listedIn(submissions, record) ?? unlistedAsset(assetId), record);
}

/** Shows a saved failure again, with the message that this run has read about it, if any. */
function earlierFailure(each: PlannedContent<FailedRecord>, { files }: EarlierResponses): Analysis {
  const { content, source } = each;
  const read = files.get(analysisId(source))?.analysis;
  const causes = [explainEarlierFailure(each, read?.outcome === 'failed' ? read.causes[0] : undefined)];
  return { ...unjudged(content, source.submissionId, causes), outcome: 'failed', isFailedForGood: true };
}

/** Says why the file failed, and what makes the gate send it again. @param read the failure as this run has read it */
export function explainEarlierFailure({ content, source: record }: PlannedContent<FailedRecord>, read?: Cause): Cause {
  const isOfAll = read?.steps.every(({ actor }) => actor !== 'author');
  return about(content, {
    reason: 'asset-failed',
    message: `${read?.message ?? record.message} That was on ${record.at.slice(0, 10)}. The file was not sent again, so nothing was billed. A re-run of this job, other bytes, seven days or \`reuse-days: 0\` send it again.`,
    steps: stepsAfterFailure(true, isOfAll),
    submissionId: record.submissionId,
  });
}
