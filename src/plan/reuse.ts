import type { Cause } from '../lib/cause.ts';
import { explain } from '../service/advice.ts';
import { type Analysis, about, analysesOf, stepsAfterFailure, unjudged } from '../service/analysis.ts';
import type { Deadline } from '../service/client.ts';
import { type AssetReading, readMissing, unreadAsset } from '../service/read-asset.ts';
import { unlistedAsset } from '../service/responses.ts';
import { ServiceError } from '../service/service-error.ts';
import type { AnalysedRecord, FailedRecord } from '../state/document.ts';
import { type Plan, type PlannedContent, withSource } from './plan.ts';
import { canFail, isFound, type Queried, type QueryOptions } from './query.ts';

/** Time for one try, but not for a rate limit to end. */
const ONE_TRY_MS = 1_000;

interface ReusedAnalyses {
  /** With the issue statuses of now, unless `lastKnownAt` is set. */
  readonly analyses: readonly Analysis[];
  /** Why some of them are as last known: the service did not respond. */
  readonly lastKnownCause: Cause | undefined;
}

/**
 * Reads the issues of what is reused, as far as the service allows: one that was dismissed passes a re-run at no cost, and
 * one that was re-opened fails it. What could not be read is shown as last known. Earlier failures are shown again.
 */
export async function readReused(plan: Plan, queried: Queried, options: QueryOptions): Promise<ReusedAnalyses> {
  const { client, mode, deadline } = options;
  const errorOf = (submissionId: string): ServiceError | undefined => {
    const submission = queried.submissions.get(submissionId);
    return submission instanceof ServiceError ? submission : undefined;
  };
  // Another count than before means that issues changed, which can change the verdict as well.
  const isUrgent = ({ issues, issueCount = issues.length }: AssetReading): boolean =>
    canFail(issues, options) || issueCount !== issues.length;
  const deadlineFor = (asset: AssetReading): Deadline | undefined => {
    const now = Date.now();
    if (errorOf(asset.submissionId) || now >= deadline.until) return undefined;
    // An asset that cannot change the verdict is not worth waiting for the end of a rate limit.
    return isUrgent(asset) ? deadline : { ...deadline, until: now + ONE_TRY_MS };
  };
  const reused = withSource(plan, 'analysed')
    .map((each) => ({ ...each, asset: earlierAsset(each.source, queried) }))
    .toSorted((a, b) => Number(isUrgent(b.asset)) - Number(isUrgent(a.asset)));
  const assets = await readMissing(
    reused.map(({ asset }) => asset),
    { client, mode, deadlineFor },
  );
  const analyses = reused.flatMap(({ content, source, asset: { submissionId } }, index) => {
    const error = errorOf(submissionId);
    // The service refuses this submission, which is no outage: the last known issues do not count.
    if (error && !error.stopsReading) return unjudged(content, submissionId, [about(content, explain(error))]);
    const facts = { submissionId, mode, readings: assets.slice(index, index + 1), status: 'complete' };
    return analysesOf([content], facts).map((analysis) => ({
      ...analysis,
      topics: source.topics ?? [],
      // A reused asset is never retried, so its failure is final.
      ...(analysis.outcome === 'failed' && { isFailedForGood: true }),
    }));
  });
  const sources = [...reused, ...withSource(plan, 'open')].map(({ source }) => errorOf(source.submissionId));
  const outage = [...sources, ...assets.map(({ error }) => error)].find((error) => error?.isOutage);
  return {
    analyses: [...analyses, ...withSource(plan, 'failed').map(earlierFailure)],
    lastKnownCause: outage && explain(outage),
  };
}

/** An earlier run has proved which file the asset is, and has read its issues. */
function earlierAsset(record: AnalysedRecord, queried: Queried): AssetReading {
  const { submissionId, assetId, issues, at: lastKnownAt, versionNumber, versionGroupId } = record;
  const submission = queried.submissions.get(submissionId);
  const listed = (isFound(submission) && submission.assets.get(assetId)) || unlistedAsset(assetId);
  const own = { filename: record.name, status: 'complete', versionNumber, versionGroupId };
  return { ...unreadAsset(submissionId, listed), own, issues, lastKnownAt };
}

function earlierFailure({ content, source }: PlannedContent<FailedRecord>): Analysis {
  const causes = [explainEarlierFailure({ content, source })];
  return { ...unjudged(content, source.submissionId, causes), outcome: 'failed', isFailedForGood: true };
}

/** The message of the run in which the file failed, and what sends it again. */
export function explainEarlierFailure({ content, source: record }: PlannedContent<FailedRecord>): Cause {
  return about(content, {
    reason: 'asset-failed',
    message: `${record.message} That was on ${record.at.slice(0, 10)}. The file was not sent again, so nothing was billed. A re-run of this job, other bytes, seven days or \`reuse-days: 0\` send it again.`,
    steps: stepsAfterFailure(true),
    submissionId: record.submissionId,
  });
}
