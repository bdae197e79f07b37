import { describe, expect, it } from 'vitest';
import { readContext } from '../../src/github/context.ts';
import { type Cause, FILE, preFlight, rerun, workflowOwner } from '../../src/lib/cause.ts';
import type { Plan, SendReason } from '../../src/plan/plan.ts';
import { renderPredicate } from '../../src/report/cleared.ts';
import { renderJson } from '../../src/report/json.ts';
import { renderPage } from '../../src/report/page/page.ts';
import { listIssues } from '../../src/report/report.ts';
import { renderComment, renderSummary } from '../../src/report/summary.ts';
import type { Analysis } from '../../src/service/analysis.ts';
import type { Severity } from '../../src/service/issue.ts';
import { joinStates } from '../../src/state/merge.ts';
import { Waivers } from '../../src/waivers/waivers.ts';
import { issue, type Result, result, waiver } from '../builders/analyses.ts';
import { content } from '../builders/media.ts';
import {
  AWAIT,
  failedBy,
  NEW,
  notSent,
  planOf,
  reportOf,
  reused,
  type SampleRun,
  sent,
  skippedBy,
  unstarted,
} from '../builders/runs.ts';
import { analysed, daysAgo, open, pathRecord } from '../builders/states.ts';

const down: Cause = { reason: 'service', message: 'The service responded with 503.', steps: [rerun('Wait.')] };
const known = reused([result(content('a'))]);
const stopped = failedBy(down);
const UNREAD = { workflowId: undefined, progressPercent: null, errorMessage: undefined } as const;
const withSubmit = knownAnd(planOf([content('b')]));
const withAwait = knownAnd(planOf([content('b')], AWAIT));

function knownAnd({ contents }: Plan): Plan {
  return { ...known.found.plan, contents: [...known.found.plan.contents, ...contents] };
}

function empty(path: string, message = 'Empty.'): Cause {
  return { ...preFlight(path, message, `Fill ${FILE}`), submissionId: 's1' };
}

function of(name: string, ...severities: readonly Severity[]): Result {
  return result(content(name), { issues: severities.map((severity) => issue({ severity })) });
}

describe('buildReport', () => {
  it('never passes a file that was not judged, even if no step reported why, or has no result at all', () => {
    const unjudged = { verdict: 'error', reason: 'internal', isPassing: false, causes: [{ paths: ['b'] }] };
    const b = result(content('b'), { outcome: 'unjudged' });
    expect(reportOf(sent([result(content('a')), b]))).toMatchObject(unjudged);
    expect(reportOf(sent([b], { analyses: [] }))).toMatchObject({ ...unjudged, contents: [{ outcome: 'unjudged' }] });
  });

  it('counts issues once and files by path', () => {
    const copied = result(content('a', ['a', 'b']), {
      issues: [issue(), issue({ severity: 'INFO', status: 'RESOLVED' })],
    });
    const issues = { issues: 1, failing: 1, ignored: 1, newIssues: 1, bySeverity: { CRITICAL: 1, INFO: 0 } };
    const files = { filesMatched: 2, filesSubmitted: 2, filesReused: 0, assetsSubmitted: 1 };
    expect(reportOf(sent([copied])).counts).toMatchObject({ ...issues, ...files });
    expect(reportOf(reused([copied])).counts).toMatchObject({ filesSubmitted: 0, filesReused: 2, assetsSubmitted: 0 });
    const waivers = new Waivers([waiver('a')], new Date('2026-11-15'));
    const alone = result(content('a'), { issues: [issue()] });
    expect(reportOf(sent([alone], { waivers })).counts).toMatchObject({ waived: 1, known: 0, failing: 0 });
    const lost = (['failed', 'unjudged'] as const).map((outcome) => result(content(outcome), { outcome }));
    expect(reportOf(sent(lost)).counts).toMatchObject({ assetsSubmitted: 2, assetsFailed: 1 });
    // A file that could not be read is in no content.
    const { discovery } = sent([copied, alone]).found;
    expect(reportOf(sent([copied], { discovery })).counts.filesMatched).toBe(3);
  });

  it('counts as new what the base branch does not have, whether or not that decides', () => {
    const old = issue({ severity: 'MINOR', ruleCode: 'OLD' });
    const changed = result(content('a'), { issues: [old, issue({ severity: 'MINOR', ruleCode: 'NEW' })] });
    const baseline = {
      contents: [analysed('', { sha256: 'a', issues: [old] })],
      paths: [pathRecord('a', '', { sha256: 'a' })],
    };
    const history = { earlierState: joinStates([]), baseline, notices: [] };
    expect(reportOf(sent([changed], { history })).counts).toMatchObject({ issues: 2, newIssues: 1, known: 0 });
  });

  it.each<[SendReason, boolean]>([
    ['earlier result too old', true],
    ['changed', false],
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

  it('has everything that is known of a file, and no day of an analysis that there was not', () => {
    const facts = { versionNumber: 3, versionCount: 5, retries: 2, topics: [{ title: 'Claims', issueIds: ['1'] }] };
    const done = result(content('a'), facts);
    const analysedAt = '2026-11-15T12:00:00.000Z';
    expect(reportOf(sent([done])).contents).toMatchObject([
      { ...facts, submissionId: 's1', assetId: 'asset-a', mime: 'image/png', category: 'image', analysedAt },
    ]);
    expect(reportOf(reused([done])).contents).toMatchObject([{ ...facts, analysedAt: '2026-11-01T10:00:00.000Z' }]);
    const lost = reportOf(sent([result(content('a'), { outcome: 'failed' })]));
    expect(lost.contents).toMatchObject([{ analysedAt: undefined, outcome: 'failed' }]);
    const awaited = { plan: planOf([content('a')], AWAIT), analyses: [done] };
    expect(reportOf(notSent([], awaited)).contents).toMatchObject([{ source: 'awaited', analysedAt }]);
    expect(reportOf(reused([], { plan: withAwait })).contents).toContainEqual(
      expect.objectContaining({ source: 'awaited', sourceReason: 'sent 2026-11-14' }),
    );
  });

  it('says the type of a Git LFS pointer by its name, and the size of its content', () => {
    const pointers = ['a.png', 'b.unknown'].map((path) => ({ ...content(path), file: undefined }));
    expect(reportOf(notSent([], { plan: planOf(pointers) })).contents).toMatchObject([
      { mime: 'image/png', category: 'image', size: 10 },
      { mime: 'application/octet-stream', category: undefined },
    ]);
  });

  it('puts each id in its places of a link', () => {
    const { found, inputs } = sent([
      result(content('a'), { issues: [issue({ severity: 'MINOR', referenceNumber: 7 })] }),
    ]);
    const issueUrl = 'https://service.example/{submissionId}/{assetId}/{issueId}?no={referenceNumber}#{issueId}';
    const [file] = reportOf({ found, inputs: { ...inputs, issueUrl } }).contents;
    expect(file?.issues[0]?.url).toBe('https://service.example/s1/asset-a/MINOR%201?no=7#MINOR%201');
    const odd = sent([result(content('a'), { issues: [issue({ severity: 'MINOR', id: 'half \ud800' })] })]);
    expect(reportOf(odd).contents[0]?.issues[0]?.url).toBe('https://service.example/half%20%EF%BF%BD?of=asset-a');
  });

  it('compares a judged file with the bytes that one of its paths had before', () => {
    const [kept, gone] = [
      issue({ severity: 'MINOR', ruleCode: 'KEPT' }),
      issue({ severity: 'MAJOR', ruleCode: 'GONE' }),
    ];
    const before = analysed('old', { sha256: 'old', issues: [kept, gone] });
    const older = analysed('older', { sha256: 'old', submissionId: 'first', at: daysAgo(9) });
    const paths = [pathRecord('a', '', { sha256: 'new' }), pathRecord('moved', '', { sha256: 'old' })];
    const earlierState = joinStates([
      { contents: [before, older, ...open('later', [''], { sha256: 'old', at: daysAgo(0) })], paths },
    ]);
    const history = { earlierState, baseline: undefined, notices: [] };
    const fixed = (paths: readonly string[], outcome: Analysis['outcome'] = 'judged'): unknown =>
      reportOf(sent([result(content('new', paths), { issues: [kept], outcome })], { history })).contents[0]?.fixed;
    expect(fixed(['a', 'moved'])).toMatchObject([{ ruleCode: 'GONE' }]);
    expect(fixed(['a'])).toBeUndefined();
    expect(fixed(['a', 'moved'], 'failed')).toBeUndefined();
  });

  it('says of what the run, the gate and the pull request are', () => {
    const run = {
      repository: 'acme/ads',
      commit: 'merge',
      ref: 'refs/pull/7/merge',
      event: 'pull_request',
      serverUrl: 'https://git.example',
      branch: 'autumn',
    };
    const [runUrl, url] = ['https://git.example/acme/ads/actions/runs/1', 'https://git.example/acme/ads/pulls/7'];
    const pullRequest = { number: 7, headSha: 'head', url, isFork: false, isDependabot: false };
    const context = { ...readContext({}), ...run, runUrl, docsUrl: 'https://docs.example', pullRequest };
    const { found, inputs } = sent([result(content('a'), { issues: [issue()] })]);
    const service = inputs.service && { ...inputs.service, baseUrl: 'https://service.example:8443/api' };
    const report = reportOf(
      { found, inputs: { ...inputs, service, name: 'eu-ads', waiversFile: 'waivers.yml' } },
      { context },
    );
    expect(report).toMatchObject({ gate: 'eu-ads', docs: 'https://docs.example', mode: 'live' });
    expect(inputs.policy).toMatchObject(report.policy);
    expect(report.judgedAt).toBe('2026-11-15T12:00:00.000Z');
    expect(report.run).toEqual({ ...run, url: runUrl, pullRequest: { number: 7, headCommit: 'head', url } });
    // A run that follows a fork's does not know which pull request it was.
    const unnamed = { ...context, pullRequest: { ...pullRequest, number: undefined } };
    expect(reportOf({ found, inputs }, { context: unnamed }).run.pullRequest).toBeUndefined();
    expect(report.nextSteps).toMatchObject([
      { text: expect.stringMatching(/^Change or replace `a` and push\. The next run sends and bills only files/) },
      { text: expect.stringContaining('(`service.example:8443`)'), note: 'Then re-run this job, which costs nothing.' },
      { text: expect.stringContaining('`waivers.yml`'), note: expect.stringContaining('this branch') },
    ]);
    expect(report.waiversFile).toBe('waivers.yml');
    expect(reportOf({ found: { ...found, stateFile: '' }, inputs }).nextSteps[0]?.text).toBe(
      'Change or replace `a` and push.',
    );
    expect(reportOf(unstarted(failedBy(down))).mode).toBe('');
  });

  it('leads from the steps of a cause to the run', () => {
    const context = { ...readContext({}), runUrl: 'https://github.com/acme/ads/actions/runs/1' };
    const { causes, nextSteps } = reportOf(notSent([], stopped), { context });
    // It is about no file, so nobody can have changed one.
    expect(causes).toMatchObject([{ paths: [], isChanged: undefined }]);
    for (const steps of [causes[0]?.steps, nextSteps]) expect(steps?.[0]).toMatchObject({ link: context.runUrl });
  });

  it.each([
    [{ a: false, b: true }, true],
    [{ a: true }, true],
    [{ a: false, b: false }, false],
    [{ a: false }, undefined],
    [{}, undefined],
  ])('if the pull request changes %j, a content at a and b is changed: %s', (changes, isChanged) => {
    const changed = new Map(Object.entries(changes));
    const { contents } = reportOf(sent([result(content('a', ['a', 'b']))]), { changed });
    expect(contents.map((each) => each.isChanged)).toEqual([isChanged]);
  });

  it('lists what stops the check, then what was not judged; in each what is changed, then by severity and path', () => {
    const failed = ['f', 'g'].map((name) => result(content(name), { outcome: 'failed', causes: [empty(name)] }));
    const judged = [
      of('a'),
      of('b', 'CRITICAL'),
      of('c', 'INFO'),
      of('d', 'MINOR'),
      of('e', 'CRITICAL'),
      of('h', 'INFO'),
    ];
    const changed = new Map('abcdefgh'.split('').map((name) => [name, 'egh'.includes(name)]));
    const report = reportOf(sent([...failed, ...judged.toReversed()]), { changed });
    expect(report.contents.map(({ paths }) => paths[0]).join('')).toBe('ebgfhdca');
    expect(
      listIssues(report)
        .map(({ content: { paths } }) => paths[0])
        .join(''),
    ).toBe('ebhdc');
    expect(report.causes.map(({ paths }) => paths[0]).join('')).toBe('gf');
    expect(report.highestSeverity).toBe('CRITICAL');
    const unknown = reportOf(sent([...failed, ...judged.toReversed()]));
    expect(unknown.contents.map(({ paths }) => paths[0]).join('')).toBe('befgdcha');
  });

  it('names the submission that was created, with its own status and workflow', () => {
    const open = ['s1', 's2'].map((submissionId) => ({
      submissionId,
      createdAt: '',
      contents: [],
      assetIds: [],
      workflowId: `workflow of ${submissionId}`,
    }));
    const waited = open.map((submission) => ({
      submission,
      response: { ...submission, ...UNREAD, status: `status of ${submission.submissionId}`, assets: [] },
      analyses: [],
      mayKnowMoreLater: false,
    }));
    const { found, inputs } = sent([], { open, waited });
    const created = found.created && { ...found.created, mayExistTwice: true };
    expect(reportOf({ found: { ...found, created }, inputs }).submission).toEqual({
      id: 's1',
      status: 'status of s1',
      workflowId: 'workflow of s1',
      mayExistTwice: true,
    });
    const later = waited.map((one) => ({ ...one, response: { ...one.response, workflowId: 'as read later' } }));
    expect(reportOf(sent([], { open, waited: later })).submission.workflowId).toBe('as read later');
    const unread = waited.map((one) => ({ ...one, response: undefined }));
    expect(reportOf(sent([], { open, waited: unread })).submission).toMatchObject({ id: 's1', status: 'unknown' });
  });

  it('says how many assets a dry run would send', () => {
    const plan = { ...withSubmit, contents: [...withSubmit.contents, ...withAwait.contents.slice(1)] };
    const dryRun = skippedBy({ reason: 'dry-run', message: '', steps: [] });
    expect(reportOf(reused([], { plan, ...dryRun })).plannedAssets).toBe(1);
    expect(reportOf(reused([], { plan, ...stopped })).plannedAssets).toBeUndefined();
  });

  it('makes one cause of equal ones, but not of a changed file and an untouched one', () => {
    const causes = [empty('b'), empty('c'), empty('a'), empty('d', 'Broken.')];
    const changed = new Map('abcd'.split('').map((path) => [path, path !== 'b']));
    const report = reportOf(notSent([], failedBy(...causes)), { changed });
    expect(report.causes).toMatchObject([
      { paths: ['a', 'c'], submissionIds: ['s1'], isChanged: true },
      { paths: ['d'], message: 'Broken.' },
      { paths: ['b'], isChanged: false },
    ]);
    expect(report.causes.map(({ steps }) => steps[0]?.text)).toEqual([
      'Fill `a`, `c`. Then commit and push.',
      'Fill `d`. Then commit and push.',
      expect.stringContaining('On the base branch, fix `b`'),
    ]);
    expect(report.causes.map(({ steps }) => steps.map(({ actor }) => actor))).toEqual([
      ['author', 'workflow owner'],
      ['author', 'workflow owner'],
      ['workflow owner', 'workflow owner'],
    ]);
  });

  it('keeps causes apart that differ in their reason or their steps', () => {
    const other = { ...empty('b'), reason: 'results' } as const;
    const elsewhere = { ...empty('c'), steps: [rerun('Wait.')] };
    const paths = reportOf(notSent([], failedBy(empty('a'), other, elsewhere))).causes.map((cause) => cause.paths);
    expect(paths).toEqual([['a'], ['b'], ['c']]);
  });

  it('does not ask for a change on the base branch if a change of the file is not what helps', () => {
    const failed: Cause = { reason: 'asset-failed', message: 'Failed.', steps: [rerun('Wait.')], path: 'b' };
    const { causes } = reportOf(notSent([], failedBy(failed)), { changed: new Map([['b', false]]) });
    expect(causes).toMatchObject([{ isChanged: false, steps: [{ text: 'Wait.' }] }]);
    expect(causes[0]?.steps).toHaveLength(1);
  });

  it('reports no waiver as unused if its file was not judged', () => {
    const waivers = new Waivers(
      ['judged', 'failed', 'elsewhere'].map((path) => waiver(path)),
      new Date('2026-11-15'),
    );
    const failed = result(content('failed'), { outcome: 'failed', causes: [down] });
    const notices = ['By the way.'];
    expect(reportOf(sent([result(content('judged')), failed], { waivers, notices })).notices).toEqual([
      'By the way.',
      expect.stringContaining('Not applied: the waiver of AD-17 for judged'),
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

  it('gives no advice on an outage if an issue stops the check as well', () => {
    const bad = result(content('a'), { issues: [issue()] });
    const report = reportOf(sent([bad], stopped));
    expect(report).toMatchObject({ verdict: 'fail', causes: [{ reason: 'service', steps: [{ text: 'Wait.' }] }] });
    expect(report.causes[0]?.steps).toHaveLength(1);
  });

  const look = workflowOwner('Look.');
  const late: Cause = { reason: 'timeout', message: 'Late.', steps: [rerun('Wait.'), look], submission: 'open' };
  it.each([
    ['sent', 'in a file', sent([], { ...failedBy(late), stateFile: '/state.json' }), 'goes on waiting'],
    ['sent', 'lost', sent([], { ...failedBy(late), stateFile: '' }), 'It submits and bills all files again'],
    ['awaited', 'lost', notSent([], failedBy(late)), 'goes on waiting'],
  ])(
    'says what a re-run after a timeout costs if files were %s and the state is %s',
    (_sent, _state, run, expected) => {
      const [again, ...others] = reportOf(run).causes[0]?.steps ?? [];
      expect(again?.note).toContain(expected);
      expect(others).toMatchObject([
        look,
        { text: expect.stringContaining('raise `wait-timeout-minutes`') },
        { text: expect.stringContaining('`COMPLIANCE_ON_SERVICE_ERROR`') },
      ]);
      expect(others.map(({ note }) => note)).toEqual([undefined, undefined, undefined]);
    },
  );
});

describe('a last known verdict', () => {
  const pass = reportOf(reused([result(content('a')), result(content('b'))], { lastKnownCause: down }));

  it('is marked as last known in every report', () => {
    const media = 'No file has changed, so the last known verdict stands; the oldest analysis is from 2026-11-01.';
    for (const page of [renderSummary(pass), renderComment(pass, ''), renderPage(pass)]) expect(page).toContain(media);
    expect(JSON.parse(renderJson(pass))).toMatchObject({ lastKnown: pass.lastKnown });
    expect(JSON.parse(renderPredicate(pass))).toMatchObject({ verdict: 'pass', statuses: 'last known' });
  });

  it('of a single file, after a rate limit, is in the predicate', () => {
    const unread = result(content('a'), {
      issues: [issue({ severity: 'MINOR' })],
      lastKnownAt: '2026-11-01T10:00:00Z',
    });
    const statuses = (results: readonly (typeof unread)[]): unknown =>
      JSON.parse(renderPredicate(reportOf(reused(results)))).statuses;
    expect(statuses([unread, result(content('b'))])).toBe('last known');
    expect(statuses([result(content('b'))])).toBe('read');
  });

  it('is also reported if an outage interrupted the run', () => {
    const failing = result(content('a'), { issues: [issue()] });
    const report = reportOf(reused([failing], { lastKnownCause: down, plan: withSubmit, ...stopped }));
    expect(report.verdict).toBe('fail');
    expect(report.headline).toContain('as known on 2026-11-01');
    expect(report.lastKnown?.message).not.toContain('No file has changed');
  });
});
