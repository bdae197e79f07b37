import type { Cause } from '../lib/cause.ts';
import { sleep } from '../lib/clock.ts';
import { concurrently } from '../lib/concurrently.ts';
import { type Analysis, analysisOf } from './analysis.ts';
import { CATCH_UP_MS, type Deadline, MAX_CONCURRENT_READS, READ_AGAIN_MS, type ServiceClient } from './client.ts';
import type { Mode } from './endpoints.ts';
import { countVersions, readTopics } from './issue.ts';
import { type AssetReading, missingFact, readAsset, unreadAsset } from './read-asset.ts';
import { type ListedAsset, type SubmissionResponse, unlistedAsset } from './responses.ts';
import { ServiceError } from './service-error.ts';
import type { WaitedSubmission } from './wait.ts';

/** Once the deadline has passed, one last reading of what is there may take this much longer. */
const FINAL_READ_MS = 30_000;
/** Topics and versions are not worth more time. */
const EXTRAS_MS = 15_000;

interface CollectOptions {
  readonly client: ServiceClient;
  readonly mode: Mode;
  readonly deadline: Deadline;
}

/**
 * wait → collect: reads every asset, and finds the file of each by the name that the service gives. A fact that is missing
 * is read again for a while; if the wait was interrupted, everything is read once.
 */
export async function collect(waited: WaitedSubmission, options: CollectOptions): Promise<readonly Analysis[]> {
  const { submission, retries, interruption } = waited;
  const { submissionId, contents } = submission;
  const { client, mode } = options;
  // Retries may have moved all of them to other submissions.
  if (contents.length === 0) return [];
  const deadline = { ...options.deadline, until: Math.max(options.deadline.until, Date.now() + FINAL_READ_MS) };
  let windowEndsAt: number | undefined;
  const readings = new Map<string, AssetReading>();
  let stoppedBy: ServiceError | undefined;
  let response: SubmissionResponse | undefined = waited.response;
  for (;;) {
    const assets = response?.assets ?? submission.assetIds.map(unlistedAsset);
    await readAll(assets);
    const byName = Map.groupBy(readings.values(), ({ filename }) => filename);
    const facts = { submissionId, mode, retries, interruption, readings: [...readings.values()] };
    const unclaimed = contents.filter(({ name }) => !byName.has(name));
    const hasSurplus = (byName.get(undefined) ?? []).length > unclaimed.length;
    const analyses = contents
      .map((content) => analysisOf(content, byName.get(content.name) ?? [], facts))
      .map((analysis) => (hasSurplus ? unproven(analysis, SURPLUS) : analysis));
    const isSettled = analyses.every(({ outcome }) => outcome !== 'unjudged');
    // The window begins once everything was read: that alone may take longer.
    windowEndsAt ??= Date.now() + CATCH_UP_MS;
    const isOver = interruption !== undefined || stoppedBy !== undefined || Date.now() >= windowEndsAt;
    if (isSettled || isOver)
      return await withExtras(
        analyses.map((each) => (response ? each : unproven(each, interruption))),
        client,
        deadline,
      );
    await sleep(READ_AGAIN_MS, deadline.signal);
    response = await listAgain(response);
  }

  async function readAll(assets: readonly ListedAsset[]): Promise<void> {
    const wanted = assets.filter(({ assetId }) => {
      const before = readings.get(assetId);
      return !before || !isFinal(before);
    });
    await concurrently(wanted, MAX_CONCURRENT_READS, async (listed) => {
      const before = readings.get(listed.assetId) ?? unreadAsset(listed);
      // The other reads would meet the same error.
      const reading = stoppedBy
        ? { ...before, error: stoppedBy }
        : await readAsset(listed, { client, submissionId, mode, deadline }, before);
      if (reading.error?.stopsReading) stoppedBy = reading.error;
      readings.set(listed.assetId, reading);
    });
  }

  function isFinal(reading: AssetReading): boolean {
    return reading.status === 'failed' || (!reading.error && missingFact(reading, mode) === undefined);
  }

  /** The list may lag behind the assets, so it is read again with them. */
  async function listAgain(before: SubmissionResponse | undefined): Promise<SubmissionResponse | undefined> {
    try {
      return await client.readSubmission(submissionId, deadline);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.endsRun) throw error;
      return before;
    }
  }
}

const SURPLUS: Cause = {
  reason: 'results',
  message: 'The submission has an asset whose file name could not be read, and every file has an asset already.',
  fix: "It may be a second asset of one of the files, so none of them passes. Re-run the job. If it happens again, contact the service's support.",
};

/** Without the list of assets, or with one too many, nothing proves that exactly one has the file's name. */
function unproven(analysis: Analysis, cause: Cause | undefined): Analysis {
  return analysis.outcome === 'judged' && cause ? { ...analysis, outcome: 'unjudged', causes: [cause] } : analysis;
}

/** Adds topics and the number of versions. Any failure only leaves them out. */
async function withExtras(
  analyses: readonly Analysis[],
  client: ServiceClient,
  deadline: Deadline,
): Promise<readonly Analysis[]> {
  const limit = { ...deadline, until: Math.min(deadline.until, Date.now() + EXTRAS_MS) };
  const [first] = analyses;
  const isVersioned = analyses.some(({ versionNumber = 1 }) => versionNumber > 1);
  let isAvailable = true;
  const versions =
    first && isVersioned ? await attempt(() => client.readVersions(first.submissionId, limit)) : undefined;
  return await concurrently(analyses, MAX_CONCURRENT_READS, async (analysis) => {
    const { submissionId, assetId, issues, versionNumber = 1, versionGroupId } = analysis;
    const hasTopics = assetId !== undefined && issues.length > 1;
    const topics = hasTopics ? await attempt(() => client.readTopics(submissionId, assetId, limit)) : undefined;
    return {
      ...analysis,
      topics: readTopics(topics).items,
      versionCount: versionNumber > 1 ? countVersions(versions, versionGroupId) : undefined,
    };
  });

  async function attempt(read: () => Promise<unknown>): Promise<unknown> {
    if (!isAvailable) return undefined;
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.stopsReading) isAvailable = false;
      return undefined;
    }
  }
}
