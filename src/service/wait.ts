import { type Cause, GateError, rerun } from '../lib/cause.ts';
import { sleep } from '../lib/clock.ts';
import { plural } from '../lib/format.ts';
import type { Log } from '../lib/log.ts';
import type { Content } from '../media/content.ts';
import { explain } from './advice.ts';
import { type Analysis, analysesOf } from './analysis.ts';
import { isRetried, type OnMoved, retryFailed } from './asset-retries.ts';
import { CATCH_UP_MS, type Deadline, READ_AGAIN_MS, type ServiceClient } from './client.ts';
import type { Mode } from './endpoints.ts';
import { withExtras } from './extras.ts';
import { type AssetReading, readAssets, unreadAsset, withCount } from './read-asset.ts';
import { failureText, isTerminal, type ListedAsset, type SubmissionResponse, unlistedAsset } from './responses.ts';
import { orError, ServiceError } from './service-error.ts';
import type { OpenSubmission } from './submit.ts';

/** Once the deadline has passed, one last reading of what is there may take this much longer. */
const FINAL_READ_MS = 30_000;
/** A log without a line for longer looks dead. */
const MAX_SILENCE_MS = 60_000;

export interface WaitedSubmission {
  readonly submission: OpenSubmission;
  /** As it was read last; undefined if it never could be. */
  readonly response: SubmissionResponse | undefined;
  /** Of the contents that are still in it: a retry may move one to another submission. */
  readonly analyses: readonly Analysis[];
  /** The service did not answer, so that more may be known later. */
  readonly isUnanswered: boolean;
}

export interface WaitOptions {
  readonly client: ServiceClient;
  readonly mode: Mode;
  readonly log: Log;
  readonly deadline: Deadline;
}

/** Waits for all submissions, and then for those that retries moved files to. */
export async function waitForAll(
  submissions: readonly OpenSubmission[],
  options: WaitOptions,
  onMoved: OnMoved,
): Promise<readonly WaitedSubmission[]> {
  const { client, deadline } = options;
  const moved: OpenSubmission[] = [];
  const waited = await Promise.all(
    submissions.map(async (submission) => {
      const each = await waitFor(submission, options, async (other) => {
        moved.push(other);
        await onMoved(other);
      });
      return { ...each, analyses: await withExtras(each.analyses, client, deadline.signal) };
    }),
  );
  return moved.length === 0 ? waited : [...waited, ...(await waitForAll(moved, options, onMoved))];
}

/** What a submission of an earlier run holds. It gets a short time for facts that are missing, and no retry. */
export async function readEarlier(submission: OpenSubmission, options: WaitOptions): Promise<WaitedSubmission> {
  return await waitFor(submission, { ...options, deadline: { ...options.deadline, until: Date.now() + CATCH_UP_MS } });
}

/**
 * Reads a submission until it is terminal. From then on its assets decide: they are read, and retried if they failed,
 * until every file is judged or has failed, or 20 s have brought nothing new. At the deadline, or if the submission cannot
 * be read, its assets are read once more and judged.
 *
 * @param onMoved undefined if nothing is to be retried
 */
async function waitFor(submission: OpenSubmission, options: WaitOptions, onMoved?: OnMoved): Promise<WaitedSubmission> {
  const { submissionId } = submission;
  const { client, deadline, log, mode } = options;
  const startedAt = Date.now();
  const logProgress = progressLog(submission, log);
  const isQuiet = quietWatch();
  let response: SubmissionResponse | undefined;
  let readings: readonly AssetReading[] = [];
  try {
    for (;;) {
      const read = await orError(client.readSubmission(submissionId, deadline));
      const error = read instanceof ServiceError ? read : undefined;
      if (!(read instanceof ServiceError)) {
        response = read;
        logProgress(read);
      }
      // It may be missing for a while: a read can be faster than the creation before it.
      const isMissing = error?.failureClass === 'missing' && !isQuiet({ response, error, readings });
      const isLast = (error && !isMissing) || Date.now() >= deadline.until;
      if (isLast || readings.length > 0 || (response && isTerminal(response))) {
        // Without a list, the assets that the creation named are read.
        const assets = response?.assets ?? submission.assetIds.map(unlistedAsset);
        readings = await readListed(submissionId, assets, readings, options);
        const canRetry = !isLast && !readings.some(isStopped);
        if (canRetry && onMoved) readings = await retryFailed(submission, readings, { ...options, onMoved });
      }
      const known = { response, error, readings };
      const contents = withoutMoved(submission.contents, readings);
      const isUnderWay = !isMissing && isAnyUnderWay(contents, known);
      const cause = isLast && (error || isUnderWay) ? explainEnd(submission, known, startedAt) : undefined;
      const analyses = analysesOf(contents, { submissionId, mode, readings, cause, isListed: response !== undefined });
      const isOver = isQuiet(known) && !isUnderWay;
      if (isLast || isOver || readings.some(isStopped) || isSettled(analyses, readings)) {
        const isUnanswered = (error?.stopsReading ?? false) || readings.some(isStopped);
        return { submission, response, analyses, isUnanswered };
      }
      const delay = isUnderWay ? pollDelay(Date.now() - startedAt) : READ_AGAIN_MS;
      await sleep(Math.min(delay, deadline.until - Date.now()), deadline.signal);
    }
  } catch (error) {
    throw error instanceof ServiceError ? new GateError(explainError(error, submission), { cause: error }) : error;
  }
}

/** Reads what is missing of the assets. The last reading may go on after the deadline. */
async function readListed(
  submissionId: string,
  assets: readonly ListedAsset[],
  before: readonly AssetReading[],
  { client, mode, deadline }: WaitOptions,
): Promise<readonly AssetReading[]> {
  const byId = new Map(before.map((reading) => [reading.listed.assetId, reading]));
  for (const listed of assets) {
    const reading = byId.get(listed.assetId) ?? unreadAsset(submissionId, listed);
    byId.set(listed.assetId, { ...withCount(reading, listed.issueCount), listed });
  }
  const until = Math.max(deadline.until, Date.now() + FINAL_READ_MS);
  return await readAssets([...byId.values()], { client, mode, deadlineFor: () => ({ ...deadline, until }) });
}

function isStopped({ error }: AssetReading): boolean {
  return error?.stopsReading ?? false;
}

/** What the service has said about a submission so far. */
interface Known {
  readonly response: SubmissionResponse | undefined;
  readonly error: ServiceError | undefined;
  readonly readings: readonly AssetReading[];
}

/** Tells whether 20 s have brought nothing new. */
function quietWatch(): (known: Known) => boolean {
  let latest = { text: '', at: 0 };
  return ({ response, error, readings }) => {
    const assets = readings.map((each) => [each.filename, each.status, each.issueCount, each.issues.length]);
    const text = JSON.stringify([response?.status, error?.failureClass, assets]);
    if (text !== latest.text) latest = { text, at: Date.now() };
    return Date.now() - latest.at >= CATCH_UP_MS;
  };
}

function withoutMoved(contents: readonly Content[], readings: readonly AssetReading[]): readonly Content[] {
  const moved = new Set(readings.filter(({ retry }) => retry?.isMoved).map(({ filename }) => filename));
  return contents.filter(({ name }) => !moved.has(name));
}

/** `complete` is believed, unless a retry was accepted; after `failed`, other assets may be unfinished. */
function isAnyUnderWay(contents: readonly Content[], { response, readings }: Known): boolean {
  if (!response) return false;
  if (!isTerminal(response) || readings.some(isRetried)) return true;
  const isAnyAccepted = readings.some(({ retry }) => retry && retry.problem === undefined);
  if (response.status === 'complete' && !isAnyAccepted) return false;
  const names = new Set(contents.map(({ name }) => name));
  return readings.some(({ filename, status = '', listed }) => {
    // Without an asset's own response, its list entry decides.
    if (filename === undefined) return failureText(listed) === '';
    return names.has(filename) && !['complete', 'failed'].includes(status);
  });
}

function isSettled(analyses: readonly Analysis[], readings: readonly AssetReading[]): boolean {
  return analyses.every(({ outcome }) => outcome !== 'unjudged') && !readings.some(isRetried);
}

const MIN_POLL_MS = 1_000;
const MAX_POLL_MS = 60_000;

/** An end is noticed an eighth of the analysis late at most. */
export function pollDelay(waitedMs: number): number {
  return Math.min(Math.max(waitedMs / 8, MIN_POLL_MS), MAX_POLL_MS);
}

/** Logs what has changed, and the same again after a minute. The seconds are those of this wait: an earlier run may have created the submission. */
function progressLog({ submissionId }: OpenSubmission, log: Log): (response: SubmissionResponse) => void {
  const startedAt = Date.now();
  let logged = { text: '', at: 0 };
  return (response) => {
    const now = Date.now();
    const text = describeProgress(response);
    if (text === logged.text && now - logged.at < MAX_SILENCE_MS) return;
    logged = { text, at: now };
    const seconds = Math.max(0, Math.round((now - startedAt) / 1000));
    log.info(`Submission ${submissionId}: ${text} (after ${seconds} s)`);
  };
}

function describeProgress(response: SubmissionResponse): string {
  const { status, progressPercent, errorMessage, assets } = response;
  const finished = assets.filter(({ issueCount }) => typeof issueCount === 'number').length;
  const parts = [
    status,
    ...(typeof progressPercent === 'number' && !isTerminal(response) ? [`${progressPercent} %`] : []),
    ...(assets.length > 0 && !isTerminal(response) ? [`${finished} of ${assets.length} assets finished`] : []),
  ];
  return `${parts.join(', ')}${errorMessage ? `. The service says: ${errorMessage}` : ''}`;
}

function explainEnd(submission: OpenSubmission, { response, error }: Known, startedAt: number): Cause {
  if (error) return explainError(error, submission);
  const minutes = Math.max(1, Math.round((Date.now() - startedAt) / 60_000));
  const status = response ? describeProgress(response) : 'the service gave no status';
  return {
    reason: 'timeout',
    message: `The analysis was not finished after ${plural(minutes, 'minute')}: ${status}.`,
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
