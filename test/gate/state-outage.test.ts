import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, type Scenario, startEmulator } from '../../emulator/emulator.ts';
import { images, png } from '../harness/media.ts';
import { type Series, startSeries } from '../harness/series.ts';

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(async () => await emulator.close());

const CRITICAL: Scenario = { default: { issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] } };
const DOWN: Scenario = {
  faults: (['submissions/read', 'assets/issues', 'uploads/direct', 'submissions/create'] as const).map((on) => ({
    on,
    status: 503,
  })),
};
/** The two minutes of retries take one second. */
const FAST = { clockFactor: 120 };

/** A gate whose one file was analysed, before the service went down. */
async function startDown(scenario: Scenario, outage: Scenario = DOWN): Promise<Series> {
  const series = await startSeries(emulator, { 'a.png': png('a') }, { scenario });
  await series.run();
  series.service.load(outage);
  return series;
}

describe('an outage if nothing has changed', () => {
  it.each([
    ['pass', {}, 0],
    ['fail', CRITICAL, 1],
  ])('leaves the last known verdict, with its date and a warning: %s', async (verdict, scenario, exitCode) => {
    await using series = await startDown(scenario);
    const before = await series.readState();
    const run = await series.run(FAST);
    expect(run.outputs).toMatchObject({ verdict, 'files-reused': '1', 'submission-status': 'reused' });
    expect(run.exitCode).toBe(exitCode);
    const warnings = run.annotations.filter(({ level }) => level === 'warning').map(({ message }) => message);
    expect(warnings).toContainEqual(expect.stringMatching(/503.*the last known verdict stands/));
    expect(warnings.join()).toContain(new Date().toISOString().slice(0, 10));
    expect(run.summary.split('\n')[0]).toMatch(/, as known on \d{4}-\d\d-\d\d: the service did not answer today$/);
    // The run has no new results, so it saves nothing.
    expect(await series.readState()).toEqual(before);
  });

  it.each([0, 1])('names the date of the oldest analysis, wherever it is in the list: %i', async (oldest) => {
    await using series = await startSeries(emulator, images('a', 'b'));
    await series.run();
    const analysedAt = new Date(Date.now() - 10 * 86_400_000).toISOString();
    await series.changeState(({ binding, document }) => {
      const contents = document.contents.map((each, index) => (index === oldest ? { ...each, analysedAt } : each));
      return { binding, document: { ...document, contents } };
    });
    series.service.load(DOWN);
    const run = await series.run(FAST);
    expect(run.outputs).toMatchObject({ verdict: 'pass', 'files-reused': '2' });
    const day = analysedAt.slice(0, 10);
    expect(run.warnings).toContain(`the oldest analysis is from ${day}`);
    expect(run.summary.split('\n')[0]).toContain(`as known on ${day}`);
  });

  it('that begins during the run also leaves the last known verdict', async () => {
    await using series = await startDown(CRITICAL, { faults: [{ on: 'assets/issues', status: 503 }] });
    const run = await series.run(FAST);
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'critical-count': '1' });
    expect(run.log).toContain('the last known verdict stands');
  });

  it.each([
    // The asset's own response shows the issue before the list of issues is missing.
    ['an asset', { on: 'assets/issues', match: 'b-*', status: 503 }, '2'],
    ['a submission', { on: 'submissions/read', match: 'b-*', status: 503 }, '1'],
  ] as const)(
    'of only %s does not affect the other files: a re-opened issue fails the check',
    async (_, fault, count) => {
      await using series = await startSeries(emulator, { 'a.png': png('a') }, { scenario: CRITICAL });
      await series.run();
      // The second file is in another submission.
      await series.write({ 'b.png': png('b') });
      await series.run();
      series.service.setIssueStatus({ ruleCode: 'AD-17' }, 'DISMISSED');
      expect((await series.run()).outputs).toMatchObject({ verdict: 'pass', 'files-reused': '2' });

      series.service.setIssueStatus({ ruleCode: 'AD-17' }, 'OPEN');
      series.service.load({ faults: [fault] });
      const run = await series.run(FAST);
      expect(run.outputs).toMatchObject({ verdict: 'fail', 'critical-count': count });
      expect(run.log).toContain('the last known verdict stands');
    },
  );

  it('that hides both lists does not mean that no issue is left, whatever the count says', async () => {
    const faults = (['assets/issues', 'assets/read'] as const).map((on) => ({ on, status: 500 }));
    await using series = await startDown(CRITICAL, { faults });
    for (const asset of series.service.submissions.flatMap(({ assets }) => assets)) asset.issueCount = 0;
    const run = await series.run(FAST);
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'critical-count': '1' });
    expect(run.exitCode).toBe(1);
  });

  it('is not what a refusal is: the file of that submission is an error, with its cause', async () => {
    await using series = await startSeries(emulator, { 'a.png': png('a') });
    await series.run();
    await series.write({ 'b.png': png('b') });
    await series.run();
    series.service.load({ faults: [{ on: 'submissions/read', match: 'b-*', status: 403 }] });
    const run = await series.run(FAST);
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'refused', 'files-submitted': '0' });
    const errors = run.annotations.filter(({ level, file }) => level === 'error' && file !== undefined);
    expect(errors).toEqual([expect.objectContaining({ file: 'b.png', message: expect.stringContaining('403') })]);
  });

  it('may also be a lost connection', async () => {
    await using series = await startDown({});
    const run = await series.run({ ...FAST, inputs: { 'base-url': 'http://127.0.0.1:9' } });
    expect(run.outputs).toMatchObject({ verdict: 'pass' });
    expect(run.log).toContain('the last known verdict stands');
  });

  it.each([
    ['submissions/read', 401, 'auth'],
    ['submissions/read', 402, 'plan'],
    ['assets/issues', 401, 'auth'],
    ['assets/issues', 402, 'plan'],
    ['assets/read', 401, 'auth'],
  ] as const)('is not a refusal of %s with %s, which is always an error', async (on, status, reason) => {
    // With the default threshold these issues cannot change the verdict.
    for (const severity of ['CRITICAL', 'MINOR']) {
      const scenario: Scenario = { default: { issues: [{ severity, ruleCode: 'AD-17' }] } };
      await using series = await startDown(scenario, { faults: [{ on, status }] });
      // The asset itself is read only if its list has fewer issues than before.
      const [asset] = series.service.submissions.flatMap(({ assets }) => assets);
      if (on === 'assets/read' && asset) asset.issues = [];
      const run = await series.run({ ...FAST, inputs: { 'on-service-error': 'warn' } });
      expect(run.outputs).toMatchObject({ verdict: 'error', reason });
      expect(run.text).not.toContain('the service did not answer today');
      expect(run.text).not.toContain('last known verdict');
      expect(run.exitCode).toBe(1);
    }
  });
});

describe('an outage with something to send', () => {
  it('is an error of the service', async () => {
    await using series = await startDown({});
    await series.write({ 'b.png': png('b') });
    const run = await series.run(FAST);
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'service' });
    expect(run.exitCode).toBe(1);
    expect(series.service.submissions).toHaveLength(1);
  });

  it('passes with on-service-error: warn, unless a CRITICAL issue is known', async () => {
    for (const [scenario, verdict, exitCode] of [
      [{}, 'error', 0],
      [CRITICAL, 'fail', 1],
    ] as const) {
      await using series = await startDown(scenario);
      await series.write({ 'b.png': png('b') });
      const run = await series.run({ ...FAST, inputs: { 'on-service-error': 'warn' } });
      expect(run.outputs).toMatchObject({ verdict });
      expect(run.exitCode).toBe(exitCode);
    }
  });

  it('does not forgive a file that cannot be sent, because the author of a pull request could have added it', async () => {
    await using series = await startDown({});
    await series.write({ 'b.png': png('b'), 'empty.png': '' });
    const run = await series.run({ ...FAST, inputs: { 'on-service-error': 'warn' } });
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'pre-flight' });
    expect(run.exitCode).toBe(1);
    expect(run.summary).toContain('empty.png');
  });

  it('that is over: the next run continues', async () => {
    await using series = await startDown(CRITICAL);
    await series.write({ 'b.png': png('b') });
    await series.run(FAST);
    series.service.load({});
    const run = await series.run();
    expect(run.sent).toEqual(['b.png']);
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'files-reused': '1' });
  });
});
