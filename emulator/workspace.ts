import { randomBytes, randomUUID } from 'node:crypto';
import type { BlobStorage, StoredBlob } from './blob.ts';
import { Buckets } from './buckets.ts';
import { type Delivery, Events, type Subscriber } from './events.ts';
import { Faults } from './fault.ts';
import { nameMatches } from './match.ts';
import type { Submission } from './model.ts';
import type { Endpoint, RecordedRequest } from './record.ts';
import { type LoadedScenario, parseScenario, type Scenario } from './scenario.ts';

export type Mode = 'live' | 'sandbox';

export interface WorkspaceOptions {
  /** Default: what `key` says, else live. */
  readonly mode?: Mode;
  /** Default: a new one. */
  readonly key?: string;
  readonly scenario?: Scenario;
  /** `none`: every endpoint answers 402. */
  readonly plan?: 'none';
  readonly subscribers?: readonly Subscriber[];
}

/** Selects issues; all given fields have to match. */
export interface IssueMatch {
  readonly id?: string;
  readonly ruleCode?: string;
  readonly referenceNumber?: number;
  readonly summary?: string;
  /** Glob or substring on the name of the asset. */
  readonly filename?: string;
}

/** An upload that was announced or has arrived. */
interface Upload {
  readonly contentType: string;
  /** Set if it was uploaded directly; storage has the others. */
  readonly direct: StoredBlob | undefined;
}

/** An uploaded blob. */
export interface Blob extends StoredBlob {
  readonly blobPath: string;
  readonly filename: string;
  readonly contentType: string;
}

const KEY_FORMS: Readonly<Record<Mode, RegExp>> = { live: /^sk_live_[0-9a-f]{64}$/i, sandbox: /^sk_test_.+$/ };

/** Everything that belongs to one API key. Tests read it; the endpoints change it. */
export class Workspace {
  readonly id = randomUUID();
  readonly key: string;
  readonly mode: Mode;
  readonly plan: 'full' | 'none';
  /** In order of arrival, including those to storage. */
  readonly requests: RecordedRequest[] = [];
  /** Every presigned URL that was issued. Tests check that a client writes none of them down. */
  readonly uploadUrls: string[] = [];
  readonly events: Events;
  readonly storage: BlobStorage;
  /** Address of the service. */
  readonly baseUrl: string;
  readonly #uploads = new Map<string, Upload>();
  readonly #submissions = new Map<string, Submission>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #watchers = new Set<() => void>();
  #counts = new Map<Endpoint | 'unknown', number>();
  #issuesSoFar = 0;
  #scenario: LoadedScenario;
  #faults: Faults;
  #buckets: Buckets;

  constructor(storage: BlobStorage, baseUrl: string, options: WorkspaceOptions = {}) {
    this.storage = storage;
    this.baseUrl = baseUrl;
    this.mode = options.mode ?? (options.key?.startsWith('sk_test_') ? 'sandbox' : 'live');
    this.key = options.key ?? `${this.mode === 'live' ? 'sk_live_' : 'sk_test_'}${randomBytes(32).toString('hex')}`;
    if (!KEY_FORMS[this.mode].test(this.key)) throw new Error(`This is not the form of a ${this.mode} key.`);
    this.plan = options.plan ?? 'full';
    this.events = new Events(options.subscribers ?? []);
    this.#scenario = parseScenario(options.scenario ?? {});
    this.#faults = new Faults(this.#scenario.faults);
    this.#buckets = new Buckets(this.#scenario.rateLimits);
  }

  get scenario(): LoadedScenario {
    return this.#scenario;
  }

  get faults(): Faults {
    return this.#faults;
  }

  get buckets(): Buckets {
    return this.#buckets;
  }

  /** All submissions, oldest first. */
  get submissions(): readonly Submission[] {
    return [...this.#submissions.values()];
  }

  get deliveries(): readonly Delivery[] {
    return this.events.deliveries;
  }

  /** All uploaded blobs, without those that were only announced. */
  async blobs(): Promise<readonly Blob[]> {
    const found = await Promise.all([...this.#uploads.keys()].map(async (blobPath) => this.blob(blobPath)));
    return found.filter((blob) => blob !== undefined);
  }

  async blob(blobPath: string): Promise<Blob | undefined> {
    const upload = this.#uploads.get(blobPath);
    if (upload === undefined) return undefined;
    const stored = await this.storage.lookUp(blobPath);
    const { direct } = upload;
    const latest = direct !== undefined && direct.storedAt > (stored?.storedAt ?? 0) ? direct : stored;
    if (latest === undefined) return undefined;
    return { ...latest, blobPath, filename: blobPath.slice(this.id.length + 1), contentType: upload.contentType };
  }

  /** Adds an upload, with its bytes if it is a direct one. Returns its `blobPath`. */
  addUpload(filename: string, contentType: string, direct?: StoredBlob): string {
    const blobPath = `${this.id}/${filename}`;
    this.#uploads.set(blobPath, { contentType, direct: direct ?? this.#uploads.get(blobPath)?.direct });
    return blobPath;
  }

  /** Replaces the scenario. Counts of requests, faults and rate limits start again; submissions stay. */
  load(scenario: Scenario): void {
    this.#scenario = parseScenario(scenario);
    this.#faults = new Faults(this.#scenario.faults);
    this.#buckets = new Buckets(this.#scenario.rateLimits);
    this.#counts = new Map();
  }

  /** Changes issues as a person does in the service: dismiss, resolve, reopen. */
  setIssueStatus(match: IssueMatch, status: string): void {
    const found = this.submissions
      .flatMap((submission) => submission.assets)
      .filter((asset) => match.filename === undefined || nameMatches(match.filename, asset.filename))
      .flatMap((asset) => asset.issues)
      .filter((issue) => match.id === undefined || match.id === issue.id)
      .filter((issue) => match.ruleCode === undefined || match.ruleCode === issue.ruleCode)
      .filter((issue) => match.referenceNumber === undefined || match.referenceNumber === issue.referenceNumber)
      .filter((issue) => match.summary === undefined || match.summary === issue.summary);
    // A test that selects no issue by mistake must fail.
    if (found.length === 0) throw new Error(`No issue matches ${JSON.stringify(match)}.`);
    for (const issue of found) {
      issue.status = status;
      issue.updatedAt = new Date().toISOString();
    }
  }

  /** Deletes the submission: reading it is a 404 from now on. */
  forget(submissionId: string): void {
    if (!this.#submissions.delete(submissionId)) throw new Error(`There is no submission ${submissionId}.`);
  }

  /** The first request that passes the test, now or later; tested when it arrives and when it ends. */
  async waitFor(test: (request: RecordedRequest) => boolean): Promise<RecordedRequest> {
    const { promise, resolve } = Promise.withResolvers<RecordedRequest>();
    const look = (): void => {
      const found = this.requests.find(test);
      if (found === undefined) return;
      this.#watchers.delete(look);
      resolve(found);
    };
    this.#watchers.add(look);
    look();
    return promise;
  }

  /** Called when a request has arrived or ended. */
  requestsChanged(): void {
    for (const look of this.#watchers) look();
  }

  /** Counts a request. Returns its number among those of its endpoint, from 1. */
  count(endpoint: Endpoint | 'unknown'): number {
    const nth = (this.#counts.get(endpoint) ?? 0) + 1;
    this.#counts.set(endpoint, nth);
    return nth;
  }

  submission(submissionId: string): Submission | undefined {
    return this.#submissions.get(submissionId.toLowerCase());
  }

  add(submission: Submission): void {
    this.#submissions.set(submission.submissionId, submission);
  }

  nextReferenceNumber(): number {
    this.#issuesSoFar += 1;
    return this.#issuesSoFar;
  }

  /** Runs an action later, unless the emulator is closed first. */
  after(ms: number, action: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      action();
    }, ms);
    this.#timers.add(timer);
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.events.stop();
  }
}
