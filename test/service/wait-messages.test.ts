import { describe, expect, it } from 'vitest';
import type { Log } from '../../src/lib/log.ts';
import { ServiceError } from '../../src/service/service-error.ts';
import { explainEnd, explainTimeout, ProgressLog, type Snapshot } from '../../src/service/wait-messages.ts';
import { refusal } from './things.ts';

const MINUTE = 60_000;
const ignore = (): void => undefined;

it('logs each change once, and the same line again every minute', () => {
  const lines: string[] = [];
  const log: Log = {
    info: (line) => lines.push(line),
    notice: ignore,
    warning: ignore,
    group: async (_, work) => await work(),
  };
  const progress = new ProgressLog('S', 0, log);
  const polls: [number, Partial<Snapshot>][] = [
    [1, { status: 'submitted', percent: null, assets: 0 }],
    [1000, { percent: 10 }],
    [2000, { percent: 10 }],
    [3000, { percent: 10, finished: 1 }],
    [2999 + MINUTE, { percent: 10, finished: 1 }],
    [3000 + MINUTE, { percent: 10, finished: 1 }],
    [6 * MINUTE, { status: 'failed', finished: 2, retried: 1 }],
    [8 * MINUTE, { status: 'failed', percent: 90, finished: 3, failed: 1 }],
    [10 * MINUTE, { status: 'complete', percent: 100, finished: 3 }],
  ];
  for (const [at, facts] of polls)
    progress.report(
      { status: 'processing', percent: undefined, finished: 0, failed: 0, retried: 0, assets: 3, ...facts },
      at,
    );

  expect(lines).toEqual([
    'Submission S: submitted (after 0 s)',
    'Submission S: processing, 10 %, 0 of 3 assets finished (after 1 s)',
    'Submission S: processing, 10 %, 1 of 3 assets finished (after 3 s)',
    'Submission S: processing, 10 %, 1 of 3 assets finished (after 63 s)',
    'Submission S: failed, 2 of 3 assets finished, 1 being retried (after 6 min 0 s)',
    'Submission S: ended, 2 of 3 assets finished, 1 failed (after 8 min 0 s)',
    'Submission S: complete, 3 of 3 assets finished (after 10 min 0 s)',
  ]);
  expect(progress.last).toBe('complete, 3 of 3 assets finished');
});

describe('why a wait ended', () => {
  const open = { submissionId: 'S', contents: [] };

  it.each([
    [503, true],
    [429, true],
    [404, false],
  ])('%i: the analysis may go on: %s', (status, isOpen) => {
    const cause = explainEnd(new ServiceError('reading the submission', refusal(status)), open);
    expect(cause.message.includes('may still be analysing submission S')).toBe(isOpen);
    expect(cause.isSubmissionOpen ?? false).toBe(isOpen);
  });

  it.each([
    [10_000, 'after 1 minute: '],
    [90_000, 'after 2 minutes: '],
  ])('after %i ms', (waitedMs, text) => {
    const cause = explainTimeout(open, waitedMs, '');
    expect(cause.message).toContain(text);
    expect(cause).toMatchObject({ reason: 'timeout', isSubmissionOpen: true });
  });
});
