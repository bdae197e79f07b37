import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readUnlessGone } from '../../src/service/read-unless-gone.ts';
import type { SubmissionAnswer } from '../../src/service/responses.ts';
import { ServiceError } from '../../src/service/service-error.ts';
import { assetStatus, refusal } from './things.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const EMPTY: SubmissionAnswer = {
  submissionId: 'S',
  status: 'complete',
  progressPercent: 100,
  workflowId: null,
  assets: [],
};
const FOUND: SubmissionAnswer = { ...EMPTY, assets: [assetStatus('b'), assetStatus('a')] };

function refused(status: number): ServiceError {
  return new ServiceError('reading the submission', refusal(status));
}

/** Reads a submission at a service that gives these answers, and records when it was read. */
async function readAt(...answers: readonly (SubmissionAnswer | ServiceError)[]) {
  const startedAt = Date.now();
  const reads: number[] = [];
  const client = {
    readSubmission: async (): Promise<SubmissionAnswer> => {
      const answer = answers[reads.length];
      reads.push(Date.now() - startedAt);
      if (!answer || answer instanceof ServiceError) throw answer ?? new Error('One read too many.');
      return answer;
    },
  };
  const deadline = { signal: new AbortController().signal, until: Number.POSITIVE_INFINITY };
  const reading = readUnlessGone('S', { client, deadline }, ['a']).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(60_000);
  return { result: await reading, reads };
}

it('is read once if it is there', async () => {
  expect(await readAt(FOUND)).toEqual({ result: FOUND, reads: [0] });
});

it('is not gone if it was missing once', async () => {
  expect(await readAt(refused(404), FOUND)).toEqual({ result: FOUND, reads: [0, 2_000] });
});

it.each([404, 410])('is gone if it is missing twice (%i)', async (status) => {
  expect(await readAt(refused(404), refused(status))).toEqual({ result: undefined, reads: [0, 2_000] });
});

// biome-ignore format: a table
it.each<[string, SubmissionAnswer | ServiceError, SubmissionAnswer]>([
  ['is not gone if it was missing once',          FOUND,        FOUND],
  ['is gone if it is missing twice',                EMPTY,        EMPTY],
  ['is gone, and the submission is not for one 404',   refused(404), EMPTY],
])('an asset %s', async (_, second, expected) => {
  expect(await readAt(EMPTY, second)).toEqual({ result: expected, reads: [0, 2_000] });
});

it.each([
  ['at first', [refused(503)]],
  ['at the second read', [refused(404), refused(503)]],
])('an outage %s does not mean that it is gone', async (_, answers) => {
  expect((await readAt(...answers)).result).toMatchObject({ status: 503 });
});
