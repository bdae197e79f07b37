import { type Cause, rerun } from '../lib/cause.ts';
import { plural } from '../lib/format.ts';
import { explain } from './advice.ts';
import { type Analysis, analysesOf, reusedAnalysis } from './analysis.ts';
import type { Mode } from './endpoints.ts';
import type { SubmissionResponse } from './responses.ts';
import { ServiceError } from './service-error.ts';
import {
  assetsByName,
  assetsOfFiles,
  mayAppear,
  type NeededSubmission,
  retryingAssets,
  reusedAssets,
  type SubmissionReading,
} from './submission-reading.ts';
import type { Deadline } from './tries.ts';

/** One call of the reader. */
export interface ReadCall {
  /** Whether to ask for a submission until it has ended. Otherwise it is asked for once, and again only for 20 s. */
  readonly isPolled: boolean;
  readonly deadline: Deadline;
  /** By `monotonicMs`. */
  readonly startedAt: number;
  readonly mode: Mode;
}

/**
 * How far a call has come with a submission:
 *
 * - `running`: it is asked for again, because the service works on it, or it may still appear
 * - `done`: the service has ended its work, so failed assets are retried, and facts that are missing may still come
 * - `over`: this call asks for nothing more, because the time is up, the service does not respond, or a wait follows
 */
type Stage = 'running' | 'done' | 'over';

export function stageOf(needed: NeededSubmission, reading: SubmissionReading, call: ReadCall): Stage {
  const { error, assets } = reading;
  const { isPolled } = call;
  const isUnreadable = error !== undefined && !(isPolled && mayAppear(reading));
  const isStopped = assets.values().some((asset) => asset.error?.stopsReading);
  if (isUnreadable || isStopped || isTimeUp(reading, call)) return 'over';
  if (isPolled) return mayAppear(reading) || isUnfinished(needed, reading) ? 'running' : 'done';
  const retries = retryingAssets(needed, reading).map(({ retry }) => retry?.last);
  if (retries.length === 0) return 'done';
  // An accepted retry is left to the wait. A refused one may show at once.
  return retries.some((last) => last instanceof ServiceError) ? 'running' : 'over';
}

/** The time of the last request counts, so that one request follows the deadline, and slow reads are no timeout. */
function isTimeUp({ askedAt = 0 }: SubmissionReading, { isPolled, deadline }: ReadCall): boolean {
  return isPolled && askedAt >= deadline.until;
}

function isUnfinished(needed: NeededSubmission, reading: SubmissionReading): boolean {
  return reading.response?.status.isTerminal !== true || retryingAssets(needed, reading).length > 0;
}

/**
 * Whether to read the assets of `contents` now: if the submission has ended, or is so old that they may never get a
 * result. In a wait, the last reading decides, even if the work has not ended.
 */
export function areAssetsDue(needed: NeededSubmission, reading: SubmissionReading, call: ReadCall): boolean {
  const { response } = reading;
  const isDue = response && (response.status.isTerminal || needed.isOld === true);
  return needed.contents.length > 0 && (isDue || (call.isPolled && stageOf(needed, reading, call) === 'over'));
}

/** Whether to retry failed assets of `contents` now. */
export function areRetriesDue(needed: NeededSubmission, reading: SubmissionReading, call: ReadCall): boolean {
  const { isTerminal, isTrusted } = reading.response?.status ?? {};
  const isAllowed = isTerminal === true && isTrusted === true && needed.contents.length > 0;
  return isAllowed && stageOf(needed, reading, call) === 'done';
}

export interface SubmissionResults {
  readonly submission: NeededSubmission;
  readonly response: SubmissionResponse | undefined;
  /** The analyses of `reused` and, if their assets were read, of `contents`. */
  readonly analyses: readonly Analysis[];
}

export function resultsOf(needed: NeededSubmission, reading: SubmissionReading, call: ReadCall): SubmissionResults {
  const { response, error } = reading;
  const earlyEnd = explainEarlyEnd(needed, reading, call);
  const facts = { response, error, isOld: needed.isOld, isSandbox: call.mode === 'sandbox' };
  const ofReused = reusedAssets(needed, reading).map(({ content, asset }) =>
    // Only a submission that could not be read keeps its assets from being read.
    response
      ? reusedAnalysis(content, asset, facts)
      : reusedAnalysis(content, { ...asset, error }, { ...facts, earlyEnd }),
  );
  const ofContents = areAssetsDue(needed, reading, call)
    ? analysesOf(needed, { ...facts, earlyEnd, readings: assetsByName(needed, reading) })
    : [];
  return { submission: needed, response, analyses: [...ofReused, ...ofContents] };
}

/** Whether to ask again, for 20 s, because a fact is missing that the service may still publish. */
export function isLacking(
  { submission, response, analyses }: SubmissionResults,
  reading: SubmissionReading,
  call: ReadCall,
): boolean {
  if (!response?.status.isTrusted || stageOf(submission, reading, call) !== 'done') return false;
  // A file without an asset has failed with its submission, but its asset may be listed or readable only later.
  const mayAssetAppear = response.status.hasFailed && areAssetsDue(submission, reading, call);
  return (
    (mayAssetAppear && isAnyAssetUnknown(submission, reading)) || analyses.some(({ outcome }) => outcome === 'unjudged')
  );
}

function isAnyAssetUnknown(needed: NeededSubmission, reading: SubmissionReading): boolean {
  const assets = assetsByName(needed, reading);
  const { of } = assetsOfFiles(assets, needed);
  return assets.some(({ own }) => !own) || needed.contents.some((content) => of(content).length === 0);
}

/** Why the work on a submission ended early. Undefined if it was completed. */
function explainEarlyEnd(needed: NeededSubmission, reading: SubmissionReading, call: ReadCall): Cause | undefined {
  const { submissionId } = needed;
  const { response, error, askedAt = 0 } = reading;
  if (error) return { ...explain(error), submissionId, ...(error.stopsReading && { submission: 'open' }) };
  if (!response || !isTimeUp(reading, call) || !isUnfinished(needed, reading)) return undefined;
  const minutes = plural(Math.max(1, Math.round((askedAt - call.startedAt) / 60_000)), 'minute');
  return {
    reason: 'timeout',
    message: `The analysis was not finished after ${minutes}: ${describeProgress(response)}.`,
    steps: [rerun('Re-run this job later.')],
    submissionId,
    submission: 'open',
  };
}

/** Returns a text such as "processing, 40 %. The service says: …". */
export function describeProgress({ status, progressPercent, errorMessage }: SubmissionResponse): string {
  const isCounted = Boolean(progressPercent) && !status.isTerminal;
  const progress = isCounted ? `${status.word}, ${progressPercent} %` : status.word;
  return errorMessage ? `${progress}. The service says: ${errorMessage}` : progress;
}
