import * as v from 'valibot';
import manifest from '../../package.json' with { type: 'json' };
import type { Runner } from '../github/runner.ts';
import {
  ConnectionError,
  type Http,
  type HttpResponse,
  isSuccess,
  MAX_RESPONSE_BYTES,
  type Payload,
  type StreamedBody,
} from '../http/http.ts';
import { abortedLater, sleep } from '../lib/async.ts';
import { monotonicMs } from '../lib/clock.ts';
import { formatBytes, messageFromBody, parseJson } from '../lib/format.ts';
import { ENDPOINTS, type Endpoint, type ServiceAccess } from './endpoints.ts';
import { ServiceError } from './service-error.ts';
import { type Deadline, withTries } from './tries.ts';

interface ServiceRequest {
  /** The ids in the path of the endpoint. */
  readonly ids?: readonly string[];
  readonly query?: string;
  /** Called for every try, because a stream can be sent only once. */
  readonly payload?: () => Payload;
  readonly deadline: Deadline;
}

export interface RequesterOptions extends Pick<Runner, 'log' | 'mask' | 'clean'> {
  readonly access: ServiceAccess;
  readonly http: Http;
  /** The id of the workflow run, empty outside GitHub Actions. */
  readonly runId: string;
}

/** How long a cancelled run waits for the response to a request that costs money. The runner waits only 7.5 s. */
const CANCEL_GRACE_MS = 5_000;

/** The pause before each try of a creation if uploads were too fast: a creation refused with 503 is not repeated. */
const PACE_MS = 10_000;

/** Sends requests to the service with its key and within its rate limits, and repeats failed ones by their policy. */
export class ServiceRequester {
  readonly #options: RequesterOptions;
  /** By bucket. */
  readonly #limiters = new Map<string, RateLimiter>();
  /** The last failure that was logged: requests that fail in the same way share one line. */
  #loggedFailure = '';
  /** The failure that every other request would share, because the key, the plan or the address is wrong. */
  #endedBy: ServiceError | undefined;
  #hasResponded = false;
  #hasPace = false;

  constructor(options: RequesterOptions) {
    this.#options = options;
  }

  /** Returns the first 2xx response that matches the schema. Throws a `ServiceError` if no try got such a response. */
  async send<Schema extends v.GenericSchema>(
    endpoint: Endpoint,
    schema: Schema,
    request: ServiceRequest,
  ): Promise<v.InferOutput<Schema>> {
    const { deadline } = request;
    const limiter = this.#limiters.get(endpoint.bucket) ?? new RateLimiter();
    this.#limiters.set(endpoint.bucket, limiter);
    let letOthersFollow: () => void;
    const ready = async (): Promise<void> => {
      if (this.#endedBy) throw this.#endedBy;
      if (endpoint === ENDPOINTS.create && this.#hasPace) await sleep(PACE_MS, deadline.signal);
      letOthersFollow = await limiter.enter(deadline);
    };
    const attempt = async (timeoutMs: number): Promise<v.InferOutput<Schema>> => {
      try {
        // The response to an upload may take long, so the others follow when its body is sent.
        const response = await this.#exchange(endpoint, request, timeoutMs, letOthersFollow);
        return this.#read(endpoint, schema, response);
      } catch (error) {
        // The rate limit applies to all requests of the bucket, so it is noted even if this request is not repeated.
        if (error instanceof ServiceError && error.failureClass === 'rate limit') limiter.close(error);
        throw error;
      } finally {
        letOthersFollow();
      }
    };
    const onPause = (error: ServiceError, delayMs: number): void => {
      // Gateways use 503 for requests that are too fast.
      this.#hasPace ||= endpoint.bucket === 'upload' && ['rate limit', 'unavailable'].includes(error.failureClass);
      if (error.message === this.#loggedFailure) return;
      this.#loggedFailure = error.message;
      this.#options.log.info(`${error.message}; trying again in ${Math.ceil(delayMs / 1000)} s`);
    };
    try {
      return await withTries({ endpoint, deadline, ready, attempt, onPause });
    } catch (error) {
      if (error instanceof ServiceError && error.endsRun) this.#endedBy ??= error;
      throw error;
    }
  }

  async #exchange(
    endpoint: Endpoint,
    { ids = [], query = '', payload, deadline: { signal } }: ServiceRequest,
    timeoutMs: number,
    onBodySent: () => void,
  ): Promise<HttpResponse> {
    const { access, http, runId } = this.#options;
    const userAgent = `media-compliance-gate/${manifest.version} (run ${runId || 'local'})`;
    const isRepeatable = endpoint.repeats === 'freely';
    const { headers = {}, body } = payload?.() ?? {};
    try {
      return await http.send({
        method: endpoint.method,
        url: access.baseUrl + pathOf(endpoint, ids) + query,
        headers: { accept: 'application/json', 'user-agent': userAgent, 'x-api-key': access.apiKey, ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : sendAll(body, onBodySent) }),
        timeoutMs,
        // After a cancel, wait a little for the response: without the id in it, a paid submission would be lost.
        signal: isRepeatable ? signal : abortedLater(signal, CANCEL_GRACE_MS),
        freshConnection: !isRepeatable,
      });
    } catch (error) {
      if (error instanceof ConnectionError) {
        // A host that has responded in this run exists, so only the name server has failed: another try may succeed.
        const mayRespond = error.problem === 'unknown host' && this.#hasResponded;
        throw new ServiceError(endpoint, mayRespond ? new ConnectionError(error.message, 'no connection') : error);
      }
      if (!signal.aborted) throw error;
      // Report that the request may have arrived, which is more important than that the run was stopped.
      throw new ServiceError(endpoint, new ConnectionError('the run was stopped before the response came', 'lost'));
    }
  }

  /** Returns the body if it matches the schema. Throws a `ServiceError` if it does not, or if the status is not 2xx. */
  #read<Schema extends v.GenericSchema>(
    endpoint: Endpoint,
    schema: Schema,
    { status, retryAfter, text }: HttpResponse,
  ): v.InferOutput<Schema> {
    this.#hasResponded = true;
    const { clean } = this.#options;
    const cleanValue = (name: string, value: unknown): unknown =>
      typeof value === 'string' && !KEPT.test(name) ? clean(value) : value;
    const json = text === undefined ? undefined : parseJson(text, cleanValue);
    // The service itself may send a refusal without a body, or a 2xx that is too large. Other bodies without JSON are
    // those of a gateway, a proxy or another site.
    const isPage = json === undefined && (isSuccess({ status }) ? text !== undefined : text?.trim() !== '');
    const failed = (message: string): ServiceError =>
      new ServiceError(endpoint, { status, message, isPage, retryAfter });
    if (!isSuccess({ status })) throw failed(describeRefusal(clean(text ?? '')));
    const parsed = v.safeParse(schema, json);
    if (!parsed.success || json === undefined) throw failed(describeUnreadable(text, parsed.issues?.[0]));
    this.#loggedFailure = '';
    return parsed.output;
  }
}

/** What the gate compares, or sends back to the service, stays as it is. Every other text may repeat a secret. */
const KEPT = /^(?:submissionId|assetId|id|filename|blobPath|uploadUrl|expiresAt)$/;

async function* sendAll(body: StreamedBody, onSent: () => void): StreamedBody {
  yield* body;
  onSent();
}

/** Encodes each id, so that an id with a `/` stays one part of the path. */
function pathOf({ path }: Endpoint, ids: readonly string[]): string {
  return ids.reduce<string>((rest, id) => rest.replace('{}', () => encodeURIComponent(id.toWellFormed())), path);
}

/** The body of a 402 names the kind of request that the account's plan does not include. */
function describeRefusal(text: string): string {
  const message = messageFromBody(text);
  const body = parseJson(text);
  return v.is(v.object({ bucket: v.string() }), body) ? `${message} (kind of request: ${body.bucket})` : message;
}

function describeUnreadable(text: string | undefined, issue: v.BaseIssue<unknown> | undefined): string {
  if (text === undefined) return `it is larger than ${formatBytes(MAX_RESPONSE_BYTES)}`;
  const field = issue && v.getDotPath(issue);
  return field ? `\`${field}\` is not what was expected` : 'it is cut off, or is not the JSON that was expected';
}

/**
 * Limits the requests of one bucket. The service does not publish its limit, but refuses requests. A refusal closes the
 * bucket until its retry time has passed. Then one request goes first, and the others follow when it is answered.
 */
export class RateLimiter {
  /** The newest refusal, until the request that went first after it was answered. */
  #refusal: { readonly error: ServiceError; readonly until: number; first?: PromiseWithResolvers<void> } | undefined;

  /**
   * Waits until a request may be sent. Throws the refusal if the bucket opens after the deadline.
   *
   * @returns a function that lets the others follow: call it when the request was answered, or its body was sent
   */
  async enter({ signal, until }: Deadline): Promise<() => void> {
    for (;;) {
      signal.throwIfAborted();
      const refusal = this.#refusal;
      if (!refusal) return () => undefined;
      const waitMs = refusal.until - monotonicMs();
      if (waitMs > 0) {
        if (refusal.until > until) throw refusal.error;
        await sleep(waitMs, signal);
      } else if (refusal.first) {
        await refusal.first.promise;
      } else {
        const first = Promise.withResolvers<void>();
        refusal.first = first;
        return () => {
          // If another request was refused in the meantime, the bucket stays closed.
          if (this.#refusal === refusal) this.#refusal = undefined;
          first.resolve();
        };
      }
    }
  }

  close(error: ServiceError): void {
    const until = monotonicMs() + (error.retryAfterMs ?? 0);
    this.#refusal = { error, until: Math.max(until, this.#refusal?.until ?? 0) };
  }
}
