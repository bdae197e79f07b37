import { expect } from 'vitest';
import type { ListedAsset } from '../../src/service/responses.ts';
import { it } from '../builders/fake-time.ts';
import { sentName } from '../builders/media.ts';
import { type Reply, type Said, serviceOf, steps } from '../builders/service.ts';
import { ACCEPTED, checkRow, FAILED, FINAL, type Look, list, look, lookAt, type Row, SILENT } from './look.ts';

const again = (seconds: number): Partial<ListedAsset> => ({ ...FAILED, retryCount: Math.floor(seconds) });
const RETRIED = { status: 'failed', listed: list(FAILED), 'a/retry': ACCEPTED };
const shownAt = (seconds: number): Said => ({
  status: steps('failed', [seconds, 'processing'], [seconds + 20, 'complete']),
  listed: steps(list(FAILED), [seconds, list({ retryCount: 1 })]),
  a: steps('failed', [seconds, 'processing'], [seconds + 20, 'complete']),
});

// biome-ignore format: a table
it.for<Row>([
  ['succeeds', { a: steps('failed', [1, 'complete']) }, '1 retry: result', 1],
  ['shows only after 140 s', shownAt(140), '1 retry: result', [160, 190]],
  ['shows only after 300 s', shownAt(300), '1 retry: result', [320, 360]],
  ['succeeds, and its submission goes on',
    { status: steps('failed', [1, 'processing'], [3, 'complete']), a: steps('failed', [1, 'complete']) },
    '1 retry: result', 3],
  ['succeeds under a new id',
    { listed: steps(list(FAILED), [1, { c: { issueCount: 0 }, b: list()['b'] ?? {} }]), a: 'failed',
      c: { filename: sentName('a') } }, '1 retry: result', 1],
  ['succeeds as a new version beside the old one',
    { listed: steps(list(FAILED), [1, { ...list(FAILED), c: { issueCount: 0, versionNumber: 2 } }]), a: 'failed',
      c: { filename: sentName('a') } }, '1 retry: result', 1],
  ['runs until the deadline', { a: steps('failed', [1, 'processing']) }, '1 retry: working timeout', 1_800],
  ['shows no effect until the deadline: no other is requested', { a: 'failed' }, '1 retry: working timeout', 1_800],
  ['fails again: twice at most', { listed: (now) => list(again(now)), a: 'failed' }, '2 retries: retryable asset-failed',
    [22, 26]],
  ['fails again, for good', { listed: steps(list(FAILED), [1, list({ ...FINAL, retryCount: 1 })]), a: 'failed' },
    '1 retry: failed asset-failed', [1, 3]],
  ['shows by its status, and fails again', { a: (now) => (now < 1 || now > 5 ? 'failed' : 'processing') },
    '2 retries: working timeout', 1_800],
  ['is refused (409)', { a: 'failed', 'a/retry': 409 }, '1 retry: retryable asset-failed', 20],
  ['is refused (409), because one is running that shows at once',
    { status: steps('failed', [1, 'processing'], [60, 'complete']), a: steps('failed', [60, 'complete']), 'a/retry': 409 },
    '1 retry: result', [60, 75]],
  ['runs, and its asset cannot be read meanwhile',
    { listed: steps(list(FAILED), [1, list({ ...SILENT, retryCount: 1 })], [60, list({ retryCount: 1 })]),
      a: steps<Reply>('failed', [1, 404], [60, 'complete']) }, '1 retry: result', [60, 70]],
])('a retry that %s', async ([title, said, outcome, seconds]) => {
  await checkRow([title, { ...RETRIED, ...said }, `${outcome}, result`, seconds]);
});

it('a retry that the service moves is enough', async () => {
  const said: Said = { status: 'failed', listed: list(FAILED), a: 'failed' };
  const [S, T] = ['T', 'U'].map((submissionId): Said => ({ ...said, 'a/retry': { submissionId } }));
  const { results } = await look(serviceOf({ S: S ?? {}, T: T ?? {} }));
  expect(results.map(({ submissionId }) => submissionId)).toEqual(['S', 'T']);
});

it('an error about a moved retry ends the run, also while another file is read', async () => {
  const said: Said = { status: 'failed', listed: list(FAILED), a: 'failed', b: 'processing' };
  const service = serviceOf({ S: { ...said, 'a/retry': { submissionId: 'T' } }, T: { status: 401 } });
  await expect(look(service)).rejects.toMatchObject({ endsRun: true });
});

/**
 * A service that takes one retry at a time: each takes five seconds, and every file fails once.
 *
 * @param refused how many requests are refused first, because of a retry that somebody else requested
 */
async function retryInTurn(names: readonly string[], refused = 0) {
  const retriedAt = new Map<string, number>();
  const isRunning = (name: string, now: number): boolean => now < (retriedAt.get(name) ?? -9) + 5;
  let requested = 0;
  const replies = names.flatMap((name) => {
    const asset = (now: number): Reply => {
      if (!retriedAt.has(name)) return 'failed';
      return isRunning(name, now) ? 'processing' : 'complete';
    };
    const retry = (now: number): Reply => {
      requested += 1;
      if (requested <= refused || names.some((each) => isRunning(each, now))) return 409;
      retriedAt.set(name, now);
      return ACCEPTED;
    };
    return [[name, asset] as const, [`${name}/retry`, retry] as const];
  });
  const factsOf = (name: string) => ({ issueCount: 0, ...(retriedAt.has(name) ? { retryCount: 1 } : FAILED) });
  const listed = () => Object.fromEntries(names.map((name) => [name, factsOf(name)]));
  const service = serviceOf({ S: { status: 'failed', listed, ...Object.fromEntries(replies) } });
  const { analyses, retries } = await look(service, {}, { S: names });
  return { outcomes: analyses.map(({ outcome }) => outcome), retries };
}

it('files are retried one after the other if the service takes one at a time', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `f${index}`);
  expect((await retryInTurn(names)).outcomes).toEqual(names.map(() => 'result'));
});

it('a refusal is not final if the service accepts the retry of another file', async () => {
  expect(await retryInTurn(['a', 'b'], 1)).toEqual({ outcomes: ['result', 'result'], retries: 3 });
});

it('a failed file that somebody else has retried is read again', async () => {
  const done = { retryCount: 1 };
  const said = {
    status: steps('failed', [1, 'processing'], [9, 'complete']),
    listed: steps(list(FAILED, FAILED), [1, list(done, done)]),
    a: steps('failed', [5, 'complete']),
    b: steps('failed', [5, 'complete']),
  };
  expect((await lookAt({ ...said, 'a/retry': ACCEPTED, 'b/retry': 409 })).outcomes).toBe('result, result');
});

it.for<[string, Said, Look?]>([
  ['before the plan', { a: 'failed' }, { isAsked: true }],
  ['of a file that is not checked here', { a: { filename: 'other.png', status: 'failed' } }],
  ['at the deadline', { a: 'failed' }, { minutes: 0 }],
  ['of an unfinished asset', { a: 'processing' }, { minutes: 1 }],
])('a retry is not requested: %s', async ([, said, options]) => {
  expect(await lookAt({ ...RETRIED, ...said }, options)).toMatchObject({ retries: 0 });
});
