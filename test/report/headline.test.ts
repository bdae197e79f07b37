import { describe, expect, it } from 'vitest';
import type { Cause } from '../../src/lib/cause.ts';
import { type HeadlineFacts, headline, nextSteps } from '../../src/report/headline.ts';
import { anAsset, anIssue, aReport } from './fixtures.ts';

function facts(overrides: Partial<HeadlineFacts>): HeadlineFacts {
  const { assets = [] } = overrides;
  return { ...aReport({ assets }), keepsState: true, waiversFile: undefined, serviceHost: undefined, ...overrides };
}

const ID = '11111111-1111-4111-8111-111111111111';
const bad = anAsset({ paths: ['bad.mp4'], issues: [anIssue()] });
const cause: Cause = { reason: 'asset-failed', message: 'It cannot be read.', fix: 'Fix it.', path: 'a.mp4' };
const wrong: Cause = { reason: 'bad-input', message: 'One is wrong.', fix: 'Correct it.' };
const alike = [cause, { ...cause, path: 'b.mp4' }];
const failed = ['a.mp4', 'b.mp4'].map((path) => anAsset({ paths: [path], outcome: 'failed' }));

// biome-ignore format: a table
it.each<[string, Partial<HeadlineFacts>]>([
  ['1 CRITICAL issue in 1 of 2 files', { verdict: 'fail', assets: [bad, anAsset()] }],
  ['1 CRITICAL issue in 1 of 2 files; 1 file could not be judged at all', { verdict: 'fail', assets: [bad, anAsset({ outcome: 'failed' })] }],
  ['1 CRITICAL issue in 1 of 1 file (sandbox: nothing was analysed)', { verdict: 'fail', assets: [bad], mode: 'sandbox' }],
  ['a.mp4: It cannot be read.', { verdict: 'error', causes: [cause] }],
  ['2 files: It cannot be read.', { verdict: 'error', causes: alike }],
  ['All 2 files failed alike, so it is probably the service: It cannot be read.', { verdict: 'error', causes: alike, assets: failed }],
  ['2 problems, the first: One is wrong.', { verdict: 'error', causes: [wrong, cause] }],
  ['The submission has 2 assets.', { verdict: 'error', causes: [{ ...wrong, message: `Submission ${ID} has 2 assets (${ID}, ${ID}).` }] }],
  ['1 file checked, no active issues', { verdict: 'pass', assets: [anAsset()] }],
  ['1 file checked, 1 active issue, none that stops the check', { verdict: 'pass', assets: [anAsset({ issues: [anIssue({ severity: 'MINOR' })] })] }],
  ['1 file checked, no active issues; 1 issue waived; 1 issue known from the base branch', { verdict: 'pass', assets: [anAsset({ issues: [anIssue({ standing: 'waived' }), anIssue({ standing: 'known' })] })] }],
  ['1 file checked, no active issues, as known on 2026-11-01: the service did not answer today', { verdict: 'pass', assets: [anAsset()], lastKnown: { since: '2026-11-01T10:00:00Z', message: '' } }],
  ['nothing was analysed', { verdict: 'pass', mode: 'sandbox', assets: [anAsset()] }],
  ['One is wrong.', { verdict: 'skipped', causes: [wrong] }],
])('%s', (expected, overrides) => {
  expect(headline(facts(overrides))).toBe(expected);
});

describe('nextSteps', () => {
  it('say who can act, and where, and promise nothing that needs state if there is none', () => {
    const failing = { verdict: 'fail', assets: [bad], serviceHost: 'compliance.example' } as const;
    expect(nextSteps(facts({ ...failing, waiversFile: 'waivers.yml' }))).toEqual([
      'Author of the change: Change or replace `bad.mp4` and push. Only changed files are sent and billed.',
      'Anyone with access to the service: If it is not a problem, dismiss the issue in the service (`compliance.example`), or ask the owners of `waivers.yml` for a waiver, and re-run this job, which costs nothing.',
    ]);
    expect(nextSteps(facts({ ...failing, keepsState: false })).join()).not.toMatch(
      /changed files|costs nothing|waiver/,
    );
    expect(nextSteps(facts({ verdict: 'pass', mode: 'sandbox' }))).toEqual([
      expect.stringMatching(/^Owner of the workflow: /),
    ]);
  });

  it('are the fix, or lead to the list of problems if there are several fixes', () => {
    expect(nextSteps(facts({ verdict: 'error', causes: alike }))).toEqual(['Fix it.']);
    expect(nextSteps(facts({ verdict: 'error', causes: [cause, wrong] }))).toEqual([
      'Each problem below says what to do, and who can do it.',
    ]);
  });
});
