import { ConnectionError, type Timeouts } from './http.ts';

/** How long a connection may take, through a proxy or not. */
export const CONNECT_MS = 20_000;

/** Ends an exchange in which nothing moves any more, however far it came. */
export class StallTimer {
  readonly #timeouts: Timeouts;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(timeouts: Timeouts) {
    this.#timeouts = timeouts;
    this.#expectAnswer();
  }

  /** Aborted with a `ConnectionError` once the patience is over. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Until the connection stands, nothing of the request is sent. */
  connecting(): void {
    this.#restart(Math.min(CONNECT_MS, this.#timeouts.answerMs), 'no connection', false);
  }

  connected(): void {
    this.#expectAnswer();
  }

  /** A piece of the request was taken. */
  sent(): void {
    this.#restart(this.#timeouts.stallMs, 'the other side stopped taking the data');
  }

  sentAll(): void {
    this.#expectAnswer();
  }

  /** The head or a piece of the answer came. */
  received(): void {
    this.#restart(this.#timeouts.stallMs, 'the answer broke off');
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #expectAnswer(): void {
    this.#restart(this.#timeouts.answerMs, 'no answer');
  }

  #restart(milliseconds: number, what: string, maybeReceived = true): void {
    clearTimeout(this.#timer);
    // An answer may come before all was sent; what is still moving then is of no interest.
    if (this.#isOver) return;
    this.#timer = setTimeout(() => {
      const words = `${what} for ${Math.round(milliseconds / 1000)} s`;
      this.#controller.abort(new ConnectionError(words, { maybeReceived, silentMs: milliseconds }));
    }, milliseconds);
  }
}
