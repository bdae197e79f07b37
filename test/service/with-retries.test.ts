import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConnectionError, type Timeouts } from '../../src/http/http.ts';
import { type Deadline, READ, type RetryPolicy, TRANSFER, withRetries } from '../../src/service/retries.ts';
import { type Failure, RequestError } from '../../src/service/service-error.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const TIMEOUTS: Timeouts = { connectMs: 20_000, responseMs: 60_000 };
const MINUTE = 60_000;

const responded = (code: number, retryAfter?: string): Failure => ({
  kind: 'status',
  status: code,
  message: '',
  location: undefined,
  retryAfter,
});

const failed = (failure: Failure): RequestError => new RequestError('it failed', failure);

/** A try that takes so long and then ends like this. */
type Play = (timeouts: Timeouts) => { readonly afterMs: number; readonly failure: Failure };

async function play(plays: Play, policy: RetryPolicy = READ, deadline: Partial<Deadline> = {}) {
  const startedAt = Date.now();
  const tries: { readonly at: number; readonly timeouts: Timeouts }[] = [];
  const promise = withRetries<string>({
    policy,
    timeouts: TIMEOUTS,
    deadline: { signal: new AbortController().signal, until: startedAt + 30 * MINUTE, ...deadline },
    attempt: async (timeouts) => {
      tries.push({ at: Date.now() - startedAt, timeouts });
      const { afterMs, failure } = plays(timeouts);
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      throw failed(failure);
    },
    onRetry: () => undefined,
  });
  promise.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(24 * 60 * MINUTE);
  const ended = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  return { tries, ended, lastAt: tries.at(-1)?.at ?? 0 };
}

const failsAfter =
  (afterMs: number, failure: Failure): Play =>
  () => ({ afterMs, failure });

/** Does not respond until the time limit. */
const stalls: Play = ({ responseMs, totalMs = responseMs }) => ({
  afterMs: Math.min(responseMs, totalMs),
  failure: {
    kind: 'connection',
    error: new ConnectionError('no response', { maybeReceived: true, silentMs: responseMs }),
  },
});

describe('a service that does not respond is given up after two minutes', () => {
  it('if it refuses at once', async () => {
    const { tries, ended, lastAt } = await play(failsAfter(10, responded(503)));
    expect(ended).toMatchObject({ failure: responded(503) });
    expect(tries.length).toBeGreaterThan(8);
    expect(lastAt).toBeLessThan(2 * MINUTE);
    expect(lastAt).toBeGreaterThan(1.5 * MINUTE);
  });

  it('if it never responds, stalls included', async () => {
    const { tries } = await play(stalls);
    const end = tries.map(({ at, timeouts }) => at + timeouts.responseMs).at(-1) ?? 0;
    expect(tries).toHaveLength(2);
    expect(end).toBeGreaterThan(1.9 * MINUTE);
    expect(end).toBeLessThanOrEqual(2 * MINUTE);
  });

  it('if every refusal takes long', async () => {
    const { lastAt } = await play(failsAfter(40_000, responded(502)));
    expect(lastAt).toBeLessThan(2 * MINUTE);
  });

  it('if the clock is set back meanwhile', async () => {
    let turn = 0;
    const { tries } = await play(() => {
      turn += 1;
      if (turn === 2) vi.setSystemTime(Date.now() - 60 * MINUTE);
      return { afterMs: 10, failure: responded(503) };
    });
    expect(tries.length).toBeLessThan(20);
  });

  it('sooner for optional details', async () => {
    const { lastAt } = await play(failsAfter(10, responded(503)), { ...READ, giveUpMs: 15_000 });
    expect(lastAt).toBeLessThan(15_000);
  });
});

describe('a long transfer', () => {
  const breaks: Failure = { kind: 'connection', error: new ConnectionError('reset', { maybeReceived: true }) };

  it('that breaks off is started again, a few times', async () => {
    const { tries } = await play(failsAfter(40 * MINUTE, breaks), TRANSFER);
    expect(tries.length).toBeGreaterThan(2);
    expect(tries.length).toBeLessThan(8);
  });

  it('that stalls late counts only the stall', async () => {
    const stalled = new ConnectionError('stalled', { maybeReceived: true, silentMs: 30_000 });
    const { tries } = await play(failsAfter(40 * MINUTE, { kind: 'connection', error: stalled }), TRANSFER);
    expect(tries).toHaveLength(4);
  });
});

describe('a rate limit', () => {
  it('is waited out for as long as there is time', async () => {
    const { tries, ended } = await play(failsAfter(0, responded(429, '300')), READ, {
      until: Date.now() + 31 * MINUTE,
    });
    expect(tries.map(({ at }) => Math.round(at / MINUTE))).toEqual([0, 5, 10, 15, 20, 25, 30]);
    expect(ended).toMatchObject({ failure: responded(429, '300') });
  });

  it('that lasts longer than the time left is not waited for', async () => {
    const { tries } = await play(failsAfter(0, responded(429, '1900')));
    expect(tries).toHaveLength(1);
  });

  it('is a response: the time until the service is given up starts again', async () => {
    let turn = 0;
    const { lastAt } = await play(() => {
      turn += 1;
      return { afterMs: 10, failure: responded(turn === 12 ? 429 : 503, '60') };
    });
    expect(lastAt).toBeGreaterThan(3 * MINUTE);
  });
});

/** The time limit of the second try, if each fails like this after 50 seconds and there is a minute. */
const secondLimit = async (error: ConnectionError): Promise<number | undefined> => {
  const { tries } = await play(failsAfter(50_000, { kind: 'connection', error }), {
    ...TRANSFER,
    giveUpMs: 60_000,
  });
  return tries[1]?.timeouts.responseMs;
};

describe('to the millisecond', () => {
  // Each pause is then half of its step: 250, 500, 1000, …
  beforeEach(() => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it.each([
    // After the pause of 250 ms there must be five seconds left.
    ['just enough time for another try', 5_350, 2],
    ['too little', 5_349, 1],
  ])('%s', async (_, giveUpMs, expected) => {
    const { tries } = await play(failsAfter(100, responded(503)), { ...READ, giveUpMs });
    expect(tries).toHaveLength(expected);
  });

  it.each([
    ['ends with the time that there is', 10_000, 2],
    ['ends just after it', 9_999, 1],
  ])('a rate limit that %s', async (_, timeMs, expected) => {
    const { tries } = await play(failsAfter(0, responded(429, '10')), READ, { until: Date.now() + timeMs });
    expect(tries).toHaveLength(expected);
  });

  it('a rate limit without a time is waited out like an outage, for as long as there is time', async () => {
    const { tries } = await play(failsAfter(10, responded(429)), READ, { until: Date.now() + 4 * MINUTE });
    expect(tries.slice(0, 4).map(({ at }) => at)).toEqual([0, 260, 770, 1_780]);
    expect(tries.length).toBeGreaterThan(20);
  });

  it('only a rate limit sets the length of the pause', async () => {
    const { tries } = await play(failsAfter(10, responded(503, '90')));
    expect(tries.slice(0, 3).map(({ at }) => at)).toEqual([0, 260, 770]);
  });

  it('a try gets no more time than is left', async () => {
    const { tries } = await play(failsAfter(100, responded(503)), { ...READ, giveUpMs: 40_000 });
    expect(tries[0]?.timeouts).toEqual({ connectMs: 20_000, responseMs: 40_000 });
    // 100 ms were lost by the try, and 250 by the pause.
    expect(tries[1]?.timeouts).toEqual({ connectMs: 20_000, responseMs: 39_650 });
    expect(tries.at(-1)?.timeouts.connectMs).toBeLessThan(20_000);
  });

  it('a try counts at most what the policy says, a stall what it lasted', async () => {
    const broken = new ConnectionError('reset', { maybeReceived: true });
    const stalled = new ConnectionError('stalled', { maybeReceived: true, silentMs: 7_000 });
    expect(await secondLimit(broken)).toBe(60_000 - 20_000 - 250);
    expect(await secondLimit(stalled)).toBe(60_000 - 7_000 - 250);
  });
});

it('a success is returned at once, and each pause before it was reported', async () => {
  const reported: unknown[] = [];
  let tries = 0;
  const promise = withRetries<string>({
    policy: READ,
    timeouts: TIMEOUTS,
    deadline: { signal: new AbortController().signal, until: Date.now() + MINUTE },
    attempt: async () => {
      tries += 1;
      if (tries === 1) throw failed(responded(429, '7'));
      return 'done';
    },
    onRetry: (failure, delayMs) => reported.push([failure, delayMs]),
  });
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(await promise).toBe('done');
  expect(reported).toEqual([[responded(429, '7'), 7_000]]);
});

it('nothing is tried if the bucket stays closed too long', async () => {
  let tries = 0;
  const closed = failed(responded(429, '900'));
  const ended = withRetries<string>({
    policy: READ,
    timeouts: TIMEOUTS,
    deadline: { signal: new AbortController().signal, until: Date.now() + MINUTE },
    ready: async () => {
      throw closed;
    },
    attempt: async () => {
      tries += 1;
      return 'done';
    },
    onRetry: () => undefined,
  });
  await expect(ended).rejects.toBe(closed);
  expect(tries).toBe(0);
});

it('a run that is stopped does not wait for the next try', async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error('stopped')), 3 * MINUTE);
  const { tries, ended } = await play(failsAfter(0, responded(429, '600')), READ, { signal: stop.signal });
  expect(tries).toHaveLength(1);
  expect(ended).toEqual(new Error('stopped'));
});

it('what is not worth another try is not tried again', async () => {
  const { tries, ended } = await play(failsAfter(0, responded(415)));
  expect(tries).toHaveLength(1);
  expect(ended).toMatchObject({ failure: responded(415) });
});

describe('the deadline', () => {
  it('cuts the retries of an outage', async () => {
    const { lastAt, ended } = await play(failsAfter(10, responded(503)), READ, { until: Date.now() + 20_000 });
    expect(ended).toMatchObject({ failure: responded(503) });
    expect(lastAt).toBeLessThanOrEqual(20_000);
    expect(lastAt).toBeGreaterThan(5_000);
  });

  it('cuts a running try', async () => {
    const { tries } = await play(stalls, READ, { until: Date.now() + 20_000 });
    expect(tries.map(({ timeouts }) => timeouts)).toEqual([{ connectMs: 20_000, responseMs: 20_000, totalMs: 20_000 }]);
  });

  it('leaves one short try even if it has passed', async () => {
    const { tries } = await play(stalls, READ, { until: Date.now() - MINUTE });
    expect(tries.map(({ timeouts }) => timeouts)).toEqual([{ connectMs: 5_000, responseMs: 5_000, totalMs: 5_000 }]);
  });

  it('does not count while files are sent: only a rate limit is then cut', async () => {
    const until = Date.now() + 1_000;
    const broken = await play(failsAfter(10, responded(503)), TRANSFER, { until });
    expect(broken.lastAt).toBeGreaterThan(MINUTE);
    expect(broken.tries[0]?.timeouts).toEqual(TIMEOUTS);
    const limited = await play(failsAfter(10, responded(429, '60')), TRANSFER, { until });
    expect(limited.tries).toHaveLength(1);
  });
});
