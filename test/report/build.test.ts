import { describe, expect, it } from 'vitest';
import type { Cause } from '../../src/lib/cause.ts';
import { parsePattern } from '../../src/media/patterns.ts';
import type { Plan, SendReason } from '../../src/plan/plan.ts';
import { renderPredicate } from '../../src/report/cleared.ts';
import { renderJson } from '../../src/report/json.ts';
import { renderJunit } from '../../src/report/junit.ts';
import { renderPage } from '../../src/report/page/page.ts';
import { renderComment, renderSummary } from '../../src/report/summary.ts';
import { explain } from '../../src/service/advice.ts';
import { ServiceError } from '../../src/service/service-error.ts';
import { EarlierState } from '../../src/state/earlier-state.ts';
import { NO_HISTORY } from '../../src/verdict/findings.ts';
import type { Waiver } from '../../src/waivers/file.ts';
import { Waivers } from '../../src/waivers/waivers.ts';
import { document, known as knownContent } from '../state/samples.ts';
import {
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
  unstarted,
} from './runs.ts';

const down: Cause = { reason: 'service', message: 'The service answered 503.', fix: 'Wait.' };
const known = reused([result(content('a'))]);
const stopped = failedBy(down);
const withSubmit = knownAnd(planOf([content('b')]));
const withAwait = knownAnd(
  planOf([content('b')], { kind: 'await', submissionId: 's2', createdAt: '2026-11-14T10:00:00.000Z', assetIds: [] }),
);

function knownAnd({ contents }: Plan): Plan {
  return { contents: [...known.found.plan.contents, ...contents], unknownPointers: [] };
}

function waiverOf(path: string): Waiver {
  const pattern = parsePattern(path, { windows: false });
  if (typeof pattern === 'string') throw new Error(pattern);
  return { rule: 'R', path: pattern, owner: 'legal', reason: 'agreed', expires: '2026-12-31', line: 1 };
}

it.each([
  ['', true],
  ['one secret', false],
])('a refused key is said to open the state as well, unless `state-key` is %j', (key, isSaid) => {
  const refused: Cause = { reason: 'auth', message: 'The key was refused.', fix: 'Update it.' };
  const history = { ...NO_HISTORY, earlierState: new EarlierState([document({ contents: [knownContent('a')] })]) };
  const { found, inputs } = reused([result(content('a'))], { history, ...failedBy(refused) });
  const report = reportOf({ found, inputs: { ...inputs, stateKey: key || undefined } });
  expect(report.causes[0]?.fix.includes('`state-key`')).toBe(isSaid);
});

describe('buildReport', () => {
  it('passes if everything is judged', () => {
    expect(reportOf(sent([result(content('a'))]))).toMatchObject({
      verdict: 'pass',
      isPassing: true,
      counts: { filesSubmitted: 1 },
    });
  });

  it('never passes a file that was not judged, even if no step reported why', () => {
    const report = reportOf(sent([result(content('a')), result(content('b'), { outcome: 'unjudged' })]));
    expect(report).toMatchObject({ verdict: 'error', reason: 'internal', isPassing: false });
    expect(report.causes).toEqual([expect.objectContaining({ path: 'b' })]);
  });

  it('never passes a file that was to be sent and has no result at all', () => {
    const run = sent([result(content('a'))], { analysed: [] });
    expect(reportOf(run)).toMatchObject({ verdict: 'error', reason: 'internal', isPassing: false });
  });

  it('counts issues once and files by path', () => {
    const copied = result(content('a', ['a', 'b']), {
      issues: [issue('CRITICAL'), issue('INFO', { status: 'RESOLVED' })],
    });
    expect(reportOf(sent([copied])).counts).toMatchObject({
      issues: 1,
      failing: 1,
      ignored: 1,
      newIssues: 1,
      filesMatched: 2,
      filesSubmitted: 2,
      bySeverity: { CRITICAL: 1, INFO: 0 },
    });
  });

  it('puts the worst first, and a link on each issue', () => {
    const report = reportOf(
      sent([
        result(content('clean')),
        result(content('minor'), { issues: [issue('MINOR')] }),
        result(content('bad'), { issues: [issue('MINOR'), issue('CRITICAL')] }),
      ]),
    );
    expect(report.assets.map(({ paths }) => paths[0])).toEqual(['bad', 'minor', 'clean']);
    expect(report.assets[0]?.issues.map(({ url }) => url)).toEqual([
      'https://service.example/CRITICAL%201?of=asset-bad',
      'https://service.example/MINOR%201?of=asset-bad',
    ]);
    expect(report.highestSeverity).toBe('CRITICAL');
  });

  it.each<[SendReason, number]>([
    ['earlier result too old', 1],
    ['no longer at the service', 1],
    ['earlier analysis failed', 1],
    ['earlier analysis never finished', 1],
    ['new', 0],
    ['changed', 0],
    ['sidekicks changed', 0],
  ])('counts what an earlier run had paid for: %s: %i', (why, paidAgain) => {
    const plan = planOf([content('a')], { ...NEW, why });
    expect(reportOf(sent([result(content('a'))], { plan })).counts.paidAgain).toBe(paidAgain);
    expect(reportOf(notSent([], { plan })).counts.paidAgain).toBe(0);
  });

  it.each<[string, SampleRun, string]>([
    ['everything is reused', known, 'reused'],
    ['something was planned to be sent, and was not', reused([], { plan: withSubmit, ...stopped }), ''],
    ['something was planned to be awaited', reused([], { plan: withAwait, ...stopped }), ''],
    ['it was a dry run', reused([result(content('a'))], { reused: [], ...skippedBy(down) }), ''],
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
    ['error', '`COMPLIANCE_ON_SERVICE_ERROR`, which the examples read into `on-service-error`, to `warn`'],
    ['warn', 'Until then, these files are not judged.'],
  ] as const)('gives advice on an outage if on-service-error is %s: %s', (onServiceError, advice) => {
    const error = new ServiceError('reading the submission', {
      kind: 'status',
      status: 503,
      message: '',
      location: undefined,
      retryAfter: undefined,
    });
    const { found, inputs } = notSent([result(content('a'))], failedBy(explain(error)));
    const policy = { ...inputs.policy, onServiceError };
    const report = reportOf({ found, inputs: { ...inputs, policy } });
    expect(report.isPassing).toBe(onServiceError === 'warn');
    expect(report.nextSteps).toEqual([expect.stringContaining(advice)]);
    expect(report.causes.map((cause) => cause.fix)).toEqual(report.nextSteps);
  });

  it('judges strictly if the inputs could not be read', () => {
    expect(reportOf(unstarted(failedBy({ reason: 'bad-input', message: 'm', fix: 'f' })))).toMatchObject({
      verdict: 'error',
      reason: 'bad-input',
      isPassing: false,
      mode: '',
    });
  });
});

describe('a last known verdict', () => {
  const pass = reportOf(reused([result(content('a')), result(content('b'))], { outage: down }));
  const fail = reportOf(reused([result(content('a'), { issues: [issue('CRITICAL')] })], { outage: down }));

  it('says so in its first line, whether it passes or fails', () => {
    expect(pass).toMatchObject({ verdict: 'pass', lastKnown: { since: '2026-11-01T10:00:00.000Z' } });
    expect(pass.headline).toBe(
      '2 files checked, no active issues, as known on 2026-11-01: the service did not answer today',
    );
    expect(fail.headline).toBe(
      '1 CRITICAL issue in 1 of 1 file, as known on 2026-11-01: the service did not answer today',
    );
  });

  it('is marked as last known in every report', () => {
    const media =
      'The service answered 503. No file has changed, so the last known verdict stands; the oldest analysis is from 2026-11-01.';
    for (const page of [renderSummary(pass), renderComment(pass, 'x'), renderPage(pass)]) expect(page).toContain(media);
    expect(renderJunit(pass)).toContain('<property name="last-known" value="2026-11-01T10:00:00.000Z"/>');
    expect(JSON.parse(renderJson(pass))).toMatchObject({ lastKnown: pass.lastKnown });
    expect(JSON.parse(renderPredicate(pass))).toMatchObject({ verdict: 'pass', statuses: 'last known' });
  });

  it('is not reported if the service answered', () => {
    const asked = reportOf(reused([result(content('a'))]));
    expect(asked.lastKnown).toBeUndefined();
    expect(asked.headline).toBe('1 file checked, no active issues');
    expect(JSON.parse(renderJson(asked))).toMatchObject({ lastKnown: null });
    expect(JSON.parse(renderPredicate(asked))).toMatchObject({ statuses: 'read' });
  });

  it('is also reported if an outage interrupted the run', () => {
    const failing = result(content('a'), { issues: [issue('CRITICAL')] });
    const report = reportOf(reused([failing], { outage: down, plan: withSubmit, ...stopped }));
    expect(report.verdict).toBe('fail');
    expect(report.headline).toContain('as known on 2026-11-01');
    expect(report.lastKnown?.message).not.toContain('No file has changed');
  });
});
