import * as v from 'valibot';
import { messageFromBody } from '../http/error-body.ts';
import { ConnectionError, type Http, type HttpAnswer, type StreamedBody, type Timeouts } from '../http/http.ts';
import type { Log } from '../lib/log.ts';
import { Buckets } from './buckets.ts';
import { ENDPOINTS, type Endpoint } from './endpoints.ts';
import { type Failure, isRateLimit } from './failure.ts';
import { RetryLog } from './retry-log.ts';
import { withoutKey, withoutSignatures } from './secrets.ts';
import type { ServiceAccess } from './service-access.ts';
import { ServiceError } from './service-error.ts';
import { type Attempt, type Deadline, withRetries } from './with-retries.ts';

/** What a request carries. A file is opened anew for every try. */
export interface Payload {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | StreamedBody;
}

export interface Question<Schema extends v.GenericSchema> {
  readonly endpoint: Endpoint;
  /** Below the service's address, query included. */
  readonly path: string;
  readonly payload?: () => Payload | Promise<Payload>;
  /** What the answer must hold. */
  readonly schema: Schema;
  readonly deadline: Deadline;
}

/** Asks the service: with its key, within its rate limits, again where that makes sense. */
export class ServiceRequester {
  readonly #access: ServiceAccess;
  readonly #http: Http;
  readonly #userAgent: string;
  readonly #retryLog: RetryLog;
  readonly #buckets = new Buckets();
  /** Once the key or the plan was refused, every other request would be, too. */
  #refusal: ServiceError | undefined;

  constructor(access: ServiceAccess, http: Http, userAgent: string, log: Log) {
    this.#access = access;
    this.#http = http;
    this.#userAgent = userAgent;
    this.#retryLog = new RetryLog(log);
  }

  /** Returns the first answer with a 2xx status that holds what was agreed; throws a `ServiceError` where none came. */
  async ask<Schema extends v.GenericSchema>(question: Question<Schema>): Promise<v.InferOutput<Schema>> {
    const { endpoint, deadline } = question;
    const { bucket, retry, timeouts, operation } = endpoint;
    const result = await withRetries({
      policy: retry,
      timeouts,
      deadline,
      ready: async () => {
        const closed = await this.#buckets.opened(bucket, deadline);
        if (this.#refusal) throw this.#refusal;
        return closed;
      },
      attempt: async (left) => {
        const result = await this.#attempt(question, left);
        if ('value' in result || !isRateLimit(result.failure)) this.#buckets.accepted(bucket);
        return result;
      },
      onRetry: (failure, delayMs) => {
        const isNews = !isRateLimit(failure) || this.#buckets.close(bucket, Date.now() + delayMs, failure);
        if (isNews) this.#retryLog.tell(new ServiceError(operation, failure).message, delayMs);
      },
    });
    if ('value' in result) return result.value;
    const error = new ServiceError(operation, result.failure);
    if (error.endsRun) this.#refusal ??= error;
    throw error;
  }

  async #attempt<Schema extends v.GenericSchema>(
    question: Question<Schema>,
    timeouts: Timeouts,
  ): Promise<Attempt<v.InferOutput<Schema>>> {
    const answer = await this.#send(question, timeouts);
    if (answer instanceof ConnectionError) return { failure: { kind: 'connection', error: answer } };
    if (!isSuccess(answer)) return { failure: refused(answer) };
    const json = parseJson(answer.text);
    const parsed = v.safeParse(question.schema, json);
    if (parsed.success && json !== undefined) return { value: parsed.output };
    return { failure: unreadable(answer.text, json, parsed.issues?.[0]) };
  }

  async #send<Schema extends v.GenericSchema>(
    { endpoint, path, payload, deadline: { signal } }: Question<Schema>,
    timeouts: Timeouts,
  ): Promise<HttpAnswer | ConnectionError> {
    const { headers = {}, body } = (await payload?.()) ?? {};
    const isPrecious = endpoint.retry.connection === 'unsent';
    try {
      const answer = await this.#http.send({
        method: endpoint.method,
        url: this.#access.baseUrl + path,
        headers: {
          accept: 'application/json',
          'user-agent': this.#userAgent,
          'x-api-key': this.#access.apiKey,
          ...headers,
        },
        ...(body !== undefined && { body }),
        timeouts,
        signal,
        freshConnection: isPrecious,
      });
      const text = withoutKey(answer.text, this.#access.apiKey);
      const givesSignature = endpoint === ENDPOINTS.uploadUrl && isSuccess(answer);
      return { ...answer, text: givesSignature ? text : withoutSignatures(text) };
    } catch (error) {
      if (error instanceof ConnectionError) return error;
      // Whether it arrived is not known, and that must be told rather than that the run was stopped.
      if (signal.aborted && isPrecious)
        return new ConnectionError('the run was stopped before the answer came', { maybeReceived: true });
      throw error;
    }
  }
}

function refused({ status, location, retryAfter, text }: HttpAnswer): Failure {
  return { kind: 'status', status, location, retryAfter, words: messageFromBody(text) };
}

function isSuccess({ status }: HttpAnswer): boolean {
  return status >= 200 && status < 300;
}

function unreadable(text: string, json: unknown, issue: v.BaseIssue<unknown> | undefined): Failure {
  if (json === undefined) {
    const words = /^\s*</.test(text) ? 'a web page instead of JSON' : 'not JSON, or cut off';
    return { kind: 'unreadable', words, isJson: false };
  }
  const field = issue && v.getDotPath(issue);
  return { kind: 'unreadable', words: field ? `\`${field}\` is not as agreed` : 'not the agreed JSON', isJson: true };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
