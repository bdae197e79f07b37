import * as v from 'valibot';
import { detailsFromBody, messageFromBody } from '../http/error-body.ts';
import {
  ConnectionError,
  type Http,
  type HttpResponse,
  MAX_RESPONSE_BYTES,
  type StreamedBody,
  type Timeouts,
} from '../http/http.ts';
import { abortedLater } from '../lib/clock.ts';
import { formatBytes, parseJson } from '../lib/format.ts';
import type { Log } from '../lib/log.ts';
import { Buckets } from './buckets.ts';
import { ENDPOINTS, type Endpoint, type ServiceAccess } from './endpoints.ts';
import { type Deadline, withRetries } from './retries.ts';
import { type Failure, isRateLimit, ServiceError } from './service-error.ts';

/** What a request carries. A file is read again for every try. */
export interface Payload {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | StreamedBody;
}

export interface ServiceRequest<Schema extends v.GenericSchema> {
  readonly endpoint: Endpoint;
  /** Below the service's address, query included. */
  readonly path: string;
  readonly payload?: () => Payload;
  /** What the response must hold. */
  readonly schema: Schema;
  readonly deadline: Deadline;
}

export interface RequesterOptions {
  readonly access: ServiceAccess;
  readonly http: Http;
  readonly userAgent: string;
  readonly log: Log;
}

/** One message stands for all requests that fail in the same way within this time. */
const REPEAT_LOG_AFTER_MS = 15_000;

/** How long a cancelled run waits for the response to a request that costs money: the runner waits 7.5 s. */
const CANCEL_GRACE_MS = 5_000;

/** Sends requests to the service: with its key, within its rate limits, repeated if that makes sense. */
export class ServiceRequester {
  readonly #options: RequesterOptions;
  readonly #buckets = new Buckets();
  /** When each message was last logged. */
  readonly #loggedAt = new Map<string, number>();
  /** Once the key, the plan or the address was found to be wrong, every other request would fail as well. */
  #refusal: ServiceError | undefined;
  #hasResponded = false;

  constructor(options: RequesterOptions) {
    this.#options = options;
  }

  /** Returns the first 2xx response that holds what the contract says; throws a `ServiceError` if none came. */
  async send<Schema extends v.GenericSchema>(request: ServiceRequest<Schema>): Promise<v.InferOutput<Schema>> {
    const { endpoint, deadline } = request;
    const { bucket, retry, timeouts } = endpoint;
    try {
      return await withRetries({
        policy: retry,
        timeouts,
        deadline,
        ready: async () => {
          const closed = await this.#buckets.opened(bucket, deadline);
          if (this.#refusal) throw this.#refusal;
          if (closed) throw this.#errorFor(endpoint, closed);
        },
        attempt: async (limits) => await this.#attempt(request, limits),
        onRetry: (problem, delayMs) => {
          const isNews = !isRateLimit(problem) || this.#buckets.close(bucket, Date.now() + delayMs, problem);
          if (isNews) this.#logRetry(this.#errorFor(endpoint, problem).message, delayMs);
        },
      });
    } catch (error) {
      if (error instanceof ServiceError && error.endsRun) this.#refusal ??= error;
      throw error;
    }
  }

  #errorFor({ operation }: Endpoint, problem: Failure): ServiceError {
    return new ServiceError(operation, problem, this.#options.access.baseUrl);
  }

  /** In an outage many requests fail in the same way: one line is enough for all of them. */
  #logRetry(message: string, delayMs: number): void {
    const now = Date.now();
    const before = this.#loggedAt.get(message);
    if (before !== undefined && now - before < REPEAT_LOG_AFTER_MS) return;
    this.#loggedAt.set(message, now);
    this.#options.log.info(`${message}; trying again in ${Math.ceil(delayMs / 1000)} s`);
  }

  async #attempt<Schema extends v.GenericSchema>(
    request: ServiceRequest<Schema>,
    timeouts: Timeouts,
  ): Promise<v.InferOutput<Schema>> {
    const { endpoint, schema } = request;
    const response = await this.#exchange(request, timeouts);
    this.#hasResponded = true;
    if (response.status !== 429) this.#buckets.accepted(endpoint.bucket);
    if (!isSuccess(response)) throw this.#errorFor(endpoint, refusalIn(response));
    const json = response.text === undefined ? undefined : parseJson(response.text);
    const parsed = v.safeParse(schema, json);
    if (parsed.success && json !== undefined) return parsed.output;
    throw this.#errorFor(endpoint, unreadable(response.text, json, parsed.issues?.[0]));
  }

  async #exchange<Schema extends v.GenericSchema>(
    { endpoint, path, payload, deadline: { signal } }: ServiceRequest<Schema>,
    timeouts: Timeouts,
  ): Promise<HttpResponse> {
    const { access, http, userAgent } = this.#options;
    const mustNotRepeat = endpoint.retry.connection === 'unsent';
    signal.throwIfAborted();
    const { headers = {}, body } = payload?.() ?? {};
    try {
      const response = await http.send({
        method: endpoint.method,
        url: access.baseUrl + path,
        headers: { accept: 'application/json', 'user-agent': userAgent, 'x-api-key': access.apiKey, ...headers },
        ...(body !== undefined && { body }),
        timeouts,
        // The response may be a second away, and without it a paid submission would be lost.
        signal: mustNotRepeat ? abortedLater(signal, CANCEL_GRACE_MS) : signal,
        freshConnection: mustNotRepeat,
      });
      const text = response.text && withoutKey(response.text, access.apiKey);
      const givesSignature = endpoint === ENDPOINTS.uploadUrl && isSuccess(response);
      return { ...response, text: givesSignature ? text : text && withoutSignatures(text) };
    } catch (error) {
      if (error instanceof ConnectionError)
        throw this.#errorFor(endpoint, { kind: 'connection', error: this.#inContext(error) });
      if (!signal.aborted || !mustNotRepeat) throw error;
      // It is unknown whether the request arrived, which matters more than that the run was stopped.
      const stopped = new ConnectionError('the run was stopped before the response came', { maybeReceived: true });
      throw this.#errorFor(endpoint, { kind: 'connection', error: stopped });
    }
  }

  /** A host that has responded in this run exists: then it is the name server that fails, for a while. */
  #inContext(error: ConnectionError): ConnectionError {
    if (error.unknownHost === undefined || !this.#hasResponded) return error;
    return new ConnectionError(error.what, { maybeReceived: error.maybeReceived }, { cause: error });
  }
}

function refusalIn({ status, location, retryAfter, text = '' }: HttpResponse): Failure {
  return {
    kind: 'status',
    status,
    location,
    retryAfter,
    message: messageFromBody(text),
    details: detailsFromBody(text),
  };
}

function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300;
}

function unreadable(text: string | undefined, json: unknown, issue: v.BaseIssue<unknown> | undefined): Failure {
  if (text === undefined) {
    return { kind: 'unreadable', message: `it is larger than ${formatBytes(MAX_RESPONSE_BYTES)}`, isJson: true };
  }
  if (json === undefined) {
    const message = /^\s*</.test(text) ? 'a web page instead of JSON' : 'not JSON, or cut off';
    return { kind: 'unreadable', message, isJson: false };
  }
  const field = issue && v.getDotPath(issue);
  const message = field ? `\`${field}\` is missing or has the wrong type` : 'the JSON has the wrong shape';
  return { kind: 'unreadable', message, isJson: true };
}

/**
 * Matches a signature in an address, by the names that Azure, Amazon and Google use. The text is searched as it came, so
 * `&` may be escaped as `\u0026` and `/` as `\/`, twice in JSON within JSON. A value ends at the next `&`, quote or space.
 */
const SIGNATURE_START = String.raw`(?:[?&;]|\\u0026|\\u003[bf])(?:sig|signature|x-(?:amz|goog)-[a-z-]+)(?:=|\\u003d)`;
const SIGNATURE_VALUE = String.raw`(?:[^&\s"'\\]|\\+\/|\\+u(?!00(?:2[0267]|3[ce]))[0-9a-f]{4})+`;
const SIGNATURE = new RegExp(`(${SIGNATURE_START})${SIGNATURE_VALUE}`, 'gi');

/** A signed address gives access to the stored file. */
function withoutSignatures(text: string): string {
  return text.replaceAll(SIGNATURE, '$1***');
}

function withoutKey(text: string, apiKey: string): string {
  const inJson = JSON.stringify(apiKey).slice(1, -1);
  return text.replaceAll(apiKey, '***').replaceAll(inJson, '***');
}
