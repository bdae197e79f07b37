import {
  CRITICAL,
  everywhere,
  FOUND,
  HIDDEN,
  issuesIn,
  type Lie,
  NESTED,
  OTHER_ID,
  withAssets,
  withIssues,
} from './lie.ts';

const MISSING = /only \d+ could be read|could not be read/;
const TEN_MB = 'Because of this. '.repeat(625_000);

/** The number of issues, and the issues. */
export const LIES_ABOUT_ISSUES: readonly Lie[] = [
  // The number of issues.
  {
    name: 'more issues are counted than listed',
    edits: { 'submissions/read': withAssets((asset) => ({ ...asset, issueCount: 3 })) },
    verdict: 'error',
    reason: 'results',
    says: /counts 3 issues, but only 0 could be read/,
  },
  {
    name: 'the submission counts none, the asset one',
    scenario: HIDDEN,
    edits: { 'submissions/read': withAssets((asset) => ({ ...asset, issueCount: 0 })) },
    verdict: 'fail',
    says: FOUND,
  },
  {
    name: 'the counts are zero, and the asset lists one',
    scenario: HIDDEN,
    edits: {
      'submissions/read': withAssets((asset) => ({ ...asset, issueCount: 0 })),
      'assets/read': (json) => ({ ...json, issueCount: 0 }),
    },
    verdict: 'fail',
    says: FOUND,
  },
  {
    name: 'more issues are listed than counted',
    scenario: { files: [{ match: 'two-', issues: [{ severity: 'INFO' }, CRITICAL] }] },
    edits: { 'submissions/read': withAssets((asset) => ({ ...asset, issueCount: 1 })) },
    verdict: 'fail',
    says: FOUND,
  },
  {
    name: 'the list is short, and the asset has the rest',
    scenario: { files: [{ match: 'two-', issues: [{ severity: 'INFO' }, CRITICAL], issuesList: { short: 1 } }] },
    verdict: 'fail',
    says: FOUND,
  },
  {
    name: 'both lists are short',
    scenario: {
      files: [{ match: 'two-', issues: [{ severity: 'INFO' }, CRITICAL], issuesList: { short: 1 }, resultShort: 1 }],
    },
    verdict: 'error',
    reason: 'results',
    says: MISSING,
  },
  {
    name: 'only the first page of the list',
    scenario: {
      files: [{ match: 'two-', issues: [{ severity: 'INFO' }, CRITICAL], issuesList: { pageSize: 1 }, resultShort: 1 }],
    },
    verdict: 'failing',
    says: /AD-17|could be read/,
  },
  ...[-1, 0.5, '0', true].map(
    (count): Lie => ({
      name: `a count of ${JSON.stringify(count)}`,
      scenario: HIDDEN,
      edits: { 'submissions/read': withAssets((asset) => ({ ...asset, issueCount: count })) },
      // The list cannot be read, but its assets can, so the CRITICAL issue is found.
      verdict: 'fail',
      reason: 'issues',
      says: /issueCount|could not be read/,
    }),
  ),
  {
    name: 'no count, ever',
    scenario: { files: [{ match: 'two-', issues: [CRITICAL] }] },
    edits: {
      'submissions/read': withAssets((asset) => ({ ...asset, issueCount: null })),
      'assets/read': (json) => ({ ...json, issueCount: null, issues: [] }),
      'assets/issues': (json) => ({ ...json, issues: [] }),
    },
    verdict: 'error',
    reason: 'results',
    says: /not how many issues it found/,
  },

  // The issues.
  ...['BLOCKER', 'critical', '', null, 7, { level: 'low' }].map(
    (severity): Lie => ({
      name: `a severity of ${JSON.stringify(severity)}`,
      scenario: HIDDEN,
      edits: everywhere((issue) => ({ ...issue, severity })),
      verdict: 'fail',
      says: FOUND,
    }),
  ),
  ...['PARKED', '', null, ['DISMISSED'], { value: 'DISMISSED' }].map(
    (status): Lie => ({
      name: `an issue status of ${JSON.stringify(status)}`,
      scenario: HIDDEN,
      edits: everywhere((issue) => ({ ...issue, status })),
      verdict: 'fail',
      says: FOUND,
    }),
  ),
  {
    name: 'two issues of one id, the worse one first',
    scenario: { files: [{ match: 'two-', issues: [CRITICAL, { severity: 'INFO' }] }] },
    edits: everywhere((issue) => ({ ...issue, id: OTHER_ID })),
    verdict: 'failing',
    says: /could be read|CRITICAL issue/,
  },
  {
    name: 'two issues of one id, the worse one last',
    scenario: { files: [{ match: 'two-', issues: [{ severity: 'INFO' }, CRITICAL] }] },
    edits: everywhere((issue) => ({ ...issue, id: OTHER_ID })),
    verdict: 'failing',
    says: /could be read|CRITICAL issue/,
  },
  {
    name: 'an issue that the list calls harmless and the asset CRITICAL',
    scenario: HIDDEN,
    edits: { 'assets/issues': withIssues((issue) => ({ ...issue, severity: 'INFO' })) },
    verdict: 'fail',
    says: FOUND,
  },
  {
    name: 'an issue without an id',
    scenario: HIDDEN,
    edits: everywhere((issue) => ({ ...issue, id: undefined })),
    verdict: 'error',
    reason: 'results',
    says: MISSING,
  },
  {
    name: 'an issue that is no object',
    scenario: HIDDEN,
    edits: everywhere(() => 'CRITICAL'),
    verdict: 'error',
    reason: 'results',
    says: MISSING,
  },
  {
    name: 'an issue whose fields are in its prototype',
    scenario: HIDDEN,
    edits: {
      'assets/issues': (json) =>
        JSON.stringify(json).replaceAll(
          '"severity":"CRITICAL"',
          '"__proto__":{"severity":"INFO","status":"DISMISSED"}',
        ),
    },
    verdict: 'fail',
    says: FOUND,
  },
  {
    name: '10 MB of reasoning',
    isHuge: true,
    scenario: HIDDEN,
    edits: { 'assets/issues': withIssues((issue) => ({ ...issue, severityReasoning: TEN_MB })) },
    verdict: 'fail',
    says: FOUND,
  },
  {
    name: '10 MB of everything else',
    isHuge: true,
    scenario: HIDDEN,
    edits: {
      'assets/issues': withIssues((issue) => ({
        ...issue,
        summary: TEN_MB,
        severityReasoningHeadline: TEN_MB,
        ruleCode: TEN_MB,
        precedents: Array.from({ length: 10_000 }, () => ({ url: 'x', title: 'y', decision: 'z', date: '-' })),
        unknown: TEN_MB,
      })),
    },
    verdict: 'fail',
    says: FOUND,
  },
  {
    name: 'an unknown field that is nested 100,000 deep',
    scenario: HIDDEN,
    edits: {
      'assets/issues': (json) => JSON.stringify(json).replaceAll('"severity":', `"x":${NESTED},"severity":`),
    },
    verdict: 'fail',
    says: FOUND,
  },
  {
    name: 'an error message that is nested 100,000 deep',
    scenario: { files: [{ match: 'one-', fails: { isRetryable: false } }, ...(HIDDEN.files ?? [])] },
    edits: {
      'submissions/read': (json) =>
        JSON.stringify(json).replace(/"errorMessage":"The[^"]*"/, `"errorMessage":${NESTED}`),
    },
    verdict: 'fail',
    says: FOUND,
  },
  {
    name: 'topics of issues that are not there',
    scenario: {
      files: [
        { match: 'two-', issues: [CRITICAL, CRITICAL], topics: { topics: [{ title: 'x', issues: [OTHER_ID] }] } },
      ],
    },
    verdict: 'fail',
    says: FOUND,
  },

  // The issues of earlier runs.
  {
    name: 'an issue of the run before has disappeared',
    scenario: HIDDEN,
    isLater: true,
    edits: {
      'submissions/read': (json, nth) => (nth > 1 ? json : withAssets((asset) => ({ ...asset, issueCount: 0 }))(json)),
    },
    verdict: 'fail',
    says: FOUND,
  },
  {
    name: 'one of two issues of the run before has disappeared',
    scenario: { files: [{ match: 'two-', issues: [{ severity: 'INFO' }, CRITICAL] }] },
    isLater: true,
    edits: {
      'submissions/read': (json, nth) =>
        nth > 1
          ? json
          : withAssets((asset) => ({ ...asset, issueCount: Math.min(1, Number(asset['issueCount'])) }))(json),
      'assets/issues': (json, nth) => (nth > 1 ? json : { ...json, issues: issuesIn(json).slice(0, 1) }),
    },
    verdict: 'fail',
    says: FOUND,
  },
  {
    name: 'an asset of the run before has disappeared',
    scenario: HIDDEN,
    isLater: true,
    edits: {
      'submissions/read': (json, nth) =>
        nth > 1 ? json : withAssets((asset) => (asset['issueCount'] === 0 ? asset : undefined))(json),
    },
    verdict: 'fail',
    says: FOUND,
  },
];
