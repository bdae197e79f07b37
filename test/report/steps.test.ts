import { expect, it } from 'vitest';
import { accountOwner, author, EXCLUDE_IT, FILE, rerun, workflowOwner } from '../../src/causes/cause.ts';
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

function shown(over: Partial<Report & StepFacts>): readonly string[] {
  const report = aReport({ verdict: 'fail', run: PULL_REQUEST_RUN, ...over });
  return completeSteps(report, { ...FACTS, ...over }).nextSteps.map((step) => describeSteps([step]));
}

const bad = aContent({ paths: ['bad.mp4'], isChanged: true, issues: [anIssue()] });
const old = aContent({ paths: ['old.mp4'], isChanged: false, issues: [anIssue()] });
const empty = aCause({ paths: ['a.png'], steps: [author(`Fill ${FILE}.`), EXCLUDE_IT] });
const wrong = aCause({ steps: [workflowOwner('Correct it.'), rerun()] });
const WAIVED = 'Owner of the workflow: If the issue is acceptable, merge a waiver into `waivers.yml`';

it('an issue is fixed by the author, or accepted at the service or with a waiver', () => {
  const dismiss =
    'Owner of the service account: If the issue is wrong, dismiss it at the service (`compliance.example`) and re-run this job.';
  const fix = 'Author of the change: Correct or replace `bad.mp4`, commit and push.';
  expect(shown({ contents: [bad] })).toEqual([fix, `${dismiss} Nothing is billed again.`]);
  expect(shown({ contents: [bad], mode: 'sandbox' })).toEqual([fix, dismiss]);
  expect(shown({ contents: [bad], waiversFile: 'waivers.yml' }).at(-1)).toBe(
    `${WAIVED}, in a pull request of its own. Then update this branch from its base: a re-run alone does not read it.`,
  );
  expect(shown({ contents: [bad], waiversFile: 'waivers.yml', run: aReport().run }).join()).not.toContain(
    'this branch',
  );
});

it('the step about a waiver says why no waiver counts', () => {
  const issues = [anIssue({ whyNotWaived: 'The waiver of legal expired on 2026-11-01.' })];
  const given = { contents: [{ ...bad, issues }], waiversFile: 'waivers.yml' };
  expect(shown(given).at(-1)).toContain('Owner of the workflow: The waiver of legal expired on 2026-11-01. If the ');
  const problem = { why: 'the file could not be read', fix: 'Give it `contents: read`.' };
  const waivers = new Waivers({ waivers: [], problem }, new Date('2026-11-15'));
  expect(shown({ ...given, waivers }).at(-1)).toBe(`Owner of the workflow: ${waivers.problem}`);
});

it('an untouched file is for the owner of the workflow, after the steps of the author', () => {
  expect(shown({ contents: [old, bad] }).slice(0, 2)).toEqual([
    'Author of the change: Correct or replace `bad.mp4`, commit and push.',
    'Owner of the workflow: On the base branch: correct or replace `old.mp4`, commit and push.',
  ]);
});

it.each<[string, Partial<Report>, boolean]>([
  ['only untouched files have issues', { contents: [old] }, true],
  ['one file is the author’s own', { contents: [old, bad] }, false],
  ['the key is wrong', { verdict: 'error', causes: [wrong] }, true],
  ['the account has no plan', { verdict: 'error', causes: [aCause({ steps: [accountOwner('Pay.')] })] }, true],
  ['the author can fix one of two problems', { verdict: 'error', causes: [wrong, empty] }, false],
  ['a re-run may help', { verdict: 'error', causes: [aCause({ steps: [rerun(), workflowOwner('Ask.')] })] }, false],
  ['the outage is forgiven', { verdict: 'error', isPassing: true, causes: [wrong] }, false],
  ['there is no pull request', { verdict: 'error', causes: [wrong], run: aReport().run }, false],
])('the author has nothing to fix, or has: %s', (_, over, expected) => {
  const report = aReport({ verdict: 'fail', run: PULL_REQUEST_RUN, isPassing: false, ...over });
  expect(isForOthers({ ...report, ...completeSteps(report, FACTS) })).toBe(expected);
});

it.each<[string, Partial<Report>, RegExp | undefined]>([
  ['an outage', { causes: [aCause({ reason: 'service' })] }, /set `on-service-error` to `warn`.*afterwards/],
  ['an outage beside an issue', { verdict: 'fail', causes: [aCause({ reason: 'service' })] }, undefined],
  ['an outage that is forgiven', { isPassing: true, causes: [aCause({ reason: 'service' })] }, undefined],
  ['a slow analysis', { causes: [aCause({ reason: 'timeout' })] }, undefined],
])('only in an outage that stops the check, a step names the bypass: %s', (_, over, expected) => {
  expect(shown({ verdict: 'error', ...over }).join()).toMatch(expected ?? /^(?!.*on-service-error)/);
});

it('a re-run while an analysis goes on says what it bills, except in a sandbox', () => {
  const causes = [aCause({ submission: 'open', steps: [rerun()] })];
  const again = (over: Partial<Report & StepFacts>): string => shown({ verdict: 'error', causes, ...over }).join();
  expect(again({})).toContain('It waits for the analysis that is still running, and sends and bills only what has');
  expect(again({ mode: 'sandbox' })).not.toContain('bill');
});

it('equal steps of several problems become one that names all their files', () => {
  const causes = [wrong, empty, { ...empty, paths: ['b.png'], steps: [author(`Convert ${FILE}.`), EXCLUDE_IT] }, wrong];
  expect(shown({ verdict: 'error', causes })).toEqual([
    'Author of the change: Fill `a.png`.',
    'Author of the change: Convert `b.png`.',
    'Owner of the workflow: Correct it.',
    'Anyone with write access: Re-run this job.',
    expect.stringContaining('If `a.png`, `b.png` should not be checked, add a line'),
  ]);
});

it('media and submodules that were not checked have a step each', () => {
  const [step, submodule] = shown({ verdict: 'pass', unchecked: ['lib/', 'media/films/', 'poster.ai'] });
  expect(step).toContain('If `poster.ai` should be checked, export it');
  expect(submodule).toMatch(
    /If `lib\/`, `media\/films\/` should be checked, set `submodules: true` .* sent and billed/,
  );
  expect(submodule).toContain('`!lib/**`, `!media/films/**`');
  expect(shown({ verdict: 'skipped', reason: 'no-key', unchecked: ['a.png'] })).toEqual([]);
});

// biome-ignore format: a table
it.each<[string, readonly string[]]>([
  ['Replace the file.',                   []],
  ['Replace `a.png`.',                    ['a.png']],
  ['Replace `a`, `b` and 1 more.',        ['a', 'b', 'c']],
  ['Replace `$&.png`.',                   ['$&.png']],
])('a step names its file: %s', (text, paths) => {
  expect(withFiles(author(`Replace ${FILE}.`), paths)).toEqual({ actor: 'author', text });
});
