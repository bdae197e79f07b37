import type { Cause } from '../cause.ts';
import { concurrently } from '../concurrently.ts';
import type { Mode } from '../inputs/inputs.ts';
import type { Content } from '../state/plan.ts';
import type { AssetAnswer } from './answers.ts';
import type { Effort, ServiceClient } from './client.ts';
import type { Issue, Topic } from './issue.ts';
import { countVersions, joinById, readIssues, readTopics } from './issue-list.ts';
import { explain, ServiceError } from './service-error.ts';
import { errorOf, type WaitedAsset, type WaitedSubmission } from './wait.ts';

/** What the service says about one content, or why we do not know. */
export interface ContentResult {
  readonly content: Content;
  readonly outcome: 'judged' | 'failed' | 'unjudged';
  /** All that could be read, also where something is missing. */
  readonly issues: readonly Issue[];
  readonly topics: readonly Topic[];
  readonly submissionId: string;
  readonly assetId: string | undefined;
  readonly versionNumber: number | undefined;
  readonly versionGroupId: string | undefined;
  readonly versionCount: number | undefined;
  readonly retries: number;
  /** Why it is not judged; empty where it is. */
  readonly causes: readonly Cause[];
}

const READS_AT_ONCE = 8;
const MOST_VERSION_READS = 20;

/** collect → verdict: reads what each asset has, and proves which file it is by the name that the service gives. */
export async function collect(
  waited: WaitedSubmission,
  mode: Mode,
  client: ServiceClient,
  effort: Effort,
): Promise<readonly ContentResult[]> {
  // A service that was given up while waiting is not asked for every asset again.
  if (waited.interruptedBy?.reason === 'service')
    return waited.submission.contents.map((content) => missing(content, waited));
  const reader = new Reader(mode, client, effort);
  const readings = await concurrently(waited.assets, READS_AT_ONCE, async (asset) => await reader.read(asset));
  return assign(waited, readings);
}

/** What could be read of one asset. */
interface Reading {
  readonly asset: WaitedAsset;
  /** The proof of which file it is. */
  readonly filename: string | undefined;
  readonly outcome: ContentResult['outcome'];
  readonly issues: readonly Issue[];
  readonly topics: readonly Topic[];
  readonly versionNumber: number | undefined;
  readonly versionGroupId: string | undefined;
  readonly versionCount: number | undefined;
  readonly cause: Cause | undefined;
}

class Reader {
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

  async read(asset: WaitedAsset): Promise<Reading> {
    const own = await this.#ask(
      async () => await this.#client.readAsset(asset.submissionId, asset.assetId, this.#effort),
    );
    const answer = own instanceof ServiceError ? undefined : own;
    const base = {
      asset,
      filename: answer?.filename,
      issues: [],
      topics: [],
      versionNumber: asset.status.versionNumber ?? answer?.versionNumber ?? undefined,
      versionGroupId: asset.status.versionGroupId ?? answer?.versionGroupId ?? undefined,
      versionCount: undefined,
    };
    if (asset.state === 'failed') return { ...base, outcome: 'failed', cause: failed(asset) };
    if (asset.state === 'unfinished') return { ...base, outcome: 'unjudged', cause: undefined };
    if (own instanceof ServiceError) return { ...base, outcome: 'unjudged', cause: explain(own) };
    return {
      ...base,
      ...(await this.#results(asset, own)),
      versionCount: await this.#versions(asset, base.versionNumber),
    };
  }

  async #results(
    asset: WaitedAsset,
    answer: AssetAnswer,
  ): Promise<Pick<Reading, 'issues' | 'topics' | 'outcome' | 'cause'>> {
    const expected = asset.status.issueCount ?? answer.issueCount;
    if (expected === 0) return { issues: [], topics: [], outcome: 'judged', cause: undefined };
    const list = await this.#ask(
      async () => await this.#client.readIssues(asset.submissionId, asset.assetId, this.#effort),
    );
    const fromList = list instanceof ServiceError ? { items: [], unreadable: 1 } : readIssues(list);
    const fromAsset = readIssues(answer.issues);
    const issues = joinById(fromList.items, fromAsset.items);
    const topics = issues.length >= 2 ? await this.#topics(asset) : [];
    if (isWhole(expected, issues.length, fromList.unreadable, this.#mode)) {
      return { issues, topics, outcome: 'judged', cause: undefined };
    }
    return {
      issues,
      topics,
      outcome: 'unjudged',
      cause: list instanceof ServiceError ? explain(list) : incomplete(expected, issues.length),
    };
  }

  /** Topics only help a reader: without them the verdict is the same. */
  async #topics(asset: WaitedAsset): Promise<readonly Topic[]> {
    const answer = await this.#ask(
      async () => await this.#client.readTopics(asset.submissionId, asset.assetId, this.#effort),
    );
    return answer instanceof ServiceError ? [] : readTopics(answer).items;
  }

  async #versions(asset: WaitedAsset, versionNumber: number | undefined): Promise<number | undefined> {
    if (versionNumber === undefined || versionNumber < 2 || this.#versionReads >= MOST_VERSION_READS) return undefined;
    this.#versionReads += 1;
    const answer = await this.#ask(async () => await this.#client.readVersions(asset.submissionId, this.#effort));
    return answer instanceof ServiceError ? undefined : countVersions(answer);
  }

  /** What one asset lacks must not hide what the others have. */
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

function failed({ status, retries }: WaitedAsset): Cause {
  const tries = retries === 0 ? '' : ` after ${retries} ${retries === 1 ? 'retry' : 'retries'}`;
  return {
    reason: 'asset-failed',
    message: `The service could not analyse the file${tries}: ${errorOf(status)}.`,
    fix: 'Check that the file opens and plays. If it is sound, re-run the job; if it fails again, tell the service or exclude the file with a `!` line in `files`.',
  };
}

function incomplete(expected: number | null | undefined, got: number): Cause {
  const what =
    typeof expected === 'number'
      ? `The service says that there are ${expected} issues, but only ${got} could be read.`
      : 'The service says that the analysis is complete, but not how many issues it found.';
  return {
    reason: 'results',
    message: what,
    fix: 'An issue may be missing, so the file does not pass. Re-run the job; if it stays, tell the service.',
  };
}

/** Gives each content its asset. An asset's file name is the proof; without it, only what is left over can be told. */
function assign(waited: WaitedSubmission, readings: readonly Reading[]): readonly ContentResult[] {
  const byName = new Map(
    readings.filter(({ filename }) => filename !== undefined).map((reading) => [reading.filename, reading]),
  );
  const { contents } = waited.submission;
  const nameless = readings.filter(({ filename }) => filename === undefined);
  const unclaimed = contents.filter(({ name }) => !byName.has(name));
  return contents.map((content): ContentResult => {
    const reading =
      byName.get(content.name) ?? (nameless.length === 1 && unclaimed.length === 1 ? nameless[0] : undefined);
    if (!reading) return missing(content, waited);
    const { asset, cause, filename: _proof, ...rest } = reading;
    const path = content.paths[0];
    return {
      content,
      ...rest,
      submissionId: asset.submissionId,
      assetId: asset.assetId,
      retries: asset.retries,
      causes: cause ? [{ ...cause, ...(path !== undefined && { path }) }] : [],
    };
  });
}

function missing(content: Content, { submission: { submissionId }, interruptedBy }: WaitedSubmission): ContentResult {
  const path = content.paths[0];
  const cause: Cause = {
    reason: 'results',
    ...(path !== undefined && { path }),
    message: `Submission ${submissionId} has no asset that the service names as this file (${content.name}).`,
    fix: 'The file was sent but nothing proves what was found in it, so it does not pass. Re-run the job; if it stays, tell the service.',
  };
  return {
    content,
    outcome: 'unjudged',
    issues: [],
    topics: [],
    submissionId,
    assetId: undefined,
    versionNumber: undefined,
    versionGroupId: undefined,
    versionCount: undefined,
    retries: 0,
    // Where the wait was cut short, that one cause says it for every file.
    causes: interruptedBy ? [] : [cause],
  };
}
