import { failure, type Result, success } from '../lib/result.ts';
import { type AssetFacts, type AssetOutcome, highestCount, outcomeOf } from './asset-outcome.ts';
import type { Deadline, ServiceClient } from './client.ts';
import type { Mode } from './endpoints.ts';
import type { Issue, Topic } from './issue.ts';
import { countVersions, type ReadList, readIssues, readTopics } from './issue-list.ts';
import type { AssetAnswer } from './responses.ts';
import { ServiceError } from './service-error.ts';

export interface AssetRef {
  readonly submissionId: string;
  readonly assetId: string;
}

/** What is known of an asset before its issues are read. */
export interface KnownAsset extends AssetRef {
  /** The issue count in its submission's list. */
  readonly count: number | null | undefined;
  /** Its own resource, or why that could not be read; undefined if an earlier run has already judged the asset. */
  readonly own?: Result<AssetAnswer, ServiceError> | undefined;
  /** How many issues an earlier run read: if there are fewer now, both lists are read before that is believed. */
  readonly issuesBefore?: number;
}

/** `own`: the asset's own resource, if it was read. */
export type ReadOutcome = AssetOutcome & { readonly own: AssetAnswer | undefined };

export type Read<T> = Promise<Result<T, ServiceError>>;

const MAX_VERSION_READS = 20;
/** Topics and versions are not worth waiting longer for the end of a rate limit. */
const EXTRA_MS = 15_000;

/** Once the deadline has passed, one last reading of what is there may take this much longer. */
const FINAL_READ_MS = 30_000;

/** The same deadline, or a short time if that is almost over. */
export function withGrace(deadline: Deadline): Deadline {
  return { ...deadline, until: Math.max(deadline.until, Date.now() + FINAL_READ_MS) };
}

/** Reads what the service has about single assets. A failed read of one asset does not affect the others. */
export class AssetReader {
  readonly #mode: Mode;
  readonly #client: ServiceClient;
  readonly #deadline: Deadline;
  #versionReads = 0;
  /** After an outage nothing more is asked for. */
  #outage: ServiceError | undefined;
  /** After one outage of topics or versions they are not asked for again. */
  #hasExtras = true;

  constructor(mode: Mode, client: ServiceClient, deadline: Deadline) {
    this.#mode = mode;
    this.#client = client;
    this.#deadline = deadline;
  }

  /** After an outage every other read fails with the same error. */
  get outage(): ServiceError | undefined {
    return this.#outage;
  }

  async own({ submissionId, assetId }: AssetRef): Read<AssetAnswer> {
    return await this.#ask(async () => await this.#client.readAsset(submissionId, assetId, this.#deadline));
  }

  /**
   * Reads the list of issues unless it must be empty, and applies the one rule. The own resource of an asset that was
   * judged before is read only if the list does not prove that nothing is missing.
   */
  async outcome({ count, own, issuesBefore = 0, ...ref }: KnownAsset): Promise<ReadOutcome> {
    const known = this.#factsOf(count, own);
    const expected = highestCount(known.counts) ?? (known.status === 'complete' ? 1 : 0);
    const isEmpty = Math.max(expected, issuesBefore, ...known.lists.map(({ size = 0 }) => size)) === 0;
    const list = isEmpty ? undefined : await this.#issues(ref);
    const found = outcomeOf(withList(known, list));
    const isProven = found.outcome === 'judged' && found.issues.length >= issuesBefore;
    if (own || isProven) return { ...found, own: own?.ok ? own.value : undefined };
    const read = await this.own(ref);
    const isCounted = typeof count === 'number';
    const facts = read.ok || !isCounted ? this.#factsOf(count, read) : { ...known, error: read.error };
    return { ...outcomeOf(withList({ ...facts, isNamed: true }, list)), own: read.ok ? read.value : undefined };
  }

  /** An asset that was judged before has a proven name, and is complete if its submission counts its issues. */
  #factsOf(count: KnownAsset['count'], own: KnownAsset['own']): AssetFacts {
    const answer = own?.ok ? own.value : undefined;
    const status = own ? answer?.status : 'complete';
    // A sandbox analyses nothing: a complete asset without a count has no issues.
    const counts = this.#mode === 'sandbox' && status === 'complete' ? [0] : [];
    return {
      isNamed: !own || own.ok,
      status,
      counts: [...counts, count, answer?.issueCount],
      lists: own ? [readIssues(answer?.issues)] : [],
      error: own && !own.ok ? own.error : undefined,
    };
  }

  async #issues({ submissionId, assetId }: AssetRef): Read<ReadList<Issue>> {
    const answer = await this.#ask(async () => await this.#client.readIssues(submissionId, assetId, this.#deadline));
    return answer.ok ? success(readIssues(answer.value)) : answer;
  }

  /** A topic groups two or more issues; for fewer there is nothing to read. */
  async topics({ submissionId, assetId }: AssetRef, issues: readonly Issue[]): Promise<readonly Topic[]> {
    if (issues.length < 2) return [];
    const answer = await this.#askExtra(
      async (deadline) => await this.#client.readTopics(submissionId, assetId, deadline),
    );
    return readTopics(answer).items;
  }

  /** How many versions an asset past the first has; undefined if that is not worth another request. */
  async versionCount({ submissionId }: AssetRef, versionNumber: number | undefined): Promise<number | undefined> {
    if (versionNumber === undefined || versionNumber < 2 || this.#versionReads >= MAX_VERSION_READS) return undefined;
    this.#versionReads += 1;
    const answer = await this.#askExtra(async (deadline) => await this.#client.readVersions(submissionId, deadline));
    return countVersions(answer);
  }

  async #ask<T>(request: () => Promise<T>): Read<T> {
    if (this.#outage) return failure(this.#outage);
    try {
      return success(await request());
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.isOutage || error.endsRun) this.#outage = error;
      return failure(error);
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

/** An asset that is not complete has no list to expect, so that a failed read of it explains nothing. */
function withList(facts: AssetFacts, list: Result<ReadList<Issue>, ServiceError> | undefined): AssetFacts {
  if (!list) return facts;
  if (list.ok) return { ...facts, lists: [list.value, ...facts.lists] };
  return facts.status === 'complete' ? { ...facts, error: facts.error ?? list.error } : facts;
}
