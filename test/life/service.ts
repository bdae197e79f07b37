import { hash } from 'node:crypto';
import { Asset, type Caller, type Course, type Issue, newId, restartIds, STRAY, type Submission } from './asset.ts';
import { now } from './clock.ts';
import type { Request, Response } from './network.ts';

/**
 * The compliance service, as `interface.md` shows it and as a gate has to fear it. What it says follows from what
 * happens to each asset over time, from its manners and from faults.
 */

/** How a service that keeps to the interface may differ from the plainest one. No verdict and no bill may change. */
export interface Manners {
  readonly filename?: (name: string) => string;
  /** The only place of the number of issues. Default: each. */
  readonly counts?: 'list' | 'asset';
  readonly hasUpperCaseIds?: boolean;
  /** Seconds until a creation responds. */
  readonly creationTakes?: number;
  /** Seconds until results show after an analysis has ended. */
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
  readonly line: string;
  readonly status: number | undefined;
  readonly fault: Fault | undefined;
}

const PREFIX = '/api/integrations';

export class Service {
  readonly submissions: Submission[] = [];
  readonly exchanges: Exchange[] = [];
  manners: Manners = {};
  faults: Fault[] = [];
  /** What happens to a new asset. */
  courseOf: () => Course = () => ({});
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
    this.exchanges.push({ run, line, status: typeof response === 'object' ? response.status : undefined, fault });
    return response;
  }

  /** Undefined if there is no such thing. */
  #handle(run: Caller, [first, id = '', , assetId, last]: readonly string[], request: Request): Response | undefined {
    const { method, headers, body } = request;
    const key = headers['x-api-key'] ?? '';
    if (first === 'uploads') return this.#upload(key, body);
    if (method === 'POST' && id === '') return this.#create(run, key, JSON.parse(body.toString('utf8')));
    const submission = this.submissions.find((each) => each.id === id.toLowerCase() && each.key === key);
    if (!submission || isDeleted(submission)) return undefined;
    if (assetId === undefined) return this.#ok(this.#statusOf(submission));
    const asset = submission.assets.find((each) => each.id === assetId.toLowerCase() && each.isListed());
    if (!asset) return undefined;
    if (last === 'retry') return this.#retry(submission, asset);
    if (last === undefined) return this.#ok(this.#resultOf(submission, asset));
    if (asset.status !== 'complete' || isLate(asset)) return undefined;
    const issues = asset.issues.map((issue) => fullIssue(issue));
    return this.#ok(last === 'issues' ? { issues } : { assetId, topics: [], orphanIssues: issues, metadata: {} });
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
    const { lag = 0 } = this.manners;
    const links = assets.map(({ previousSubmissionId: id }) =>
      this.submissions.find((each) => each.id === id?.toLowerCase()),
    );
    if (assets.some(({ previousSubmissionId: id }, index) => id && isDeleted(links[index]))) return NOT_FOUND;
    const begun = assets.flatMap(({ blobPath = '' }, index) => {
      const course = this.courseOf();
      const asset = { name: blobPath.slice(5), sha256: this.#blobs.get(blobPath) ?? '', course, lag };
      const stray = { name: STRAY, sha256: '', course: { finds: course.strayFinds ?? [] }, lag };
      return [
        new Asset(asset, links[index]?.assets[0]),
        ...(course.hasTwin ? [new Asset({ ...asset, sha256: '' }, links[index]?.assets[0])] : []),
        ...(course.strayFinds ? [new Asset(stray, undefined)] : []),
      ];
    });
    const common = { id: newId(), key, createdAt: now(), createdBy: run, deletedAt: Number.POSITIVE_INFINITY };
    const submission = { ...common, assets: begun };
    this.submissions.push(submission);
    return this.#ok(createdBody(submission, begun), 201);
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
      return this.#ok(createdBody(other, other.assets), 202);
    }
    const begun = { from: now() + shows, status: 'processing', retries: retries + 1 };
    asset.phases.push(begun, { ...begun, from: begun.from + takes, status: ends });
    return this.#ok(createdBody(submission, [asset]), 202);
  }

  #statusOf(submission: Submission) {
    const listed = submission.assets.filter((asset) => asset.isListed());
    const all = listed.map(statusOf);
    const isFailed = all.includes('failed');
    const odd = all.find((status) => !['processing', 'complete', 'failed'].includes(status));
    return {
      submissionId: submission.id,
      workflowId: `workflow-${submission.id.slice(0, 4)}`,
      workspaceId: 'workspace',
      status: all.includes('processing') ? 'processing' : (odd ?? (isFailed ? 'failed' : 'complete')),
      progressPercent: 50,
      createdAt: new Date(submission.createdAt * 1000).toISOString(),
      completedAt: null,
      errorMessage: isFailed ? 'An asset failed.' : null,
      isRetryable: isFailed,
      assets: listed.map((asset) => this.#listed(asset)),
    };
  }

  #listed(asset: Asset) {
    const isFailed = asset.status === 'failed';
    return {
      assetId: asset.id,
      versionGroupId: asset.group,
      versionNumber: asset.version,
      issueCount: this.manners.counts === 'asset' ? null : countOf(asset),
      errorMessage: isFailed ? 'The decoder stopped.' : null,
      errorType: isFailed ? 'DECODER' : null,
      isRetryable: isFailed && asset.course.retry !== undefined,
      retryCount: asset.at(now()).retries,
    };
  }

  #resultOf(submission: Submission, asset: Asset) {
    const status = statusOf(asset);
    return {
      assetId: asset.id,
      submissionId: submission.id,
      filename: this.manners.filename?.(asset.name) ?? asset.name,
      status,
      issues: status === 'complete' ? asset.issues.map((issue) => compact(issue)) : [],
      issueCount: this.manners.counts === 'list' ? null : countOf(asset),
      mimeType: 'image/png',
      versionNumber: asset.version,
      versionGroupId: asset.group,
    };
  }

  #ok(body: object, status = 200): Response {
    if (!this.manners.hasUpperCaseIds) return { status, body };
    const text = JSON.stringify(body, (name, value) =>
      /^(id|.*Id)$/.test(name) && typeof value === 'string' ? value.toUpperCase() : value,
    );
    return { status, body: JSON.parse(text) };
  }
}

const NOT_FOUND: Response = { status: 404, body: { detail: 'Not found.' } };

function isDeleted(submission: Submission | undefined): boolean {
  return !submission || submission.deletedAt <= now();
}

function statusOf(asset: Asset): string {
  return isLate(asset) ? 'processing' : asset.status;
}

function isLate(asset: Asset): boolean {
  return asset.status === 'complete' && now() < asset.at(now()).from + asset.lag;
}

function countOf(asset: Asset): number | null {
  const miscounts = asset.miscounts();
  return statusOf(asset) === 'complete' && miscounts !== null ? asset.issues.length + miscounts : null;
}

function compact({ id, ruleCode, severity, status }: Issue) {
  const referenceNumber = Number.parseInt(id.slice(0, 4), 16);
  return { id, referenceNumber, ruleCode, summary: `About ${ruleCode}`, severity, status };
}

function fullIssue(issue: Issue) {
  const at = '2026-03-01T00:00:00Z';
  const reasons = { severityReasoning: 'Because.', severityReasoningHeadline: 'Because', precedents: [] };
  return { ...compact(issue), createdAt: at, updatedAt: at, sidekickId: 'sidekick', ...reasons };
}

function createdBody({ id: submissionId }: Submission, assets: readonly Asset[]) {
  return {
    submissionId,
    workflowId: 'workflow',
    realtimeChannel: 'channel',
    status: 'submitted',
    assets: assets
      .filter(({ isOfFile }) => isOfFile)
      .map(({ id, group, version }) => ({ assetId: id, versionGroupId: group, versionNumber: version })),
  };
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
