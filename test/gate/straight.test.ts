import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { uploadName } from '../../src/media/content.ts';
import { it } from '../harness/fixtures.ts';
import { mp4, pdf, png, wav } from '../harness/media.ts';

it('eight files of four types become one submission, and fail on a CRITICAL issue', async ({ gate }) => {
  const run = await gate({
    files: {
      'campaign/hero.mp4': mp4('hero', 12_000_000),
      'campaign/teaser.mp4': mp4('teaser', 10_000_001),
      'campaign/banner.png': png('one'),
      'brand/banner.png': png('two'),
      'podcast/intro.wav': wav('intro'),
      'podcast/outro.wav': wav('outro'),
      'legal/terms.pdf': pdf('terms'),
      'legal/small.mp4': mp4('small', 10_000_000),
    },
    scenario: { files: [{ match: 'campaign-hero-*', issues: [{ severity: 'CRITICAL' }, { severity: 'MINOR' }] }] },
  });
  expect(run.log).toMatch(/\[1\/8\] .*: uploaded, .*\[8\/8\] .*: uploaded, /s);
  expect(run.count('submissions/create')).toBe(1);
  expect([run.count('uploads/direct'), run.count('uploads/url'), run.count('storage/put')]).toEqual([6, 2, 2]);
  const [submission] = run.service.submissions;
  expect(submission?.assets).toHaveLength(8);
  // Repositories may share a workspace at the service, so a name depends on the id of its repository.
  const sha256 = createHash('sha256').update(png('one')).digest('hex');
  const name = uploadName('campaign/banner.png', { sha256, repositoryId: '4711', extension: 'png' });
  expect(submission?.assets.map(({ filename }) => filename)).toContain(name);
  const place = { level: 'error', file: 'campaign/hero.mp4', title: expect.stringMatching(/^CRITICAL: /) };
  expect(run.annotations).toContainEqual(expect.objectContaining(place));
  const counts = { 'issue-count': '2', 'critical-count': '1', 'minor-count': '1', 'highest-severity': 'CRITICAL' };
  const sent = { 'files-submitted': '8', 'submission-id': submission?.submissionId, 'submission-status': 'complete' };
  expect(run.outputs).toMatchObject({ verdict: 'fail', reason: 'issues', mode: 'live', ...counts, ...sent });
  expect(run.masks[0]).toBe(run.service.key);
  const agents = run.requests.filter(({ server }) => server !== 'storage').map(({ headers }) => headers['user-agent']);
  expect([...new Set(agents)]).toEqual([expect.stringMatching(/^media-compliance-gate\/\d+\.\d+\.\d+$/)]);
  const addresses = run.requests.filter(({ endpoint }) => endpoint === 'uploads/url').map(({ json }) => json);
  for (const json of addresses)
    expect(json).toEqual({ filename: expect.stringMatching(/^campaign-.*\.mp4$/), contentType: 'video/mp4' });
  const withKey = run.requests.filter(({ server, headers }) => server === 'storage' && headers['x-api-key']);
  expect(withKey).toEqual([]);
});
