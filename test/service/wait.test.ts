import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Http, HttpResponse } from '../../src/http/http.ts';
import type { Log } from '../../src/lib/log.ts';
import { ServiceClient } from '../../src/service/client.ts';
import type { AssetStatus } from '../../src/service/responses.ts';
import type { OpenSubmission } from '../../src/service/submit.ts';
import { type WaitedSubmission, wait } from '../../src/service/wait.ts';
import { assetStatus, content } from './things.ts';

const MINUTE = 60_000;
const ignore = (): void => undefined;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** What the service answers to a request; `nth` counts those of the same method and path from 1. */
type Service = (request: string, nth: number) => HttpResponse;

/** Waits for a submission of one file, and records when that ended and when it polled. */
async function waitAt(service: Service, minutes = 60, facts: Partial<OpenSubmission> = {}) {
  const startedAt = Date.now();
  const polls: number[] = [];
  const requests: string[] = [];
  const lines: string[] = [];
  const http: Http = {
    send: async ({ method, url }) => {
      polls.push(Date.now() - startedAt);
      const request = `${method} ${new URL(url).pathname}`;
      requests.push(request);
      return service(request, requests.filter((each) => each === request).length);
    },
    close: async () => undefined,
  };
  const log: Log = {
    info: (line) => lines.push(line),
    notice: ignore,
    warning: ignore,
    group: async (_, work) => await work(),
  };
  const client = new ServiceClient({
    access: { apiKey: 'secret', mode: 'live', baseUrl: 'https://service.example' },
    http,
    userAgent: 'gate',
    log,
  });
  const submission = { submissionId: 'S', contents: [content('a')], isNew: true, ...facts };
  const deadline = { signal: new AbortController().signal, until: startedAt + minutes * MINUTE };
  const moves: (readonly OpenSubmission[])[] = [];
  const onMoved = async (submissions: readonly OpenSubmission[]): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    moves.push(submissions);
    requests.push('saved');
  };
  const ended: { at?: number; waited?: WaitedSubmission } = {};
  const run = async (): Promise<void> => {
    ended.waited = await wait(submission, { client, log, mode: 'live', deadline, onMoved });
    ended.at = Date.now() - startedAt;
  };
  void run();
  await vi.advanceTimersByTimeAsync(120 * MINUTE);
  return { ...ended, polls, lines, requests, moves };
}

function answer(status: number, json: unknown, retryAfter?: string): HttpResponse {
  return { status, text: JSON.stringify(json), retryAfter, location: undefined };
}

const MISSING = answer(404, { detail: 'Not found.' });

/** A submission with one asset. */
function submission(submissionId: string, status: string, asset: Partial<AssetStatus>): HttpResponse {
  return answer(200, { submissionId, status, progressPercent: null, assets: [assetStatus('a', asset)] });
}

function processing(progressPercent: number | null): Service {
  return () => answer(200, { submissionId: 'S', status: 'processing', progressPercent, assets: [] });
}

it('ends at the deadline, after a last poll', async () => {
  const { at, polls, waited } = await waitAt(processing(null), 50);
  expect(at).toBe(50 * MINUTE);
  expect(polls.at(-1)).toBe(50 * MINUTE);
  expect(waited?.interruptedBy).toMatchObject({ reason: 'timeout' });
  expect(waited?.interruptedBy?.message).toContain('was not finished after 50 minutes');
});

it('however steady the progress, five minutes do not pass without a poll and a line', async () => {
  const { polls, lines } = await waitAt(processing(1));
  const gaps = polls.slice(1).map((poll, index) => poll - (polls[index] ?? 0));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(5 * MINUTE);
  expect(lines.length).toBeGreaterThan(6);
});

it('a rate limit that lasts longer than the time limit ends the wait at once', async () => {
  const { at, waited } = await waitAt(() => answer(429, { error: 'slow down' }, '3599'), 50);
  expect(at).toBe(0);
  expect(waited?.interruptedBy).toMatchObject({ reason: 'service' });
  expect(waited?.interruptedBy?.message).toContain('slow down. The service may still be analysing submission S.');
});

const FAILED = { errorType: 'E', errorMessage: 'It broke.', isRetryable: true, retryCount: 0 };
const READ = 'GET /submissions/S';
const RETRY = 'POST /submissions/S/assets/a/retry';
const OWN = 'GET /submissions/S/assets/a';
const COMPLETE = answer(200, { assetId: 'a', filename: 'a.png', status: 'complete' });
const COUNTED = answer(200, { assetId: 'a', filename: 'a.png', status: 'complete', issueCount: 0 });
const CONFLICT = answer(409, { detail: 'A retry of this asset is already in flight.' });

describe('a submission that does not exist', () => {
  it('is given up after a while', async () => {
    const { at, waited } = await waitAt(() => MISSING);
    expect(at).toBeGreaterThanOrEqual(20_000);
    expect(at).toBeLessThan(MINUTE);
    expect(waited?.interruptedBy).toMatchObject({ reason: 'results' });
  });

  it('twice for a moment, long apart, is waited for', async () => {
    const startedAt = Date.now();
    const gaps: number[] = [];
    const { waited } = await waitAt((request, nth) => {
      if (request === OWN) return COMPLETE;
      const ms = Date.now() - startedAt;
      if (nth === 1 || (ms > MINUTE && gaps.length < 2)) {
        gaps.push(ms);
        return MISSING;
      }
      return submission('S', ms > MINUTE ? 'complete' : 'processing', {});
    });
    expect(gaps).toEqual([0, expect.any(Number)]);
    expect(waited).toMatchObject({ status: 'complete', interruptedBy: undefined, assets: [{ state: 'ended' }] });
  });

  it('if it is that of a retry, the asset stays failed', async () => {
    const { at, waited, moves } = await waitAt((request) => {
      if (request === READ) return submission('S', 'failed', FAILED);
      return request === RETRY ? answer(202, { submissionId: 'T', assets: [{ assetId: 'b' }] }) : MISSING;
    });
    expect(at).toBeLessThan(3 * MINUTE);
    expect(waited).toMatchObject({ interruptedBy: undefined, assets: [{ state: 'failed', submissionId: 'T' }] });
    expect(moves).toMatchObject([[{ submissionId: 'T', contents: [{ paths: ['a'] }] }]]);
  });
});

it('a retry is logged with its file when it is running', async () => {
  const { lines } = await waitAt((request, nth) => {
    if (request === RETRY) return answer(202, { submissionId: 'S' });
    return nth < 3 ? submission('S', 'failed', FAILED) : submission('S', 'complete', { issueCount: 0, retryCount: 1 });
  });
  expect(lines).toContain('a failed (E: It broke); retry 1 was accepted');
  expect(lines).toContainEqual(expect.stringContaining('failed, 0 of 1 assets finished, 1 being retried'));
});

describe('a retry that is refused', () => {
  it('is running if a later poll shows it', async () => {
    const { waited } = await waitAt((request, nth) => {
      if (request === RETRY) return CONFLICT;
      if (request === OWN) return COMPLETE;
      return nth < 5
        ? submission('S', 'failed', FAILED)
        : submission('S', 'complete', { issueCount: 0, retryCount: 1 });
    });
    expect(waited).toMatchObject({ assets: [{ state: 'ended' }] });
  });

  it('and whose asset failed again is requested again', async () => {
    const { waited } = await waitAt((request, nth) => {
      if (request === RETRY) return nth === 1 ? CONFLICT : answer(202, { submissionId: 'S' });
      if (request === OWN) return COMPLETE;
      if (nth < 3) return submission('S', 'failed', FAILED);
      return nth < 5
        ? submission('S', 'failed', { ...FAILED, retryCount: 1 })
        : submission('S', 'complete', { issueCount: 0, retryCount: 2 });
    });
    expect(waited).toMatchObject({ assets: [{ state: 'ended', retries: 1 }] });
  });

  it('will never be if nothing changes: the asset stays failed', async () => {
    const { at, waited, requests } = await waitAt((request) =>
      request === RETRY ? CONFLICT : submission('S', 'failed', FAILED),
    );
    expect(at).toBeLessThan(3 * MINUTE);
    expect(waited).toMatchObject({ interruptedBy: undefined, assets: [{ state: 'failed' }] });
    expect(waited?.assets[0]?.pendingRetry?.refusal).toContain('already in flight');
    expect(requests.filter((request) => request === RETRY)).toHaveLength(1);
  });

  it('and has no effect within two minutes leaves the asset failed, even if its submission is running', async () => {
    const { at, waited } = await waitAt((request, nth) => {
      if (request === RETRY) return CONFLICT;
      return submission('S', nth === 1 ? 'failed' : 'processing', FAILED);
    });
    expect(at).toBeLessThan(3 * MINUTE);
    expect(waited).toMatchObject({ interruptedBy: undefined, assets: [{ state: 'failed' }] });
  });

  it('repeatedly, for an asset that has failed only by its own result, is given up', async () => {
    const { at, waited } = await waitAt((request) => {
      if (request === RETRY) return CONFLICT;
      if (request === READ) return submission('S', 'failed', { isRetryable: true });
      return answer(200, { assetId: 'a', filename: 'a.png', status: 'failed' });
    });
    expect(at).toBeLessThan(3 * MINUTE);
    expect(waited).toMatchObject({ interruptedBy: undefined, assets: [{ state: 'failed', filename: 'a.png' }] });
  });
});

describe('an asset whose own answer cannot be read', () => {
  it('has ended, and does not end the wait', async () => {
    const { at, waited } = await waitAt((request) =>
      request === READ ? submission('S', 'complete', {}) : answer(500, { detail: 'Broken.' }),
    );
    expect(at).toBeLessThan(3 * MINUTE);
    expect(waited).toMatchObject({
      interruptedBy: undefined,
      assets: [{ state: 'ended', readError: { status: 500 } }],
    });
  });

  it('ends the wait if the key is refused', async () => {
    const { waited } = await waitAt((request) =>
      request === READ ? submission('S', 'complete', {}) : answer(401, { detail: 'No.' }),
    );
    expect(waited?.interruptedBy).toMatchObject({ reason: 'auth' });
  });
});

it('a postponed retry that becomes due during a poll is made in the next one', async () => {
  const other = 'POST /submissions/S/assets/b/retry';
  let isRetried = false;
  const { waited } = await waitAt((request, nth) => {
    if (request === RETRY) {
      isRetried = nth > 1;
      return isRetried ? answer(202, { submissionId: 'S' }) : answer(429, {}, '10');
    }
    if (request === other) return answer(403, {});
    if (request === OWN) return COMPLETE;
    if (request === 'GET /submissions/S/assets/b') {
      // This read takes until after the end of the rate limit.
      vi.setSystemTime(Date.now() + 15_000);
      return answer(200, { assetId: 'b', filename: 'b.png', status: 'failed' });
    }
    const assets = [
      assetStatus('a', isRetried ? { issueCount: 0, retryCount: 1 } : FAILED),
      assetStatus('b', nth < 4 ? {} : FAILED),
    ];
    return answer(200, { submissionId: 'S', status: nth < 4 ? 'processing' : 'failed', assets });
  });
  expect(waited?.assets).toMatchObject([{ retries: 1, state: 'ended' }, { state: 'failed' }]);
});

describe('what is known at the end', () => {
  it('the texts of the service, its message logged once', async () => {
    const { waited, lines } = await waitAt((request, nth) => {
      if (request === OWN) return COMPLETE;
      const status = nth < 3 ? 'processing' : 'complete';
      const assets = [assetStatus('a', { issueCount: nth < 3 ? null : 0 })];
      return answer(200, { submissionId: 'S', status, workflowId: 'W2', errorMessage: 'Slow today.', assets });
    });
    expect(waited).toMatchObject({
      status: 'complete',
      errorMessage: 'Slow today.',
      workflowId: 'W2',
      isTrusted: true,
      interruptedBy: undefined,
    });
    expect(lines.filter((line) => line.includes('Slow today.'))).toHaveLength(1);
  });

  it('if the submission was never read: its assets are read, and not trusted', async () => {
    const { waited, requests } = await waitAt((request) => (request === OWN ? COUNTED : MISSING), 60, {
      assetIds: ['a'],
      workflowId: 'W',
    });
    expect(requests.at(-1)).toBe(OWN);
    expect(waited).toMatchObject({
      status: 'unknown',
      workflowId: 'W',
      isTrusted: false,
      interruptedBy: { reason: 'results' },
      assets: [{ assetId: 'a', answer: { status: 'complete' } }],
    });
  });

  it('if it failed without a failed asset: nothing of it is trusted', async () => {
    const { waited } = await waitAt((request) =>
      request === OWN ? COMPLETE : submission('S', 'failed', { issueCount: 0 }),
    );
    expect(waited).toMatchObject({ isTrusted: false, interruptedBy: { reason: 'results' } });
    expect(waited?.interruptedBy?.message).toBe('Submission S has failed, but the service names no asset that has.');
  });

  it('if it failed, and its asset was retried: that explains it', async () => {
    const { waited } = await waitAt((request, nth) => {
      if (request === RETRY) return answer(202, { submissionId: 'T', assets: [{ assetId: 'a' }] });
      if (request === 'GET /submissions/T') return submission('T', 'complete', { issueCount: 0, retryCount: 1 });
      if (request !== READ) return COMPLETE;
      return submission('S', 'failed', nth === 1 ? FAILED : {});
    });
    expect(waited).toMatchObject({ isTrusted: true, interruptedBy: undefined });
    expect(waited?.assets).toMatchObject([{ submissionId: 'T', listed: { issueCount: 0 } }]);
  });

  it.each([
    [401, 'auth'],
    [402, 'plan'],
  ])('if the last read is refused (%i), that counts more than the time limit', async (status, reason) => {
    const { waited } = await waitAt(
      (request) => (request === READ ? submission('S', 'processing', {}) : answer(status, { message: 'No.' })),
      5,
    );
    expect(waited?.interruptedBy).toMatchObject({ reason });
  });

  it('if every file has its asset at the last read, half a minute late: nothing was missed', async () => {
    const { waited } = await waitAt((request, nth) => {
      if (request === READ) return submission('S', 'processing', {});
      return nth === 1 ? answer(429, {}, '10') : COUNTED;
    }, 5);
    expect(waited).toMatchObject({ interruptedBy: undefined, isTrusted: true, assets: [{ state: 'ended' }] });
  });

  it('a retry without an effect at the time limit: the asset has failed', async () => {
    const { waited } = await waitAt(
      (request) => (request === RETRY ? answer(202, { submissionId: 'S' }) : submission('S', 'failed', FAILED)),
      1,
    );
    expect(waited).toMatchObject({ assets: [{ state: 'failed', retries: 1 }] });
  });

  it('a retry that shows an effect after a minute is waited for, and is no move', async () => {
    const startedAt = Date.now();
    const { waited, moves } = await waitAt((request) => {
      if (request === RETRY) return answer(202, { submissionId: 'S' });
      if (request === OWN) return COMPLETE;
      return Date.now() - startedAt < MINUTE
        ? submission('S', 'failed', FAILED)
        : submission('S', 'complete', { issueCount: 0, retryCount: 1 });
    });
    expect(waited).toMatchObject({ status: 'complete', assets: [{ state: 'ended', retries: 1 }] });
    expect(moves).toEqual([]);
  });

  it('an own answer that is not there yet is read again', async () => {
    const { waited } = await waitAt((request, nth) => {
      if (request === READ) return submission('S', 'complete', { issueCount: 0 });
      return nth === 1 ? MISSING : COMPLETE;
    });
    expect(waited?.assets).toMatchObject([{ answer: { status: 'complete' }, readError: undefined }]);
  });

  it('a failed asset is retried once its name was asked for, so that a move is saved with its file', async () => {
    const contents = [content('a'), content('b')];
    const { requests, moves } = await waitAt(
      (request, nth) => {
        if (request === READ)
          return answer(200, {
            submissionId: 'S',
            status: 'failed',
            assets: ['a', 'b'].map((id) => assetStatus(id, FAILED)),
          });
        const id = request === OWN ? 'a' : 'b';
        if (request.endsWith('/b/retry')) return answer(403, {});
        if (request === RETRY) return answer(202, { submissionId: 'T', assets: [{ assetId: 'a' }] });
        if (request.startsWith('GET /submissions/T')) return MISSING;
        if (nth === 1) return answer(429, {}, '7200');
        return answer(200, { assetId: id, filename: content(id).name, status: 'failed' });
      },
      50,
      { contents },
    );
    expect(requests.indexOf(RETRY)).toBeGreaterThan(requests.lastIndexOf(OWN));
    expect(requests[requests.indexOf(RETRY) + 1]).toBe('saved');
    expect(moves[0]).toMatchObject([
      { submissionId: 'T', contents: [{ paths: ['a'] }] },
      { submissionId: 'S', contents: [{ paths: ['b'] }] },
    ]);
  });

  it.each([401, 402])('a retry that is refused with %i ends the wait', async (status) => {
    const { waited, requests } = await waitAt((request) => {
      if (request === READ) return submission('S', 'failed', FAILED);
      return request === RETRY ? answer(status, { message: 'No.' }) : COMPLETE;
    });
    expect(waited?.interruptedBy).toMatchObject({ reason: status === 401 ? 'auth' : 'plan' });
    expect(requests.filter((request) => request === RETRY)).toHaveLength(1);
  });

  it('a list that is too short may still grow, for 20 seconds', async () => {
    const contents = [content('a'), content('b')];
    const { waited, at } = await waitAt(
      (request) => (request === READ ? submission('S', 'complete', { issueCount: 0 }) : COMPLETE),
      60,
      { contents },
    );
    expect(at).toBeGreaterThanOrEqual(20_000);
    expect(at).toBeLessThan(MINUTE);
    expect(waited?.interruptedBy).toBeUndefined();
  });
});
