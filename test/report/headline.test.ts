import { describe, expect, it } from 'vitest';
import { author, workflowOwner } from '../../src/lib/cause.ts';
import { type HeadlineFacts, headline, nextSteps } from '../../src/report/headline.ts';
import { aCause, aContent, anIssue, aReport } from './fixtures.ts';

function facts(overrides: Partial<HeadlineFacts>): HeadlineFacts {
  const { contents = [] } = overrides;
  return {
    ...aReport({ contents }),
    isPassing: false,
    keepsState: true,
    waiversFile: undefined,
    serviceHost: undefined,
    ...overrides,
  };
}

const bad = aContent({ paths: ['bad.mp4'], issues: [anIssue()] });
const majors = [true, true, false].map((failsGate) => anIssue({ severity: 'MAJOR', failsGate }));
const mixed = aContent({ issues: [...majors, anIssue(), anIssue({ standing: 'waived' })] });
const copies = ['bad.mp4', 'copy.mp4'];
const cause = aCause({ paths: ['a.mp4'], submissionIds: ['s1'] });
const dry = aCause({ reason: 'dry-run' });
const untouched = { ...bad, isUntouched: true };
const wrong = aCause({ reason: 'bad-input', message: 'One is wrong.', steps: [workflowOwner('Correct it.')] });
const failed = ['a.mp4', 'b.mp4'].map((path) => aContent({ paths: [path], outcome: 'failed' }));

// biome-ignore format: a table
it.each<[string, Partial<HeadlineFacts>]>([
  ['1 CRITICAL issue in 1 of 2 files', { verdict: 'fail', contents: [bad, aContent()] }],
  ['1 new CRITICAL issue in 1 of 2 files', { verdict: 'fail', contents: [bad, aContent()], policy: { ...aReport().policy, failOnIssues: 'new' } }],
  ['1 CRITICAL issue in 1 of 2 files, not changed by this pull request', { verdict: 'fail', contents: [untouched, aContent()] }],
  ['1 CRITICAL issue in 1 of 1 file', { verdict: 'fail', contents: [untouched], causes: [cause] }],
  ['2 CRITICAL issues in 2 of 2 files', { verdict: 'fail', contents: [untouched, bad] }],
  ['1 CRITICAL issue in 1 of 2 files; 1 file could not be judged at all', { verdict: 'fail', contents: [bad, aContent({ outcome: 'failed' })] }],
  ['1 CRITICAL issue in 2 of 3 files', { verdict: 'fail', contents: [{ ...bad, paths: copies }, aContent()] }],
  ['1 CRITICAL issue in 1 of 3 files; 2 files could not be judged at all', { verdict: 'fail', contents: [bad, aContent({ paths: copies, outcome: 'failed' })] }],
  ['1 CRITICAL issue in 1 of 1 file (sandbox: nothing was analysed)', { verdict: 'fail', contents: [bad], mode: 'sandbox' }],
  ['1 CRITICAL, 2 MAJOR issues in 1 of 1 file', { verdict: 'fail', contents: [mixed] }],
  ['a.mp4: It cannot be read.', { verdict: 'error', causes: [cause] }],
  ['a.mp4: It cannot be read. (sandbox: nothing was analysed)', { verdict: 'error', causes: [cause], mode: 'sandbox' }],
  ['a.mp4 (not changed by this pull request): It cannot be read.', { verdict: 'error', causes: [{ ...cause, isUntouched: true }] }],
  ['2 of 3 files: a.mp4: It cannot be read.', { verdict: 'error', isPassing: true, causes: [cause], contents: [...failed, aContent()] }],
  ['2 files: It cannot be read.', { verdict: 'error', causes: [aCause({ paths: ['a.mp4', 'b.mp4'] })] }],
  ['2 problems, the first: One is wrong.', { verdict: 'error', causes: [wrong, cause] }],
  ['1 file checked, no active issues', { verdict: 'pass', contents: [aContent()] }],
  ['1 file checked, 1 active issue, none that stops the check', { verdict: 'pass', contents: [aContent({ issues: [anIssue({ severity: 'MINOR' })] })] }],
  ['1 file checked, no active issues; 1 issue waived; 1 issue known from the base branch', { verdict: 'pass', contents: [aContent({ issues: [anIssue({ standing: 'waived' }), anIssue({ standing: 'known' })] })] }],
  ['1 file checked, no active issues, as known on 2026-11-01: the service did not answer today', { verdict: 'pass', contents: [aContent()], lastKnown: { since: '2026-11-01T10:00:00Z', message: '' } }],
  ['nothing was analysed', { verdict: 'pass', mode: 'sandbox', contents: [aContent()] }],
  ['One is wrong.', { verdict: 'skipped', causes: [wrong] }],
  ['This was a dry run. A real run would stop: a.mp4: It cannot be read.', { verdict: 'skipped', reason: 'dry-run', causes: [cause, dry] }],
  ['This was a dry run. A real run would send nothing.', { verdict: 'skipped', reason: 'dry-run', causes: [dry] }],
])('%s', (expected, overrides) => {
  expect(headline(facts(overrides))).toBe(expected);
});

describe('nextSteps', () => {
  it('say who can act, and where, and promise nothing that needs state if there is none', () => {
    const failing = { verdict: 'fail', contents: [bad], serviceHost: 'compliance.example' } as const;
    expect(nextSteps(facts({ ...failing, waiversFile: 'waivers.yml' }))).toEqual([
      author('Change or replace `bad.mp4` and push. Only changed files are sent and billed.'),
      {
        actor: 'anyone',
        text: 'Or, if it is not a problem, have the issue dismissed in the service (`compliance.example`), or ask the owners of `waivers.yml` for a waiver.',
      },
      { actor: 'anyone', text: 'Then re-run this job, which costs nothing.', link: 'run' },
    ]);
    expect(JSON.stringify(nextSteps(facts({ ...failing, keepsState: false })))).not.toMatch(
      /changed files|costs nothing|waiver/,
    );
    expect(nextSteps(facts({ verdict: 'pass', mode: 'sandbox' }))).toMatchObject([{ actor: 'workflow owner' }]);
    expect(nextSteps(facts({ verdict: 'error', mode: 'sandbox', causes: [cause] }))).toEqual(cause.steps);
    expect(JSON.stringify(nextSteps(facts({ ...failing, mode: 'sandbox' })))).not.toMatch(/bill|cost/);
  });

  it('ask the owner of the workflow about a file that the pull request does not change', () => {
    expect(nextSteps(facts({ verdict: 'fail', contents: [untouched] }))[0]).toMatchObject({
      actor: 'workflow owner',
      text: expect.stringMatching(/^Fix `bad.mp4` on the base branch, .* waiver, or set `fail-on-issues: new`/),
    });
    const waiversFile = 'waivers.yml';
    expect(nextSteps(facts({ verdict: 'fail', contents: [untouched], waiversFile }))[0]?.text).toContain(
      'accept the issue in `waivers.yml`',
    );
    const both = nextSteps(facts({ verdict: 'fail', contents: [untouched, { ...bad, paths: ['new.mp4'] }] }));
    expect(both.slice(0, 2)).toMatchObject([
      { actor: 'author', text: expect.stringContaining('replace `new.mp4` and push') },
      { actor: 'workflow owner', text: expect.stringContaining('Fix `bad.mp4` on') },
    ]);
  });

  it('name three files, and also say what to do about those that were not judged', () => {
    const paths = ['a.mp4', 'b.mp4', 'c.mp4', 'd.mp4'];
    const steps = nextSteps(facts({ verdict: 'fail', contents: [{ ...bad, paths }], causes: [wrong] }));
    expect(steps[0]?.text).toContain('replace `a.mp4`, `b.mp4`, `c.mp4` and 1 more and push');
    expect(steps.at(-1)).toEqual(workflowOwner('Correct it.'));
  });

  it('lead to the issue if there is only one', () => {
    const issue = anIssue({ url: 'https://service.example/1' });
    const links = (issues: readonly (typeof issue)[]): unknown =>
      nextSteps(facts({ verdict: 'fail', contents: [aContent({ issues })] })).map(({ link }) => link);
    expect(links([issue])).toEqual([undefined, issue.url, 'run']);
    expect(links([issue, issue])).toEqual([undefined, undefined, 'run']);
  });

  it('are those of all causes, each once, those of one person together', () => {
    const [fix, correct] = [author('Fix it.'), workflowOwner('Correct it.')];
    const both = aCause({ steps: [fix, correct] });
    expect(nextSteps(facts({ verdict: 'error', causes: [both] }))).toEqual([fix, correct]);
    const other = aCause({ steps: [author('Fix `b.png`.'), correct, workflowOwner('Fix it.')] });
    expect(nextSteps(facts({ verdict: 'error', causes: [both, other] }))).toEqual([fix, ...other.steps]);
  });
});
