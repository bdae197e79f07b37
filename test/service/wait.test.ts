import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HttpResponse } from '../../src/http/http.ts';
import type { ListedAsset } from '../../src/service/responses.ts';
import type { OpenSubmission } from '../../src/service/submit.ts';
import { pollDelay, waitForAll } from '../../src/service/wait.ts';
import { clientOf, content, inFakeTime, listedAsset, MINUTE, response } from './things.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const READ = 'GET /submissions/S';
const [OWN, FILM] = [`${READ}/assets/a`, `${READ}/assets/b`];
const RETRY = 'POST /submissions/S/assets/a/retry';
const FAILED = { errorType: 'E', errorMessage: 'It broke.', isRetryable: true };
const MISSING = response(404, { detail: 'Not found.' });
const CONFLICT = response(409, { detail: 'Already in flight.' });
const ACCEPTED = response(202, { submissionId: 'S' });

/** A submission with one asset, or two. */
function submission(status: string, ...assets: readonly Partial<ListedAsset>[]): HttpResponse {
  return response(200, {
    submissionId: 'S',
    status,
    assets: assets.map((facts, index) => listedAsset('ab'.charAt(index), facts)),
  });
}

function own(status: string, id = 'a'): HttpResponse {
  return response(200, { assetId: id, filename: content(id).name, status });
}

/** @param seconds since the wait began; `nth` counts the requests of the same method and path from 1 */
type Service = (request: string, nth: number, seconds: number) => HttpResponse;

/** Waits for a submission of two files. */
async function waitAt(service: Service, minutes = 30) {
  const startedAt = Date.now();
  const polls: number[] = [];
  const { client, log, requests, lines } = clientOf((request, nth) => {
    const seconds = (Date.now() - startedAt) / 1000;
    if (request === READ) polls.push(seconds);
    return service(request, nth, seconds);
  });
  const moved: OpenSubmission[] = [];
  const open = { submissionId: 'S', createdAt: '', contents: [content('a'), content('b')], assetIds: [] };
  const options = {
    client,
    log,
    deadline: { signal: new AbortController().signal, until: startedAt + minutes * MINUTE },
    onMoved: async (submission: OpenSubmission) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      requests.push('saved');
      moved.push(submission);
    },
  };
  const { value: waited, ms } = await inFakeTime(async () => await waitForAll([open], options));
  const [first] = waited;
  return {
    waited,
    interruption: first?.interruption,
    problem: first?.retries.get('a')?.problem,
    retries: requests.filter((request) => request === RETRY).length,
    seconds: ms / 1000,
    requests,
    moved,
    polls,
    lines,
  };
}

describe('polling', () => {
  it.each(['complete', 'failed'])('ends with the status %s, if every asset is finished', async (status) => {
    const counted = { issueCount: 0 };
    const { seconds, interruption, waited, requests } = await waitAt((_, nth) =>
      nth < 3 ? submission('processing', {}, {}) : submission(status, counted, counted),
    );
    expect(seconds).toBe(2);
    expect(interruption).toBeUndefined();
    expect(waited).toMatchObject([
      { response: { status }, submission: { contents: [{ paths: ['a'] }, { paths: ['b'] }] } },
    ]);
    // Assets are read afterwards.
    expect(new Set(requests)).toEqual(new Set([READ]));
  });

  it('believes that a complete submission is complete, whatever its list says', async () => {
    expect(await waitAt(() => submission('complete', {}, FAILED))).toMatchObject({ seconds: 0, retries: 0 });
  });

  it('an eighth of the time between two polls, from a second to a minute', () => {
    expect([0, 8, 16, 480, 9_999].map((seconds) => pollDelay(seconds * 1000) / 1000)).toEqual([1, 1, 2, 60, 60]);
  });

  it('ends at the deadline, after a last poll', async () => {
    const { polls, interruption } = await waitAt(() => submission('processing', {}), 50);
    expect(polls.at(-1)).toBe(50 * 60);
    expect(interruption).toMatchObject({ reason: 'timeout', submission: 'open' });
    expect(interruption?.message).toBe(
      'The analysis was not finished after 50 minutes: processing, 0 of 1 assets finished (submission S).',
    );
  });

  // biome-ignore format: a table
  it.each<[string, Service, string, number]>([
    ['missing for ten seconds',            (_, __, seconds) => (seconds < 10 ? MISSING : submission('complete')), 'none', 10],
    ['missing for good',                   () => MISSING,                                               'results',      20],
    ['missing again, long after',          (_, nth, seconds) => (nth % 2 === 1 && nth < 40 ? MISSING : submission(seconds > 300 ? 'complete' : 'processing')), 'none', 300],
    ['a rate limit that ends too late',    () => response(429, { error: 'slow down' }, '3599'),         'service open', 0],
    ['a response that cannot be read',     () => response(200, { submissionId: 'S' }),                  'results',      0],
  ])('%s', async (_, service, expected, seconds) => {
    const result = await waitAt(service);
    const { reason = 'none', submission: state } = result.interruption ?? {};
    expect([reason, state].filter(Boolean).join(' ')).toBe(expected);
    expect(result.seconds).toBeGreaterThanOrEqual(seconds);
    expect(result.seconds).toBeLessThan(seconds + 60);
  });

  it('an outage is named, and that the analysis may go on', async () => {
    const { interruption, seconds } = await waitAt(() => response(503));
    expect(interruption?.message).toMatch(/answered 503 .*\. The service may still be analysing submission S\.$/);
    expect(interruption).toMatchObject({ reason: 'service', submission: 'open' });
    expect(seconds).toBeLessThan(3 * 60);
  });

  it.each([401, 402])('%i ends the run, for the submission, an asset and a retry', async (status) => {
    const failed = submission('failed', FAILED);
    const refused = response(status, { message: 'No.' });
    for (const service of [
      () => refused,
      (request: string) => (request === OWN ? refused : failed),
      (request: string) => (request === RETRY ? refused : request === OWN ? own('failed') : failed),
    ])
      await expect(waitAt(service)).rejects.toMatchObject({ status });
  });

  it('logs each change once with the words of the service, and the same line every minute', async () => {
    const { lines } = await waitAt((_, __, seconds) => {
      if (seconds < 60) return submission('processing', {}, {});
      const assets = [listedAsset('a', { issueCount: 0 }), listedAsset('b')];
      const status = seconds < 300 ? 'processing' : 'complete';
      return response(200, { submissionId: 'S', status, progressPercent: 50, errorMessage: 'Slow today.', assets });
    });
    const texts = lines.map((line) => line.replace(/ \(after .*/, ''));
    expect([...new Set(texts)]).toEqual([
      'Submission S: processing, 0 of 2 assets finished',
      'Submission S: processing, 50 %, 1 of 2 assets finished. The service says: Slow today.',
      'Submission S: complete. The service says: Slow today.',
    ]);
    expect(lines[0]).toMatch(/\(after 0 s\)$/);
    expect(texts.length).toBeGreaterThan(4);
    expect(texts.length).toBeLessThan(9);
  });
});

describe('a submission in which an asset failed', () => {
  const final = { ...FAILED, isRetryable: false };

  it('is over if the others are finished', async () => {
    const { seconds, retries } = await waitAt((request) =>
      request === READ ? submission('failed', final, { issueCount: 0 }) : own('failed'),
    );
    expect([seconds, retries]).toEqual([0, 0]);
  });

  // biome-ignore format: a table
  it.each<[string, Service]>([
    ['is being analysed', (request, _, seconds) => (request === FILM ? own(seconds < 300 ? 'processing' : 'complete', 'b') : own('failed'))],
    ['cannot be read',    (request, _, seconds) => (request === FILM ? (seconds < 300 ? MISSING : own('complete', 'b')) : own('failed'))],
  ])('is waited for if another one %s', async (_, assets) => {
    const { seconds, interruption } = await waitAt((request, nth, at) =>
      request === READ ? submission('failed', final, {}) : assets(request, nth, at),
    );
    expect(seconds).toBeGreaterThanOrEqual(300);
    expect(interruption).toBeUndefined();
  });

  it('is not waited for because of an asset that failed and cannot be read', async () => {
    const { seconds } = await waitAt((request) => (request === READ ? submission('failed', final) : MISSING));
    expect(seconds).toBe(0);
  });

  it('is not waited for because of an asset that is no file of this run', async () => {
    const { seconds } = await waitAt((request) => {
      if (request === READ) return submission('failed', final, {});
      return request === OWN
        ? own('failed')
        : response(200, { assetId: 'b', filename: 'other.png', status: 'processing' });
    });
    expect(seconds).toBe(0);
  });

  it('and that does not end is a timeout', async () => {
    const { interruption } = await waitAt((request) =>
      request === READ
        ? submission('failed', final, {})
        : own(request === OWN ? 'failed' : 'processing', request.slice(-1)),
    );
    expect(interruption).toMatchObject({ reason: 'timeout' });
  });
});

describe('a retry', () => {
  const counted = { issueCount: 0, retryCount: 1 };
  const again = { ...FAILED, retryCount: 1 };

  /** What the list and the asset itself say from the second poll on. */
  function after(retry: HttpResponse, list: HttpResponse, status: string): Service {
    return (request, nth) => {
      if (request === RETRY) return retry;
      if (request === READ) return nth === 1 ? submission('failed', FAILED) : list;
      return nth === 1 ? own('failed') : own(status);
    };
  }

  // biome-ignore format: a table
  it.each<[string, Service, { retries: number; seconds: [number, number]; problem?: string }]>([
    ['succeeds',                                after(ACCEPTED, submission('complete', counted), 'complete'),  { retries: 1, seconds: [1, 2] }],
    ['succeeds beside an old error text',       after(ACCEPTED, submission('complete', { ...again, issueCount: 0 }), 'complete'), { retries: 1, seconds: [1, 2] }],
    ['succeeds while the list still says failed', after(ACCEPTED, submission('failed', FAILED), 'complete'),   { retries: 1, seconds: [1, 2] }],
    ['fails again, twice at most',              (request, nth) => (request === RETRY ? ACCEPTED : request === READ ? submission('failed', { ...FAILED, retryCount: nth - 1 }) : own('failed')), { retries: 2, seconds: [2, 4] }],
    ['shows by its status, and fails again',    (request, nth) => (request === RETRY ? ACCEPTED : request === READ ? submission('failed', FAILED) : own(nth % 2 === 0 ? 'processing' : 'failed')), { retries: 2, seconds: [3, 75] }],
    ['shows no effect for 60 s',                after(ACCEPTED, submission('failed', FAILED), 'failed'),       { retries: 1, seconds: [60, 75], problem: 'the service accepted a retry that showed no effect' }],
    ['shows no effect beside a running submission', after(ACCEPTED, submission('complete', FAILED), 'failed'), { retries: 1, seconds: [60, 75], problem: 'showed no effect' }],
    ['is refused (409) and shows no effect for 20 s', after(CONFLICT, submission('failed', FAILED), 'failed'), { retries: 1, seconds: [20, 30], problem: 'Already in flight' }],
    ['is refused (409), and one is running',    after(CONFLICT, submission('complete', counted), 'complete'),  { retries: 1, seconds: [1, 2], problem: 'Already in flight' }],
    ['is refused (403)',                        after(response(403), submission('failed', FAILED), 'failed'),  { retries: 1, seconds: [0, 0], problem: '403' }],
    ['meets a rate limit',                      (request, nth, seconds) => {
      if (request === RETRY) return nth === 1 ? response(429, {}, '10') : ACCEPTED;
      if (request === READ) return seconds < 10 ? submission('failed', FAILED) : submission('complete', counted);
      return seconds < 10 ? own('failed') : own('complete');
    }, { retries: 2, seconds: [10, 12] }],
  ])('that %s', async (_, service, { retries, seconds: [from, to], problem }) => {
    const result = await waitAt(service);
    expect(result.interruption).toBeUndefined();
    expect(result.retries).toBe(retries);
    expect(result.seconds).toBeGreaterThanOrEqual(from);
    expect(result.seconds).toBeLessThanOrEqual(to);
    expect(result.problem ?? '').toContain(problem ?? '');
    expect(result.problem === undefined).toBe(problem === undefined);
  });

  it('is waited for until the deadline while it runs', async () => {
    const { interruption } = await waitAt(after(ACCEPTED, submission('processing', { retryCount: 1 }), 'processing'));
    expect(interruption).toMatchObject({ reason: 'timeout' });
  });

  it('is looked for soon, however long the wait was', async () => {
    const { polls } = await waitAt((request, _, seconds) => {
      if (request === RETRY) return ACCEPTED;
      if (request !== READ) return own('failed');
      return seconds < 600 ? submission('processing', {}) : submission('failed', FAILED);
    });
    const [retriedAt = 0, ...later] = polls.filter((poll) => poll >= 600);
    expect((later[0] ?? 0) - retriedAt).toBe(1);
  });

  it('is logged with its file and the words of the service', async () => {
    const { lines } = await waitAt(after(ACCEPTED, submission('complete', counted), 'complete'));
    expect(lines).toContain('a failed (E: It broke); retry 1 was accepted');
  });

  it('in another submission is saved at once, and the file is awaited there', async () => {
    const moving = response(202, { submissionId: 'T', workflowId: 'W', assets: [{ assetId: 'n' }] });
    const { waited, moved, requests, retries } = await waitAt((request, nth) => {
      if (request === RETRY) return moving;
      if (request === READ) return submission('failed', FAILED, { issueCount: 0 });
      if (request === OWN) return own('failed');
      if (request === 'GET /submissions/T/assets/n')
        return response(200, { assetId: 'n', filename: content('a').name, status: 'failed' });
      if (request.endsWith('/retry')) return response(202, { submissionId: 'T' });
      return response(200, {
        submissionId: 'T',
        status: 'failed',
        assets: [listedAsset('n', { ...FAILED, retryCount: nth })],
      });
    });
    const open = {
      submissionId: 'T',
      contents: [{ paths: ['a'] }],
      assetIds: ['n'],
      workflowId: 'W',
      retriesBefore: 1,
    };
    expect(moved).toMatchObject([open]);
    expect(requests[requests.indexOf(RETRY) + 1]).toBe('saved');
    expect(waited).toMatchObject([
      { submission: { submissionId: 'S', contents: [{ paths: ['b'] }] }, interruption: undefined },
      { submission: open, interruption: undefined },
    ]);
    // Two retries at most, wherever they are.
    expect([retries, requests.filter((request) => request.endsWith('/n/retry')).length]).toEqual([1, 1]);
  });
});
