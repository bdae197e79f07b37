import type { Cause } from '../lib/cause.ts';
import type { Deadline, ServiceClient } from './client.ts';
import type { Issue, Topic } from './issue.ts';
import { countVersions, isWhole, joinById, type ReadList, readIssues, readTopics } from './issue-list.ts';
import type { AssetAnswer } from './responses.ts';
import type { Mode } from './service-access.ts';
import { explain, ServiceError } from './service-error.ts';

export interface AssetRef {
  readonly submissionId: string;
  readonly assetId: string;
}

/** What an analysis found, as far as it could be read. */
export interface AssetResults {
  /** `unjudged` where an issue may be missing. */
  readonly outcome: 'judged' | 'unjudged';
  readonly issues: readonly Issue[];
  readonly topics: readonly Topic[];
  readonly cause: Cause | undefined;
  /** It is unjudged because the service is not there. */
  readonly isOutage: boolean;
}

/** An asset that says itself that it is not complete, and has nothing to be read. */
export interface Unfinished {
  readonly outcome: 'unfinished';
  /** Which file it is. */
  readonly filename: string;
}

const NOTHING_FOUND: AssetResults = { outcome: 'judged', issues: [], topics: [], cause: undefined, isOutage: false };
const NO_LIST: ReadList<Issue> = { items: [], size: undefined };
const MAX_VERSION_READS = 20;
/** What only helps a reader is not worth waiting for the end of a rate limit. */
const EXTRA_MS = 15_000;

/** Reads finished assets. What one of them lacks never hides what the others have. */
export class AssetReader {
  readonly #mode: Mode;
  readonly #client: ServiceClient;
  readonly #deadline: Deadline;
  #versionReads = 0;
  /** Once the service is given up, nobody waits for it again. */
  #outage: ServiceError | undefined;
  /** Topics and versions only help a reader: where they are not to be had, they are not asked for again. */
  #hasExtras = true;

  constructor(mode: Mode, client: ServiceClient, deadline: Deadline) {
    this.#mode = mode;
    this.#client = client;
    this.#deadline = deadline;
  }

  async own({ submissionId, assetId }: AssetRef): Promise<AssetAnswer | ServiceError> {
    return await this.#ask(async () => await this.#client.readAsset(submissionId, assetId, this.#deadline));
  }

  /**
   * What a new analysis found: the list of issues, made whole by the asset's own where it is short.
   *
   * @param count as the submission tells it
   */
  async results(ref: AssetRef, count: number | null | undefined, own: AssetAnswer): Promise<AssetResults> {
    const expected = this.#expected(count, own.issueCount);
    const ownList = readIssues(own.issues);
    if (expected === 0 && !ownList.size) return NOTHING_FOUND;
    return await this.#joined(ref, expected, await this.#issues(ref), ownList);
  }

  /**
   * What an analysis of an earlier run has now. Its own answer is read only where the list alone does not do.
   *
   * @param count as the submission tells it
   * @param before how many were read then: where fewer are told now, both lists are looked at before it is believed
   */
  async resultsAgain(
    ref: AssetRef,
    count: number | null | undefined,
    before: number,
  ): Promise<AssetResults | Unfinished> {
    const told = this.#expected(count);
    if (told === 0 && before === 0) return NOTHING_FOUND;
    const answer = await this.#issues(ref);
    const list = listIn(answer);
    const isEnough = told !== undefined && isWhole(Math.max(told, before), list.items.length, [list]);
    if (isEnough) return await this.#joined(ref, told, answer, NO_LIST);
    const own = await this.own(ref);
    if (own instanceof ServiceError) return await this.#joined(ref, told, answer, NO_LIST, own);
    const ownList = readIssues(own.issues);
    if (own.status === 'complete')
      return await this.#joined(ref, this.#expected(count, own.issueCount), answer, ownList);
    const issues = joinById(list.items, ownList.items);
    if (issues.length === 0) return { outcome: 'unfinished', filename: own.filename };
    // What was found so far counts, however long the rest takes.
    return { outcome: 'unjudged', issues, topics: [], cause: contradicted(own.status), isOutage: false };
  }

  /** How many versions there are, for assets past the first; undefined where it is not worth another request. */
  async versionCount({ submissionId }: AssetRef, versionNumber: number | undefined): Promise<number | undefined> {
    if (versionNumber === undefined || versionNumber < 2 || this.#versionReads >= MAX_VERSION_READS) return undefined;
    this.#versionReads += 1;
    const answer = await this.#askExtra(async (deadline) => await this.#client.readVersions(submissionId, deadline));
    return countVersions(answer);
  }

  async #issues({ submissionId, assetId }: AssetRef): Promise<unknown> {
    return await this.#ask(async () => await this.#client.readIssues(submissionId, assetId, this.#deadline));
  }

  /**
   * @param answer the list of issues, or why there is none
   * @param problem why there is no list of the asset's own, where it was asked for
   */
  async #joined(
    ref: AssetRef,
    expected: number | undefined,
    answer: unknown,
    ownList: ReadList<Issue>,
    problem?: ServiceError,
  ): Promise<AssetResults> {
    const list = listIn(answer);
    const issues = joinById(list.items, ownList.items);
    const topics = issues.length >= 2 ? await this.#topics(ref) : [];
    if (isWhole(expected, issues.length, [list, ownList])) return { ...NOTHING_FOUND, issues, topics };
    const error = answer instanceof ServiceError ? answer : problem;
    const cause = error ? explain(error) : incomplete(expected, issues.length);
    return { outcome: 'unjudged', issues, topics, cause, isOutage: error?.isOutage ?? false };
  }

  /** The worst that was told. A sandbox analyses nothing: without a count there are no results to be read. */
  #expected(...counts: readonly (number | null | undefined)[]): number | undefined {
    const numbers = counts.filter((count) => typeof count === 'number');
    if (numbers.length > 0) return Math.max(...numbers);
    return this.#mode === 'sandbox' ? 0 : undefined;
  }

  async #topics({ submissionId, assetId }: AssetRef): Promise<readonly Topic[]> {
    const answer = await this.#askExtra(
      async (deadline) => await this.#client.readTopics(submissionId, assetId, deadline),
    );
    return readTopics(answer).items;
  }

  async #ask<T>(request: () => Promise<T>): Promise<T | ServiceError> {
    if (this.#outage) return this.#outage;
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.isOutage || error.endsRun) this.#outage = error;
      return error;
    }
  }

  async #askExtra(request: (deadline: Deadline) => Promise<unknown>): Promise<unknown> {
    if (this.#outage || !this.#hasExtras) return undefined;
    try {
      return await request({ ...this.#deadline, until: Math.min(this.#deadline.until, Date.now() + EXTRA_MS) });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.isOutage || error.endsRun) this.#hasExtras = false;
      return undefined;
    }
  }
}

function listIn(answer: unknown): ReadList<Issue> {
  return answer instanceof ServiceError ? NO_LIST : readIssues(answer);
}

/** There are issues, or a count of them, as if it were done, and the asset itself says otherwise. */
export function contradicted(status: string): Cause {
  return {
    reason: 'results',
    message: `The service counts the issues of the file, but says that its analysis is ${JSON.stringify(status)}.`,
    fix: 'More issues may come, so the file does not pass. Re-run the job; if it stays, tell the service.',
  };
}

function incomplete(expected: number | undefined, got: number): Cause {
  const fix = 'An issue may be missing, so the file does not pass. Re-run the job; if it stays, tell the service.';
  return { reason: 'results', message: lackInWords(expected, got), fix };
}

function lackInWords(expected: number | undefined, got: number): string {
  if (expected === undefined)
    return 'The service says that the analysis is complete, but not how many issues it found.';
  if (expected > got) return `The service says that there are ${expected} issues, but only ${got} could be read.`;
  return 'The service has a list of issues that could not be read, or not all of it.';
}
