import { describe, expect, it } from 'vitest';
import type { Waiver } from '../../src/inputs/waivers-file.ts';
import type { Cause } from '../../src/lib/cause.ts';
import { parsePattern } from '../../src/media/patterns.ts';
import type { Plan, SendReason } from '../../src/plan/plan.ts';
import { renderPredicate } from '../../src/report/cleared.ts';
import { renderComment } from '../../src/report/comment.ts';
import { renderHtml } from '../../src/report/html.ts';
import { renderJson } from '../../src/report/json.ts';
import { renderJunit } from '../../src/report/junit.ts';
import { renderSummary } from '../../src/report/summary.ts';
import { explain, ServiceError } from '../../src/service/service-error.ts';
import { newTrail, type Trail } from '../../src/verdict/trail.ts';
import { Waivers } from '../../src/verdict/waivers.ts';
import { content, issue, notSent, reportOf, result, reused, sent } from './trails.ts';

const down: Cause = { reason: 'service', message: 'The service answered 503.', fix: 'Wait.' };
const known = reused([result(content('a'))]);
const reuse = known.plan?.reuse ?? [];
const withSubmit: Plan = {
  reuse,
  submit: [{ content: content('b'), why: 'new', previousSubmissionId: undefined }],
  await: [],
  unknownPointers: [],
};
const withAwait: Plan = {
  reuse,
  submit: [],
  await: [{ submissionId: 's2', createdAt: '2026-11-14T10:00:00.000Z', contents: [content('b')] }],
  unknownPointers: [],
};

function waiverOf(path: string): Waiver {
  const pattern = parsePattern(path, { workspace: '', windows: false });
  if (typeof pattern === 'string') throw new Error(pattern);
  return { rule: 'R', path: pattern, owner: 'legal', reason: 'agreed', expires: '2026-12-31', line: 1 };
}

describe('buildReport', () => {
  it('passes where everything is judged', () => {
    expect(reportOf(sent([result(content('a'))]))).toMatchObject({
      verdict: 'pass',
      green: true,
      counts: { filesSubmitted: 1 },
    });
  });

  it('never passes a file that nobody has judged, even where nothing says why', () => {
    const told = reportOf(sent([result(content('a')), result(content('b'), { outcome: 'unjudged' })]));
    expect(told).toMatchObject({ verdict: 'error', reason: 'results', green: false });
    expect(told.causes).toEqual([expect.objectContaining({ path: 'b' })]);
  });

  it('never passes a file that was to be sent and has no result at all', () => {
    const trail = sent([result(content('a'))]);
    expect(reportOf({ ...trail, analysed: [] })).toMatchObject({ verdict: 'error', reason: 'results', green: false });
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
    const told = reportOf(
      sent([
        result(content('clean')),
        result(content('minor'), { issues: [issue('MINOR')] }),
        result(content('bad'), { issues: [issue('MINOR'), issue('CRITICAL')] }),
      ]),
    );
    expect(told.assets.map(({ paths }) => paths[0])).toEqual(['bad', 'minor', 'clean']);
    expect(told.assets[0]?.issues.map(({ url }) => url)).toEqual([
      'https://service.example/CRITICAL%201?of=asset-bad',
      'https://service.example/MINOR%201?of=asset-bad',
    ]);
    expect(told.highestSeverity).toBe('CRITICAL');
  });

  it.each<[SendReason, number]>([
    ['analysed too long ago', 1],
    ['gone from the service', 1],
    ['failed before', 1],
    ['never finished', 1],
    ['new', 0],
    ['changed', 0],
    ['other sidekicks', 0],
  ])('counts what an earlier run had paid for: %s: %i', (why, paidAgain) => {
    const trail = sent([result(content('a'))]);
    const submit = trail.plan?.submit.map((entry) => ({ ...entry, why })) ?? [];
    const plan: Plan = { reuse: [], await: [], unknownPointers: [], submit };
    expect(reportOf({ ...trail, plan }).counts.paidAgain).toBe(paidAgain);
    expect(reportOf({ ...notSent([]), plan }).counts.paidAgain).toBe(0);
  });

  it.each<[string, Trail, string]>([
    ['all is reused', known, 'reused'],
    ['something was to be sent, and was not', { ...known, plan: withSubmit, stoppedBy: [down] }, ''],
    ['something was to be awaited', { ...known, plan: withAwait, stoppedBy: [down] }, ''],
    ['it was a dry run', { ...known, skipped: down }, ''],
  ])('calls the submission by what it is where %s', (_, trail, status) => {
    expect(reportOf(trail).submission.status).toBe(status);
  });

  it('calls no waiver idle whose file was not judged', () => {
    const waivers = new Waivers(['judged', 'failed', 'elsewhere'].map(waiverOf), new Date('2026-11-15'));
    const failed = result(content('failed'), { outcome: 'failed', causes: [down] });
    expect(reportOf(sent([result(content('judged')), failed], { waivers })).notices).toEqual([
      expect.stringContaining('No issue matches the waiver of R for judged'),
    ]);
  });

  it.each([
    ['error', 'To let merges through in an outage, set `on-service-error: warn`.'],
    ['warn', 'Until then, these files have not been judged.'],
  ] as const)('advises on an outage where on-service-error is %s: %s', (onServiceError, advice) => {
    const error = new ServiceError('reading the submission', {
      kind: 'status',
      status: 503,
      words: '',
      location: undefined,
      retryAfter: undefined,
    });
    const trail = notSent([result(content('a'))], { stoppedBy: [explain(error)] });
    const told = reportOf({ ...trail, ...(trail.inputs && { inputs: { ...trail.inputs, onServiceError } }) });
    expect(told.green).toBe(onServiceError === 'warn');
    const fix = `Re-run the job when the service is well again. ${advice}`;
    expect(told.nextSteps).toEqual([fix]);
    expect(told.causes.map((cause) => cause.fix)).toEqual([fix]);
  });

  it('judges strictly where the inputs could not be read', () => {
    const stoppedBy = [{ reason: 'bad-input', message: 'm', fix: 'f' }] as const;
    expect(reportOf({ ...newTrail(), stoppedBy })).toMatchObject({
      verdict: 'error',
      reason: 'bad-input',
      green: false,
      mode: '',
    });
  });
});

describe('a verdict from memory', () => {
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

  it('is told as such wherever it is told', () => {
    const media =
      'The service answered 503. No file has changed, so the last known verdict stands; the oldest analysis is of 2026-11-01.';
    for (const page of [renderSummary(pass), renderComment(pass, 'x'), renderHtml(pass)]) expect(page).toContain(media);
    expect(renderHtml(pass)).toContain('<div class="card verdict warn">');
    expect(renderJunit(pass)).toContain('<property name="last-known" value="2026-11-01T10:00:00.000Z"/>');
    expect(JSON.parse([...renderJson(pass)].join(''))).toMatchObject({ lastKnown: pass.lastKnown });
    expect(JSON.parse(renderPredicate(pass))).toMatchObject({ verdict: 'pass', statuses: 'last known' });
  });

  it('is none where the service was asked', () => {
    const asked = reportOf(reused([result(content('a'))]));
    expect(asked.lastKnown).toBeUndefined();
    expect(asked.headline).toBe('1 file checked, no active issues');
    expect(JSON.parse([...renderJson(asked)].join(''))).toMatchObject({ lastKnown: null });
    expect(JSON.parse(renderPredicate(asked))).toMatchObject({ statuses: 'read' });
  });

  it('is also the part of a verdict that an outage cut short', () => {
    const trail = reused([result(content('a'), { issues: [issue('CRITICAL')] })], { outage: down, stoppedBy: [down] });
    const told = reportOf({ ...trail, plan: { ...withSubmit, reuse: trail.plan?.reuse ?? [] } });
    expect(told.verdict).toBe('fail');
    expect(told.headline).toContain('as known on 2026-11-01');
    expect(told.lastKnown?.message).not.toContain('No file has changed');
  });
});
