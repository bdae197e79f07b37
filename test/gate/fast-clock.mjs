// Loaded before the action (`node --import`): its clock runs faster, so that minutes of patience pass in a moment.
const factor = Number(process.env.FAST_CLOCK_FACTOR);
const { setTimeout: realSetTimeout, Date: RealDate } = globalThis;
const realTimeout = AbortSignal.timeout.bind(AbortSignal);
const start = RealDate.now();
const now = () => Math.round(start + (RealDate.now() - start) * factor);

globalThis.setTimeout = Object.assign(
  (callback, milliseconds = 0, ...parameters) => realSetTimeout(callback, milliseconds / factor, ...parameters),
  realSetTimeout,
);

AbortSignal.timeout = (milliseconds) => realTimeout(Math.ceil(milliseconds / factor));

globalThis.Date = class extends RealDate {
  constructor(...parameters) {
    if (parameters.length === 0) super(now());
    else super(...parameters);
  }

  static now() {
    return now();
  }
};
