import { openAsBlob } from 'node:fs';
import { FormData } from 'undici';
import * as v from 'valibot';
import { sleep } from '../clock.ts';
import type { SandboxEvent, ServiceAccess } from '../inputs/inputs.ts';
import type { Log } from '../log.ts';
import {
  AnyAnswer,
  AssetAnswer,
  CreationAnswer,
  DirectUploadAnswer,
  FireAnswer,
  SubmissionAnswer,
  UploadUrlAnswer,
} from './answers.ts';
import { type Bucket, Buckets } from './buckets.ts';
import { ConnectionError, type Http, type HttpAnswer, type HttpRequest, type Patience } from './http.ts';
import { backoff, GIVE_UP_MS, ONCE, REPEATABLE, retryAfterMs, type RetryPolicy, UNREADABLE_ATTEMPTS } from './retry.ts';
import { type Doing, type Failure, ServiceError } from './service-error.ts';
import { wordsOf } from './words.ts';

/** How long a request may try. */
export interface Effort {
  readonly signal: AbortSignal;
  /** Epoch milliseconds. A rate limit that lasts longer than this is not waited for. */
  readonly until: number;
}

export interface NewAsset {
  readonly blobPath: string;
  readonly previousSubmissionId?: string;
}

export interface NewSubmission {
  readonly assets: readonly NewAsset[];
  readonly sidekickIds?: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

interface Endpoint {
  readonly doing: Doing;
  readonly method: 'GET' | 'POST';
  readonly bucket: Bucket;
  readonly retry: RetryPolicy;
}

const ENDPOINTS = {
  uploadUrl: { doing: 'asking for an upload address', method: 'POST', bucket: 'upload', retry: REPEATABLE },
  uploadDirect: { doing: 'uploading', method: 'POST', bucket: 'upload', retry: REPEATABLE },
  create: { doing: 'creating the submission', method: 'POST', bucket: 'submission_write', retry: ONCE },
  readSubmission: { doing: 'reading the submission', method: 'GET', bucket: 'submission_read', retry: REPEATABLE },
  readAsset: { doing: 'reading an asset', method: 'GET', bucket: 'submission_read', retry: REPEATABLE },
  readIssues: { doing: 'reading the issues', method: 'GET', bucket: 'submission_read', retry: REPEATABLE },
  readTopics: { doing: 'reading the topics', method: 'GET', bucket: 'submission_read', retry: REPEATABLE },
  readVersions: { doing: 'reading the versions', method: 'GET', bucket: 'submission_read', retry: REPEATABLE },
  retryAsset: { doing: 'retrying an asset', method: 'POST', bucket: 'submission_write', retry: ONCE },
  fire: { doing: 'firing the sandbox event', method: 'POST', bucket: 'sandbox', retry: ONCE },
} as const satisfies Record<string, Endpoint>;

const PATIENCE: Patience = { answerMs: 60_000, stallMs: 30_000 };

type Body = { readonly json: unknown } | { readonly form: () => Promise<FormData> } | undefined;

/** The service, one method for each of its endpoints. The API key goes to its origin and nowhere else. */
export class ServiceClient {
  readonly #access: ServiceAccess;
  readonly #http: Http;
  readonly #userAgent: string;
  readonly #log: Log;
  readonly #buckets = new Buckets();

  constructor(access: ServiceAccess, http: Http, userAgent: string, log: Log) {
    this.#access = access;
    this.#http = http;
    this.#userAgent = userAgent;
    this.#log = log;
  }

  async uploadUrl(filename: string, contentType: string, effort: Effort): Promise<UploadUrlAnswer> {
    return await this.#ask(
      ENDPOINTS.uploadUrl,
      '/uploads/url',
      { json: { filename, contentType } },
      UploadUrlAnswer,
      effort,
    );
  }

  /** The file is opened again for every try. Node refuses to read it where it changed after that. */
  async uploadDirect(
    filename: string,
    contentType: string,
    absolutePath: string,
    effort: Effort,
  ): Promise<DirectUploadAnswer> {
    const form = async (): Promise<FormData> => {
      const data = new FormData();
      data.set('file', await openAsBlob(absolutePath, { type: contentType }), filename);
      return data;
    };
    return await this.#ask(ENDPOINTS.uploadDirect, '/uploads/direct', { form }, DirectUploadAnswer, effort);
  }

  async createSubmission(
    submission: NewSubmission,
    simulationDelaySeconds: number | undefined,
    effort: Effort,
  ): Promise<CreationAnswer> {
    const query = simulationDelaySeconds === undefined ? '' : `?simulationDelaySeconds=${simulationDelaySeconds}`;
    return await this.#ask(ENDPOINTS.create, `/submissions${query}`, { json: submission }, CreationAnswer, effort);
  }

  async readSubmission(submissionId: string, effort: Effort): Promise<SubmissionAnswer> {
    return await this.#ask(ENDPOINTS.readSubmission, submissionPath(submissionId), undefined, SubmissionAnswer, effort);
  }

  async readAsset(submissionId: string, assetId: string, effort: Effort): Promise<AssetAnswer> {
    return await this.#ask(ENDPOINTS.readAsset, assetPath(submissionId, assetId), undefined, AssetAnswer, effort);
  }

  async readIssues(submissionId: string, assetId: string, effort: Effort): Promise<unknown> {
    return await this.#ask(
      ENDPOINTS.readIssues,
      `${assetPath(submissionId, assetId)}/issues`,
      undefined,
      AnyAnswer,
      effort,
    );
  }

  async readTopics(submissionId: string, assetId: string, effort: Effort): Promise<unknown> {
    return await this.#ask(
      ENDPOINTS.readTopics,
      `${assetPath(submissionId, assetId)}/topics`,
      undefined,
      AnyAnswer,
      effort,
    );
  }

  async readVersions(submissionId: string, effort: Effort): Promise<unknown> {
    return await this.#ask(
      ENDPOINTS.readVersions,
      `${submissionPath(submissionId)}/versions`,
      undefined,
      AnyAnswer,
      effort,
    );
  }

  async retryAsset(submissionId: string, assetId: string, effort: Effort): Promise<CreationAnswer> {
    return await this.#ask(
      ENDPOINTS.retryAsset,
      `${assetPath(submissionId, assetId)}/retry`,
      undefined,
      CreationAnswer,
      effort,
    );
  }

  /** @returns how many subscriptions were told */
  async fireEvent(eventType: SandboxEvent, submissionId: string, effort: Effort): Promise<number> {
    const answer = await this.#ask(
      ENDPOINTS.fire,
      '/sandbox/events/fire',
      { json: { eventType, submissionId } },
      FireAnswer,
      effort,
    );
    return answer.dispatched;
  }

  /** Returns the first answer with a 2xx status that holds what was agreed; all else is retried by its policy or thrown. */
  async #ask<Schema extends v.GenericSchema>(
    endpoint: Endpoint,
    path: string,
    body: Body,
    schema: Schema,
    effort: Effort,
  ): Promise<v.InferOutput<Schema>> {
    let firstFailureAt: number | undefined;
    for (let attempt = 1; ; attempt += 1) {
      await this.#buckets.open(endpoint.bucket, effort.signal);
      const result = await this.#try(endpoint, path, body, schema, effort.signal);
      if ('value' in result) return result.value;

      const { failure, retryAfter } = result;
      const error = new ServiceError(endpoint.doing, failure);
      if (!isWorthAnotherTry(endpoint.retry, failure, attempt)) throw error;
      const isRateLimit = failure.kind === 'status' && failure.status === 429;
      firstFailureAt ??= Date.now();
      const givesUpAt = isRateLimit ? effort.until : Math.min(effort.until, firstFailureAt + GIVE_UP_MS);
      const delay = (isRateLimit ? retryAfterMs(retryAfter) : undefined) ?? backoff(attempt);
      if (Date.now() + delay > givesUpAt) throw error;
      this.#log.info(`${error.message}; trying again in ${Math.ceil(delay / 1000)} s`);
      if (isRateLimit) {
        // It is an answer: the service lives, and our patience with an outage starts afresh.
        firstFailureAt = undefined;
        this.#buckets.close(endpoint.bucket, Date.now() + delay);
      } else {
        await sleep(delay, effort.signal);
      }
    }
  }

  async #try<Schema extends v.GenericSchema>(
    endpoint: Endpoint,
    path: string,
    body: Body,
    schema: Schema,
    signal: AbortSignal,
  ): Promise<{ value: v.InferOutput<Schema> } | { failure: Failure; retryAfter?: string | undefined }> {
    const answer = await this.#send(endpoint, path, body, signal);
    if (answer instanceof ConnectionError) return { failure: { kind: 'connection', error: answer } };
    if (answer.status < 200 || answer.status >= 300) {
      const { status, location, retryAfter } = answer;
      const words = this.#withoutSecrets(wordsOf(answer.text));
      return { failure: { kind: 'status', status, location, words }, retryAfter };
    }
    const parsed = v.safeParse(schema, parseJson(answer.text));
    if (parsed.success) return { value: parsed.output };
    const field = v.getDotPath(parsed.issues[0]);
    return { failure: { kind: 'unreadable', words: field ? `\`${field}\` is not as agreed` : 'not the agreed JSON' } };
  }

  async #send(
    endpoint: Endpoint,
    path: string,
    body: Body,
    signal: AbortSignal,
  ): Promise<HttpAnswer | ConnectionError> {
    try {
      return await this.#http.send(await this.#request(endpoint, path, body, signal));
    } catch (error) {
      if (error instanceof ConnectionError) return error;
      throw error;
    }
  }

  async #request(endpoint: Endpoint, path: string, body: Body, signal: AbortSignal): Promise<HttpRequest> {
    const headers: Record<string, string> = {
      accept: 'application/json',
      'user-agent': this.#userAgent,
      'x-api-key': this.#access.apiKey,
    };
    if (body && 'json' in body) headers['content-type'] = 'application/json';
    return {
      method: endpoint.method,
      url: this.#access.baseUrl + path,
      headers,
      ...(body && { body: 'json' in body ? JSON.stringify(body.json) : await body.form() }),
      patience: PATIENCE,
      signal,
      freshConnection: endpoint.retry === ONCE,
    };
  }

  /** A service that repeats our key in its error must not get it into a log. */
  #withoutSecrets(words: string): string {
    return words
      .replaceAll(this.#access.apiKey, '***')
      .replaceAll(/([?&;](?:sig|signature|x-amz-[a-z-]+)=)[^&\s"']+/gi, '$1***');
  }
}

function isWorthAnotherTry(policy: RetryPolicy, failure: Failure, attempt: number): boolean {
  switch (failure.kind) {
    case 'status':
      return policy.statuses.includes(failure.status);
    case 'connection':
      return policy.connection === 'always' || !failure.error.maybeReceived;
    case 'unreadable':
      return policy.connection === 'always' && attempt < UNREADABLE_ATTEMPTS;
  }
}

function submissionPath(submissionId: string): string {
  return `/submissions/${encodeURIComponent(submissionId)}`;
}

function assetPath(submissionId: string, assetId: string): string {
  return `${submissionPath(submissionId)}/assets/${encodeURIComponent(assetId)}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
