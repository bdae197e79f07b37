import { describe, expect, it } from 'vitest';
import type { Cause, Reason } from '../../src/lib/cause.ts';
import { decide } from '../../src/verdict/verdict.ts';

const NOTHING = { failing: 0, causes: [], skipped: undefined, wasStopped: false, onServiceError: 'error' } as const;

function because(reason: Reason): Cause {
  return { reason, message: 'm', fix: 'f' };
}

const OURS: readonly Reason[] = [
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
];
const THEIRS: readonly Reason[] = ['service', 'timeout'];

describe('decide', () => {
  it('passes where everything was judged and nothing fails', () => {
    expect(decide(NOTHING)).toEqual({ name: 'pass', reason: '', green: true });
  });

  it('fails on an issue, whatever else went wrong', () => {
    expect(decide({ ...NOTHING, failing: 1 })).toEqual({ name: 'fail', reason: 'issues', green: false });
    const troubled = { ...NOTHING, failing: 1, causes: [because('service')], onServiceError: 'warn' } as const;
    expect(decide(troubled)).toEqual({ name: 'fail', reason: 'issues', green: false });
  });

  it.each([...OURS, ...THEIRS])('is a red error because of %s', (reason) => {
    expect(decide({ ...NOTHING, causes: [because(reason)] })).toEqual({ name: 'error', reason, green: false });
  });

  it.each(OURS)('stays red because of %s under on-service-error: warn', (reason) => {
    expect(decide({ ...NOTHING, causes: [because(reason)], onServiceError: 'warn' }).green).toBe(false);
  });

  it.each(THEIRS)('turns green because of %s under on-service-error: warn', (reason) => {
    expect(decide({ ...NOTHING, causes: [because(reason)], onServiceError: 'warn' })).toEqual({
      name: 'error',
      reason,
      green: true,
    });
  });

  it('turns green only where every cause is the service', () => {
    const mixed = {
      ...NOTHING,
      causes: [because('timeout'), because('pre-flight'), because('service')],
      onServiceError: 'warn',
    } as const;
    expect(decide(mixed)).toEqual({ name: 'error', reason: 'pre-flight', green: false });
  });

  it('never turns green where the run was stopped', () => {
    expect(decide({ ...NOTHING, causes: [because('timeout')], wasStopped: true, onServiceError: 'warn' }).green).toBe(
      false,
    );
  });

  it('is skipped only where nothing else is to be said', () => {
    expect(decide({ ...NOTHING, skipped: because('no-files') })).toEqual({
      name: 'skipped',
      reason: 'no-files',
      green: true,
    });
    expect(decide({ ...NOTHING, skipped: because('dry-run'), causes: [because('auth')] }).name).toBe('error');
  });
});
