import { describe, expect, it } from 'vitest';
import type { Policy } from '../../src/inputs/inputs.ts';
import type { Cause, Reason } from '../../src/lib/cause.ts';
import { judge } from '../../src/verdict/judge.ts';
import type { Outcome } from '../../src/verdict/outcome.ts';
import { content, failedBy, issue, result, sent, skippedBy, unstarted } from '../report/runs.ts';

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
    expect(judge(outcome, POLICY)).toMatchObject({ name: 'skipped', reason: 'no-files', isPassing: true });
  });
});
