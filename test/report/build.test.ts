import { describe, expect, it } from 'vitest';
import { type Cause, rerun } from '../../src/lib/cause.ts';
import { parsePattern } from '../../src/media/patterns.ts';
import type { Plan, SendReason } from '../../src/plan/plan.ts';
import { renderPredicate } from '../../src/report/cleared.ts';
import { renderJson } from '../../src/report/json.ts';
import { renderPage } from '../../src/report/page/page.ts';
import { renderComment, renderSummary } from '../../src/report/summary.ts';
import type { Waiver } from '../../src/waivers/file.ts';
import { Waivers } from '../../src/waivers/waivers.ts';
import {
  AWAIT,
  content,
  failedBy,
  issue,
  NEW,
  notSent,
  planOf,
  reportOf,
  result,
  reused,
  type SampleRun,
  sent,
  skippedBy,
} from './runs.ts';

const down: Cause = { reason: 'service', message: 'The service answered 503.', steps: [rerun('Wait.')] };
const known = reused([result(content('a'))]);
const stopped = failedBy(down);
const withSubmit = knownAnd(planOf([content('b')]));
const withAwait = knownAnd(planOf([content('b')], AWAIT));

function knownAnd({ contents }: Plan): Plan {
  return { contents: [...known.found.plan.contents, ...contents], open: [], unknownPointers: [] };
}

function waiverOf(path: string): Waiver {
  const pattern = parsePattern(path, { windows: false });
  if (typeof pattern === 'string') throw new Error(pattern);
  return { rule: 'R', path: pattern, owner: 'legal', reason: 'agreed', expires: '2026-12-31', line: 1 };
}

describe('buildReport', () => {
  it('never passes a file that was not judged, even if no step reported why, or has no result at all', () => {
    const unjudged = { verdict: 'error', reason: 'internal', isPassing: false, causes: [{ paths: ['b'] }] };
    const b = result(content('b'), { outcome: 'unjudged' });
    expect(reportOf(sent([result(content('a')), b]))).toMatchObject(unjudged);
    expect(reportOf(sent([b], { analyses: [] }))).toMatchObject(unjudged);
  });

  it('counts issues once and files by path', () => {
    const copied = result(content('a', ['a', 'b']), {
      issues: [issue('CRITICAL'), issue('INFO', { status: 'RESOLVED' })],
    });
    const issues = { issues: 1, failing: 1, ignored: 1, newIssues: 1, bySeverity: { CRITICAL: 1, INFO: 0 } };
    expect(reportOf(sent([copied])).counts).toMatchObject({ ...issues, filesMatched: 2, filesSubmitted: 2 });
  });

  it('puts the worst first, and a link on each issue', () => {
    const minor = result(content('minor'), { issues: [issue('MINOR')] });
    const bad = result(content('bad'), { issues: [issue('MINOR'), issue('CRITICAL')] });
    const report = reportOf(sent([result(content('clean')), minor, bad]));
    expect(report.contents.map(({ paths }) => paths[0])).toEqual(['bad', 'minor', 'clean']);
    expect(report.contents[0]?.issues.map(({ url }) => url)).toEqual([
      'https://service.example/CRITICAL%201?of=asset-bad',
      'https://service.example/MINOR%201?of=asset-bad',
    ]);
    expect(report.highestSeverity).toBe('CRITICAL');
  });

  it.each<[SendReason, boolean]>([
    ['earlier result too old', true],
    ['no longer at the service', true],
    ['earlier analysis failed', true],
    ['earlier analysis never finished', true],
    ['new', false],
    ['changed', false],
    ['sidekicks changed', false],
  ])('says whether an earlier run had paid for it: %s: %s', (why, isPaidAgain) => {
    const plan = planOf([content('a')], { ...NEW, why });
    expect(reportOf(sent([result(content('a'))], { plan })).contents).toMatchObject([{ isPaidAgain }]);
    expect(reportOf(notSent([], { plan })).contents).toMatchObject([{ isPaidAgain: false }]);
  });

  it.each<[string, SampleRun, string]>([
    ['everything is reused', known, 'reused'],
    ['something was planned to be sent, and was not', reused([], { plan: withSubmit, ...stopped }), ''],
    ['something was planned to be awaited', reused([], { plan: withAwait, ...stopped }), ''],
    ['it was a dry run', reused([result(content('a'))], { analyses: [], ...skippedBy(down) }), ''],
  ])('has the submission status if %s', (_, run, status) => {
    expect(reportOf(run).submission.status).toBe(status);
  });

  it('reports no waiver as unused if its file was not judged', () => {
    const waivers = new Waivers(['judged', 'failed', 'elsewhere'].map(waiverOf), new Date('2026-11-15'));
    const failed = result(content('failed'), { outcome: 'failed', causes: [down] });
    expect(reportOf(sent([result(content('judged')), failed], { waivers })).notices).toEqual([
      expect.stringContaining('Not applied: the waiver of R for judged'),
    ]);
  });

  it.each([
    ['error', true],
    ['warn', false],
  ] as const)('gives advice on an outage, if on-service-error is %s: %s', (onServiceError, isAdvised) => {
    const { found, inputs } = notSent([result(content('a'))], stopped);
    const report = reportOf({ found, inputs: { ...inputs, policy: { ...inputs.policy, onServiceError } } });
    expect(report.nextSteps).toEqual([
      { actor: 'anyone', text: 'Wait.', link: report.run.url },
      ...(isAdvised
        ? [{ actor: 'workflow owner', text: expect.stringContaining('`COMPLIANCE_ON_SERVICE_ERROR`') }]
        : []),
    ]);
  });

  it.each([
    ['/state.json', 'goes on waiting for this submission'],
    ['', 'It submits and bills all files again'],
  ])('says what a re-run costs if the state is in %j: %s', (stateFile, expected) => {
    const late: Cause = { reason: 'timeout', message: 'Late.', steps: [rerun('Wait.')], submission: 'open' };
    const report = reportOf(sent([], { ...failedBy(late), stateFile }));
    expect(report.causes[0]?.steps[0]?.note).toContain(expected);
  });
});

describe('a last known verdict', () => {
  const pass = reportOf(reused([result(content('a')), result(content('b'))], { lastKnownCause: down }));

  it('is marked as last known in every report', () => {
    const media =
      'The service answered 503. No file has changed, so the last known verdict stands; the oldest analysis is from 2026-11-01.';
    for (const page of [renderSummary(pass), renderComment(pass, ''), renderPage(pass)]) expect(page).toContain(media);
    expect(JSON.parse(renderJson(pass))).toMatchObject({ lastKnown: pass.lastKnown });
    expect(JSON.parse(renderPredicate(pass))).toMatchObject({ verdict: 'pass', statuses: 'last known' });
  });

  it('of a single file, after a rate limit, is in the predicate', () => {
    const unread = result(content('a'), { issues: [issue('MINOR')], lastKnownAt: '2026-11-01T10:00:00Z' });
    const statuses = (results: readonly (typeof unread)[]): unknown =>
      JSON.parse(renderPredicate(reportOf(reused(results)))).statuses;
    expect(statuses([unread, result(content('b'))])).toBe('last known');
    expect(statuses([result(content('b'))])).toBe('read');
  });

  it('is also reported if an outage interrupted the run', () => {
    const failing = result(content('a'), { issues: [issue('CRITICAL')] });
    const report = reportOf(reused([failing], { lastKnownCause: down, plan: withSubmit, ...stopped }));
    expect(report.verdict).toBe('fail');
    expect(report.headline).toContain('as known on 2026-11-01');
    expect(report.lastKnown?.message).not.toContain('No file has changed');
  });
});
