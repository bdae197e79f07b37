/** An HTTP response, ready to be sent. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

/** Thrown when a request is refused. Holds the whole answer. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly answer: Answer;

  constructor(answer: Answer) {
    super(`${answer.status} ${answer.body}`);
    this.answer = answer;
  }
}

/** A refusal with the body that is used for every status whose body the interface does not show. */
export function refusal(status: number, detail: string): Refusal {
  return new Refusal(json(status, { detail }));
}

/** The body that the interface shows for 402. */
export function planRefusal(bucket: string): Answer {
  return json(402, {
    error_code: 'tier_not_authorized_for_integrations_api',
    message: 'The plan of this workspace does not include the integrations API. Ask its owner to upgrade.',
    bucket,
  });
}

/** The body that the interface shows for 429. `Retry-After` is the only rate-limit header. */
export function rateRefusal(bucket: string, retryAfter: string): Answer {
  return json(429, { error: `Rate limit exceeded for ${bucket}.` }, { 'retry-after': retryAfter });
}
