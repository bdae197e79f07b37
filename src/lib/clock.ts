/** Milliseconds on a clock that never jumps, for durations and deadlines. Dates are those of the machine's clock. */
export function monotonicMs(): number {
  return performance.now();
}
