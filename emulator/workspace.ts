import { randomBytes, randomUUID } from 'node:crypto';
import { EventEmitter, once, setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Faults } from './fault.ts';
import { type Body, type Digest, type Handler, type RecordedRequest, refusal } from './http.ts';
import type { Asset, BlobStorage, Submission } from './model.ts';
import { type Bucket, type Issue, parseScenario, type RateLimits, type Scenario } from './scenario.ts';

export type Mode = 'live' | 'sandbox';

export interface WorkspaceOptions {
  /** Default: what `key` says, else live. */
  readonly mode?: Mode;
  /** Default: a new one. */
  readonly key?: string;
  readonly scenario?: Scenario;
  readonly handler?: Handler;
}

/** An upload that was announced or has arrived. */
interface Upload {
  readonly contentType: string;
  /** Set if it was uploaded directly; storage has the others. */
  readonly direct: Digest | undefined;
}

export interface Blob extends Digest {
  readonly blobPath: string;
  readonly filename: string;
  readonly contentType: string;
}

/** Fixed keys, so that commands in documents and scripts keep working. */
export const LIVE_KEY = `sk_live_${'0'.repeat(64)}`;
export const SANDBOX_KEY = `sk_test_${'0'.repeat(64)}`;

/** A request that passed the checks of key, rate limit, path and body. */
export interface Call {
  readonly workspace: Workspace;
  /** The identifiers in the path, in order. */
  readonly ids: readonly string[];
  readonly query: URLSearchParams;
  /** The name under which the client reaches the service. */
  readonly hostname?: string | undefined;
  readonly body: Body;
}

/** Everything that belongs to one API key. Tests read it; the endpoints change it. */
export class Workspace {
  readonly id = randomUUID();
  readonly key: string;
  readonly mode: Mode;
  /** In order of arrival, including those to storage. */
  readonly requests: RecordedRequest[] = [];
  /** Every presigned URL that was issued. Tests check that a client writes none of them down. */
  readonly uploadUrls: string[] = [];
  /** A test may set it at any time. */
  handler: Handler | undefined;
  /** `load` replaces these three. */
  scenario = parseScenario({});
  faults = new Faults([]);
  rates = new RateCounter({});
  readonly storage: BlobStorage;
  readonly baseUrl: string;
  readonly #uploads = new Map<string, Upload>();
  readonly #submissions = new Map<string, Submission>();
  readonly #changes = new EventEmitter();
  readonly #stop = new AbortController();
  #issuesSoFar = 0;

  constructor(storage: BlobStorage, baseUrl: string, options: WorkspaceOptions = {}) {
    this.storage = storage;
    this.baseUrl = baseUrl;
    this.mode = options.mode ?? (options.key?.startsWith('sk_test_') ? 'sandbox' : 'live');
    this.key = options.key ?? `${this.mode === 'live' ? 'sk_live_' : 'sk_test_'}${randomBytes(32).toString('hex')}`;
    this.handler = options.handler;
    // Every slow analysis and every waiting test adds a listener.
    setMaxListeners(0, this.stopped, this.#changes);
    this.load(options.scenario ?? {});
  }

  /** Aborted when the emulator is closed. */
  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  get submissions(): readonly Submission[] {
    return [...this.#submissions.values()];
  }

  /** All uploaded blobs, without those that were only announced. */
  blobs(): readonly Blob[] {
    return [...this.#uploads.keys()].map((blobPath) => this.blob(blobPath)).filter((blob) => blob !== undefined);
  }

  blob(blobPath: string): Blob | undefined {
    const upload = this.#uploads.get(blobPath);
    if (upload === undefined) return undefined;
    const { contentType, direct = this.storage.lookUp(blobPath) } = upload;
    if (direct === undefined) return undefined;
    const { size, sha256, detected } = direct;
    return { size, sha256, detected, blobPath, filename: blobPath.slice(this.id.length + 1), contentType };
  }

  /** Adds an upload, with its bytes if it is a direct one. Returns its `blobPath`. */
  addUpload(filename: string, contentType: string, direct?: Digest): string {
    const blobPath = `${this.id}/${filename}`;
    this.#uploads.set(blobPath, { contentType, direct });
    return blobPath;
  }

  /** Replaces the scenario. Counts of requests, faults and rate limits start again; submissions stay. */
  load(scenario: Scenario): void {
    this.scenario = parseScenario(scenario);
    this.faults = new Faults(this.scenario.faults);
    this.rates = new RateCounter(this.scenario.rateLimits);
  }

  /** Changes issues as people or the service itself may do: a status, a severity, or another issue in its place. */
  changeIssues(
    { ruleCode, id }: Pick<Issue, 'ruleCode'> & Partial<Pick<Issue, 'id'>>,
    changes: Partial<Readonly<Issue>>,
  ): void {
    const found = this.submissions
      .flatMap(({ assets }) => assets.flatMap(({ issues }) => issues))
      .filter((issue) => issue.ruleCode === ruleCode || issue.id === id);
    // A test that selects no issue by mistake must fail.
    if (found.length === 0) throw new Error(`There is no issue of ${ruleCode}.`);
    for (const issue of found) Object.assign(issue, { updatedAt: new Date().toISOString(), ...changes });
  }

  /** Ends the analyses that a scenario keeps open by a huge `reads`. */
  finishAnalyses(): void {
    for (const { pending } of this.submissions.flatMap(({ assets }) => assets)) if (pending) pending.readsLeft = 0;
  }

  /** Deletes the submission: reading it is a 404 from now on. */
  forget(submissionId: string): void {
    if (!this.#submissions.delete(submissionId)) throw new Error(`There is no submission ${submissionId}.`);
  }

  /** The first request that passes the test, now or later; tested when it arrives and when it ends. */
  async waitFor(test: (request: RecordedRequest) => boolean): Promise<RecordedRequest> {
    for (;;) {
      const found = this.requests.find(test);
      if (found !== undefined) return found;
      await once(this.#changes, 'request');
    }
  }

  requestsChanged(): void {
    this.#changes.emit('request');
  }

  submission(submissionId: string): Submission | undefined {
    return this.#submissions.get(submissionId.toLowerCase());
  }

  /** The submission of that id; 404 if there is none. */
  existingSubmission(submissionId = ''): Submission {
    const submission = this.submission(submissionId);
    if (submission === undefined) throw refusal(404, `There is no submission ${submissionId} in this workspace.`);
    return submission;
  }

  /** The asset that the identifiers in a path name; 404 if there is none. */
  existingAsset([submissionId, assetId = '']: Call['ids']): { submission: Submission; asset: Asset } {
    const submission = this.existingSubmission(submissionId);
    const asset = submission.assets.find((asset) => asset.assetId === assetId.toLowerCase());
    if (asset === undefined) throw refusal(404, `Submission ${submission.submissionId} has no asset ${assetId}.`);
    return { submission, asset };
  }

  add(submission: Submission): void {
    this.#submissions.set(submission.submissionId, submission);
  }

  /** Puts back what an earlier workspace knew. New issues get the numbers after those of its issues. */
  restore(submissions: readonly Submission[]): void {
    for (const submission of submissions) {
      this.add(submission);
      for (const { issues } of submission.assets) this.#issuesSoFar += issues.length;
    }
  }

  nextReferenceNumber(): number {
    this.#issuesSoFar += 1;
    return this.#issuesSoFar;
  }

  /** Runs an action later, unless the emulator is closed first. */
  after(ms: number, action: () => void): void {
    void sleep(ms, undefined, { signal: this.stopped }).then(action, () => undefined);
  }

  stop(): void {
    this.#stop.abort();
  }
}

/** Counts the requests of one workspace in sliding windows, one per bucket. Refused requests do not count. */
class RateCounter {
  readonly #limits: RateLimits;
  readonly #taken = new Map<Bucket, readonly number[]>();

  constructor(limits: RateLimits) {
    this.#limits = limits;
  }

  /** Counts one request at `now` (milliseconds). Returns the value of `Retry-After` if it is refused. */
  count(bucket: Bucket, now: number): string | undefined {
    const rate = this.#limits[bucket];
    if (rate === undefined) return undefined;
    const window = rate.perSeconds * 1000;
    const recent = (this.#taken.get(bucket) ?? []).filter((at) => at > now - window);
    if (recent.length < rate.limit) {
      this.#taken.set(bucket, [...recent, now]);
      return undefined;
    }
    const free = (recent[0] ?? now) + window;
    return String(rate.retryAfter ?? Math.max(1, Math.ceil((free - now) / 1000)));
  }
}
