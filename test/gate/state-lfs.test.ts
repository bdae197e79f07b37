import { expect } from 'vitest';
import { CRITICAL, it } from '../harness/fixtures.ts';
import { images, png } from '../harness/media.ts';
import { pointerTo } from '../media/bytes.ts';

it('the analysis of a Git LFS pointer is reused; an unknown pointer stops the run', async ({ startSeries }) => {
  const series = await startSeries({}, { scenario: CRITICAL });
  await series.addAnalysed(images('a'));
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
