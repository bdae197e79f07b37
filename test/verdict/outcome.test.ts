import { describe, expect, it } from 'vitest';
import { GitHubError } from '../../src/github/github-error.ts';
import { type Cause, GateError, Interruption } from '../../src/lib/cause.ts';
import { ServiceError } from '../../src/service/service-error.ts';
import { endingAfter, isDefect, skip } from '../../src/verdict/outcome.ts';
import { type Progress, STARTED } from '../../src/verdict/progress.ts';
import { content, result, sent } from '../report/runs.ts';
import { refusal } from '../service/things.ts';

const GITHUB_ERROR = new GitHubError('list artifacts', { trouble: 'refused', problem: 'p', fix: 'f' });
const CAUSE: Cause = { reason: 'pre-flight', message: 'm', fix: 'f' };
const DEFECT: Cause = { ...CAUSE, reason: 'internal' };

it("a request to GitHub that failed is GitHub's problem, not a defect of the action", () => {
  const ending = endingAfter(GITHUB_ERROR, STARTED);
  expect(ending).toEqual({
    kind: 'failed',
    causes: [{ reason: 'github', message: GITHUB_ERROR.message, fix: GITHUB_ERROR.fix }],
  });
  expect(isDefect({ progress: STARTED, ending })).toBe(false);
});

it('all causes are kept, and one that is a defect makes it one', () => {
  const ending = endingAfter(new GateError([CAUSE, DEFECT]), STARTED);
  expect(ending).toEqual({ kind: 'failed', causes: [CAUSE, DEFECT] });
  expect(isDefect({ progress: STARTED, ending })).toBe(true);
});

it.each([
  ['what a step reports', new GateError(CAUSE), 'pre-flight'],
  ['the service', new ServiceError('reading the submission', refusal(401)), 'auth'],
  ['GitHub', GITHUB_ERROR, 'github'],
  ['any other error', new TypeError('x'), 'internal'],
])('a run that is cancelled meanwhile is cancelled, whatever failed: %s', (_, error, reason) => {
  expect(endingAfter(error, STARTED)).toMatchObject({ kind: 'failed', causes: [{ reason }] });
  expect(endingAfter(error, STARTED, true)).toMatchObject({ kind: 'cancelled', causes: [{ reason }] });
});

it('a skipped check is not expected unless that is said', () => {
  expect(skip(CAUSE)).toEqual({ kind: 'skipped', cause: CAUSE, isExpected: false });
});

describe('a cancelled run', () => {
  const AWAITED = { submissionId: 's0', createdAt: '2026-11-01T10:00:00.000Z', contents: [content('b')] };
  const { progress } = sent([result(content('a'))]).outcome;
  const awaiting = { toSubmit: [], toReuse: [], toAwait: [AWAITED], unknownPointers: [] };

  it.each<[string, Progress, string]>([
    ['its own', sent([result(content('a'))], { plan: awaiting }).outcome.progress, 's1'],
    ['the one that it waits for', sent([], { plan: awaiting, submission: undefined }).outcome.progress, 's0'],
    ['its own, without another', progress, 's1'],
  ])('names the submission that is still open: %s', (_, at, id) => {
    expect(endingAfter(new Interruption('SIGINT'), at)).toMatchObject({
      kind: 'cancelled',
      causes: [{ reason: 'cancelled', message: expect.stringContaining(`submission ${id}.`), isSubmissionOpen: true }],
    });
  });

  it('has billed nothing if there is none', () => {
    const [cause] = endingAfter(new Interruption('SIGINT'), STARTED).causes;
    expect(cause?.fix).toContain('Nothing was billed');
    expect(cause?.isSubmissionOpen).toBeUndefined();
  });
});
