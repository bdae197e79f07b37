import * as v from 'valibot';
import manifest from '../../package.json' with { type: 'json' };
import type { Runner } from '../github/runner.ts';
import {
  ConnectionError,
  type Http,
  type HttpResponse,
  isSuccess,
  messageFromBody,
  type Payload,
} from '../http/http.ts';
import { abortedLater, sleep } from '../lib/async.ts';
import { parseJson } from '../lib/format.ts';
import type { Endpoint, ServiceAccess } from './endpoints.ts';
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
}

/** How long a cancelled run waits for the response to a request that costs money. The runner waits only 7.5 s. */
const CANCEL_GRACE_MS = 5_000;

/** Sends requests to the service with its key and within its rate limits, and repeats failed ones by their policy. */
export class ServiceRequester {
  readonly #options: RequesterOptions;
  /** By bucket: the newest refusal because of its rate limit, and when that ends. */
  readonly #closed = new Map<string, { readonly error: ServiceError; readonly until: number }>();
  /** The failure that every other request would share, because the key, the plan or the address is wrong. */
  #endedBy: ServiceError | undefined;

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
    try {
      return await withTries({
        endpoint,
        deadline,
        ready: async () => await this.#enter(endpoint, deadline),
        attempt: async (timeoutMs) => this.#read(endpoint, schema, await this.#exchange(endpoint, request, timeoutMs)),
        log: (line) => this.#options.log.info(line),
      });
    } catch (error) {
      if (error instanceof ServiceError && error.endsRun) this.#endedBy ??= error;
      throw error;
    }
  }

  /** Waits until the bucket is open. Throws its refusal if that is after the deadline. */
  async #enter({ bucket }: Endpoint, { signal, until }: Deadline): Promise<void> {
    for (;;) {
      if (this.#endedBy) throw this.#endedBy;
      signal.throwIfAborted();
      const closed = this.#closed.get(bucket);
      const waitMs = (closed?.until ?? 0) - performance.now();
      if (!closed || waitMs <= 0) return;
      if (closed.until > until) throw closed.error;
      await sleep(waitMs, signal);
    }
  }

  async #exchange(
    endpoint: Endpoint,
    { ids = [], query = '', payload, deadline: { signal } }: ServiceRequest,
    timeoutMs: number,
  ): Promise<HttpResponse> {
    const { access, http } = this.#options;
    const userAgent = `media-compliance-gate/${manifest.version}`;
    const { headers = {}, body } = payload?.() ?? {};
    try {
      return await http.send({
        method: endpoint.method,
        url: access.baseUrl + pathOf(endpoint, ids) + query,
        headers: { accept: 'application/json', 'user-agent': userAgent, 'x-api-key': access.apiKey, ...headers },
        ...(body !== undefined && { body }),
        timeoutMs,
        // After a cancel, wait a little for the response: without the id in it, a paid submission would be lost.
        signal: endpoint.isRepeatable ? signal : abortedLater(signal, CANCEL_GRACE_MS),
        freshConnection: !endpoint.isRepeatable,
      });
    } catch (error) {
      if (error instanceof ConnectionError) throw new ServiceError(endpoint, error);
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
    const { clean } = this.#options;
    const cleanValue = (name: string, value: unknown): unknown =>
      typeof value === 'string' && !KEPT.test(name) ? clean(value) : value;
    const json = text === undefined ? undefined : parseJson(text, cleanValue);
    // The service itself may send a refusal without a body, or a 2xx that is too large. Other bodies without JSON are
    // those of a gateway, a proxy or another site.
    const isPage = json === undefined && (isSuccess({ status }) ? text !== undefined : text?.trim() !== '');
    const failed = (message: string): ServiceError => {
      const error = new ServiceError(endpoint, { status, message, isPage, retryAfter });
      // The rate limit applies to all requests of the bucket, so it is noted even if this request is not repeated.
      if (error.failureClass === 'rate limit')
        this.#closed.set(endpoint.bucket, { error, until: performance.now() + (error.retryAfterMs ?? 0) });
      return error;
    };
    if (!isSuccess({ status })) throw failed(describeRefusal(clean(text ?? '')));
    const parsed = v.safeParse(schema, json);
    if (!parsed.success || json === undefined) throw failed(describeUnreadable(parsed.issues?.[0]));
    return parsed.output;
  }
}

/** What the gate compares, or sends back to the service, stays as it is. Every other text may repeat a secret. */
const KEPT = /^(?:submissionId|assetId|id|filename|blobPath|uploadUrl)$/;

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

function describeUnreadable(issue: v.BaseIssue<unknown> | undefined): string {
  const field = issue && v.getDotPath(issue);
  return field
    ? `\`${field}\` is not what was expected`
    : 'it is too large, cut off, or not the JSON that was expected';
}
