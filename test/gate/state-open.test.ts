import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { it } from '../harness/fixtures.ts';
import { images, png } from '../harness/media.ts';

/** Analyses that do not end until they are finished by hand. */
const ENDLESS: Scenario = { default: { reads: 1_000_000, issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] } };

/** A minute of waiting takes a second. */
const SHORT_WAIT = { clockFactor: 60, inputs: { 'wait-timeout-minutes': '1' } };

describe.concurrent('what an earlier run left open', () => {
  it('is awaited after a timeout, and only what changed since is sent', async ({ startSeries }) => {
    const series = await startSeries(images('1', '2', '3', '4'), { scenario: ENDLESS });
    const first = await series.run(SHORT_WAIT);
    expect(first.outputs).toMatchObject({ verdict: 'error', reason: 'timeout' });
    series.service.finishAnalyses();
    // The submission still holds an asset of a file that was deleted since. Its issue belongs to no file of this run.
    await series.write({ '2.png': png('changed'), '4.png': undefined });
    series.service.load({ files: [{ match: '4-*', issues: [{ severity: 'CRITICAL' }] }] });
    const run = await series.run();
    expect(run.sent).toEqual(['2.png']);
    expect(run.count('uploads/direct')).toBe(1);
    expect(run.outputs).toMatchObject({ verdict: 'pass', 'files-submitted': '1' });
    expect(run.outputs['submission-id']).toBe(series.service.submissions[1]?.submissionId);
    expect(run.summary).toContain('1 billed, 2 awaited');
    expect(run.log).toContain('::group::Uploading 1 file\n');
  });

  it('counts as soon as it was read, even if an outage then keeps other files from being sent', async ({
    startSeries,
  }) => {
    const series = await startSeries(images('1'), { scenario: ENDLESS });
    await series.run(SHORT_WAIT);
    series.service.finishAnalyses();
    await series.write(images('2'));
    series.service.load({
      default: { issues: [{ severity: 'CRITICAL' }] },
      faults: [{ on: 'submissions/create', status: 503 }],
    });
    const run = await series.run({ inputs: { 'on-service-error': 'warn' } });
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'critical-count': '1' });
  });

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
});
