import { expect, it } from 'vitest';
import { accountOwner, author, EXCLUDE_IT, FILE, rerun, workflowOwner } from '../../src/causes/cause.ts';
import { describeHandover, describeSteps } from '../../src/report/phrases.ts';
import type { Report } from '../../src/report/report.ts';
import { completeSteps } from '../../src/report/steps.ts';
import { Waivers } from '../../src/waivers/waivers.ts';
import { aCause, aContent, anIssue, aReport, PULL_REQUEST_RUN } from '../builders/reports.ts';

type StepFacts = Parameters<typeof completeSteps>[1];

const FACTS: StepFacts = {
  service: { apiKey: 'sk_live_', baseUrl: 'https://compliance.example/api', mode: 'live' },
  waivers: undefined,
  stateFile: '/state.json',
};

function shown(over: Partial<Report & StepFacts>): string {
  const report = aReport({ verdict: 'fail', run: PULL_REQUEST_RUN, ...over });
  const { nextSteps } = completeSteps(report, { ...FACTS, ...over });
  return nextSteps.map((step) => describeSteps([step])).join('\n');
}

const bad = aContent({ paths: ['bad.mp4'], isChanged: true, issues: [anIssue()] });
const old = aContent({ paths: ['old.mp4'], isChanged: false, issues: [anIssue()] });
// The name is no pattern of a replacement.
const empty = aCause({ path: '$&.png', steps: [author(`Fill ${FILE}.`), EXCLUDE_IT] });
const convert = { ...empty, path: 'b.png', steps: [author(`Convert ${FILE}.`), EXCLUDE_IT] };
const wrong = aCause({ steps: [workflowOwner('Correct it.'), rerun()] });
const whyNoneCounts = 'the file could not be read. Give it `contents: read`.';
const unusable = new Waivers({ waivers: [], whyNoneCounts }, new Date('2026-11-15'));
const created = { submissionId: 's1', notice: undefined, mayExistTwice: false };
const open = [aCause({ submission: 'open', steps: [rerun()] })];

const FIX = 'Author of the change: Correct or replace `bad.mp4`, commit and push.';
const DISMISS =
  'Owner of the service account: If an issue is wrong, dismiss it at the service (`compliance.example`) and re-run this job.';
const WAIVE = 'If an issue is acceptable, merge a waiver into `waivers.yml`, in a pull request of its own.';
const UPDATE = ' Then update this branch from its base: a re-run alone does not read it.';

// biome-ignore format: a table
it.each<[string, Partial<Report & StepFacts>, readonly string[]]>([
  ['an issue', { contents: [bad] }, [FIX, `${DISMISS} Nothing is billed again.`]],
  ['a sandbox', { contents: [bad], mode: 'sandbox' }, [FIX, DISMISS]],
  ['a waivers file', { contents: [bad], mode: '', waiversFile: 'waivers.yml' }, [FIX, DISMISS, `Owner of the workflow: ${WAIVE}${UPDATE}`]],
  ['a branch', { contents: [bad], mode: '', waiversFile: 'waivers.yml', run: aReport().run },
    [FIX.replace('Author of the change', 'Owner of the file'), DISMISS, `Owner of the workflow: ${WAIVE}`]],
  ['waivers that do not count', { contents: [bad], mode: '', waiversFile: 'waivers.yml', waivers: unusable },
    [FIX, DISMISS, `Owner of the workflow: ${unusable.whyNoneCounts}`]],
  ['a file of another', { contents: [old, bad], mode: '' },
    [FIX, 'Owner of the workflow: On the base branch: correct or replace `old.mp4`, commit and push.', DISMISS]],
  ['equal steps', { verdict: 'error', causes: [wrong, empty, convert, wrong] }, [
    'Author of the change: Fill `$&.png`.', 'Author of the change: Convert `b.png`.',
    'Owner of the workflow: Correct it.', 'Anyone with write access: Re-run this job.',
    'Owner of the workflow: If `$&.png`, `b.png` should not be checked, add a line that starts with `!` to the input `files`.']],
  ['no key', { verdict: 'skipped', reason: 'no-key', unchecked: ['a.png'] }, []],
])('the steps after %s', (_, over, expected) => {
  expect(shown(over)).toBe(expected.join('\n'));
});

// biome-ignore format: a table
it.each<[string, Partial<Report & StepFacts>, RegExp]>([
  ['media that was not checked', { verdict: 'pass', unchecked: ['a.ai', 'b.ai', 'c.ai'] }, /If `a\.ai`, `b\.ai` and 1 more should be checked/],
  ['an outage', { verdict: 'error', causes: [aCause({ reason: 'service' })] }, /set `on-service-error` to `warn`.*afterwards/],
  ['an outage beside an issue', { verdict: 'fail', causes: [aCause({ reason: 'service' })] }, /^(?!.*on-service-error)/],
  ['an outage that is forgiven', { verdict: 'error', isPassing: true, causes: [aCause({ reason: 'service' })] }, /^(?!.*on-service-error)/],
  ['a slow analysis', { verdict: 'error', causes: [aCause({ reason: 'timeout' })] }, /^(?!.*on-service-error)/],
  ['an analysis that goes on', { verdict: 'error', causes: open }, /still running, and sends and bills only what has/],
  ['one that goes on in a sandbox', { verdict: 'error', causes: open, mode: 'sandbox' }, /^(?!.*bill)/],
  ['one whose state is not saved', { verdict: 'error', causes: open, created, stateFile: '' }, /^Anyone.*: Re-run this job\. It sends and bills all/],
  ['one that an earlier run sent', { verdict: 'error', causes: open, stateFile: '' }, /still running/],
])('the steps after %s match', (_, over, expected) => {
  expect(shown(over)).toMatch(expected);
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
  expect(describeHandover({ ...report, ...completeSteps(report, FACTS) }) !== '').toBe(expected);
});
