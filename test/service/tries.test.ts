import { expect } from 'vitest';
import { ENDPOINTS, type Endpoint } from '../../src/service/endpoints.ts';
import { type Failure, ServiceError } from '../../src/service/service-error.ts';
import { type Deadline, withTries } from '../../src/service/tries.ts';
import { inFakeTime, it } from '../builders/fake-time.ts';
import { connection, deadlineIn, MINUTE, refusal } from '../builders/service.ts';

const { readAsset: READ, uploadDirect: UPLOAD, create: CREATE } = ENDPOINTS;

/** Decides how long a try takes and how it then fails. */
type Play = (timeoutMs: number, nth: number) => { readonly afterMs: number; readonly failure: Failure };

/** Runs a request whose tries all fail. Returns when each try began and its time limit. */
async function play(plays: Play, endpoint: Endpoint = READ, deadline: Partial<Deadline> = {}) {
  const startedAt = performance.now();
  const tries: { readonly at: number; readonly timeoutMs: number }[] = [];
  const options = { endpoint, deadline: { ...deadlineIn(30), ...deadline }, log: () => undefined };
  const attempt = async (timeoutMs: number): Promise<never> => {
    tries.push({ at: performance.now() - startedAt, timeoutMs });
    const { afterMs, failure } = plays(timeoutMs, tries.length);
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    throw new ServiceError(endpoint, failure);
  };
  const work = async () => await withTries({ ...options, attempt }).catch((error: unknown) => error);
  const { value: ended } = await inFakeTime(work, 24 * 60);
  return { count: tries.length, tries, at: tries.map((each) => each.at), ended };
}

const fails =
  (failure: Failure, afterMs = 10): Play =>
  () => ({ afterMs, failure });
const stalls: Play = (afterMs) => ({ afterMs, failure: connection('lost') });

const page: Failure = { ...refusal(200), isPage: true };
const OFTEN = 20;

// biome-ignore format: a table
it.for<[string, readonly Failure[], readonly [reading: number, creation: number]]>([
  ['429', [refusal(429)], [OFTEN, OFTEN]],
  ['no connection', [connection('no connection')], [OFTEN, OFTEN]],
  ['any other outage', [408, 500, 502, 503, 504, 520].map((status) => refusal(status)), [OFTEN, 1]],
  ['a connection that broke', [connection('lost')], [OFTEN, 1]],
  ['a web page', [page], [OFTEN, 1]],
  ['JSON that was not expected', [refusal(200)], [1, 1]],
  ['an unknown host, a wrong certificate', [connection('unknown host'), connection('no access')], [1, 1]],
  ['any other status', [307, 400, 401, 402, 403, 404, 409, 413, 415, 422].map((status) => refusal(status)), [1, 1]],
])('how often a request is sent: %s', async ([, failures, expected]) => {
  for (const failure of failures) {
    const counts = [];
    for (const endpoint of [READ, CREATE])
      counts.push((await play(fails(failure), endpoint, { until: performance.now() + 2 * MINUTE })).count);
    expect(counts.map((count) => Math.min(count, OFTEN))).toEqual(expected);
  }
});

// biome-ignore format: a table
it.for<[string, Play, Endpoint, number, number]>([
  ['it refuses at once', fails(refusal(503)), READ, 20, 2],
  ['it stalls', stalls, READ, 2, 1.01],
  ['it refuses late', fails(refusal(502), 29_000), READ, 4, 1.5],
  ['not before it is begun again, if a large file was transferred for 40 minutes', fails(connection('lost'), 40 * MINUTE),
    UPLOAD, 2, 40.1],
])('a service is given up after two minutes without a response: %s', async ([, plays, endpoint, count, minutes]) => {
  const { ended, at } = await play(plays, endpoint);
  expect(ended).toBeInstanceOf(ServiceError);
  expect(at).toHaveLength(count);
  expect(Math.max(...at) / MINUTE).toBeLessThanOrEqual(minutes);
});

// biome-ignore format: a table
it.for<[string, string | undefined, number, number[]]>([
  ['is waited out for as long as there is time',  '300',     16, [0, 5, 10, 15]],
  ['that lasts longer than that is not waited for', '1900',  30, [0]],
  ['that ends with the deadline is waited for',   '60',      1,  [0, 1]],
])('a rate limit %s', async ([, retryAfter, minutes, expected]) => {
  const until = performance.now() + minutes * MINUTE;
  const { at } = await play(fails(refusal(429, '', retryAfter), 0), READ, { until });
  expect(at.map((ms) => Math.round(ms / MINUTE))).toEqual(expected);
});

it('a rate limit is a response: the time until the service is given up starts again', async () => {
  const { at } = await play((_, nth) => ({ afterMs: 10, failure: refusal(nth === 9 ? 429 : 503, '', '60') }));
  expect(at.at(-1)).toBeGreaterThan(3 * MINUTE);
});

it('the deadline and the two minutes cut tries, and leave a short one even if it has passed', async () => {
  expect((await play(stalls)).tries).toMatchObject([{ timeoutMs: 60_000 }, { timeoutMs: 59_750 }]);
  for (const [left, timeoutMs] of [[20_000, 20_000] as const, [-1, 5_000] as const])
    expect((await play(stalls, READ, { until: performance.now() + left })).tries).toEqual([{ at: 0, timeoutMs }]);
});

it('the deadline cuts neither an upload nor a creation, except for a rate limit', async () => {
  const unreachable = fails(connection('no connection'));
  const counts = [];
  for (const endpoint of [UPLOAD, CREATE, READ])
    counts.push((await play(unreachable, endpoint, { until: performance.now() + 1_000 })).count);
  expect(counts).toEqual([20, 20, 3]);
  const until = performance.now() + 1_000;
  expect((await play(stalls, CREATE, { until })).tries).toEqual([{ at: 0, timeoutMs: 240_000 }]);
  expect((await play(fails(refusal(503)), UPLOAD, { until })).count).toBe(20);
  expect((await play(fails(refusal(429, '', '60')), UPLOAD, { until })).count).toBe(1);
});

it('a run that is stopped does not wait for the next try', async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error('stopped')), MINUTE);
  const { ended } = await play(fails(refusal(429, '', '600')), READ, { signal: stop.signal });
  expect(ended).toEqual(new Error('stopped'));
});
