import { describe, expect, it } from 'vitest';
import { compareSchedules } from '../../bench/waiting.ts';
import { nextPoll } from '../../src/service/poll-schedule.ts';

describe('nextPoll', () => {
  it.each([
    [0, 1],
    [1, 1],
    [10, 2],
    [60, 7],
    [600, 32],
    [1_800, 65],
  ])('after %i s without progress waits about %i s', (waited, expected) => {
    expect(Math.round(nextPoll(waited * 1_000, [{ atMs: waited * 1_000, percent: undefined }]) / 1_000)).toBe(expected);
  });

  it('waits half of the time that steady progress predicts', () => {
    const polls = [
      { atMs: 50_000, percent: 25 },
      { atMs: 100_000, percent: 50 },
    ];
    expect(nextPoll(100_000, polls)).toBe(50_000);
  });

  it('polls just after the end once it is close', () => {
    const polls = [
      { atMs: 90_000, percent: 90 },
      { atMs: 95_000, percent: 95 },
    ];
    expect(nextPoll(95_000, polls)).toBeCloseTo(5_950);
  });

  it('ignores progress that jumps', () => {
    const polls = [
      { atMs: 50_000, percent: 10 },
      { atMs: 100_000, percent: 50 },
    ];
    expect(nextPoll(100_000, polls)).toBe(nextPoll(100_000, []));
  });

  it.each([0, 100, 150, -3, undefined])('ignores a progress of %s percent', (percent) => {
    expect(nextPoll(60_000, [{ atMs: 60_000, percent }])).toBe(nextPoll(60_000, []));
  });

  it.each([undefined, 50])('waits a second if the clock was set back (%s percent)', (percent) => {
    const polls = [
      { atMs: 2_000, percent: 25 },
      { atMs: -5_000, percent },
    ];
    expect(nextPoll(-5_000, polls)).toBe(1_000);
  });

  it('never waits less than a second', () => {
    for (let waited = -1_000; waited < 2_000; waited += 50) {
      for (let percent = 0; percent <= 100; percent += 5) {
        expect(
          nextPoll(waited, [
            { atMs: waited / 2, percent: percent / 2 },
            { atMs: waited, percent },
          ]),
        ).toBeGreaterThanOrEqual(1_000);
      }
    }
  });
});

describe('over a thousand simulated analyses', () => {
  const ours = compareSchedules().filter(({ schedule }) => schedule === 'ours');

  it.each(ours)('$kind: notices the end early with few polls', ({ kind, lag, requests }) => {
    expect(lag).toBeLessThan(0.03);
    expect(requests).toBeLessThan(kind === 'steady progress' ? 1 / 3 : 1 / 2);
  });
});
