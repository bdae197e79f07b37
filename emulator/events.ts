import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

type EventType = 'asset.processing.completed' | 'asset.processing.failed';

/** A webhook subscription. */
export interface Subscriber {
  readonly url: string;
  /** Default: both. */
  readonly eventTypes?: readonly EventType[];
  /** Default: true. */
  readonly active?: boolean;
}

export interface WebhookEvent {
  readonly type: EventType;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Delivery {
  readonly at: number;
  readonly url: string;
  readonly event: WebhookEvent;
  /** The subscriber's status; `undefined` until it answers, and if it could not be reached. */
  status: number | undefined;
  error: string | undefined;
}

/** The answer to a fired event waits for all deliveries, so each one has a limit. */
const MAX_DELIVERY_MS = 10_000;

function subscribes(subscriber: Subscriber, type: EventType): boolean {
  return subscriber.active !== false && (subscriber.eventTypes?.includes(type) ?? true);
}

/** Posts the events of one workspace and records the outcome. */
export class Events {
  readonly deliveries: Delivery[] = [];
  readonly #subscribers: readonly Subscriber[];
  readonly #stop = new AbortController();

  constructor(subscribers: readonly Subscriber[]) {
    this.#subscribers = subscribers;
  }

  /** Sends an event to all its subscribers and returns their number. Never throws. */
  async dispatch(event: WebhookEvent): Promise<number> {
    const receivers = this.#subscribers.filter((subscriber) => subscribes(subscriber, event.type));
    await Promise.all(receivers.map(async (receiver) => this.#deliver(receiver.url, event)));
    return receivers.length;
  }

  stop(): void {
    this.#stop.abort();
  }

  async #deliver(url: string, event: WebhookEvent): Promise<void> {
    const delivery: Delivery = { at: Date.now(), url, event, status: undefined, error: undefined };
    this.deliveries.push(delivery);
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(MAX_DELIVERY_MS)]);
    try {
      delivery.status = await post(url, JSON.stringify(event), signal);
    } catch (error) {
      delivery.error = String(error);
    }
  }
}

async function post(url: string, body: string, signal: AbortSignal): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const open = url.startsWith('https:') ? httpsRequest : httpRequest;
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const request = open(url, { method: 'POST', headers, signal, agent: false }, (response) => {
    response.resume();
    response.once('end', () => resolve(response.statusCode));
    response.once('error', reject);
  });
  request.once('error', reject);
  request.end(body);
  return promise;
}
