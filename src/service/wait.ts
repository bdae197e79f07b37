import { type Cause, GateError, rerun } from '../lib/cause.ts';
import { sleep } from '../lib/clock.ts';
import { plural } from '../lib/format.ts';
import type { Log } from '../lib/log.ts';
import { explain } from './advice.ts';
import { type Analysis, analysesOf } from './analysis.ts';
import { mayTakeEffect, noteEffect, retryFailed } from './asset-retries.ts';
import { CATCH_UP_MS, type Deadline, READ_AGAIN_MS, type ServiceClient } from './client.ts';
import type { Mode } from './endpoints.ts';
import { withExtras } from './extras.ts';
import { type AssetReading, readMissing, unreadAsset, withCount } from './read-asset.ts';
import { failureText, isTerminal, type ListedAsset, type SubmissionResponse, unlistedAsset } from './responses.ts';
import { orError, ServiceError } from './service-error.ts';
import type { OpenSubmission } from './submit.ts';

/** Once the deadline has passed, one last reading of the assets may take this much longer. */
const FINAL_READ_MS = 30_000;
/** A log without a new line for longer looks dead. */
const MAX_SILENCE_MS = 60_000;

export interface WaitedSubmission {
  readonly submission: OpenSubmission;
  /** As it was read last; undefined if it never could be. */
  readonly response: SubmissionResponse | undefined;
  readonly analyses: readonly Analysis[];
  /** The service did not respond, so that more may be known later. */
  readonly isUnanswered: boolean;
}

export interface WaitOptions {
  readonly client: ServiceClient;
  readonly mode: Mode;
  readonly log: Log;
  readonly deadline: Deadline;
}

/** What is known of a submission while it is waited for. Each step returns a new one. */
interface Progress {
  readonly submission: OpenSubmission;
  readonly mode: Mode;
  /** This time and the following ones are epoch milliseconds. */
  readonly startedAt: number;
  readonly until: number;
  /** When the submission was last requested. */
  readonly polledAt: number;
  /** When a retry was last requested that may take effect; 0 if none was. */
  readonly retriedAt: number;
  readonly loggedAt: number;
  /** The last response; undefined if there was none. */
  readonly response: SubmissionResponse | undefined;
  /** Why the last request for the submission failed. */
  readonly error: ServiceError | undefined;
  /** Of the newest list. */
  readonly assets: readonly AssetReading[];
}

export async function waitForAll(
  submissions: readonly OpenSubmission[],
  options: WaitOptions,
): Promise<readonly WaitedSubmission[]> {
  return await Promise.all(
    submissions.map(async (submission) => {
      const waited = await waitFor(submission, options);
      return { ...waited, analyses: await withExtras(waited.analyses, options.client, options.deadline.signal) };
    }),
  );
}

/** Polls a submission until it is terminal, reads its assets, and retries those that failed. */
async function waitFor(submission: OpenSubmission, options: WaitOptions): Promise<WaitedSubmission> {
  try {
    let progress = begin(submission, options);
    do {
      progress = await pollUntilTerminal(progress, options);
      progress = await readAssets(progress, options);
      if (!isStopped(progress)) progress = await requestRetries(progress, options);
    } while (isUnderWay(progress) && !isStopped(progress));
    return judgeFiles(await catchUp(progress, options));
  } catch (error) {
    throw error instanceof ServiceError ? new GateError(explainError(error, submission), { cause: error }) : error;
  }
}

/** What a submission of an earlier run holds. It gets a short time for facts that are missing, and no retry. */
export async function readEarlier(submission: OpenSubmission, options: WaitOptions): Promise<WaitedSubmission> {
  const short = { ...options, deadline: { ...options.deadline, until: Date.now() + CATCH_UP_MS } };
  const polled = await pollUntilTerminal(begin(submission, short), short);
  return judgeFiles(await catchUp(await readAssets(polled, short), short));
}

function begin(submission: OpenSubmission, { mode, deadline: { until } }: WaitOptions): Progress {
  const startedAt = Date.now();
  const times = { startedAt, until, polledAt: startedAt, retriedAt: 0, loggedAt: 0 };
  return { submission, mode, ...times, response: undefined, error: undefined, assets: [] };
}

async function pollUntilTerminal(before: Progress, options: WaitOptions): Promise<Progress> {
  let progress = before;
  do {
    if (progress.response)
      await pause(pollDelay(Date.now() - Math.max(progress.startedAt, progress.retriedAt)), options);
    progress = await poll(progress, options);
  } while (!isStopped(progress) && !(progress.response && isTerminal(progress.response)));
  return progress;
}

/** Requests the submission once. If that fails, the last response still counts. */
async function poll(progress: Progress, options: WaitOptions): Promise<Progress> {
  const response = await readPresent(progress.submission, options);
  const polled = { ...progress, polledAt: Date.now() };
  if (response instanceof ServiceError) return { ...polled, error: response };
  return { ...polled, response, loggedAt: logProgress(polled, response, options.log) };
}

/** A missing submission gets 20 s: a read can be faster than the creation before it, or reach a server that restarts. */
async function readPresent(
  { submissionId }: OpenSubmission,
  options: WaitOptions,
): Promise<SubmissionResponse | ServiceError> {
  const { client, deadline } = options;
  const until = Math.min(Date.now() + CATCH_UP_MS, deadline.until);
  for (;;) {
    const response = await orError(client.readSubmission(submissionId, deadline));
    const isMissing = response instanceof ServiceError && response.failureClass === 'missing';
    if (!isMissing || Date.now() >= until) return response;
    await pause(READ_AGAIN_MS, options);
  }
}

/** Reads each asset that lacks a fact, once. The last reading may go on after the deadline. */
async function readAssets(progress: Progress, { client, mode, deadline }: WaitOptions): Promise<Progress> {
  const listed = relist(progress);
  const until = Math.max(deadline.until, Date.now() + FINAL_READ_MS);
  const assets = await readMissing(listed, { client, mode, deadlineFor: () => ({ ...deadline, until }) });
  const before = new Map(progress.assets.map((asset) => [asset.listed.assetId, asset]));
  return { ...progress, assets: assets.map((asset) => noteEffect(before.get(asset.listed.assetId) ?? asset, asset)) };
}

/**
 * The assets of the newest list. One that a retry replaced by an asset with another id hands its retries on, so that no
 * file is retried without end. Without a list, those that the creation named are read.
 */
function relist({ submission, response, assets }: Progress): readonly AssetReading[] {
  const { submissionId, assetIds } = submission;
  const newest = response?.assets ?? assetIds.map(unlistedAsset);
  const known = new Map(assets.map((asset) => [asset.listed.assetId, asset]));
  const ids = new Set(newest.map(({ assetId }) => assetId));
  const replaced = assets.flatMap(({ listed, retry }) => (retry && !ids.has(listed.assetId) ? [retry] : [])).values();
  return newest.map((listed: ListedAsset): AssetReading => {
    const before = known.get(listed.assetId);
    if (before) return { ...withCount(before, listed.issueCount), listed };
    const retry = replaced.next().value;
    return { ...unreadAsset(submissionId, listed), retry: retry && { ...retry, problem: undefined } };
  });
}

async function requestRetries(progress: Progress, options: WaitOptions): Promise<Progress> {
  const assets = await retryFailed(progress.submission, progress.assets, options);
  const isAnyNew = assets.some((asset, index) => asset !== progress.assets[index] && mayTakeEffect(asset));
  return { ...progress, assets, retriedAt: isAnyNew ? Date.now() : progress.retriedAt };
}

/** Whether the service is still working on a file that this run needs. */
function isUnderWay({ submission, response, assets, polledAt, retriedAt }: Progress): boolean {
  if (!response || !isTerminal(response)) return true;
  if (polledAt < retriedAt + CATCH_UP_MS && assets.some(mayTakeEffect)) return true;
  if (response.status !== 'failed') return false;
  const names = new Set(submission.contents.map(({ name }) => name));
  return assets.some(({ own }) => own && names.has(own.filename) && !isTerminal(own));
}

/** Whether waiting is of no use any more: the time is up, or the service does not respond. */
function isStopped({ polledAt, until, error, assets }: Progress): boolean {
  return polledAt >= until || error !== undefined || assets.some((asset) => asset.error?.stopsReading);
}

/** Facts that are missing although the submission is terminal get one window of 20 s, for all assets together. */
async function catchUp(before: Progress, options: WaitOptions): Promise<Progress> {
  const until = Date.now() + CATCH_UP_MS;
  let progress = before;
  while (!isStopped(progress) && isFactMissing(progress) && Date.now() < until) {
    await pause(READ_AGAIN_MS, options);
    progress = await readAssets(await poll(progress, options), options);
  }
  return progress;
}

function isFactMissing(progress: Progress): boolean {
  const isAnyUnnamed = progress.response?.status === 'failed' && progress.assets.some(({ own }) => own === undefined);
  return isAnyUnnamed || judgeFiles(progress).analyses.some(({ outcome }) => outcome === 'unjudged');
}

function judgeFiles(progress: Progress): WaitedSubmission {
  const { submission, mode, response, error, assets: readings } = progress;
  const { submissionId, contents } = submission;
  const cause = explainEnd(progress);
  const analyses = analysesOf(contents, { submissionId, mode, readings, cause, status: response?.status });
  const isUnanswered = [error, ...readings.map((reading) => reading.error)].some((each) => each?.stopsReading);
  return { submission, response, analyses, isUnanswered };
}

/** Why the wait ended early; undefined if it did not. */
function explainEnd(progress: Progress): Cause | undefined {
  const { submission, response, error, startedAt, polledAt, until } = progress;
  if (error) return explainError(error, submission);
  if (!response || polledAt < until || !isUnderWay(progress)) return undefined;
  const minutes = Math.max(1, Math.round((polledAt - startedAt) / 60_000));
  return {
    reason: 'timeout',
    message: `The analysis was not finished after ${plural(minutes, 'minute')}: ${describeProgress(response)}.`,
    steps: [rerun('Re-run this job later.')],
    submissionId: submission.submissionId,
    submission: 'open',
  };
}

function explainError(error: ServiceError, { submissionId }: OpenSubmission): Cause {
  const cause = explain(error);
  if (!error.stopsReading) return cause;
  const message = `${cause.message} The service may still be analysing the submission.`;
  return { ...cause, message, submissionId, submission: 'open' };
}

const MIN_POLL_MS = 1_000;
const MAX_POLL_MS = 60_000;

/** Every eighth of the time that the analysis has taken so far, between 1 and 60 seconds. */
export function pollDelay(elapsedMs: number): number {
  return Math.min(Math.max(elapsedMs / 8, MIN_POLL_MS), MAX_POLL_MS);
}

async function pause(delayMs: number, { deadline: { until, signal } }: WaitOptions): Promise<void> {
  await sleep(Math.min(delayMs, until - Date.now()), signal);
}

/** Logs what has changed, and the same again after a minute. @returns when a line was last logged */
function logProgress({ submission, startedAt, loggedAt, ...before }: Progress, response: SubmissionResponse, log: Log) {
  const now = Date.now();
  const text = describeProgress(response);
  const isSame = before.response !== undefined && describeProgress(before.response) === text;
  if (isSame && now - loggedAt < MAX_SILENCE_MS) return loggedAt;
  // An earlier run may have created the submission: the seconds are those of this wait.
  const seconds = Math.max(0, Math.round((now - startedAt) / 1000));
  log.info(`Submission ${submission.submissionId}: ${text} (after ${seconds} s)`);
  return now;
}

/** "processing, 40 %, 2 of 5 assets finished, 1 of them failed. The service says: …" */
function describeProgress(response: SubmissionResponse): string {
  const { status, progressPercent, errorMessage, assets } = response;
  const failed = assets.filter((asset) => failureText(asset) !== '').length;
  const finished = assets.filter((asset) => typeof asset.issueCount === 'number' || failureText(asset) !== '').length;
  const parts = [
    status,
    ...(typeof progressPercent === 'number' && !isTerminal(response) ? [`${progressPercent} %`] : []),
    ...(assets.length > 0 && !isTerminal(response) ? [`${finished} of ${assets.length} assets finished`] : []),
    ...(failed > 0 && !isTerminal(response) ? [`${failed} of them failed`] : []),
  ];
  return `${parts.join(', ')}${errorMessage ? `. The service says: ${errorMessage}` : ''}`;
}
