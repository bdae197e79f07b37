import { expect, it } from 'vitest';
import type { Cause, Reason } from '../../src/causes/cause.ts';
import type { Findings } from '../../src/findings.ts';
import type { Policy } from '../../src/inputs/parse.ts';
import { NO_HISTORY } from '../../src/state/store.ts';
import { countedContents, judge } from '../../src/verdict/judge.ts';
import { issue, type Result, result } from '../builders/analyses.ts';
import { content } from '../builders/media.ts';
import { planOf, reused, sent, skippedBy, unstarted } from '../builders/runs.ts';
import { analysed } from '../builders/states.ts';

const ISSUES = { failOnSeverity: 'CRITICAL', failOnIssues: 'all', ignoreStatuses: [] } as const;
const POLICY: Policy = { ...ISSUES, onServiceError: 'error' };

function because(reason: Reason): Cause {
  return { reason, message: 'm', steps: [] };
}

function failed(...reasons: readonly Reason[]): Partial<Findings> {
  return { causes: reasons.map(because) };
}

function unjudgedBy(reason?: Reason) {
  return result(content(reason ?? ''), { outcome: 'unclear', cause: reason && because(reason) });
}

/** The verdict, and the one under `on-service-error: warn` if it differs. */
function verdictOf({ found }: { readonly found: Findings }, rules: Partial<Policy> = {}): string {
  const [strict, lenient] = (['error', 'warn'] as const).map((onServiceError) => {
    const { name, reason, isPassing, causes } = judge(found, { ...POLICY, ...rules, onServiceError });
    const { path } = causes[0] ?? {};
    return [name, reason, path, isPassing ? 'green' : 'red'].filter(Boolean).join(' ');
  });
  return strict === lenient ? `${strict}` : `${strict}, or ${lenient}`;
}

const CLEAN = result(content('a'));
const CRITICAL = result(content('a'), { issues: [issue()] });
const UNPROVEN = { ...unjudgedBy('results'), issues: [issue()] };
const UNPROVEN_A = { ...UNPROVEN, content: content('a') };
const TIMED_OUT = result(content('a'), { outcome: 'working', submissionId: 's2', cause: because('timeout') });
const NEWER = result(content('a'), { submissionId: 's2' });
const FAILED_SINCE = { ...NEWER, outcome: 'failed', cause: because('asset-failed'), isSuspicious: true } as const;
const LATE = unjudgedBy('timeout');
/** The same analysis, if an outage prevented its read. */
function unread(analysis: Result): Result {
  return { ...analysis, outcome: 'last-known', issues: [], cause: because('service') };
}

const DISMISSED = { ...UNPROVEN, content: content('a'), issues: [issue({ status: 'DISMISSED' })] };

it.each<[string, { readonly found: Findings }, string]>([
  ['everything was judged', sent([CLEAN]), 'pass green'],
  ['an issue of a file that was sent', sent([CRITICAL]), 'fail issues red'],
  ['an issue of a file that was not judged', sent([UNPROVEN]), 'fail issues red'],
  [
    'an issue of an earlier submission, and the new one timed out',
    sent([TIMED_OUT], { analyses: [UNPROVEN_A, TIMED_OUT] }),
    'fail issues red',
  ],
  [
    'an issue of an earlier submission that the new one does not have',
    sent([NEWER], { analyses: [UNPROVEN_A, NEWER] }),
    'pass green',
  ],
  ['an issue, and the service failed', sent([CRITICAL], failed('service')), 'fail issues red'],
  ['the service failed', unstarted(failed('service')), 'error service red, or error service green'],
  ['a file that timed out', sent([CLEAN, unjudgedBy('timeout')]), 'error timeout red, or error timeout green'],
  ['a mixture', unstarted(failed('timeout', 'pre-flight', 'service')), 'error pre-flight red'],
  ['cancelled during an outage', unstarted({ ...failed('service'), isCancelled: true }), 'error service red'],
  ['skipped', unstarted(skippedBy(because('no-files'))), 'skipped no-files green'],
  ['an outage with everything reused', reused([CLEAN], { analyses: [unread(CLEAN)] }), 'pass green'],
  ['a state that was read later has a newer analysis', reused([NEWER], { analyses: [CRITICAL, NEWER] }), 'pass green'],
  ['an outage, and an issue is known', reused([CRITICAL], { analyses: [unread(CRITICAL)] }), 'fail issues red'],
  [
    'unread, and nothing is known',
    sent([{ ...unread(CLEAN), outcome: 'unread' }]),
    'error service red, or error service green',
  ],
  [
    'unread, and the service has reported something against it',
    sent([{ ...unread(CLEAN), outcome: 'unread', isSuspicious: true }]),
    'error service red',
  ],
  [
    'an outage, and a file with an older result failed when it was sent again',
    reused([CLEAN, LATE], { analyses: [CLEAN, FAILED_SINCE, LATE], sent: sent([FAILED_SINCE]).found.sent }),
    'error timeout red',
  ],
  ['no result for a file, and no step says why', sent([CLEAN], { analyses: [] }), 'error internal a red'],
  [
    'an outage ended the run before it had results',
    sent([CLEAN], { analyses: [], ...failed('service') }),
    'error service red, or error service green',
  ],
  ['a file that was not judged, without a cause', sent([unjudgedBy()]), 'error internal red'],
  [
    'the same beside an outage',
    sent([CLEAN, unjudgedBy('service')], { analyses: [unjudgedBy('service')] }),
    'error internal a red',
  ],
])('the verdict: %s', (_, run, expected) => {
  expect(verdictOf(run)).toBe(expected);
});

const KNOWN = analysed('a', { issues: [issue()] });

/** A run with one file whose earlier analysis has a CRITICAL issue. */
function knowing(found: Partial<Findings>) {
  const plan = planOf([content('a')]);
  const contents = plan.contents.map((each) => ({ ...each, records: [KNOWN] }));
  return sent([], { plan: { ...plan, contents }, ...found });
}

it.each<[string, Partial<Findings>, string]>([
  ['an outage', failed('service'), 'fail issues red'],
  ['a timeout', { analyses: [{ ...unjudgedBy('timeout'), content: content('a') }] }, 'fail issues red'],
  ['a refused key', failed('auth'), 'fail issues red'],
  ['it was judged again, without issues', { analyses: [CLEAN] }, 'pass green'],
  ['it was read again, and the issue is dismissed', { analyses: [DISMISSED] }, 'error results red'],
  ['a dry run', skippedBy(because('dry-run')), 'skipped dry-run green'],
  ['cancelled', { ...failed('cancelled'), isCancelled: true }, 'error cancelled red'],
])('a known CRITICAL issue counts until something newer is read: %s', (_, found, expected) => {
  expect(verdictOf(knowing(found), { ignoreStatuses: ['DISMISSED'] })).toBe(expected);
});

it('the analysis that an issue was read from decides whether the baseline has it', () => {
  const { submissionId, assetId, issues } = KNOWN;
  const baseline = [{ path: 'moved', submissionId, assetId, issues }];
  const late = { ...unjudgedBy('timeout'), content: content('a') };
  const run = knowing({ analyses: [late], history: { ...NO_HISTORY, isCompared: true, baseline } });
  expect(verdictOf(run, { failOnIssues: 'new' })).toMatch(/^error timeout red/);
});

it('of a file that was not judged, the issues of the earlier analysis are those that counted', () => {
  const counted = countedContents(knowing({ analyses: [TIMED_OUT] }).found).map((each) => each.counted);
  expect(counted).toEqual([KNOWN.submissionId]);
});

it.each<Reason>([
  ...(['asset-failed', 'pre-flight', 'bad-input', 'no-key', 'auth', 'plan'] as const),
  ...(['refused', 'results', 'checkout', 'no-files', 'github', 'internal'] as const),
])('an error because of %s is always red', (reason) => {
  expect(verdictOf(unstarted(failed(reason)))).toBe(`error ${reason} red`);
});

it('a dry run names the problems that would stop a real run first', () => {
  const { found } = unstarted({ ...skippedBy(because('dry-run')), ...failed('pre-flight') });
  const { causes, reason } = judge(found, POLICY);
  expect([reason, ...causes.map((cause) => cause.reason)]).toEqual(['dry-run', 'pre-flight', 'dry-run']);
});

it('the verdict names every cause once, whether it ended the run or belongs to a file', () => {
  const shared = because('timeout');
  const late = ['b', 'c'].map((name) => result(content(name), { outcome: 'unclear', cause: shared }));
  const { found } = sent([unjudgedBy('refused'), ...late], failed('github'));
  expect(judge(found, POLICY).causes.map(({ reason }) => reason)).toEqual(['github', 'refused', 'timeout']);
});
