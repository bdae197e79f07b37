import { type Cause, GateError, rerun, SUPPORT } from '../lib/cause.ts';
import { sleep } from '../lib/clock.ts';
import { concurrently } from '../lib/concurrently.ts';
import { plural } from '../lib/format.ts';
import type { Content } from '../media/content.ts';
import { explain } from './advice.ts';
import { type Analysis, analysisOf } from './analysis.ts';
import { AssetRetries, MAX_RETRIES, type RetryOptions } from './asset-retries.ts';
import { CATCH_UP_MS, MAX_CONCURRENT_READS, READ_AGAIN_MS } from './client.ts';
import type { Mode } from './endpoints.ts';
import { withExtras } from './extras.ts';
import { type AssetReading, missingFact, readAsset, unreadAsset, withCount } from './read-asset.ts';
import { failureText, isTerminal, type SubmissionResponse, unlistedAsset } from './responses.ts';
import { ServiceError } from './service-error.ts';
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
}

export interface WaitOptions extends RetryOptions {
  readonly mode: Mode;
}

/** Waits for all submissions, and then for those that retries moved files to. */
export async function waitForAll(
  submissions: readonly OpenSubmission[],
  options: WaitOptions,
): Promise<readonly WaitedSubmission[]> {
  const moved: OpenSubmission[] = [];
  const onMoved = async (submission: OpenSubmission): Promise<void> => {
    moved.push(submission);
    await options.onMoved(submission);
  };
  const { client, deadline } = options;
  const waited = await Promise.all(
    submissions.map(async (submission) => {
      const each = await new Wait(submission, { ...options, onMoved }).run();
      return { ...each, analyses: await withExtras(each.analyses, client, deadline.signal) };
    }),
  );
  return moved.length === 0 ? waited : [...waited, ...(await waitForAll(moved, options))];
}

/** What a submission of an earlier run holds. It gets a short time for facts that are missing, and no retry. */
export async function readAnalyses(
  submission: OpenSubmission,
  { deadline, ...options }: Pick<WaitOptions, 'client' | 'mode' | 'log' | 'deadline'>,
): Promise<readonly Analysis[]> {
  const until = Math.min(deadline.until, Date.now() + CATCH_UP_MS);
  const withoutRetries = { ...submission, retriesBefore: MAX_RETRIES };
  const wait = new Wait(withoutRetries, {
    ...options,
    deadline: { ...deadline, until },
    onMoved: async () => undefined,
  });
  return (await wait.run()).analyses;
}

/** An end is noticed an eighth of the analysis late at most. */
export function pollDelay(waitedMs: number): number {
  return Math.min(Math.max(waitedMs / 8, 1_000), 60_000);
}

/** Polls one submission until it is terminal. Then its assets are read, and those that failed are retried. */
class Wait {
  readonly #submission: OpenSubmission;
  readonly #options: WaitOptions;
  readonly #retries: AssetRetries;
  readonly #startedAt = Date.now();
  /** By asset: what is known of it. */
  readonly #readings = new Map<string, AssetReading>();
  #response: SubmissionResponse | undefined;
  /** Since it was terminal, its assets decide. */
  #wasTerminal = false;
  #missingSince: number | undefined;
  /** Until then, a fact that is still missing is read again. */
  #windowEndsAt: number | undefined;
  /** Every other read would meet the same error. */
  #stoppedBy: ServiceError | undefined;
  #logged = { text: '', at: 0 };

  constructor(submission: OpenSubmission, options: WaitOptions) {
    this.#submission = submission;
    this.#options = options;
    this.#retries = new AssetRetries(submission, options);
  }

  async run(): Promise<WaitedSubmission> {
    try {
      const interruption = await this.#poll();
      // What is there is read once more, and judged.
      if (interruption) await this.#readAssets();
      return { submission: this.#submission, response: this.#response, analyses: this.#judge(interruption) };
    } catch (error) {
      throw error instanceof ServiceError ? new GateError(this.#explainEnd(error), { cause: error }) : error;
    }
  }

  /** @returns why it ended early */
  async #poll(): Promise<Cause | undefined> {
    const { deadline } = this.#options;
    try {
      for (;;) {
        await this.#readSubmission();
        if (this.#wasTerminal && !(await this.#hasMoreToCome())) return undefined;
        const leftMs = deadline.until - Date.now();
        if (leftMs <= 0) return this.#windowEndsAt === undefined ? this.#explainTimeout() : undefined;
        await sleep(Math.min(leftMs, this.#delay()), deadline.signal);
      }
    } catch (error) {
      if (!(error instanceof ServiceError) || error.endsRun) throw error;
      return this.#explainEnd(error);
    }
  }

  /** Begins anew with each retry, after which something may happen soon. */
  #delay(): number {
    if (this.#windowEndsAt !== undefined) return READ_AGAIN_MS;
    return pollDelay(Date.now() - Math.max(this.#startedAt, this.#retries.requestedAt));
  }

  /** A submission may be missing for a while: a read can be faster than the creation before it. */
  async #readSubmission(): Promise<void> {
    const { client, deadline } = this.#options;
    try {
      this.#response = await client.readSubmission(this.#submission.submissionId, deadline);
      this.#missingSince = undefined;
      this.#wasTerminal ||= isTerminal(this.#response);
      this.#logProgress(this.#response);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 404) throw error;
      this.#missingSince ??= Date.now();
      if (Date.now() - this.#missingSince >= CATCH_UP_MS) throw error;
    }
  }

  /** `complete` is believed: what is missing then has a short time to appear. Otherwise, assets may be unfinished. */
  async #hasMoreToCome(): Promise<boolean> {
    await this.#readAssets();
    if (this.#stoppedBy) return false;
    const readings = [...this.#readings.values()];
    // Of two assets with one name, nothing says which one the file is: neither is retried.
    const known = readings.filter(
      (reading) =>
        this.#isOurs(reading) && readings.every((other) => other === reading || other.filename !== reading.filename),
    );
    const failures = await concurrently(known, MAX_CONCURRENT_READS, (reading) => this.#retries.follow(reading));
    const isComplete = this.#response?.status === 'complete' && !this.#retries.isAnyAccepted;
    if (failures.includes(true) || (!isComplete && readings.some(this.#isUnfinished))) {
      this.#windowEndsAt = undefined;
      return true;
    }
    if (this.#judge().every(({ outcome }) => outcome !== 'unjudged')) return false;
    this.#windowEndsAt ??= Date.now() + CATCH_UP_MS;
    return Date.now() < this.#windowEndsAt;
  }

  readonly #isOurs = ({ filename }: AssetReading): boolean => this.#contents.some(({ name }) => name === filename);

  /** Without an asset's own response, its list entry decides whether there is something to wait for. */
  readonly #isUnfinished = (reading: AssetReading): boolean =>
    reading.filename === undefined
      ? failureText(reading.listed) === ''
      : this.#isOurs(reading) && reading.status !== 'complete' && reading.status !== 'failed';

  get #contents(): readonly Content[] {
    return this.#submission.contents.filter(({ name }) => !this.#retries.moved.has(name));
  }

  /** Reads every asset of which a fact is missing. */
  async #readAssets(): Promise<void> {
    const { client, mode, deadline } = this.#options;
    const { submissionId, assetIds } = this.#submission;
    const until = Math.max(deadline.until, Date.now() + FINAL_READ_MS);
    const options = { client, submissionId, mode, deadline: { ...deadline, until } };
    const unread = (this.#response?.assets ?? assetIds.map(unlistedAsset)).filter(({ assetId, issueCount }) => {
      const before = this.#readings.get(assetId);
      return !before || before.error || missingFact(withCount(before, issueCount), mode) !== undefined;
    });
    await concurrently(unread, MAX_CONCURRENT_READS, async (listed) => {
      const before = this.#readings.get(listed.assetId) ?? unreadAsset(listed);
      const reading = this.#stoppedBy
        ? { ...before, error: this.#stoppedBy }
        : await readAsset(listed, options, before);
      if (reading.error?.stopsReading) this.#stoppedBy = reading.error;
      this.#readings.set(listed.assetId, reading);
    });
  }

  #judge(interruption?: Cause): readonly Analysis[] {
    const { submissionId } = this.#submission;
    const readings = [...this.#readings.values()];
    const byName = Map.groupBy(readings, ({ filename }) => filename);
    const unclaimed = this.#contents.filter(({ name }) => !byName.has(name));
    const hasSurplus = (byName.get(undefined) ?? []).length > unclaimed.length;
    const facts = {
      submissionId,
      mode: this.#options.mode,
      retries: this.#retries.byAsset,
      interruption,
      readings,
      // Without the list of assets, or with one too many, nothing proves that exactly one has the file's name.
      doubt: hasSurplus ? SURPLUS : this.#response ? undefined : interruption,
    };
    return this.#contents.map((content) => analysisOf(content, byName.get(content.name) ?? [], facts));
  }

  #logProgress(response: SubmissionResponse): void {
    const { submissionId, status, progressPercent, errorMessage, assets } = response;
    const now = Date.now();
    const finished = assets.filter(({ issueCount }) => typeof issueCount === 'number').length;
    const parts = [
      status,
      ...(typeof progressPercent === 'number' && !isTerminal(response) ? [`${progressPercent} %`] : []),
      ...(assets.length > 0 && !isTerminal(response) ? [`${finished} of ${assets.length} assets finished`] : []),
    ];
    const text = `${parts.join(', ')}${errorMessage ? `. The service says: ${errorMessage}` : ''}`;
    if (text === this.#logged.text && now - this.#logged.at < MAX_SILENCE_MS) return;
    this.#logged = { text, at: now };
    const seconds = Math.max(0, Math.round((now - this.#startedAt) / 1000));
    this.#options.log.info(`Submission ${submissionId}: ${text} (after ${seconds} s)`);
  }

  #explainTimeout(): Cause {
    const { submissionId } = this.#submission;
    const minutes = Math.max(1, Math.round((Date.now() - this.#startedAt) / 60_000));
    const status = this.#logged.text || 'the service gave no status';
    return {
      reason: 'timeout',
      message: `The analysis was not finished after ${plural(minutes, 'minute')}: ${status}.`,
      steps: [rerun('Re-run this job later.')],
      submissionId,
      submission: 'open',
    };
  }

  #explainEnd(error: ServiceError): Cause {
    const cause = explain(error);
    if (!error.stopsReading) return cause;
    const message = `${cause.message} The service may still be analysing the submission.`;
    return { ...cause, message, submissionId: this.#submission.submissionId, submission: 'open' };
  }
}

const SURPLUS: Cause = {
  reason: 'results',
  message:
    'The submission has an asset whose file name could not be read, and every file has an asset already. It may be a second asset of one of the files, so none of them passes.',
  steps: [rerun(), SUPPORT],
};
