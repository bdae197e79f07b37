/**
 * How soon the end of an analysis is noticed, and with how many requests, beside fixed intervals. Simulated: 1,000
 * analyses, log-uniform from 1 s to 30 min.
 */
import { pollDelay } from '../src/service/wait.ts';
import type { Row } from './stage.ts';

const ANALYSES = 1_000;
const MAX_S = 1_800;

interface Schedule {
  /** The mean delay, as a share of the time that each analysis took. */
  readonly lag: number;
  /** For each analysis. */
  readonly requests: number;
}

/** Our schedule beside the simplest one. Both get the same analyses, which are also the same in every run. */
export function waiting(): readonly Row[] {
  const [ours, simple] = [measure(pollDelay), measure(() => 10_000)];
  return [
    {
      what: `end of ${ANALYSES.toLocaleString('en')} simulated analyses of 1 s to 30 min`,
      ours: formatLag(ours),
      beside: 'a poll every 10 s',
      theirs: formatLag(simple),
      ratio: `${(ours.requests / simple.requests).toFixed(2)} × its requests`,
      goal: '≤ 12.5 % late, no more requests',
      isMet: ours.lag <= 0.125 && ours.requests <= simple.requests,
    },
  ];
}

function measure(delayAfter: (waitedMs: number) => number): Schedule {
  const random = generator(20_261_115);
  let [lag, requests] = [0, 0];
  for (let analysis = 0; analysis < ANALYSES; analysis += 1) {
    const totalMs = 1_000 * Math.exp(random() * Math.log(MAX_S));
    let waitedMs = 0;
    for (; waitedMs < totalMs; requests += 1) waitedMs += delayAfter(waitedMs);
    lag += (waitedMs - totalMs) / totalMs;
  }
  return { lag: lag / ANALYSES, requests: requests / ANALYSES };
}

function formatLag({ lag }: Schedule): string {
  return `${(100 * lag).toFixed(1)} % late`;
}

/** A small linear congruential generator: the numbers have to be the same in every run, not good. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
