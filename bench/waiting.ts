/**
 * How soon the end of an analysis is noticed, and with how many requests, beside fixed intervals. Simulated: 1,000
 * analyses, log-uniform from 1 s to 30 min, whose progress is steady, jumps, or is not reported.
 */
import { nextPoll, type PollSample } from '../src/service/poll-schedule.ts';
import type { Row } from './stage.ts';

const ANALYSES = 1_000;
const MAX_S = 1_800;

type Progress = (atMs: number) => number | undefined;
type Schedule = (waitedMs: number, polls: readonly PollSample[]) => number;

const SCHEDULES: Readonly<Record<string, Schedule>> = {
  ours: nextPoll,
  'every 5 s': () => 5_000,
  'every 10 s': () => 10_000,
  '5-10-20-40-80 s': (_, polls) => [5_000, 10_000, 20_000, 40_000, 80_000][Math.min(polls.length, 4)] ?? 80_000,
};

const KINDS: Readonly<Record<string, (totalMs: number, random: () => number) => Progress>> = {
  'no progress': () => () => undefined,
  'steady progress': (totalMs) => (atMs) => Math.min(99, Math.floor((100 * atMs) / totalMs)),
  'progress in jumps': (totalMs, random) => {
    const jumps = Array.from({ length: 3 + Math.floor(random() * 10) }, () => random() * totalMs);
    return (atMs) => Math.floor((100 * jumps.filter((jump) => jump <= atMs).length) / (jumps.length + 1));
  },
};

export interface WaitingRow {
  readonly kind: string;
  readonly schedule: string;
  /** The delay, as a share of the time that the analyses took. */
  readonly lag: number;
  /** The number of requests, as a share of those of a poll every 5 s. */
  readonly requests: number;
}

/** All schedules get the same analyses, which are also the same in every run. */
export function compareSchedules(): readonly WaitingRow[] {
  return Object.entries(KINDS).flatMap(([kind, progressOf]) => {
    const random = generator(20_261_115);
    const analyses = Array.from({ length: ANALYSES }, () => {
      const totalMs = 1_000 * Math.exp(random() * Math.log(MAX_S));
      return { totalMs, progress: progressOf(totalMs, random) };
    });
    const duration = analyses.reduce((sum, { totalMs }) => sum + totalMs, 0);
    const measured = Object.entries(SCHEDULES).map(([schedule, next]) => {
      const waits = analyses.map(({ totalMs, progress }) => simulate(totalMs, progress, next));
      return {
        schedule,
        lag: waits.reduce((sum, { lagMs }) => sum + lagMs, 0) / duration,
        requests: waits.reduce((sum, { requests }) => sum + requests, 0),
      };
    });
    const reference = measured.find(({ schedule }) => schedule === 'every 5 s')?.requests ?? Number.NaN;
    return measured.map((row) => ({ ...row, kind, requests: row.requests / reference }));
  });
}

function formatLag(share: number): string {
  return `${(100 * share).toFixed(1)} % late`;
}

/** Our schedule beside the simplest one. */
export function waiting(): readonly Row[] {
  const all = compareSchedules();
  return all
    .filter(({ schedule }) => schedule === 'ours')
    .map(({ kind, lag, requests }) => {
      const simple = all.find((row) => row.kind === kind && row.schedule === 'every 5 s');
      const [maxRequests, goal] = kind === 'no progress' ? [1 / 2, '½'] : [1 / 3, '⅓'];
      return {
        what: `end of ${ANALYSES.toLocaleString('en')} simulated analyses of 1 s to 30 min, ${kind}`,
        ours: formatLag(lag),
        beside: 'a poll every 5 s',
        theirs: formatLag(simple?.lag ?? Number.NaN),
        ratio: `${requests.toFixed(2)} × its requests`,
        goal: `≤ 3 % late, ≤ ${goal} of its requests`,
        isMet: lag <= 0.03 && requests <= maxRequests,
      };
    });
}

function simulate(
  totalMs: number,
  progress: Progress,
  next: Schedule,
): { readonly lagMs: number; readonly requests: number } {
  const polls: PollSample[] = [];
  let now = 0;
  for (let requests = 1; ; requests += 1) {
    now += next(now, polls);
    if (now >= totalMs) return { lagMs: now - totalMs, requests };
    polls.push({ atMs: now, percent: progress(now) });
  }
}

/** A small linear congruential generator: the numbers have to be the same in every run, not good. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
