// Loaded before the action (`node --import`) to speed up its clock, so that minutes of waiting take a moment. The
// process that runs the servers sends the ticks. The clock stands still while that process or this one is not
// scheduled, so the action never takes a server without CPU time for one that does not respond.
import { Socket } from 'node:net';

const factor = Number(process.env.FAST_CLOCK_FACTOR);
const { setInterval: realSetInterval, clearTimeout: realClearTimeout } = globalThis;
const RealDate = globalThis.Date;
const MAX_OF_A_TICK_MS = 16;
const INTERVAL_MS = 8;

const realNow = performance.now.bind(performance);
/** The monotonic clock. */
let now = realNow();
/** How far the calendar is ahead of it. */
const calendarMs = RealDate.now() - now + Number(process.env.FAST_CLOCK_AHEAD_MS ?? 0);
const timers = new Set();
let refs = 0;
const source = process.env.FAST_CLOCK_FD ? readTicks(Number(process.env.FAST_CLOCK_FD)) : tickAlone();
source.unref();

function tick(milliseconds) {
  now += Math.min(milliseconds, MAX_OF_A_TICK_MS) * factor;
  const due = [...timers].filter((timer) => timer.due <= now).toSorted((a, b) => a.due - b.due);
  // A timer that fires may close or refresh another one that is due.
  for (const timer of due) if (timers.has(timer) && timer.due <= now) timer.fire();
}

/** Each byte is a number of milliseconds. Several bytes arrive at once if this process was not scheduled. */
function readTicks(fd) {
  const socket = new Socket({ fd, readable: true, writable: false });
  return socket.on('data', (bytes) => tick(bytes.reduce((sum, each) => sum + each, 0)));
}

/** In the tests under act, no other process sends ticks. */
function tickAlone() {
  let tickedAt = realNow();
  return realSetInterval(() => {
    const at = realNow();
    tick(at - tickedAt);
    tickedAt = at;
  }, INTERVAL_MS);
}

/** The source of the ticks keeps the process alive while a timer is pending. */
function countRef(change) {
  refs += change;
  if (refs > 0) source.ref();
  else source.unref();
}

class Timeout {
  due;
  #isRef = true;
  #call;
  #milliseconds;

  constructor(call, milliseconds) {
    this.#call = call;
    this.#milliseconds = Math.max(Number(milliseconds) || 0, 1);
    this.refresh();
  }

  refresh() {
    this.due = now + this.#milliseconds;
    if (!timers.has(this) && this.#isRef) countRef(1);
    timers.add(this);
    return this;
  }

  fire() {
    this.close();
    this.#call();
  }

  close() {
    if (timers.delete(this) && this.#isRef) countRef(-1);
    return this;
  }

  ref() {
    return this.#setRef(true);
  }

  unref() {
    return this.#setRef(false);
  }

  #setRef(isRef) {
    if (isRef !== this.#isRef && timers.has(this)) countRef(isRef ? 1 : -1);
    this.#isRef = isRef;
    return this;
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
    if (parameters.length === 0) super(Math.round(now + calendarMs));
    else super(...parameters);
  }

  static now() {
    return Math.round(now + calendarMs);
  }
};

performance.now = () => now;

// A runner kills a step that does not end in time after it was asked to stop.
const killMs = Number(process.env.FAST_CLOCK_KILL_MS);
if (killMs) {
  const end = () => new Timeout(() => process.kill(process.pid, 'SIGKILL'), killMs).unref();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, end);
}
