import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import { mp4, pdf, png, wav } from '../harness/media.ts';
import { runAction } from '../harness/run-action.ts';
import { makeWorkspace } from '../harness/workspace.ts';

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(async () => await emulator.close());

describe('eight files of four types, two above 10 MB, two with one base name', () => {
  it('become one submission and fail on a CRITICAL issue', async () => {
    const service = emulator.workspace({
      scenario: {
        shuffleAssets: true,
        files: [
          {
            match: 'campaign-hero-*',
            issues: [
              { severity: 'CRITICAL', ruleCode: 'AD-17', summary: 'Claims a cure', referenceNumber: 7 },
              { severity: 'MINOR', ruleCode: 'AD-03', summary: 'Logo too small' },
            ],
          },
        ],
      },
    });
    const workspace = await makeWorkspace({
      'campaign/hero.mp4': mp4('hero', 12_000_000),
      'campaign/teaser.mp4': mp4('teaser', 10_000_001),
      'campaign/banner.png': png('one'),
      'brand/banner.png': png('two'),
      'podcast/intro.wav': wav('intro'),
      'podcast/outro.wav': wav('outro'),
      'legal/terms.pdf': pdf('terms'),
      'legal/small.mp4': mp4('small', 10_000_000),
    });
    const run = await runAction({
      workspace: workspace.path,
      inputs: { 'api-key': service.key, 'base-url': emulator.baseUrl },
    });
    await workspace.remove();

    const count = (endpoint: string): number =>
      service.requests.filter((request) => request.endpoint === endpoint).length;
    expect(run.log).toContain('verdict fail');
    expect(count('submissions/create')).toBe(1);
    expect(count('uploads/direct')).toBe(6);
    expect(count('uploads/url')).toBe(2);
    expect(count('storage/put')).toBe(2);
    expect(service.submissions).toHaveLength(1);
    expect(service.submissions[0]?.assets).toHaveLength(8);
    expect(run.exitCode).toBe(1);
    expect(run.annotations).toContainEqual(
      expect.objectContaining({
        level: 'error',
        file: 'campaign/hero.mp4',
        line: '1',
        title: expect.stringMatching(/^CRITICAL: /),
      }),
    );
    expect(run.outputs).toMatchObject({
      verdict: 'fail',
      reason: 'issues',
      mode: 'live',
      'submission-id': service.submissions[0]?.submissionId,
      'submission-status': 'complete',
      'issue-count': '2',
      'critical-count': '1',
      'minor-count': '1',
      'highest-severity': 'CRITICAL',
      'files-matched': '8',
      'files-submitted': '8',
      'files-reused': '0',
    });
    expect(run.masks).toEqual([service.key]);
    expect(run.log.replace(`::add-mask::${service.key}`, '')).not.toContain(service.key);
    expect(run.log + run.summary).not.toMatch(/sig=/);
    expect(service.requests.filter((request) => request.server === 'storage' && request.headers['x-api-key'])).toEqual(
      [],
    );
  });
});
