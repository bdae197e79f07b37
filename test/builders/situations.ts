import { author, type Cause, FILE, preFlight, rerun } from '../../src/causes/cause.ts';
import { MISSING_KEY } from '../../src/inputs/parse.ts';
import { describeRun } from '../../src/report/headline.ts';
import type { Report, ReportedCause, ReportedContent } from '../../src/report/report.ts';
import { completeSteps } from '../../src/report/steps.ts';
import { aCause, aContent, anIssue, aReport, PULL_REQUEST_RUN } from './reports.ts';

/** What users meet: a report for each situation, with the steps and sentences that a run makes. */

const PULL_URL = 'https://github.com/acme/campaigns/pull/7';
const PULL = { ...PULL_REQUEST_RUN, pullRequest: { number: 7, headCommit: 'fedcba9', url: PULL_URL } };
const RED = { isPassing: false, run: PULL, reportUrl: 'https://reports.example/2' };
const GREEN = { ...RED, isPassing: true };

function situation(over: Partial<Report>): Report {
  const report = aReport({ ...RED, ...over });
  const service = { apiKey: 'sk_live_', baseUrl: 'https://compliance.example/api', mode: 'live' } as const;
  const steps = completeSteps(report, { service, waivers: undefined, stateFile: '/state.json' });
  return { ...report, ...describeRun(report), ...steps };
}

function causeOf(cause: Cause): ReportedCause {
  return { ...cause, isChanged: cause.path === undefined ? undefined : true };
}

const DISEASE = anIssue({
  referenceNumber: 4711,
  ruleCode: 'FOOD-12',
  headline: 'A food may not prevent a disease',
  summary: 'The end card says that the drink "keeps the flu away".',
  reasoning: 'At 0:02 the claim covers half of the screen.',
  precedents: [{ url: 'https://law.example/1', title: 'Case 12/24', decision: 'Upheld', date: '2024-03-14' }],
  url: 'https://compliance.example/issues/4711',
});
const HERO = aContent({ paths: ['campaign/hero.mp4'], isChanged: true, issues: [DISEASE] });
const PICTURE = { mime: 'image/png', category: 'image' } as const;
const CLEAN = ['a', 'b', 'c'].map((name) =>
  aContent({
    paths: [`campaign/${name}.png`],
    ...PICTURE,
    source: 'reused',
    sourceReason: 'unchanged since 2026-11-01',
  }),
);
const ENGLISH = aContent({
  paths: ['old/logo.png'],
  ...PICTURE,
  isChanged: false,
  issues: [anIssue({ referenceNumber: 12 })],
});

/** 40 issues in 12 files, of which the pull request changes 7. */
function manyContents(): readonly ReportedContent[] {
  return Array.from({ length: 12 }, (_, file) =>
    aContent({
      paths: [`campaign/autumn-2026/de/spot-${file + 1}.mp4`],
      isChanged: file < 7,
      issues: Array.from({ length: file < 4 ? 4 : 3 }, (_issue, index) =>
        anIssue({
          referenceNumber: 1_000 + file * 10 + index,
          ruleCode: `HEALTH-${index + 10}`,
          severity: index < 2 ? 'CRITICAL' : 'MAJOR',
          headline: 'A food may not be said to prevent, treat or cure a disease of any kind',
        }),
      ),
    }),
  );
}

function unsent(paths: readonly [string, ...string[]][]): readonly ReportedContent[] {
  return paths.map((each) => aContent({ paths: each, source: 'not sent', outcome: 'unclear', isChanged: true }));
}

const DOWN: ReportedCause = aCause({
  reason: 'service',
  message: 'The compliance service is down (503).',
  detail: 'The compliance service responded with 503 while creating the submission.',
  steps: [rerun('Re-run this job later.')],
});
const THREE = unsent([['campaign/hero.mp4'], ['campaign/radio.mp3'], ['campaign/poster.png']]);
const POINTER = preFlight(
  'campaign/film.mp4',
  'The file is a Git LFS pointer.',
  `Set \`lfs: true\` to check out ${FILE}`,
);
const EMPTY = preFlight('campaign/empty.png', 'The file is empty.', `Add the content of ${FILE}, or remove it`);
const TOO_DARK = aCause({
  message: 'The service could not analyse the file: too dark.',
  path: 'campaign/night.mp4',
  isChanged: true,
  steps: [author(`Check that ${FILE} can be opened. If not, replace it, commit and push.`)],
});
const NIGHT = aContent({ paths: ['campaign/night.mp4'], outcome: 'failed', isChanged: true });
const unkeyed = THREE.flatMap(({ paths }) => paths);
export const SITUATIONS: Readonly<Record<string, Report>> = {
  'fail-one-issue': situation({ contents: [HERO] }),
  'fail-40-issues': situation({
    contents: manyContents(),
    waiversFile: '.github/waivers.yml',
    contact: 'legal@acme.example',
  }),
  'fail-not-changed-here': situation({ contents: [ENGLISH, ...CLEAN] }),
  'fail-and-not-judged': situation({
    contents: [HERO, NIGHT, ...CLEAN],
    causes: [TOO_DARK],
    unchecked: ['campaign/a.ai'],
  }),
  'error-outage': situation({ verdict: 'error', reason: 'service', contents: THREE, causes: [DOWN] }),
  'error-files': situation({
    verdict: 'error',
    reason: 'pre-flight',
    causes: [EMPTY, POINTER].map(causeOf),
    contents: THREE,
  }),
  'not-checked-outage': situation({ ...GREEN, verdict: 'error', reason: 'service', contents: THREE, causes: [DOWN] }),
  'not-checked-fork': situation({
    ...GREEN,
    verdict: 'skipped',
    reason: 'no-key',
    mode: '',
    causes: [causeOf(MISSING_KEY)],
    unchecked: unkeyed,
    counts: { ...aReport().counts, filesMatched: unkeyed.length },
  }),
  pass: situation({ ...GREEN, contents: CLEAN }),
  'pass-last-known': situation({
    ...GREEN,
    unchecked: ['campaign/a.ai'],
    contents: CLEAN.map((content) => ({ ...content, isLastKnown: true, analysedAt: '2026-11-01T10:00:00Z' })),
  }),
  sandbox: situation({ ...GREEN, mode: 'sandbox', contents: CLEAN }),
};
