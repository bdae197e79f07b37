import { hash } from 'node:crypto';
import {
  Asset,
  type Caller,
  type Course,
  type Issue,
  idOf,
  isStrayed,
  newId,
  restartIds,
  type Submission,
} from './asset.ts';
import { now } from './clock.ts';
import type { Request, Response } from './network.ts';

/**
 * The compliance service, as `interface.md` shows it and as a gate has to fear it. What it says follows from what
 * happens to each asset over time, from its manners and from faults.
 */

/** How a service that keeps to the interface may differ from the plainest one. No verdict and no bill may change. */
export interface Manners {
  readonly filename?: (name: string) => string;
  readonly list?: (items: readonly object[]) => unknown;
  readonly counts?: 'list' | 'asset';
  readonly isShuffled?: boolean;
  readonly hasUpperCaseIds?: boolean;
  readonly omitsNulls?: boolean;
  /** A picture of the first film, for example: an asset of no file. */
  readonly hasStrays?: boolean;
  readonly runningStatus?: string;
  /** How a creation that links to an earlier submission is refused. */
  readonly linking?: 404 | 422;
  /** Seconds until a creation responds. */
  readonly creationTakes?: number;
  /** Seconds until results show in lists after an analysis has ended. */
  readonly lag?: number;
}

/** What goes wrong with requests of the service or of GitHub. */
export interface Fault {
  /** Matches `METHOD /path`. */
  readonly on: RegExp;
  readonly how: 'refused' | 'reset' | 'silence' | 'page' | number;
  /** Until this time. Default: for ever. */
  readonly until?: number;
  times?: number;
  /** The request is carried out before it fails. */
  readonly isAfterwards?: boolean;
  readonly retryAfter?: number;
}

/** One request of a run, and its response, if that has arrived. */
export interface Exchange {
  readonly run: Caller;
  readonly at: number;
  readonly line: string;
  readonly status: number | undefined;
  readonly body: unknown;
  readonly fault: Fault | undefined;
}

const PREFIX = '/api/integrations';

export class Service {
  readonly submissions: Submission[] = [];
  readonly exchanges: Exchange[] = [];
  manners: Manners = {};
  faults: Fault[] = [];
  /** What happens to a new asset. */
  courseOf: (sha256: string) => Course = () => ({});
  readonly #blobs = new Map<string, string>();

  constructor() {
    restartIds();
  }

  get assets(): readonly Asset[] {
    return this.submissions.flatMap(({ assets }) => assets);
  }

  connects(url: URL): boolean {
    return !this.faults.some(
      (fault) => fault.how === 'refused' && isActive(fault) && fault.on.test(`GET ${url.pathname}`),
    );
  }

  respond(run: Caller, request: Request): Response {
    const path = request.url.pathname.replace(PREFIX, '');
    const line = `${request.method} ${path}`;
    const fault = this.faults.find((each) => isActive(each) && each.how !== 'refused' && each.on.test(line));
    if (fault?.times !== undefined) fault.times -= 1;
    const done = !fault || fault.isAfterwards ? this.#handle(run, path.slice(1).split('/'), request) : undefined;
    const response = fault ? faultResponse(fault) : (done ?? NOT_FOUND);
    const arrived = typeof response === 'object' ? response : { status: undefined, body: undefined };
    this.exchanges.push({ run, at: now(), line, status: arrived.status, body: arrived.body, fault });
    return response;
  }

  #handle(
    run: Caller,
    [first, id = '', , assetId = '', last]: readonly string[],
    request: Request,
  ): Response | undefined {
    const { method, headers, body } = request;
    const key = headers['x-api-key'] ?? '';
    if (first === 'uploads') return this.#upload(key, body);
    if (method === 'POST' && id === '') return this.#create(run, key, JSON.parse(body.toString('utf8')));
    const submission = this.submissions.find((each) => each.id === id.toLowerCase() && each.key === key);
    if (!submission || isDeleted(submission)) return undefined;
    if (assetId === '') return { status: 200, body: this.#wire(this.#statusOf(submission)) };
    if (id !== '' && assetId !== '' && this.#stray(submission)?.assetId === assetId.toLowerCase())
      return this.#readStray(submission, last);
    const asset = submission.assets.find(
      (each) => each.id === assetId.toLowerCase() || twinOf(each) === assetId.toLowerCase(),
    );
    if (!asset) return undefined;
    if (last === 'retry') return this.#retry(submission, asset);
    if (last === undefined) return { status: 200, body: this.#wire(this.#resultOf(submission, asset, assetId)) };
    if (asset.status !== 'complete' || this.#isLate(asset)) return undefined;
    const issues = asset.issues.map((issue) => this.#fullIssue(issue));
    if (last === 'issues') return { status: 200, body: this.#wire(this.manners.list?.(issues) ?? { issues }) };
    return { status: 200, body: this.#wire({ assetId, topics: [], orphanIssues: issues, metadata: {} }) };
  }

  #upload(key: string, body: Buffer): Response {
    const text = body.toString('latin1');
    const [, name = ''] = /filename="([^"]+)"/.exec(text) ?? [];
    const bytes = body.subarray(text.indexOf('\r\n\r\n') + 4, text.lastIndexOf('\r\n--'));
    const blobPath = `${key.slice(-4)}/${name}`;
    this.#blobs.set(blobPath, hash('sha256', bytes));
    return { status: 201, body: { blobPath, sizeBytes: bytes.length, contentType: 'image/png' } };
  }

  #create(run: Caller, key: string, { assets }: { readonly assets: readonly Record<string, string>[] }): Response {
    const { linking, lag = 0 } = this.manners;
    if (linking && assets.some((asset) => asset['previousSubmissionId']))
      return { status: linking, body: { detail: 'No link.' } };
    const links = assets.map(({ previousSubmissionId: id }) => this.submissions.find((each) => each.id === id));
    if (assets.some(({ previousSubmissionId: id }, index) => id && isDeleted(links[index]))) return NOT_FOUND;
    const submission: Submission = {
      id: newId(),
      key,
      createdAt: now(),
      createdBy: run,
      deletedAt: Number.POSITIVE_INFINITY,
      assets: assets.map(({ blobPath = '' }, index) => {
        const sha256 = this.#blobs.get(blobPath) ?? '';
        const asset = { name: blobPath.slice(5), sha256, course: this.courseOf(sha256), lag };
        return new Asset(asset, links[index]?.assets[0]);
      }),
    };
    this.submissions.push(submission);
    return { status: 201, body: this.#wire(createdBody(submission, submission.assets)) };
  }

  #retry(submission: Submission, asset: Asset): Response {
    const { retry } = asset.course;
    const isBusy = submission.assets.some((each) => each.isRetrying);
    if (!retry || retry.isRefused || asset.status !== 'failed' || isBusy)
      return { status: 409, body: { error: 'No retry.' } };
    const { shows = 0, takes = 10, ends, isElsewhere } = retry;
    const { retries } = asset.at(now());
    const { name, sha256, lag } = asset;
    if (isElsewhere && retries === 0) {
      const moved = new Asset({ name, sha256, lag, course: { ...asset.course, takes: shows + takes, ends } }, asset);
      const other = { ...submission, id: newId(), createdAt: now(), createdBy: undefined, assets: [moved] };
      asset.phases.push({ ...asset.at(now()), from: now(), retries: 1 });
      this.submissions.push(other);
      return { status: 202, body: this.#wire(createdBody(other, other.assets)) };
    }
    const begun = { from: now() + shows, status: 'processing', retries: retries + 1 };
    asset.phases.push(begun, { ...begun, from: begun.from + takes, status: ends });
    return { status: 202, body: this.#wire(createdBody(submission, [asset])) };
  }

  #statusOf(submission: Submission) {
    const all = submission.assets.map((asset) => (this.#isLate(asset) ? 'processing' : asset.status));
    const isFailed = all.includes('failed');
    const odd = all.find((status) => !['processing', 'complete', 'failed'].includes(status));
    const ended = isFailed ? 'failed' : 'complete';
    const assets = submission.assets.flatMap((asset) =>
      [asset.id, twinOf(asset)].flatMap((id) => (id ? this.#listed(asset, id) : [])),
    );
    const stray = this.#stray(submission) ?? [];
    const list = [...assets, stray].flat();
    return {
      submissionId: submission.id,
      workflowId: `workflow-${submission.id.slice(0, 4)}`,
      workspaceId: 'workspace',
      status: all.includes('processing') ? (this.manners.runningStatus ?? 'processing') : (odd ?? ended),
      progressPercent: 50,
      createdAt: new Date(submission.createdAt * 1000).toISOString(),
      completedAt: null,
      errorMessage: isFailed ? 'An asset failed.' : null,
      isRetryable: isFailed,
      assets: this.manners.isShuffled ? list.toReversed() : list,
    };
  }

  #listed(asset: Asset, assetId: string) {
    const { retries } = asset.at(now());
    const isFailed = asset.status === 'failed';
    return {
      assetId,
      versionGroupId: asset.group,
      versionNumber: asset.version,
      issueCount: this.manners.counts === 'asset' ? null : this.#countOf(asset),
      errorMessage: isFailed ? 'The decoder stopped.' : null,
      errorType: isFailed ? 'DECODER' : null,
      isRetryable: isFailed && asset.course.retry !== undefined,
      retryCount: retries,
    };
  }

  #countOf(asset: Asset): number | null {
    const { miscounts = 0 } = asset.flawsAt(now());
    if (asset.status !== 'complete' || this.#isLate(asset) || miscounts === null) return null;
    return asset.issues.length + miscounts;
  }

  #isLate(asset: Asset): boolean {
    return asset.status === 'complete' && now() < asset.at(now()).from + asset.lag;
  }

  #resultOf(submission: Submission, asset: Asset, assetId: string) {
    const isLate = this.#isLate(asset);
    const isComplete = asset.status === 'complete' && !isLate;
    return {
      assetId,
      submissionId: submission.id,
      filename: this.manners.filename?.(asset.name) ?? asset.name,
      status: isLate ? 'processing' : asset.status,
      issues: isComplete ? asset.issues.map((issue) => compact(issue)) : [],
      issueCount: this.manners.counts === 'list' ? null : this.#countOf(asset),
      mimeType: 'image/png',
      versionNumber: asset.version,
      versionGroupId: asset.group,
    };
  }

  #stray(submission: Submission) {
    if (!this.manners.hasStrays && !isStrayed(submission)) return undefined;
    const id = idOf(`stray of ${submission.id}`);
    const issueCount = Number(isStrayed(submission));
    const common = { versionGroupId: id, versionNumber: 1, errorMessage: null, errorType: null, isRetryable: false };
    return { assetId: id, ...common, issueCount, retryCount: 0 };
  }

  #readStray(submission: Submission, last: string | undefined): Response {
    const issues = isStrayed(submission) ? [this.#fullIssue(STRAY)] : [];
    if (last !== undefined) return { status: 200, body: this.#wire(this.manners.list?.(issues) ?? { issues }) };
    const common = {
      ...this.#stray(submission),
      submissionId: submission.id,
      filename: 'poster.jpg',
      status: 'complete',
    };
    return { status: 200, body: this.#wire({ ...common, issues }) };
  }

  #fullIssue(issue: Issue) {
    const at = '2026-03-01T00:00:00Z';
    const reasons = { severityReasoning: 'Because.', severityReasoningHeadline: 'Because', precedents: [] };
    return { ...compact(issue), createdAt: at, updatedAt: at, sidekickId: STRAY.id, ...reasons };
  }

  #wire(body: unknown): unknown {
    const { hasUpperCaseIds, omitsNulls } = this.manners;
    if (!hasUpperCaseIds && !omitsNulls) return body;
    return JSON.parse(JSON.stringify(body), (name, value) => {
      if (omitsNulls && value === null) return undefined;
      return hasUpperCaseIds && /^(id|.*Id)$/.test(name) && typeof value === 'string' ? value.toUpperCase() : value;
    });
  }
}

const STRAY: Issue = { id: idOf('stray'), ruleCode: 'R-9', severity: 'CRITICAL', status: 'OPEN' };
const NOT_FOUND: Response = { status: 404, body: { detail: 'Not found.' } };

function isDeleted(submission: Submission | undefined): boolean {
  return !submission || submission.deletedAt <= now();
}

function compact({ id, ruleCode, severity, status }: Issue) {
  return {
    id,
    referenceNumber: Number.parseInt(id.slice(0, 4), 16),
    ruleCode,
    summary: `About ${ruleCode}`,
    severity,
    status,
  };
}

function createdBody({ id: submissionId }: Submission, assets: readonly Asset[]) {
  return {
    submissionId,
    workflowId: 'workflow',
    realtimeChannel: 'channel',
    status: 'submitted',
    assets: assets.map(({ id, group, version }) => ({ assetId: id, versionGroupId: group, versionNumber: version })),
  };
}

function twinOf(asset: Asset): string | undefined {
  return asset.flawsAt(now()).hasTwin ? idOf(`twin of ${asset.id}`) : undefined;
}

export function isActive({ until = Number.POSITIVE_INFINITY, times = 1 }: Fault): boolean {
  return now() < until && times > 0;
}

export function faultResponse({ how, retryAfter }: Fault): Response {
  if (how === 'page') return { status: 404, body: '<html>Not here</html>', headers: { 'content-type': 'text/html' } };
  if (typeof how !== 'number') return how === 'silence' ? how : 'reset';
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return { status: how, body: { detail: 'A fault.', error: 'A fault.' }, headers };
}
