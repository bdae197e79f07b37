import { expect, it } from 'vitest';
import { accountOwner, author, EXCLUDE_IT, FILE, rerun, type Step, workflowOwner } from '../../src/causes/cause.ts';
import { describeSteps, isForOthers } from '../../src/report/phrases.ts';
import type { Report } from '../../src/report/report.ts';
import { completeSteps, withFiles } from '../../src/report/steps.ts';
import { Waivers } from '../../src/waivers/waivers.ts';
import { aCause, aContent, anIssue, aReport, PULL_REQUEST_RUN } from '../builders/reports.ts';

type StepFacts = Parameters<typeof completeSteps>[1];

const FACTS: StepFacts = {
  service: { apiKey: 'sk_live_', baseUrl: 'https://compliance.example/api', mode: 'live' },
  waivers: undefined,
  stateFile: '/state.json',
};

function stepsOf(over: Partial<Report & StepFacts>): readonly Step[] {
  return completeSteps(aReport({ verdict: 'fail', run: PULL_REQUEST_RUN, ...over }), { ...FACTS, ...over }).nextSteps;
}

const bad = aContent({ paths: ['bad.mp4'], isChanged: true, issues: [anIssue()] });
const old = aContent({ paths: ['old.mp4'], isChanged: false, issues: [anIssue()] });
const empty = aCause({ paths: ['a.png'], steps: [author(`Fill ${FILE}.`), EXCLUDE_IT] });
const wrong = aCause({ steps: [workflowOwner('Correct it.'), rerun()] });
const outage = aCause({ reason: 'service', steps: [rerun()] });
const onlyNew: Report['policy'] = { ...aReport().policy, failOnIssues: 'new' };

function shown(over: Partial<Report & StepFacts>): readonly string[] {
  return stepsOf(over).map((step) => describeSteps([step]));
}

const RERUN = 'then re-run this job. Nothing is billed again.';
const ACCOUNT = 'Owner of the service account:';
const DISMISS = `${ACCOUNT} If the issue is wrong, dismiss it at the service (\`compliance.example\`), ${RERUN}`;

it('an issue is fixed by the author, or accepted at the service or with a waiver', () => {
  expect(shown({ contents: [bad], waiversFile: 'waivers.yml' })).toEqual([
    'Author of the change: Change or replace `bad.mp4` and push.',
    DISMISS,
    'Owner of the workflow: If `bad.mp4` is acceptable, merge a waiver into `waivers.yml`, ' +
      'in a pull request of its own. Then update this branch from its base: a re-run alone does not read it.',
  ]);
  expect(shown({ contents: [bad] }).slice(1)).toEqual([DISMISS]);
  const outside = shown({ contents: [bad], waiversFile: 'w.yml', run: aReport().run });
  expect(outside.join()).not.toContain('this branch');
});

it('the step about a waiver says why the issue is not waived', () => {
  const issues = [anIssue({ whyNotWaived: 'The waiver of legal expired on 2026-11-01.' })];
  const given = { contents: [{ ...bad, issues }], waiversFile: 'waivers.yml' };
  expect(shown(given).at(-1)).toMatch(
    /^Owner of the workflow: The waiver of legal expired on 2026-11-01\. If `bad.mp4` is acceptable, merge a waiver .* Then update /,
  );
  const problem = { why: 'the file could not be read', fix: 'Give it `contents: read`.' };
  const waivers = new Waivers({ waivers: [], problem }, new Date('2026-11-15'));
  expect(shown({ ...given, waivers }).at(-1)).toBe(`Owner of the workflow: ${waivers.problem}`);
});

it('a missing baseline has a step in a pull request', () => {
  const uncompared = { why: 'none was found', fix: 'Run this gate on `push` to main as well.' };
  const why = 'There was nothing to compare with, because none was found, so every issue counts.';
  const step = `Owner of the workflow: ${why}`;
  expect(shown({ contents: [bad], policy: onlyNew, uncompared })).toContain(`${step} ${uncompared.fix}`);
  expect(shown({ contents: [bad], uncompared, run: aReport().run }).join()).not.toContain('nothing to compare');
});

it('an untouched file is for the owner of the workflow, after the steps of the author', () => {
  expect(shown({ contents: [old, bad] })).toEqual([
    expect.stringContaining('Author of the change: Change or replace `bad.mp4`'),
    'Owner of the workflow: On the base branch, because this pull request does not change the file: ' +
      'change or replace `old.mp4` and push.',
    expect.stringContaining('If the issues are wrong, dismiss them'),
    'Owner of the workflow: If issues that the base branch has may stay, as in `old.mp4`, ' +
      'set `waivers-file` or `fail-on-issues: new`.',
  ]);
  const ways = (over: Partial<Report>): string => shown({ contents: [old], ...over }).at(-1) ?? '';
  expect(ways({ policy: onlyNew })).toContain('set `waivers-file`.');
  expect(ways({ waiversFile: 'w.yml' })).toContain('set `fail-on-issues: new`.');
  const both = { waiversFile: 'w.yml', policy: onlyNew };
  expect(ways(both)).toContain('merge a waiver');
  expect(ways({ ...both, contents: [old, bad] })).toContain('merge a waiver');
});

it.each<[string, Partial<Report>, boolean]>([
  ['only untouched files have issues', { contents: [old] }, true],
  ['one file is the author’s own', { contents: [old, bad] }, false],
  ['the key is wrong', { verdict: 'error', causes: [wrong] }, true],
  ['the account has no plan', { verdict: 'error', causes: [aCause({ steps: [accountOwner('Pay.')] })] }, true],
  ['the author can fix one of two problems', { verdict: 'error', causes: [wrong, empty] }, false],
  ['a re-run may help', { verdict: 'error', causes: [aCause({ steps: [rerun(), workflowOwner('Ask.')] })] }, false],
  ['an outage leaves other files unjudged', { contents: [old], causes: [outage] }, false],
  ['the outage is forgiven', { verdict: 'error', isPassing: true, causes: [wrong] }, false],
  ['there is no pull request', { verdict: 'error', causes: [wrong], run: aReport().run }, false],
])('the author has nothing to fix, or has: %s', (_, over, expected) => {
  const report = aReport({ verdict: 'fail', run: PULL_REQUEST_RUN, isPassing: false, ...over });
  expect(isForOthers({ ...report, nextSteps: stepsOf({ isPassing: false, ...over }) })).toBe(expected);
});

it('equal steps are one, unless only one of them is billed', () => {
  const causes = [rerun(), rerun(), rerun(undefined, 'It bills again.')].map((step) => aCause({ steps: [step] }));
  expect(stepsOf({ verdict: 'error', causes }).map(({ text }) => text)).toEqual([
    'Re-run this job.',
    'Re-run this job. It bills again.',
  ]);
});

it('media that were not checked have a step on a pass', () => {
  const unchecked = ['poster.ai', 'media/a.INDD', 'media/b.indd', 'media/film'];
  const [step, ...others] = stepsOf({ verdict: 'pass', unchecked });
  expect(step?.text).toMatch(
    /^Export `poster.ai`, `media\/a.INDD`, `media\/b.indd` and 1 more .* Or only exclude .* red for everybody\.$/,
  );
  expect([others, stepsOf({ verdict: 'error', unchecked })]).toEqual([[], []]);
});

it('a submodule that is not checked out has a step of its own', () => {
  const [step, submodule] = stepsOf({ verdict: 'pass', unchecked: ['lib/', 'media/films/', 'poster.ai'] });
  expect(step?.text).toMatch(/^Export `poster.ai` in a form/);
  expect(submodule?.text).toMatch(
    /^To have `lib\/`, `media\/films\/` checked, set `submodules: true` .* sent and billed/,
  );
  expect(submodule?.text).toContain('`!lib/**`, `!media/films/**`');
});

it('equal steps of several problems become one that names all their files', () => {
  const causes = [wrong, empty, { ...empty, paths: ['b.png'], steps: [author(`Convert ${FILE}.`), EXCLUDE_IT] }, wrong];
  expect(shown({ verdict: 'error', causes })).toEqual([
    'Author of the change: Fill `a.png`.',
    'Author of the change: Convert `b.png`.',
    'Owner of the workflow: Correct it.',
    'Anyone with write access: Re-run this job.',
    expect.stringContaining('If `a.png`, `b.png` needs no check, exclude it'),
  ]);
});

it('what was not judged beside an issue has its steps', () => {
  expect(shown({ contents: [bad], causes: [wrong] })).toContain('Owner of the workflow: Correct it.');
  expect(shown({ verdict: 'pass', mode: 'sandbox' }).at(-1)).toContain('use a live key');
});

// biome-ignore format: a table
it.each<[string, readonly string[]]>([
  ['Replace the file.',                   []],
  ['Replace `a.png`.',                    ['a.png']],
  ['Replace `a`, `b`, `c` and 1 more.',   ['a', 'b', 'c', 'd']],
  ['Replace `$&.png`.',                   ['$&.png']],
])('a step names its file: %s', (text, paths) => {
  expect(withFiles(author(`Replace ${FILE}.`), paths)).toEqual({ actor: 'author', text });
});
