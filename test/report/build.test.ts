import { expect, it } from 'vitest';
import { type Cause, FILE, preFlight, rerun } from '../../src/causes/cause.ts';
import type { Findings } from '../../src/findings.ts';
import { type RunContext, readContext } from '../../src/github/context.ts';
import { listIssues, type Report } from '../../src/report/report.ts';
import type { Severity } from '../../src/service/issue.ts';
import { statusOf } from '../../src/service/responses.ts';
import type { Baseline } from '../../src/state/baseline.ts';
import { NO_HISTORY } from '../../src/state/store.ts';
import { issue, type Result, result } from '../builders/analyses.ts';
import { content } from '../builders/media.ts';
import { AWAIT, notSent, planOf, reportOf, reused, type SampleRun, sent, skippedBy } from '../builders/runs.ts';
import { analysed } from '../builders/states.ts';

const down: Cause = { reason: 'service', message: 'The service responded with 503.', steps: [rerun('Wait.')] };
const known = reused([result(content('a'))]);
const stopped = { causes: [down] };
const UNREAD = { progressPercent: null, errorMessage: undefined, assets: [] };
const { plan: knownPlan } = known.found;
const withSubmit = { ...knownPlan, contents: [...knownPlan.contents, ...planOf([content('b')]).contents] };

function empty(path: string, message = 'Empty.'): Cause {
  return preFlight(path, message, `Fill ${FILE}`);
}

function of(name: string, ...severities: readonly Severity[]): Result {
  return result(content(name), { issues: severities.map((severity) => issue({ severity })) });
}

it('the report counts issues once and files by path', () => {
  const copied = result(content('a', ['a', 'b']), {
    issues: [issue(), issue({ severity: 'INFO', status: 'RESOLVED' })],
  });
  const issues = { issues: 1, newIssues: undefined, bySeverity: { CRITICAL: 1, INFO: 0 } };
  const files = { filesMatched: 2, filesSubmitted: 2, filesReused: 0, filesUnjudged: 0, assetsSubmitted: 1 };
  expect(reportOf(sent([copied])).counts).toMatchObject({ ...issues, ...files });
  expect(reportOf(reused([copied])).counts).toMatchObject({ filesSubmitted: 0, filesReused: 2, assetsSubmitted: 0 });
  const awaited = reportOf(notSent([copied], { plan: planOf([copied.content], AWAIT) }));
  expect(awaited.counts).toMatchObject({ filesSubmitted: 0, filesReused: 0 });
  const lost = (['failed', 'unclear'] as const).map((outcome) => result(content(outcome), { outcome }));
  expect(reportOf(sent(lost)).counts).toMatchObject({ assetsSubmitted: 2, assetsFailed: 1, filesUnjudged: 2 });
  // A file that could not be read has no content, but counts as matched.
  const { discovery } = sent([copied, of('c')]).found;
  expect(reportOf(sent([copied], { discovery })).counts).toMatchObject({ filesMatched: 3, filesUnjudged: 1 });
});

const OLD = issue({ severity: 'MINOR', ruleCode: 'OLD' });
const BASELINE: Baseline = [{ path: 'a', submissionId: 's0', assetId: 'x', issues: [OLD] }];
const BRANCHES = readContext({ GITHUB_REF: 'refs/heads/autumn', GITHUB_EVENT_NAME: 'push' });

// biome-ignore format: a table
it.each<[string, base: string | undefined, Baseline | undefined, isCompared: boolean, why?: string]>([
  ['with its branch', undefined, BASELINE, true],
  ['with nothing of its branch', undefined, undefined, true, 'no run of an earlier commit of `autumn` was found'],
  ['with nothing of its base', 'main', undefined, true, 'no analysis of `main`, the base branch, was found'],
  ['with nothing, as by any other event', undefined, undefined, false, 'a run by `push` is not'],
])('a run is compared %s', (_, baseBranch, baseline, isCompared, why) => {
  const changed = result(content('a'), { issues: [OLD, issue({ id: '2', severity: 'MINOR', ruleCode: 'NEW' })] });
  const run = sent([changed], { history: { ...NO_HISTORY, isCompared, baseline } });
  const policy = { ...run.inputs.policy, failOnIssues: 'new' } as const;
  const context = { ...BRANCHES, baseBranch };
  const report = reportOf({ ...run, inputs: { ...run.inputs, policy } }, { context });
  expect(report.counts).toMatchObject(why ? { issues: 2, newIssues: undefined } : { issues: 1, newIssues: 1 });
  expect(report.notices).toEqual(why ? [expect.stringContaining(`every issue counts: ${why}`)] : []);
});

it('the report has every fact about a file, and no date if there was no analysis', () => {
  const facts = { versionNumber: 3, versionCount: 5, topics: [{ title: 'Claims', issueIds: ['1'] }] };
  const done = result(content('a'), facts);
  const analysedAt = '2026-11-15T12:00:00.000Z';
  const type = { mime: 'image/png', category: 'image' };
  const sentNow = { submissionId: 's1', assetId: 'asset-a', ...type, analysedAt };
  expect(reportOf(sent([done])).contents).toMatchObject([{ ...facts, ...sentNow }]);
  const earlier = { analysedAt: '2026-11-01T10:00:00.000Z', sourceReason: 'unchanged since 2026-11-01' };
  expect(reportOf(reused([done])).contents).toMatchObject([{ ...facts, ...earlier }]);
  expect(reportOf(notSent([done], {})).contents).toMatchObject([{ source: 'not sent', sourceReason: 'new' }]);
  const lost = reportOf(sent([result(content('a'), { outcome: 'failed' })]));
  expect(lost.contents).toMatchObject([{ analysedAt: undefined, outcome: 'failed' }]);
  const awaited = { plan: planOf([content('a')], AWAIT), analyses: [{ ...done, submissionId: 's2' }] };
  const source = { source: 'awaited', sourceReason: 'sent 2026-11-14', analysedAt };
  expect(reportOf(notSent([], awaited)).contents).toMatchObject([source]);
});

const SANDBOX = { apiKey: 'sk_test_1', mode: 'sandbox', baseUrl: 'https://service.example' } as const;

// biome-ignore format: a table
it.each<[string, boolean, readonly Result[], Partial<Findings>?, head?: string]>([
  ['every file was checked at the commit of the run', true, [of('a', 'MINOR')]],
  ['an issue stops the check', true, [of('a', 'CRITICAL')]],
  ['a file beside that one was not judged', false, [of('a', 'CRITICAL'), result(content('b'), { outcome: 'unclear' })]],
  ['`only-changed` left out a file', false, [of('a')], { pathsBeforeOnlyChanged: ['a', 'b'] }],
  ['it was a dry run', false, [of('a')], skippedBy(down)],
  ['another commit is checked out', false, [of('a')], {}, 'other'],
  ['the commit is unknown', false, [of('a')], {}, ''],
])('code scanning can show the report if %s: %s', (_, expected, files, found, head = 'own') => {
  const context = { ...readContext({}), commit: 'own', head: head || undefined };
  const run = sent(files, { pathsBeforeOnlyChanged: files.flatMap((file) => file.content.paths), ...found });
  expect(reportOf(run, { context }).fitsCodeScanning).toBe(expected);
  const inputs = { ...run.inputs, service: SANDBOX };
  expect(reportOf({ ...run, inputs }, { context }).fitsCodeScanning).toBe(false);
});

const PULL = { isFork: true };
it.each<[string, Report['run']['subject'], Partial<RunContext>]>([
  ['pull_request', 'pull request', {}],
  ['workflow_run', 'pull request', { pullRequest: PULL }],
  ['workflow_run', 'branch', {}],
  ['merge_group', 'merge group', {}],
  ['push', 'branch', {}],
])('a run of %s is about a %s', (event, subject, over) => {
  const context = { ...readContext({}), event, ...over };
  const report = reportOf(sent([of('a', 'CRITICAL')], { causes: [empty('b'), down] }), { context });
  expect(report.run.subject).toBe(subject);
  const actor = subject === 'pull request' ? 'author' : 'file owner';
  for (const steps of [report.nextSteps, report.causes[0]?.steps]) expect(steps?.[0]).toMatchObject({ actor });
});

it.each<[string, Readonly<Record<string, boolean>>, boolean | undefined]>([
  ['b only', { a: false, b: true }, true],
  ['a', { a: true }, true],
  ['neither', { a: false, b: false }, false],
  ['perhaps b', { a: false }, undefined],
])('whether a content at a and b is changed, if the pull request changes %s', (_, changes, isChanged) => {
  const changed = new Map(Object.entries(changes));
  const { contents } = reportOf(sent([result(content('a', ['a', 'b']))]), { isChanged: (path) => changed.get(path) });
  expect(contents.map((each) => each.isChanged)).toEqual([isChanged]);
});

function wordOf(contents: Report['contents']): string {
  return contents.map(({ paths: [path] }) => path).join('');
}

it('files that stop the check come first, then changed ones, by severity and path', () => {
  const failed = ['f', 'g'].map((name) => result(content(name), { outcome: 'failed', cause: empty(name) }));
  const severities = { h: 'INFO', e: 'CRITICAL', d: 'MINOR', c: 'INFO', b: 'CRITICAL' } as const;
  const active = Object.entries(severities).map(([name, severity]) => of(name, severity));
  const others = [...active, result(content('a'), { issues: [issue({ status: 'RESOLVED' })] })];
  const changed = new Map('abcdefgh'.split('').map((name) => [name, 'egh'.includes(name)]));
  const report = reportOf(sent([...failed, ...others]), { isChanged: (path) => changed.get(path) });
  expect(wordOf(report.contents)).toBe('egbfhdca');
  expect(wordOf(listIssues(report).map((listed) => listed.content))).toBe('ebhdca');
  expect(report.causes.map(({ path }) => path).join('')).toBe('gf');
  expect(wordOf(reportOf(sent([...failed, ...others])).contents)).toBe('befgdcha');
});

/** A run that created or awaited two submissions. The service reports this word about the first, if it was read. */
function waiting(word?: string): Partial<Findings> {
  const read = { submissionId: 's1', status: statusOf(word ?? '') };
  return { submissionIds: ['s1', 's2'], response: word === undefined ? undefined : { ...UNREAD, ...read } };
}

const { created } = sent([]).found;
const TWICE = created && { ...created, mayExistTwice: true };
it.each<[string, SampleRun, Partial<Report['submission']>]>([
  ['everything is reused', known, { id: '', status: 'reused' }],
  ['something was planned to be sent, and was not', reused([], { plan: withSubmit, ...stopped }), { status: '' }],
  ['it was a dry run', reused([result(content('a'))], { analyses: [], ...skippedBy(down) }), { status: '' }],
  ['it was read', sent([], waiting('processing')), { id: 's1', status: 'processing', mayExistTwice: false }],
  ['it was not read', sent([], waiting()), { id: 's1', status: 'unknown' }],
  ['there may be a second one', sent([], { created: TWICE }), { mayExistTwice: true }],
  // An output holds no free text of the service.
  ['its status is a word of its own', sent([], waiting('a word of its own')), { status: 'unknown' }],
])('the report has the submission if %s', (_, run, submission) => {
  expect(reportOf(run).submission).toMatchObject(submission);
});

it('in a dry run, what a real run would send comes first', () => {
  const report = reportOf(
    reused([], { plan: withSubmit, ...skippedBy({ reason: 'dry-run', message: '', steps: [] }) }),
  );
  expect(report.contents.map(({ source }) => source)).toEqual(['not sent', 'reused']);
});

it('the report has each cause once, those of changed files first, with the steps of who can act', () => {
  const causes = [empty('b'), empty('c'), { ...down }, empty('a'), { ...down, steps: [...down.steps] }];
  const changed = new Map('abc'.split('').map((path) => [path, path !== 'b']));
  const context = { ...readContext({}), event: 'pull_request' };
  const report = reportOf(notSent([], { causes }), { isChanged: (path) => changed.get(path), context });
  expect(report.causes.map(({ path, steps }) => [path, ...steps.map(({ text }) => text.slice(0, 18))])).toEqual([
    ['a', 'Fill `a`. Then com', 'If `a` should not '],
    ['c', 'Fill `c`. Then com', 'If `c` should not '],
    ['b', 'On the base branch', 'If `b` should not '],
    [undefined, 'Wait.', 'If changes may pas'],
  ]);
});

it('a last known verdict is marked as last known', () => {
  const failing = { ...of('a', 'CRITICAL'), outcome: 'last-known', cause: down } as const;
  const report = reportOf(reused([failing], { plan: withSubmit, ...stopped }));
  expect(report.headline).toContain('1 file judged by last known issues, from 2026-11-01');
});

it('the report names media that were not checked, except those that the pull request does not change', () => {
  const { discovery } = sent([]).found;
  const unchecked = ['changed.ai', 'old.ai', 'unknown.ai'];
  const found = { discovery: { ...discovery, unchecked } };
  const changed = new Map(Object.entries({ 'changed.ai': true, 'old.ai': false }));
  expect(reportOf(sent([], found), { isChanged: (path) => changed.get(path) }).unchecked).toEqual([
    'changed.ai',
    'unknown.ai',
  ]);
});

it('the link to an issue contains the ids that it names, those of its own analysis', () => {
  const half = issue({ id: 'half \ud800', referenceNumber: 7 });
  const earlier = analysed('a', { submissionId: 's0', assetId: 'old', issues: [half] });
  const unread = result(content('a'), { outcome: 'unclear', issues: [issue({ id: 'read', ruleCode: 'AD-2' })] });
  const plan = planOf([content('a')]);
  const contents = plan.contents.map((each) => ({ ...each, records: [earlier] }));
  const { found, inputs } = sent([unread], { plan: { ...plan, contents } });
  const issueUrl = 'https://service.example/{submissionId}/{assetId}/{issueId}?no={referenceNumber}#{issueId}';
  const [file] = reportOf({ found, inputs: { ...inputs, issueUrl } }).contents;
  expect(file?.issues.map(({ url }) => url).toSorted()).toEqual([
    'https://service.example/s0/old/half%20%EF%BF%BD?no=7#half%20%EF%BF%BD',
    'https://service.example/s1/asset-a/read?no=#read',
  ]);
});
