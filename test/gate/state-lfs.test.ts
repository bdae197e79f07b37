import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { it } from '../harness/fixtures.ts';
import { images, png } from '../harness/media.ts';
import { pointerTo } from '../media/bytes.ts';

const CRITICAL: Scenario = { default: { issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] } };

describe.concurrent('a Git LFS pointer', () => {
  it('of a known content is reused without the file', async ({ startSeries }) => {
    const series = await startSeries({}, { scenario: CRITICAL });
    await series.addAnalysed(images('a'));
    await series.write({ 'a.png': pointerTo(png('a')), 'copy.png': pointerTo(png('a')) });
    const run = await series.run();
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'files-reused': '2', 'critical-count': '1' });
    expect(run.requests.every(({ method }) => method === 'GET')).toBe(true);
    expect(run.annotations.filter(({ title }) => title?.startsWith('CRITICAL: ')).map(({ file }) => file)).toContain(
      'a.png',
    );
  });

  it('of an unknown content beside a known CRITICAL issue: the verdict is fail, and nothing is sent', async ({
    startSeries,
  }) => {
    const series = await startSeries({}, { scenario: CRITICAL });
    await series.addAnalysed(images('a'));
    await series.write({ 'b.png': pointerTo(png('b')), 'c.png': png('c') });
    const run = await series.run();
    expect(run.outputs).toMatchObject({
      verdict: 'fail',
      reason: 'issues',
      'critical-count': '1',
      'files-submitted': '0',
    });
    expect(run.readableSummary).toContain(
      '`lfs: true` in the `actions/checkout` step of `.github/workflows/media.yml`',
    );
    expect(series.service.submissions).toHaveLength(1);
  });
});
