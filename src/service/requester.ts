import * as v from 'valibot';
import { detailsFromBody, messageFromBody } from '../http/error-body.ts';
import {
  ConnectionError,
  type Http,
  type HttpAnswer,
  MAX_ANSWER_BYTES,
  retryAfterMs,
  type StreamedBody,
  type Timeouts,
} from '../http/http.ts';
import { abortedLater } from '../lib/clock.ts';
import { formatBytes, parseJson } from '../lib/format.ts';
import type { Log } from '../lib/log.ts';
import { failure, type Result, success } from '../lib/result.ts';
import { type Bucket, Buckets } from './buckets.ts';
import { ENDPOINTS, type Endpoint, type ServiceAccess } from './endpoints.ts';
import { type Deadline, withRetries } from './retries.ts';
import { type Failure, isRateLimit, ServiceError } from './service-error.ts';

/** What a request carries. A file is opened again for every try. */
export interface Payload {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | StreamedBody;
}

export interface ServiceRequest<Schema extends v.GenericSchema> {
  readonly endpoint: Endpoint;
  /** Below the service's address, query included. */
  readonly path: string;
  readonly payload?: () => Payload | Promise<Payload>;
  /** What the answer must hold. */
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

/** A request that does not wait for a rate limit still keeps the distance to the one before it. */
const NO_WAIT_MS = 1_000;

/** How long a cancelled run waits for the answer to a request that costs money: the runner waits 7.5 s. */
const CANCEL_GRACE_MS = 5_000;

/** Sends requests to the service: with its key, within its rate limits, repeated if that makes sense. */
export class ServiceRequester {
  readonly #options: RequesterOptions;
  readonly #buckets = new Buckets();
  /** When each message was last logged. */
  readonly #loggedAt = new Map<string, number>();
  /** Once the key, the plan or the address was found to be wrong, every other request would fail as well. */
  #refusal: ServiceError | undefined;
  #hasAnswered = false;

  constructor(options: RequesterOptions) {
    this.#options = options;
  }

  /** Returns the first 2xx answer that holds what the contract says; throws a `ServiceError` if none came. */
  async send<Schema extends v.GenericSchema>(request: ServiceRequest<Schema>): Promise<v.InferOutput<Schema>> {
    const { endpoint, deadline } = request;
    const { bucket, retry, timeouts } = endpoint;
    const result = await withRetries<v.InferOutput<Schema>>({
      policy: retry,
      timeouts,
      deadline,
      ready: async () => {
        const until = retry.waitsForRateLimit ? deadline.until : Date.now() + NO_WAIT_MS;
        const closed = await this.#buckets.opened(bucket, { ...deadline, until });
        if (this.#refusal) throw this.#refusal;
        return closed;
      },
      attempt: async (limits) => {
        const attempt = await this.#attempt(request, limits);
        if (attempt.ok || !isRateLimit(attempt.error)) this.#buckets.accepted(bucket);
        else if (!retry.waitsForRateLimit) this.#close(bucket, attempt.error);
        return attempt;
      },
      onRetry: (problem, delayMs) => {
        const isNews = !isRateLimit(problem) || this.#buckets.close(bucket, Date.now() + delayMs, problem);
        if (isNews) this.#logRetry(this.#errorFor(endpoint, problem).message, delayMs);
      },
    });
    if (result.ok) return result.value;
    const error = this.#errorFor(endpoint, result.error);
    if (error.endsRun) this.#refusal ??= error;
    throw error;
  }

  #close(bucket: Bucket, problem: Failure): void {
    const waitMs = problem.kind === 'status' ? (retryAfterMs(problem.retryAfter) ?? 0) : 0;
    this.#buckets.close(bucket, Date.now() + waitMs, problem);
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
  ): Promise<Result<v.InferOutput<Schema>, Failure>> {
    const answer = await this.#exchange(request, timeouts);
    if (answer instanceof ConnectionError) return failure({ kind: 'connection', error: this.#inContext(answer) });
    this.#hasAnswered = true;
    if (!isSuccess(answer)) return failure(refusalIn(answer));
    if (answer.isTruncated) return failure(TOO_LARGE);
    const json = parseJson(answer.text);
    const parsed = v.safeParse(request.schema, json);
    if (parsed.success && json !== undefined) return success(parsed.output);
    return failure(unreadable(answer.text, json, parsed.issues?.[0]));
  }

  /** A host that has answered in this run exists: then it is the name server that fails, for a while. */
  #inContext(error: ConnectionError): ConnectionError {
    if (error.unknownHost === undefined || !this.#hasAnswered) return error;
    return new ConnectionError(error.what, { maybeReceived: error.maybeReceived }, { cause: error });
  }

  async #exchange<Schema extends v.GenericSchema>(
    { endpoint, path, payload, deadline: { signal } }: ServiceRequest<Schema>,
    timeouts: Timeouts,
  ): Promise<HttpAnswer | ConnectionError> {
    const { access, http, userAgent } = this.#options;
    const { headers = {}, body } = (await payload?.()) ?? {};
    const mustNotRepeat = endpoint.retry.connection === 'unsent';
    signal.throwIfAborted();
    try {
      const answer = await http.send({
        method: endpoint.method,
        url: access.baseUrl + path,
        headers: { accept: 'application/json', 'user-agent': userAgent, 'x-api-key': access.apiKey, ...headers },
        ...(body !== undefined && { body }),
        timeouts,
        // The answer may be a second away, and without it a paid submission would be lost.
        signal: mustNotRepeat ? abortedLater(signal, CANCEL_GRACE_MS) : signal,
        freshConnection: mustNotRepeat,
      });
      const text = withoutKey(answer.text, access.apiKey);
      const givesSignature = endpoint === ENDPOINTS.uploadUrl && isSuccess(answer);
      return { ...answer, text: givesSignature ? text : withoutSignatures(text) };
    } catch (error) {
      if (error instanceof ConnectionError) return error;
      // It is unknown whether the request arrived, which matters more than that the run was stopped.
      if (signal.aborted && mustNotRepeat)
        return new ConnectionError('the run was stopped before the answer came', { maybeReceived: true });
      throw error;
    }
  }
}

const TOO_LARGE: Failure = {
  kind: 'unreadable',
  message: `it is larger than ${formatBytes(MAX_ANSWER_BYTES)}`,
  isJson: true,
};

function refusalIn({ status, location, retryAfter, text }: HttpAnswer): Failure {
  return {
    kind: 'status',
    status,
    location,
    retryAfter,
    message: messageFromBody(text),
    details: detailsFromBody(text),
  };
}

function isSuccess({ status }: HttpAnswer): boolean {
  return status >= 200 && status < 300;
}

function unreadable(text: string, json: unknown, issue: v.BaseIssue<unknown> | undefined): Failure {
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
