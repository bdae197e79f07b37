import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Http, HttpAnswer } from '../../src/http/http.ts';
import type { Log } from '../../src/log.ts';
import { ServiceClient } from '../../src/service/client.ts';
import { type WaitedSubmission, wait } from '../../src/service/wait.ts';
import { content } from './things.ts';

const MINUTE = 60_000;
const ignore = (): void => undefined;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Waits for a submission at a service that always gives this answer; tells when that ended, and when it looked. */
async function waitAt(answer: HttpAnswer, waitsSince?: number) {
  const startedAt = Date.now();
  const looks: number[] = [];
  const lines: string[] = [];
  const http: Http = {
    send: async () => {
      looks.push(Date.now() - startedAt);
      return answer;
    },
    close: async () => undefined,
  };
  const log: Log = {
    info: (line) => lines.push(line),
    notice: ignore,
    warning: ignore,
    group: async (_, work) => await work(),
  };
  const client = new ServiceClient(
    { apiKey: 'k', mode: 'live', baseUrl: 'https://service.example' },
    http,
    'gate',
    log,
  );
  const submission = { submissionId: 'S', contents: [content('a')], ...(waitsSince !== undefined && { waitsSince }) };
  const options = { mode: 'live', timeoutMinutes: 60, signal: new AbortController().signal } as const;
  const ended: { at?: number; waited?: WaitedSubmission } = {};
  const run = async (): Promise<void> => {
    ended.waited = await wait(submission, options, client, log);
    ended.at = Date.now() - startedAt;
  };
  void run();
  await vi.advanceTimersByTimeAsync(120 * MINUTE);
  return { ...ended, looks, lines };
}

function processing(progressPercent: number | null): HttpAnswer {
  const text = JSON.stringify({ submissionId: 'S', status: 'processing', progressPercent, assets: [] });
  return { status: 200, text, retryAfter: undefined, location: undefined };
}

it('the time limit counts from the creation, and the last look is at its end', async () => {
  const { at, looks, waited } = await waitAt(processing(null), Date.now() - 10 * MINUTE);
  expect(at).toBe(50 * MINUTE);
  expect(looks.at(-1)).toBe(50 * MINUTE);
  expect(waited?.interruptedBy).toMatchObject({ reason: 'timeout' });
});

it('a submission of an earlier run is waited for from now', async () => {
  expect((await waitAt(processing(null))).at).toBe(60 * MINUTE);
});

it('however steady the progress, five minutes do not pass without a look and a line', async () => {
  const { looks, lines } = await waitAt(processing(1));
  const gaps = looks.slice(1).map((look, index) => look - (looks[index] ?? 0));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(5 * MINUTE);
  expect(lines.length).toBeGreaterThan(6);
});

it('a rate limit that outlasts the time limit ends the wait at once', async () => {
  const text = '{"error":"slow down"}';
  const { at, waited } = await waitAt(
    { status: 429, text, retryAfter: '3599', location: undefined },
    Date.now() - 10 * MINUTE,
  );
  expect(at).toBe(0);
  expect(waited?.interruptedBy).toMatchObject({ reason: 'service' });
  expect(waited?.interruptedBy?.message).toContain('slow down. Submission S goes on without us');
});
