import { sleep } from '../lib/async.ts';
import { type Cause, GateError, rerun } from '../lib/cause.ts';
import { monotonicMs } from '../lib/clock.ts';
import { plural } from '../lib/format.ts';
import { explain } from './advice.ts';
import { type Analysis, analysesOf } from './analysis.ts';
import { isRetrying, noteEffect, retryFailed } from './asset-retries.ts';
import { CATCH_UP_MS, READ_AGAIN_MS, type ServiceCalls } from './client.ts';
import { withExtras } from './extras.ts';
import { assetsOfFiles, isNewerVersion } from './file-assets.ts';
import { type AssetReading, readMissing, unreadAsset, withCount } from './read-asset.ts';
import { failureText, idKey, isTerminal, type SubmissionResponse, unlistedAsset } from './responses.ts';
import { orError, ServiceError } from './service-error.ts';
import type { OpenSubmission } from './submit.ts';

/** Reading the assets gets at least this time, even after the deadline: the last reading decides the verdict. */
const MIN_READ_MS = 30_000;
/** After this time without a new log line, the progress is logged again, so that the job does not look stalled. */
const MAX_SILENCE_MS = 60_000;

export interface WaitedSubmission {
  readonly submission: OpenSubmission;
  /** The last response about the submission. Undefined if every request failed. */
  readonly response: SubmissionResponse | undefined;
  readonly analyses: readonly Analysis[];
  /** True if the service stopped responding, so that a later run may read more results. */
  readonly mayKnowMoreLater: boolean;
}

/** The state of the wait for one submission. Each step returns a new state. Times are those of `monotonicMs`. */
interface WaitState {
  readonly submission: OpenSubmission;
  readonly options: ServiceCalls;
  readonly startedAt: number;
  /** When the last request for the submission ended. */
  readonly polledAt: number;
  readonly loggedAt: number;
  /** The last response about the submission. Undefined if every request failed. */
  readonly response: SubmissionResponse | undefined;
  /** Why the last request for the submission failed. Undefined if the request succeeded. */
  readonly error: ServiceError | undefined;
  /** The readings of the assets in the last response. */
  readonly assets: readonly AssetReading[];
}

export async function waitForAll(
  submissions: readonly OpenSubmission[],
  options: ServiceCalls,
): Promise<readonly WaitedSubmission[]> {
  return await Promise.all(
    submissions.map(async (submission) => {
      const waited = await waitFor(submission, options);
      return { ...waited, analyses: await withExtras(waited.analyses, options.client, options.deadline.signal) };
    }),
  );
}

/**
 * Polls a submission until it is terminal, reads its assets and retries failed assets. Repeats these steps until the
 * service has finished all files. Then missing facts get a short time to appear.
 */
async function waitFor(submission: OpenSubmission, options: ServiceCalls): Promise<WaitedSubmission> {
  try {
    let wait = startWait(submission, options);
    do {
      wait = await readAssets(await pollUntilTerminal(wait));
      if (!isStopped(wait) && !isAnyRetrying(wait))
        wait = { ...wait, assets: await retryFailed(submission, wait.assets, options) };
    } while (isUnderWay(wait) && !isStopped(wait));
    return judgeFiles(await catchUp(wait));
  } catch (error) {
    throw error instanceof ServiceError ? new GateError(explainError(error, submission), { cause: error }) : error;
  }
}

/**
 * Reads the assets of a submission of an earlier run. Missing facts get a short time to appear. Failed assets are not
 * retried.
 */
export async function readEarlier(
  submission: OpenSubmission,
  response: SubmissionResponse,
  options: ServiceCalls,
): Promise<WaitedSubmission> {
  const deadline = { ...options.deadline, until: monotonicMs() + CATCH_UP_MS };
  const wait = { ...startWait(submission, { ...options, deadline }), response };
  return judgeFiles(await catchUp(await readAssets(wait)));
}

function startWait(submission: OpenSubmission, options: ServiceCalls): WaitState {
  const startedAt = monotonicMs();
  const times = { startedAt, polledAt: startedAt, loggedAt: 0 };
  return { submission, options, ...times, response: undefined, error: undefined, assets: [] };
}

/** Polls until the submission is terminal or `isStopped` is true. */
async function pollUntilTerminal(before: WaitState): Promise<WaitState> {
  let wait = before;
  do {
    if (wait.response) {
      const retriedAt = wait.assets.map(({ retry }) => retry?.requestedAt ?? 0);
      const workStartedAt = retriedAt.reduce((last, time) => Math.max(last, time), wait.startedAt);
      await pause(pollDelay(monotonicMs() - workStartedAt), wait.options);
    }
    wait = await poll(wait);
  } while (!isStopped(wait) && !(wait.response && isTerminal(wait.response)));
  return wait;
}

/** Requests the submission once. If the request fails, the last response is kept. */
async function poll(wait: WaitState): Promise<WaitState> {
  const response = await readUntilFound(wait);
  const polled = { ...wait, polledAt: monotonicMs() };
  if (response instanceof ServiceError) return { ...polled, error: response };
  return { ...polled, response, loggedAt: logProgress(polled, response) };
}

/** A missing submission gets 20 s to appear: a replica of the service may lag behind or restart. */
async function readUntilFound({ submission, options }: WaitState): Promise<SubmissionResponse | ServiceError> {
  const { client, deadline } = options;
  const until = Math.min(monotonicMs() + CATCH_UP_MS, deadline.until);
  for (;;) {
    const response = await orError(client.readSubmission(submission.submissionId, deadline));
    const isMissing = response instanceof ServiceError && response.failureClass === 'missing';
    if (!isMissing || monotonicMs() >= until) return response;
    await pause(READ_AGAIN_MS, options);
  }
}

/** Makes one attempt to read each asset that lacks a fact. */
async function readAssets(wait: WaitState): Promise<WaitState> {
  const { client, deadline } = wait.options;
  const until = Math.max(deadline.until, monotonicMs() + MIN_READ_MS);
  const assets = await readMissing(relist(wait), client, () => ({ ...deadline, until }));
  const before = new Map(wait.assets.map((asset) => [idKey(asset.listed.assetId), asset]));
  return {
    ...wait,
    assets: assets.map((asset) => noteEffect(before.get(idKey(asset.listed.assetId)) ?? asset, asset)),
  };
}

/**
 * The assets of the last response or, if it has no list, the assets that the creation named. A retry may add a new
 * asset, beside the old one or in its place. The new asset inherits the retry count, which limits the retries of a file.
 */
function relist({ submission, response, assets }: WaitState): readonly AssetReading[] {
  const { assetIds, otherFiles } = submission;
  const submissionId = response?.submissionId ?? submission.submissionId;
  const newest = (response?.assets ?? assetIds.map(unlistedAsset)).filter(
    ({ assetId }) => !otherFiles?.assetKeys.has(idKey(assetId)),
  );
  const before = new Map(assets.map((asset) => [idKey(asset.listed.assetId), asset]));
  const ids = new Set(newest.map(({ assetId }) => idKey(assetId)));
  const retried = assets.filter(({ retry }) => retry).toSorted((a, b) => (b.retry?.count ?? 0) - (a.retry?.count ?? 0));
  const replaced = retried.filter(({ listed }) => !ids.has(idKey(listed.assetId)));
  return newest.map((listed): AssetReading => {
    const asset = before.get(idKey(listed.assetId));
    if (asset) return { ...withCount(asset, listed.issueCount), submissionId, listed };
    const added = unreadAsset(submissionId, listed);
    const [parent = replaced.shift()] = retried.filter((other) => isNewerVersion(added, other));
    return parent?.retry ? { ...added, retry: { ...parent.retry, last: 'shown' } } : added;
  });
}

/** Whether the service is still working on a file that this run needs. */
function isUnderWay(wait: WaitState): boolean {
  return !wait.response || !isTerminal(wait.response) || isAnyRetrying(wait);
}

function isAnyRetrying({ submission, assets, polledAt }: WaitState): boolean {
  const { of, unnamed } = assetsOfFiles(assets, submission);
  return [...submission.contents.flatMap(of), ...unnamed].some((asset) => isRetrying(asset, polledAt));
}

/** Whether to stop waiting: the time is up, the submission cannot be read, or the service does not respond. */
function isStopped(wait: WaitState): boolean {
  return isTimeUp(wait) || wait.error !== undefined || wait.assets.some(({ error }) => error?.stopsReading);
}

function isTimeUp({ polledAt, options }: WaitState): boolean {
  return polledAt >= options.deadline.until;
}

/**
 * A terminal submission may still lack a file name, a count or issues, because the service publishes them late. Then
 * the incomplete assets are read again, repeatedly, for at most 20 s.
 */
async function catchUp(before: WaitState): Promise<WaitState> {
  const until = monotonicMs() + CATCH_UP_MS;
  let wait = before;
  while (!isStopped(wait) && isFactMissing(wait) && monotonicMs() < until) {
    await pause(READ_AGAIN_MS, wait.options);
    wait = await readAssets(await poll(wait));
  }
  return wait;
}

function isFactMissing(wait: WaitState): boolean {
  const isAnyUnnamed = wait.response?.status.phase === 'failed' && wait.assets.some(({ own }) => own === undefined);
  return isAnyUnnamed || judgeFiles(wait).analyses.some(({ outcome }) => outcome === 'unjudged');
}

function judgeFiles(wait: WaitState): WaitedSubmission {
  const { submission, options, response, error, assets: readings } = wait;
  const phase = response?.status.phase ?? 'unread';
  const analyses = analysesOf(submission, {
    mode: options.client.mode,
    submission: response?.assets || phase === 'unknown' ? phase : 'unread',
    readings,
    errorMessage: response?.errorMessage ?? undefined,
    cause: explainEnd(wait),
  });
  const mayKnowMoreLater = [error, ...readings.map((reading) => reading.error)].some((each) => each?.stopsReading);
  return { submission, response, analyses, mayKnowMoreLater };
}

/** Why the wait ended early. Undefined if the wait was completed. */
function explainEnd(wait: WaitState): Cause | undefined {
  const { submission, response, error, startedAt, polledAt } = wait;
  if (error) return explainError(error, submission);
  if (!response || !isTimeUp(wait) || !isUnderWay(wait)) return undefined;
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

/** The longer the wait, the longer the pause between two polls. */
export function pollDelay(elapsedMs: number): number {
  return Math.min(Math.max(elapsedMs / 8, MIN_POLL_MS), MAX_POLL_MS);
}

async function pause(delayMs: number, { deadline: { until, signal } }: ServiceCalls): Promise<void> {
  await sleep(Math.min(delayMs, until - monotonicMs()), signal);
}

/** Logs the progress if it has changed, or after a minute. @returns when the last line was logged */
function logProgress(before: WaitState, response: SubmissionResponse): number {
  const { submission, options, startedAt, loggedAt } = before;
  const now = monotonicMs();
  const text = describeProgress(response);
  const isSame = before.response !== undefined && describeProgress(before.response) === text;
  if (isSame && now - loggedAt < MAX_SILENCE_MS) return loggedAt;
  // The seconds count from the start of this wait: an earlier run may have created the submission.
  const seconds = Math.max(0, Math.round((now - startedAt) / 1000));
  options.log.info(`Submission ${submission.submissionId}: ${text} (after ${seconds} s)`);
  return now;
}

/** Returns a text such as "processing, 40 %, 2 of 5 assets finished, 1 of them failed. The service says: …". */
function describeProgress(response: SubmissionResponse): string {
  const { status, progressPercent, errorMessage } = response;
  const assets = response.assets ?? [];
  const failed = assets.filter((asset) => failureText(asset) !== '').length;
  const finished = assets.filter((asset) => typeof asset.issueCount === 'number' || failureText(asset) !== '').length;
  const parts = [
    status.word,
    ...(typeof progressPercent === 'number' && !isTerminal(response) ? [`${progressPercent} %`] : []),
    ...(assets.length > 0 && !isTerminal(response) ? [`${finished} of ${assets.length} assets finished`] : []),
    ...(failed > 0 && !isTerminal(response) ? [`${failed} of them failed`] : []),
  ];
  return `${parts.join(', ')}${errorMessage ? `. The service says: ${errorMessage}` : ''}`;
}
