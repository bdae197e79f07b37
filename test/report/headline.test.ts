import { describe, expect, it } from 'vitest';
import type { Cause } from '../../src/lib/cause.ts';
import { type HeadlineFacts, headline, nextSteps } from '../../src/report/headline.ts';
import { anAsset, anIssue, aReport } from './fixtures.ts';

function facts(overrides: Partial<HeadlineFacts>): HeadlineFacts {
  return {
    ...aReport({ assets: overrides.assets ?? [] }),
    keepsState: true,
    waiversFile: undefined,
    serviceHost: undefined,
    ...overrides,
  };
}

const ID = '11111111-1111-4111-8111-111111111111';
const critical = anIssue({ severity: 'CRITICAL', failsGate: true });
const cause: Cause = { reason: 'asset-failed', message: 'It cannot be read.', fix: 'Fix it.', path: 'a.mp4' };
const unread: Cause = { ...cause, reason: 'results' };
const OTHER: Cause = { ...unread, message: 'It is broken.', path: 'b.mp4' };

describe('headline', () => {
  it.each<[string, Partial<HeadlineFacts>, string]>([
    [
      'a failure',
      { verdict: 'fail', assets: [anAsset({ issues: [critical] }), anAsset({})] },
      '1 CRITICAL issue in 1 of 2 files',
    ],
    [
      'a failure beside an unjudged file',
      { verdict: 'fail', assets: [anAsset({ issues: [critical] }), anAsset({ outcome: 'failed' })] },
      '1 CRITICAL issue in 1 of 2 files; 1 file could not be judged at all',
    ],
    ['one cause', { verdict: 'error', isPassing: false, causes: [cause] }, 'a.mp4: It cannot be read.'],
    ['two files', { verdict: 'error', isPassing: false, causes: [unread, OTHER] }, '2 files could not be judged'],
    [
      'two files with the same problem',
      { verdict: 'error', isPassing: false, causes: [unread, { ...unread, path: 'b.mp4' }] },
      '2 files: It cannot be read.',
    ],
    [
      'two files, one of them in two places, beside one that was not sent',
      {
        verdict: 'error',
        isPassing: false,
        causes: [unread, OTHER],
        assets: [
          anAsset({ paths: ['a.mp4', 'copy.mp4'], outcome: 'failed' }),
          anAsset({ source: 'not-sent', outcome: 'unjudged' }),
        ],
      },
      '3 files could not be judged',
    ],
    [
      'two files that the service refused',
      {
        verdict: 'error',
        isPassing: false,
        causes: [
          { ...cause, reason: 'refused' },
          { ...OTHER, reason: 'refused' },
        ],
        assets: ['a.mp4', 'b.mp4', 'c.mp4'].map((path) =>
          anAsset({ paths: [path], source: 'not-sent', outcome: 'unjudged' }),
        ),
      },
      'The service refused 2 files, so none of the 3 was submitted',
    ],
    [
      'two files that the service could not analyse',
      {
        verdict: 'error',
        isPassing: false,
        causes: [
          { ...cause, reason: 'asset-failed' },
          { ...OTHER, reason: 'asset-failed' },
        ],
        assets: ['a.mp4', 'b.mp4', 'c.mp4'].map((path) => anAsset({ paths: [path] })),
      },
      'The service could not analyse 2 of 3 files',
    ],
    [
      'all files alike',
      {
        verdict: 'error',
        isPassing: false,
        causes: [cause, { ...cause, path: 'b.mp4' }],
        assets: ['a.mp4', 'b.mp4'].map((path) => anAsset({ paths: [path], outcome: 'failed' })),
        counts: { ...aReport().counts, filesMatched: 2 },
      },
      'All 2 files failed alike, so it is probably the service: It cannot be read.',
    ],
    [
      'a message with ids',
      {
        verdict: 'error',
        isPassing: false,
        causes: [{ reason: 'results', message: `Submission ${ID} has 2 assets (${ID}, ${ID}).`, fix: '' }],
      },
      'Submission has 2 assets.',
    ],
    [
      'two problems',
      { verdict: 'error', isPassing: false, causes: [{ reason: 'bad-input', message: 'One.', fix: '' }, cause] },
      '2 problems, the first: One.',
    ],
    [
      'a forgiven error',
      { verdict: 'error', isPassing: true, causes: [{ ...cause, path: 'a' }] },
      'a: It cannot be read. (the check passes because of `on-service-error: warn`)',
    ],
    ['nothing found', { verdict: 'pass', mode: 'live', assets: [anAsset({})] }, '1 file checked, no active issues'],
    [
      'little found',
      { verdict: 'pass', mode: 'live', assets: [anAsset({ issues: [anIssue({ severity: 'MINOR' })] })] },
      '1 file checked, 1 active issue, none that stops the check',
    ],
    [
      'what was accepted',
      {
        verdict: 'pass',
        mode: 'live',
        assets: [anAsset({ issues: [anIssue({ standing: 'waived' }), anIssue({ standing: 'known' })] })],
      },
      '1 file checked, no active issues; 1 issue waived; 1 issue known from the base branch',
    ],
    [
      'the sandbox',
      { verdict: 'pass', mode: 'sandbox', assets: [anAsset({})] },
      '1 file went through the sandbox: nothing was analysed',
    ],
    [
      'nothing to check',
      { verdict: 'skipped', causes: [{ reason: 'no-files', message: 'No file.', fix: '' }] },
      'No file.',
    ],
  ])('of %s', (_, overrides, expected) => {
    expect(headline(facts(overrides))).toBe(expected);
  });
});

describe('nextSteps', () => {
  it('promise nothing that needs state if there is none', () => {
    expect(nextSteps(facts({ verdict: 'fail' })).join()).toMatch(/Only changed files.*costs nothing/);
    expect(nextSteps(facts({ verdict: 'fail', keepsState: false })).join()).not.toMatch(/changed files|costs nothing/);
  });

  it('say who can act, and where', () => {
    expect(nextSteps(facts({ verdict: 'fail', serviceHost: 'compliance.example' }))).toEqual([
      expect.stringMatching(/\(For the author of the change\.\)$/),
      expect.stringMatching(/`compliance\.example`.*\(For anyone with access to the service\.\)$/),
    ]);
    expect(nextSteps(facts({ verdict: 'pass', mode: 'sandbox' }))).toEqual([
      expect.stringMatching(/\(For the owner of the workflow\.\)$/),
    ]);
  });

  it('mention waivers if the team has a waivers file', () => {
    const issues = [
      ...['A-1', 'A-1', 'A-2', 'A-3', 'A-4'].map((ruleCode) => anIssue({ ruleCode, failsGate: true })),
      anIssue({ severity: 'MINOR' }),
    ];
    const steps = (waiversFile: string | undefined) =>
      nextSteps(facts({ verdict: 'fail', assets: [anAsset({ issues })], waiversFile })).filter((step) =>
        step.includes('waiver'),
      );
    expect(steps('.github/waivers.yml')).toEqual([
      'To accept the issue, ask the owners of `.github/waivers.yml` for a waiver of `A-1`, `A-2`, `A-3` and 1 more. In a pull request, the file on the base branch counts.',
    ]);
    expect(steps(undefined)).toEqual([]);
  });

  it('point to the table if there is one, otherwise give the fix', () => {
    expect(nextSteps(facts({ verdict: 'error', causes: [cause] }))).toEqual(['Fix it.']);
    expect(nextSteps(facts({ verdict: 'error', causes: [cause, { ...cause, fix: 'Replace it.' }] }))).toEqual([
      expect.stringContaining('table below'),
    ]);
    expect(nextSteps(facts({ verdict: 'error', causes: [cause, cause] }))).toEqual(['Fix it.']);
  });
});
