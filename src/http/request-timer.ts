import { ConnectionError, type Timeouts } from './http.ts';

/** Aborts a request that exceeds one of its time limits, and knows whether its connection was established. */
export class RequestTimer {
  readonly #timeouts: Timeouts;
  readonly #controller = new AbortController();
  /** Restarted whenever something moves. */
  #stall: NodeJS.Timeout | undefined;
  /** Started once, so that an answer that arrives byte by byte ends. */
  #answer: NodeJS.Timeout | undefined;
  readonly #total: NodeJS.Timeout | undefined;
  #isConnected = false;
  #hasAnswer = false;
  #hasEnded = false;

  constructor(timeouts: Timeouts) {
    this.#timeouts = timeouts;
    const { connectMs, totalMs } = timeouts;
    this.#stall = this.#start(connectMs, () => 'no connection for', true);
    if (totalMs !== undefined) this.#total = this.#start(totalMs, () => 'no complete answer within', false);
  }

  /** Aborted with a `ConnectionError` when a limit is exceeded. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** True once the connection was established: from then on the other side may have received the request. */
  get isConnected(): boolean {
    return this.#isConnected;
  }

  connected(): void {
    this.#isConnected = true;
    this.sent();
  }

  /** A piece of the request was taken. */
  sent(): void {
    // An answer may begin before all was sent; from then on only the answer counts.
    if (!this.#hasAnswer) this.#restartStall('the other side stopped taking the data for');
  }

  sentAll(): void {
    if (this.#hasAnswer) return;
    clearTimeout(this.#stall);
    this.#startAnswer();
  }

  /** The head or a piece of the answer came. */
  received(): void {
    this.#hasAnswer = true;
    this.#startAnswer();
    this.#restartStall('the answer stopped arriving for');
  }

  end(): void {
    this.#hasEnded = true;
    for (const timer of [this.#stall, this.#answer, this.#total]) clearTimeout(timer);
  }

  #restartStall(what: string): void {
    clearTimeout(this.#stall);
    this.#stall = this.#start(this.#timeouts.stallMs, () => what, true);
  }

  #startAnswer(): void {
    this.#answer ??= this.#start(
      this.#timeouts.answerMs,
      () => (this.#hasAnswer ? 'the answer was not complete after' : 'no answer for'),
      true,
    );
  }

  /** @param isSilence whether nothing came of the request in all of this time */
  #start(milliseconds: number, what: () => string, isSilence: boolean): NodeJS.Timeout | undefined {
    if (this.#hasEnded) return undefined;
    return setTimeout(() => {
      const message = `${what()} ${Math.round(milliseconds / 1000)} s`;
      const facts = { maybeReceived: this.#isConnected, ...(isSilence && { silentMs: milliseconds }) };
      this.#controller.abort(new ConnectionError(message, facts));
    }, milliseconds);
  }
}
