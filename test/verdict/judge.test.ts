import { describe, expect, it } from 'vitest';
import type { Policy } from '../../src/inputs/inputs.ts';
import type { Cause, Reason } from '../../src/lib/cause.ts';
import { parsePattern } from '../../src/media/patterns.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { WaitedSubmission } from '../../src/service/wait.ts';
import { Baseline, NO_HISTORY } from '../../src/verdict/baseline.ts';
import { judge } from '../../src/verdict/judge.ts';
import type { Outcome } from '../../src/verdict/outcome.ts';
import { Waivers } from '../../src/waivers/waivers.ts';
import { content, failedBy, issue, result, reused, sent, skippedBy, unstarted } from '../report/runs.ts';
import { document, known, knownPath } from '../state/samples.ts';

const POLICY: Policy = {
  failOnSeverity: 'CRITICAL',
  failOnIssues: 'all',
  ignoreStatuses: [],
  onServiceError: 'error',
};
const FORGIVING: Policy = { ...POLICY, onServiceError: 'warn' };

function because(reason: Reason): Cause {
  return { reason, message: 'm', fix: 'f' };
}

function failed(...reasons: readonly Reason[]): Outcome {
  return unstarted(failedBy(...reasons.map(because))).outcome;
}

function cancelledBy(reason: Reason): Outcome {
  return unstarted({ kind: 'cancelled', causes: [because(reason)] }).outcome;
}

const CLEAN = result(content('a'));
const CRITICAL = result(content('a'), { issues: [issue('CRITICAL')] });

const UNFORGIVABLE: readonly Reason[] = [
  'asset-failed',
  'pre-flight',
  'bad-input',
  'no-key',
  'auth',
  'plan',
  'refused',
  'results',
  'checkout',
  'no-files',
  'github',
  'internal',
];
const SERVICE_FAULTS: readonly Reason[] = ['service', 'timeout'];

describe('judge', () => {
  it('passes if everything was judged and nothing fails', () => {
    expect(judge(sent([CLEAN]).outcome, POLICY)).toMatchObject({
      name: 'pass',
      reason: '',
      isPassing: true,
      causes: [],
    });
  });

  it('fails on an issue, whatever else went wrong', () => {
    const failing = { name: 'fail', reason: 'issues', isPassing: false };
    expect(judge(sent([CRITICAL]).outcome, POLICY)).toMatchObject(failing);
    const { outcome } = sent([CRITICAL], {}, failedBy(because('service')));
    expect(judge(outcome, FORGIVING)).toMatchObject({ ...failing, causes: [because('service')] });
  });

  it.each([...UNFORGIVABLE, ...SERVICE_FAULTS])('is a failing error because of %s', (reason) => {
    expect(judge(failed(reason), POLICY)).toMatchObject({ name: 'error', reason, isPassing: false });
  });

  it.each(UNFORGIVABLE)('still fails because of %s under on-service-error: warn', (reason) => {
    expect(judge(failed(reason), FORGIVING).isPassing).toBe(false);
  });

  it.each(SERVICE_FAULTS)('passes despite %s under on-service-error: warn', (reason) => {
    expect(judge(failed(reason), FORGIVING)).toMatchObject({ name: 'error', reason, isPassing: true });
  });

  it('passes an error only if every cause is the service', () => {
    const mixed = failed('timeout', 'pre-flight', 'service');
    expect(judge(mixed, FORGIVING)).toMatchObject({ name: 'error', reason: 'pre-flight', isPassing: false });
  });

  it('never passes a cancelled run', () => {
    expect(judge(cancelledBy('cancelled'), FORGIVING)).toMatchObject({ name: 'error', reason: 'cancelled' });
    expect(judge(cancelledBy('service'), FORGIVING).isPassing).toBe(false);
  });

  it('is skipped if there was nothing to judge', () => {
    const { outcome } = unstarted(skippedBy(because('no-files')));
    expect(judge(outcome, POLICY)).toMatchObject({
      name: 'skipped',
      reason: 'no-files',
      isPassing: true,
      causes: [because('no-files')],
    });
  });

  const AWAITED: Plan = {
    toSubmit: [],
    toReuse: [],
    toAwait: [{ submissionId: 's0', createdAt: '2026-11-01T10:00:00.000Z', contents: [content('a')] }],
    unknownPointers: [],
  };

  it.each([
    ['sent', sent([CRITICAL])],
    ['reused', reused([CRITICAL])],
    ['awaited', sent([CRITICAL], { plan: AWAITED })],
  ])('fails on an issue of a file that was %s', (_, { outcome }) => {
    expect(judge(outcome, POLICY)).toMatchObject({ name: 'fail', contents: [{ content: { paths: ['a'] } }] });
  });

  const UNREAD = { outcome: 'unjudged', causes: [] } as const;
  it.each([
    ['without a result, sent', sent([CLEAN], { analysed: [] })],
    ['without a result, reused', reused([CLEAN], { reused: [] })],
    ['without a result, awaited', sent([CLEAN], { plan: AWAITED, analysed: [] })],
    ['that was not judged', sent([result(content('a'), UNREAD)])],
  ])('never passes a file %s, even if no step gave a reason', (_, { outcome }) => {
    expect(judge(outcome, FORGIVING)).toMatchObject({
      name: 'error',
      reason: 'internal',
      isPassing: false,
      causes: [{ path: 'a' }],
    });
  });

  const INTERRUPTED: WaitedSubmission = {
    submission: { submissionId: 's1', contents: [] },
    status: 'processing',
    errorMessage: undefined,
    workflowId: undefined,
    assets: [],
    isTrusted: true,
    interruptedBy: because('timeout'),
  };

  it('names every cause: that of the end, of the wait, of reused and of analysed files', () => {
    const causedBy = (reason: Reason) => result(content(reason), { outcome: 'unjudged', causes: [because(reason)] });
    const found = {
      waited: [{ ...INTERRUPTED, interruptedBy: undefined }, INTERRUPTED],
      reused: [causedBy('refused')],
      analysed: [causedBy('asset-failed')],
    };
    const { causes } = judge(sent([CLEAN], found, failedBy(because('github'))).outcome, POLICY);
    expect(causes.map(({ reason }) => reason)).toEqual(['github', 'timeout', 'refused', 'asset-failed']);
  });

  it('leaves out what the base has or a waiver covers', () => {
    const baseline = new Baseline(
      document({
        contents: [known('a', { sha256: 'a', issues: [issue('CRITICAL')] })],
        paths: [knownPath('a', 'a', { sha256: 'a' })],
      }),
    );
    const compared = sent([CRITICAL], { history: { ...NO_HISTORY, baseline } });
    expect(judge(compared.outcome, { ...POLICY, failOnIssues: 'new' }).name).toBe('pass');
    const path = parsePattern('a', { windows: false });
    if (typeof path === 'string') throw new Error(path);
    const waiver = { rule: 'R', path, owner: 'legal', reason: 'agreed', expires: '2999-01-01', line: 1 };
    const waived = sent([CRITICAL], { waivers: new Waivers([waiver], new Date()) });
    expect(judge(waived.outcome, POLICY)).toMatchObject({
      name: 'pass',
      contents: [{ issues: [{ standing: 'waived' }] }],
    });
  });
});
