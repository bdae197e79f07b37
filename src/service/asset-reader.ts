import type { Cause } from '../cause.ts';
import type { Mode } from '../inputs/inputs.ts';
import type { AssetAnswer } from './answers.ts';
import type { Effort, ServiceClient } from './client.ts';
import type { Issue, Topic } from './issue.ts';
import { countVersions, joinById, readIssues, readTopics } from './issue-list.ts';
import { explain, ServiceError } from './service-error.ts';

export interface AssetRef {
  readonly submissionId: string;
  readonly assetId: string;
}

/** What an analysis found, as far as it could be read. */
export interface Findings {
  /** `unjudged` where an issue may be missing. */
  readonly outcome: 'judged' | 'unjudged';
  readonly issues: readonly Issue[];
  readonly topics: readonly Topic[];
  readonly cause: Cause | undefined;
}

const NOTHING_FOUND: Findings = { outcome: 'judged', issues: [], topics: [], cause: undefined };
const MOST_VERSION_READS = 20;

/** Reads finished assets. What one of them lacks never hides what the others have. */
export class AssetReader {
  readonly #mode: Mode;
  readonly #client: ServiceClient;
  readonly #effort: Effort;
  #versionReads = 0;
  /** Once the service is given up, nobody waits for it again. */
  #outage: ServiceError | undefined;

  constructor(mode: Mode, client: ServiceClient, effort: Effort) {
    this.#mode = mode;
    this.#client = client;
    this.#effort = effort;
  }

  async own({ submissionId, assetId }: AssetRef): Promise<AssetAnswer | ServiceError> {
    return await this.#ask(() => this.#client.readAsset(submissionId, assetId, this.#effort));
  }

  /**
   * The list of issues, made whole by the asset's own where it is short.
   *
   * @param count as the submission tells it
   * @param own the asset's own answer, where it was read already
   */
  async findings(ref: AssetRef, count: number | null | undefined, own?: AssetAnswer): Promise<Findings> {
    const expected = count ?? own?.issueCount;
    if (expected === 0) return NOTHING_FOUND;
    const list = await this.#ask(() => this.#client.readIssues(ref.submissionId, ref.assetId, this.#effort));
    const listed = list instanceof ServiceError ? { items: [], unreadable: 1 } : readIssues(list);
    const isShort = !isWhole(expected, listed.items.length, listed.unreadable, this.#mode);
    const answer = own ?? (isShort ? await this.own(ref) : undefined);
    const others = answer === undefined || answer instanceof ServiceError ? [] : readIssues(answer.issues).items;
    const issues = joinById(listed.items, others);
    const topics = issues.length >= 2 ? await this.#topics(ref) : [];
    if (isWhole(expected, issues.length, listed.unreadable, this.#mode)) return { ...NOTHING_FOUND, issues, topics };
    const cause = list instanceof ServiceError ? explain(list) : incomplete(expected, issues.length);
    return { outcome: 'unjudged', issues, topics, cause };
  }

  /** How many versions there are, for assets past the first; undefined where it is not worth another request. */
  async versionCount({ submissionId }: AssetRef, versionNumber: number | undefined): Promise<number | undefined> {
    if (versionNumber === undefined || versionNumber < 2 || this.#versionReads >= MOST_VERSION_READS) return undefined;
    this.#versionReads += 1;
    const answer = await this.#ask(() => this.#client.readVersions(submissionId, this.#effort));
    return answer instanceof ServiceError ? undefined : countVersions(answer);
  }

  /** Topics only help a reader: without them the verdict is the same. */
  async #topics({ submissionId, assetId }: AssetRef): Promise<readonly Topic[]> {
    const answer = await this.#ask(() => this.#client.readTopics(submissionId, assetId, this.#effort));
    return answer instanceof ServiceError ? [] : readTopics(answer).items;
  }

  async #ask<T>(request: () => Promise<T>): Promise<T | ServiceError> {
    if (this.#outage) return this.#outage;
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (explain(error).reason === 'service') this.#outage = error;
      return error;
    }
  }
}

/** Items that we cannot read may be anything: they count as missing unless the other list made up for them. */
function isWhole(expected: number | null | undefined, got: number, unreadable: number, mode: Mode): boolean {
  if (typeof expected !== 'number') return mode === 'sandbox';
  return got === expected || (got > expected && unreadable === 0);
}

function incomplete(expected: number | null | undefined, got: number): Cause {
  const message =
    typeof expected === 'number'
      ? `The service says that there are ${expected} issues, but only ${got} could be read.`
      : 'The service says that the analysis is complete, but not how many issues it found.';
  const fix = 'An issue may be missing, so the file does not pass. Re-run the job; if it stays, tell the service.';
  return { reason: 'results', message, fix };
}
