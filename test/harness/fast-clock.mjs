// Loaded before the action (`node --import`): its clock runs faster, so that minutes of waiting take a moment. A
// moment in which the process was not let run does not count: on a busy machine the clock slows down with everything else.
const factor = Number(process.env.FAST_CLOCK_FACTOR);
const { setTimeout: realSetTimeout, clearTimeout: realClearTimeout, setInterval: realSetInterval } = globalThis;
const RealDate = globalThis.Date;
const TICK_MS = 1;
const MAX_OF_A_TICK_MS = 4;

let now = RealDate.now();
let tickedAt = performance.now();
realSetInterval(() => {
  const at = performance.now();
  now += Math.min(at - tickedAt, MAX_OF_A_TICK_MS) * factor;
  tickedAt = at;
}, TICK_MS).unref();

class Timeout {
  #timer;
  #due;
  #isRef = true;
  #call;
  #milliseconds;

  constructor(call, milliseconds) {
    this.#call = call;
    this.#milliseconds = Math.max(Number(milliseconds) || 0, 1);
    this.refresh();
  }

  refresh() {
    this.#due = now + this.#milliseconds;
    this.#arm();
    return this;
  }

  #arm() {
    realClearTimeout(this.#timer);
    this.#timer = realSetTimeout(() => this.#fire(), (this.#due - now) / factor);
    if (!this.#isRef) this.#timer.unref();
  }

  #fire() {
    if (now < this.#due) this.#arm();
    else this.#call();
  }

  close() {
    realClearTimeout(this.#timer);
    return this;
  }

  ref() {
    this.#isRef = true;
    this.#timer.ref();
    return this;
  }

  unref() {
    this.#isRef = false;
    this.#timer.unref();
    return this;
  }

  hasRef() {
    return this.#isRef;
  }

  [Symbol.dispose]() {
    this.close();
  }
}

globalThis.setTimeout = (callback, milliseconds, ...parameters) =>
  new Timeout(() => callback(...parameters), milliseconds);
globalThis.clearTimeout = (timer) => (timer instanceof Timeout ? void timer.close() : realClearTimeout(timer));

AbortSignal.timeout = (milliseconds) => {
  const controller = new AbortController();
  const end = () => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  new Timeout(end, milliseconds).unref();
  return controller.signal;
};

globalThis.Date = class extends RealDate {
  constructor(...parameters) {
    if (parameters.length === 0) super(Math.round(now));
    else super(...parameters);
  }

  static now() {
    return Math.round(now);
  }
};
