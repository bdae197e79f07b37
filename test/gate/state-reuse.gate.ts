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

  const before = await series.readState();
  series.service.load({
    faults: [
      { on: 'submissions/read', status: 503 },
      { on: 'assets/issues', status: 503 },
    ],
  });
  const down = await series.run({ clockFactor: 120 });
  expect(down.summary.split('\n')[0]).toContain('judged by last known issues, from');
  expect(await series.readState(), 'A run that has read nothing saves nothing.').toEqual(before);
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
  expect(unknown.readableSummary).toContain('set `lfs: true` in the `actions/checkout` step');
  expect(series.service.submissions).toHaveLength(1);
});

/** Analyses that do not end until they are finished by hand. */
const ENDLESS: Scenario = { default: { reads: 1_000_000 } };

/** A minute of waiting takes a second. */
const SHORT_WAIT = { clockFactor: 60, inputs: { 'wait-timeout-minutes': '1' } };

it('a dry run saves no state, and lists what would be reused, awaited, sent and refused', async ({ startSeries }) => {
  const series = await startSeries(images('a'));
  await series.run();
  series.service.load(ENDLESS);
  await series.write(images('b'));
  await series.run(SHORT_WAIT);
  await series.write({ 'c.png': png('c'), 'd.png': png('d'), 'empty.png': '' });
  const before = await series.readState();
  const run = await series.run({ inputs: { 'dry-run': 'true', 'max-files': '1' } });
  expect(await series.readState()).toEqual(before);
  expect(run.outputs).toMatchObject({ verdict: 'skipped', 'state-file': '', 'assets-submitted': '0' });
  expect(run.annotations).toContainEqual(expect.objectContaining({ level: 'warning', file: 'empty.png' }));
  expect(run.summary.split('\n')[0]).toMatch(/A real run would stop: 2 problems, the first: empty\.png: /);
  for (const what of ['a.png.*would be reused', 'b.png.*would be awaited', 'c.png.*would be sent'])
    expect(run.summary).toMatch(new RegExp(what));
  expect(run.requests).toEqual([]);
});
