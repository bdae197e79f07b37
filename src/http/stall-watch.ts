import { ConnectionError, type Patience } from './http.ts';

/** Ends an exchange in which nothing moves any more, however far it came. */
export class StallWatch {
  readonly #patience: Patience;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(patience: Patience) {
    this.#patience = patience;
    this.#expectAnswer();
  }

  /** Aborted with a `ConnectionError` once the patience is over. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** A piece of the request was taken. */
  sent(): void {
    this.#restart(this.#patience.stallMs, 'the other side stopped taking the data');
  }

  sentAll(): void {
    this.#expectAnswer();
  }

  /** The head or a piece of the answer came. */
  received(): void {
    this.#restart(this.#patience.stallMs, 'the answer broke off');
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #expectAnswer(): void {
    this.#restart(this.#patience.answerMs, 'no answer');
  }

  #restart(milliseconds: number, what: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const words = `${what} for ${Math.round(milliseconds / 1000)} s`;
      this.#controller.abort(new ConnectionError(words, { maybeReceived: true, silentMs: milliseconds }));
    }, milliseconds);
  }
}
