import { failure, type Result, success } from '../lib/result.ts';
import { type AssetFacts, highestCount } from './asset-outcome.ts';
import type { Deadline, ServiceClient } from './client.ts';
import { countVersions, type Issue, readIssues, readTopics, type Topic } from './issue.ts';
import type { AssetAnswer } from './responses.ts';
import { ServiceError } from './service-error.ts';

export interface AssetRef {
  readonly submissionId: string;
  readonly assetId: string;
}

export interface AssetVersion {
  readonly versionNumber: number | undefined;
  readonly versionGroupId: string | undefined;
}

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
  readonly #client: ServiceClient;
  readonly #deadline: Deadline;
  /** By submission: all its assets share one list of versions. */
  readonly #versions = new Map<string, Promise<unknown>>();
  #stoppedBy: ServiceError | undefined;
  #canReadExtras = true;

  constructor(client: ServiceClient, deadline: Deadline) {
    this.#client = client;
    this.#deadline = deadline;
  }

  /** After such an error nothing more is requested: every other read fails with the same error. */
  get stoppedBy(): ServiceError | undefined {
    return this.#stoppedBy;
  }

  /** The asset's own answer. */
  async answer({ submissionId, assetId }: AssetRef): Promise<Result<AssetAnswer, ServiceError>> {
    return await this.#read(async () => await this.#client.readAsset(submissionId, assetId, this.#deadline));
  }

  /**
   * Adds the list of issues to what is known of an asset, unless the list must be empty.
   *
   * @param issuesBefore how many issues an earlier run read
   */
  async withIssues({ submissionId, assetId }: AssetRef, facts: AssetFacts, issuesBefore = 0): Promise<AssetFacts> {
    const expected = highestCount(facts.counts) ?? (facts.status === 'complete' ? 1 : 0);
    if (Math.max(expected, issuesBefore, ...facts.lists.map(({ size = 0 }) => size)) === 0) return facts;
    const list = await this.#read(async () => await this.#client.readIssues(submissionId, assetId, this.#deadline));
    return list.ok
      ? { ...facts, lists: [readIssues(list.value), ...facts.lists] }
      : { ...facts, error: facts.error ?? list.error };
  }

  /** A topic groups two or more issues; for fewer there is nothing to read. */
  async topics({ submissionId, assetId }: AssetRef, issues: readonly Issue[]): Promise<readonly Topic[]> {
    if (issues.length < 2) return [];
    const answer = await this.#readExtra((deadline) => this.#client.readTopics(submissionId, assetId, deadline));
    return readTopics(answer).items;
  }

  /** How many versions an asset past the first has; undefined if that is unknown or not worth another request. */
  async versionCount(submissionId: string, version: AssetVersion): Promise<number | undefined> {
    const { versionNumber = 1, versionGroupId } = version;
    if (versionNumber < 2) return undefined;
    let reading = this.#versions.get(submissionId);
    if (!reading) {
      if (this.#versions.size >= MAX_VERSION_READS) return undefined;
      reading = this.#readExtra((deadline) => this.#client.readVersions(submissionId, deadline));
      this.#versions.set(submissionId, reading);
    }
    return countVersions(await reading, versionGroupId);
  }

  async #read<T>(request: () => Promise<T>): Promise<Result<T, ServiceError>> {
    if (this.#stoppedBy) return failure(this.#stoppedBy);
    try {
      return success(await request());
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.stopsReading) this.#stoppedBy = error;
      return failure(error);
    }
  }

  /** Topics and versions are not requested again after an error that other requests would meet as well. */
  async #readExtra(request: (deadline: Deadline) => Promise<unknown>): Promise<unknown> {
    if (this.#stoppedBy || !this.#canReadExtras) return undefined;
    try {
      return await request({ ...this.#deadline, until: Math.min(this.#deadline.until, Date.now() + EXTRA_MS) });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.stopsReading) this.#canReadExtras = false;
      return undefined;
    }
  }
}
