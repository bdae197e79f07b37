import { type Cause, rerun } from '../lib/cause.ts';
import { plural } from '../lib/format.ts';
import { explain } from './advice.ts';
import { type Analysis, analysesOf, reusedAnalysis } from './analysis.ts';
import { situationOf } from './conclusion.ts';
import type { Mode } from './endpoints.ts';
import type { Status, SubmissionResponse } from './responses.ts';
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

interface PurposeRules {
  /** Whether to ask for a submission until it has ended. Otherwise it is asked for once, and again only for 20 s. */
  readonly isPolled: boolean;
  /** Whether to retry failed assets of `contents`. */
  readonly isRetried: boolean;
  /** Whether to read the assets of `contents`. Those of `reused` are read as soon as the submission is. */
  readonly readsAssets: (status: Status, isOld: boolean) => boolean;
}

/** Why a step reads submissions. */
const PURPOSES = {
  /** To plan. The files of a submission are awaited later, unless they may never get a result. */
  plan: { isPolled: false, isRetried: false, readsAssets: ({ hasFailed }, isOld) => hasFailed || isOld },
  /** To retry files that an earlier run saved as failed. An accepted retry is awaited later. */
  retry: { isPolled: false, isRetried: true, readsAssets: () => true },
  wait: { isPolled: true, isRetried: true, readsAssets: ({ isTerminal }) => isTerminal },
} as const satisfies Readonly<Record<string, PurposeRules>>;

/** One call of the reader. */
export interface ReadCall {
  readonly purpose: keyof typeof PURPOSES;
  readonly deadline: Deadline;
  /** By `monotonicMs`. */
  readonly startedAt: number;
  readonly mode: Mode;
}

/** How far a call has come with a submission, and so what the reader does next. */
export function progressOf(needed: NeededSubmission, reading: SubmissionReading, { purpose, deadline }: ReadCall) {
  const { response, error, assets, askedAt = 0 } = reading;
  const { isPolled, isRetried, readsAssets } = PURPOSES[purpose];
  const isEnded = response?.status.isTerminal === true;
  const retries = retryingAssets(needed, reading).map(({ retry }) => retry?.last);
  const isRetrying = retries.length > 0;
  // The time of the last request counts, so that one request follows the deadline, and slow reads are no timeout.
  const isTimeUp = isPolled && askedAt >= deadline.until;
  const isUnreadable = error !== undefined && !(isPolled && mayAppear(reading));
  const isStopped = assets.values().some((asset) => asset.error?.stopsReading);
  const isOver = isTimeUp || isUnreadable || isStopped;
  const isDue = (isPolled && isOver) || (response && readsAssets(response.status, needed.isOld === true)) === true;
  // A call that does not wait leaves an accepted retry to the wait, and only looks whether a refused one shows.
  const isRefusalOpen = retries.some((last) => last instanceof ServiceError);
  const isRunning = isPolled ? !isEnded || mayAppear(reading) || isRetrying : isRefusalOpen;
  return {
    isPolled,
    /** Whether to read the assets of `contents` now. */
    isReady: isDue && needed.contents.length > 0,
    isToRetry: isRetried && response?.status.isRetried === true && !isOver && !isRetrying && needed.contents.length > 0,
    /** Whether to ask for the submission again, because the work on it has not ended. */
    isRunning: isRunning && !isOver,
    isTimedOut: isTimeUp && (!isEnded || isRetrying),
    /** Whether the service may still publish a fact that is missing. */
    mayCatchUp: !isOver && !isRetrying && response?.status.isTrusted === true,
  };
}

export interface SubmissionResults {
  readonly submission: NeededSubmission;
  readonly response: SubmissionResponse | undefined;
  /** The analyses of `reused` and, if their assets were read, of `contents`. */
  readonly analyses: readonly Analysis[];
}

export function resultsOf(needed: NeededSubmission, reading: SubmissionReading, call: ReadCall): SubmissionResults {
  const { response, error } = reading;
  const isSandbox = call.mode === 'sandbox';
  const facts = {
    status: response?.status,
    errorMessage: response?.errorMessage ?? undefined,
    isPrevented: error?.stopsReading,
    isOld: needed.isOld,
    isSandbox,
  };
  const earlyEnd = explainEarlyEnd(needed, reading, call);
  const ofReused = reusedAssets(needed, reading).map(({ content, asset }) => {
    const situation = situationOf(response ?? {}, { isReused: true, isSandbox });
    // Only a submission that could not be read keeps its assets from being read.
    return response
      ? reusedAnalysis(content, asset, { ...facts, situation })
      : reusedAnalysis(content, { ...asset, error }, { ...facts, situation, earlyEnd });
  });
  const situation = situationOf(response ?? {}, { isReused: false, isSandbox });
  const ofContents = progressOf(needed, reading, call).isReady
    ? analysesOf(needed, { ...facts, situation, earlyEnd, readings: assetsByName(needed, reading) })
    : [];
  return { submission: needed, response, analyses: [...ofReused, ...ofContents] };
}

/** Whether to ask again, for 20 s, because a fact is missing. */
export function isLacking(
  { submission, response, analyses }: SubmissionResults,
  reading: SubmissionReading,
  call: ReadCall,
): boolean {
  const { mayCatchUp, isReady } = progressOf(submission, reading, call);
  // A file without an asset has failed with its submission, but its asset may be listed or readable only later.
  const mayAssetAppear = isReady && response?.status.hasFailed && isAnyAssetUnknown(submission, reading);
  return mayCatchUp && (mayAssetAppear || analyses.some(({ outcome }) => outcome === 'unjudged'));
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
  if (!response || !progressOf(needed, reading, call).isTimedOut) return undefined;
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
