import { expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { CRITICAL, it } from '../harness/fixtures.ts';
import { images, png } from '../harness/media.ts';
import { pointerTo } from '../media/bytes.ts';

const HERO: Scenario = { files: [{ match: 'hero-*', issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] }] };

it('each content is sent once, and passes after its issue was dismissed', async ({ startSeries }) => {
  const series = await startSeries({ 'hero.png': png('1'), 'logo.png': png('1b') }, { scenario: HERO });
  const first = await series.run();
  expect(first.sent).toEqual(['hero.png', 'logo.png']);
  expect(first.outputs).toMatchObject({ verdict: 'fail', 'files-submitted': '2', 'files-reused': '0' });
  const [submission] = series.service.submissions;
  const { contents } = (await series.readState()).document;
  expect(JSON.parse(first.file('report.json')).judgedAt >= (contents[0]?.at ?? ''), 'It is dated by its end.').toBe(
    true,
  );

  await series.write({ 'logo.png': png('2') });
  const second = await series.run({ env: { GITHUB_REF: 'refs/heads/feature', GITHUB_RUN_ID: '43' } });
  expect(second.count('uploads/direct')).toBe(1);
  expect(second.sent).toEqual(['logo.png']);
  expect(second.requests.find(({ endpoint }) => endpoint === 'submissions/create')?.json).toMatchObject({
    assets: [{ previousSubmissionId: submission?.submissionId }],
  });
  expect(second.outputs).toMatchObject({ verdict: 'fail', 'files-submitted': '1', 'critical-count': '1' });
  expect(second.log).toContain('1 billed, 1 reused, verdict fail');

  series.service.changeIssues({ ruleCode: 'AD-17' }, { status: 'DISMISSED' });
  const run = await series.run();
  expect(run.outputs).toMatchObject({ verdict: 'pass', 'submission-id': '', 'submission-status': 'reused' });
  expect(run.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  expect(run.log, 'There is nothing to wait for.').not.toContain('Waiting');
});

it('of many unchanged files, the decisive one is read before a rate limit ends the reads', async ({ startSeries }) => {
  const files = [{ match: 'last-*', issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] }];
  const names = Array.from({ length: 19 }, (_, index) => `${index}`);
  const scenario = { files, default: { issues: [{ severity: 'MINOR' }] } };
  const series = await startSeries(images(...names, 'last'), { scenario });
  await series.run();
  series.service.changeIssues({ ruleCode: 'AD-17' }, { status: 'DISMISSED' });
  // One read is for the submission.
  series.service.load({ rateLimits: { submission_read: { limit: 5, perSeconds: 3_600, retryAfter: 3_600 } } });
  const run = await series.run();
  expect(run.outputs, run.log).toMatchObject({ verdict: 'pass', 'files-reused': '20', 'minor-count': '19' });
  expect(run.summary).toContain('16 files judged by their last known issues');
});

it('a deleted analysis is sent again if `max-files` allows it', async ({ startSeries }) => {
  const series = await startSeries(images('a'));
  await series.run();
  await series.write(images('b'));
  await series.run();
  series.service.forget(series.service.submissions[0]?.submissionId ?? '');
  await series.write(images('c'));
  const tooMany = await series.run({ inputs: { 'max-files': '1' } });
  expect(tooMany.warnings, 'Nothing is sent, so nothing is billed again.').not.toContain('billed again');
  expect(tooMany.outputs).toMatchObject({ verdict: 'error', reason: 'pre-flight' });
  expect(tooMany.sent).toEqual([]);
  const run = await series.run();
  expect(run.sent).toEqual(['a.png', 'c.png']);
  expect(run.outputs).toMatchObject({ verdict: 'pass', 'files-submitted': '2', 'files-reused': '1' });
  expect(run.warnings).toContain('1 file will be analysed and billed again (no longer at the service: a.png)');
});

it('the analysis of a Git LFS pointer is reused; an unknown pointer stops the run', async ({ startSeries }) => {
  const series = await startSeries(images('a'), { scenario: CRITICAL });
  await series.run();
  await series.write({ 'a.png': pointerTo(png('a')), 'copy.png': pointerTo(png('a')) });
  const known = await series.run();
  expect(known.outputs).toMatchObject({ verdict: 'fail', 'files-reused': '2', 'critical-count': '1' });
  const issues = known.annotations.filter(({ title }) => title?.startsWith('CRITICAL: '));
  expect(issues.map(({ file }) => file)).toContain('a.png');

  await series.write({ 'b.png': pointerTo(png('b')), 'c.png': png('c') });
  const unknown = await series.run();
  expect(unknown.outputs).toMatchObject({ verdict: 'fail', reason: 'issues', 'critical-count': '1' });
  expect(unknown.readableSummary).toContain('`lfs: true` in the `actions/checkout` step of `.github/workflows/media');
  expect(series.service.submissions).toHaveLength(1);
});
