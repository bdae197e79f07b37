import type { Cause } from '../lib/cause.ts';
import { explain } from '../service/advice.ts';
import { type Analysis, about, analysesOf, stepsAfterFailure, unjudged } from '../service/analysis.ts';
import { type AssetReading, readMissing, unreadAsset } from '../service/read-asset.ts';
import { unlistedAsset } from '../service/responses.ts';
import { ServiceError } from '../service/service-error.ts';
import type { Deadline } from '../service/tries.ts';
import type { AnalysedRecord, FailedRecord } from '../state/document.ts';
import { type EarlierSubmissions, isFound, type Plan, type PlannedContent, withSource } from './plan.ts';
import { canFail, type QueryOptions } from './query.ts';

/** Enough time for one request, but not for waiting until a rate limit ends. */
const ONE_TRY_MS = 1_000;

/**
 * Reads the issues of reused analyses again, if the service allows it: a dismissed issue lets a re-run pass at no cost,
 * a re-opened issue fails it. If the read fails, the last known issues are shown. Earlier failures are shown again.
 */
export async function readReused(
  plan: Plan,
  submissions: EarlierSubmissions,
  options: QueryOptions,
): Promise<{ readonly analyses: readonly Analysis[]; readonly lastKnownCause: Cause | undefined }> {
  const { client, deadline } = options;
  const errorOf = (submissionId: string): ServiceError | undefined => {
    const submission = submissions.get(submissionId);
    return submission instanceof ServiceError ? submission : undefined;
  };
  // If the issue count differs from the last known one, issues have changed, which can change the verdict as well.
  const isUrgent = ({ issues, issueCount = issues.length }: AssetReading): boolean =>
    canFail(issues, options) || issueCount !== issues.length;
  const deadlineFor = (asset: AssetReading): Deadline | undefined => {
    const now = Date.now();
    if (errorOf(asset.submissionId) || now >= deadline.until) return undefined;
    // A read that cannot change the verdict does not wait for the end of a rate limit.
    return isUrgent(asset) ? deadline : { ...deadline, until: now + ONE_TRY_MS };
  };
  const reused = withSource(plan, 'analysed')
    .map((each) => ({ ...each, asset: earlierAsset(each.source, submissions) }))
    .toSorted((a, b) => Number(isUrgent(b.asset)) - Number(isUrgent(a.asset)));
  const assets = await readMissing(
    reused.map(({ asset }) => asset),
    client,
    deadlineFor,
  );
  const analyses = reused.flatMap(({ content, source, asset: { submissionId } }, index) => {
    const error = errorOf(submissionId);
    // The service rejects this submission, which is not an outage, so the last known issues do not count.
    if (error && !error.stopsReading) return unjudged(content, submissionId, [about(content, explain(error))]);
    const facts = { submissionId, mode: client.mode, readings: assets.slice(index, index + 1), status: 'complete' };
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

/** The asset of a record. An earlier run has proved which file it belongs to, so this run does not check that again. */
function earlierAsset(record: AnalysedRecord, submissions: EarlierSubmissions): AssetReading {
  const { submissionId, assetId, issues, at: lastKnownAt, versionNumber, versionGroupId } = record;
  const submission = submissions.get(submissionId);
  const listed = (isFound(submission) && submission.assets.get(assetId)) || unlistedAsset(assetId);
  const own = { filename: record.name, status: 'complete', versionNumber, versionGroupId };
  return { ...unreadAsset(submissionId, listed), own, issues, lastKnownAt };
}

function earlierFailure({ content, source }: PlannedContent<FailedRecord>): Analysis {
  const causes = [explainEarlierFailure({ content, source })];
  return { ...unjudged(content, source.submissionId, causes), outcome: 'failed', isFailedForGood: true };
}

/** The failure message of the earlier run, and what makes the gate send the file again. */
export function explainEarlierFailure({ content, source: record }: PlannedContent<FailedRecord>): Cause {
  return about(content, {
    reason: 'asset-failed',
    message: `${record.message} That was on ${record.at.slice(0, 10)}. The file was not sent again, so nothing was billed. A re-run of this job, other bytes, seven days or \`reuse-days: 0\` send it again.`,
    steps: stepsAfterFailure(true),
    submissionId: record.submissionId,
  });
}
