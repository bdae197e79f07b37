import type { Scenario } from '../../emulator/emulator.ts';
import type { Endpoint } from '../../emulator/record.ts';

export type Json = Readonly<Record<string, unknown>>;

/** A service that says what is not so. Where it hides something, that is a CRITICAL issue in `two.png`. */
export interface Lie {
  readonly name: string;
  readonly scenario?: Scenario;
  /** What becomes of the answers of an endpoint: a value, or text that is sent as it is. `nth` counts from 1. */
  readonly edits?: Partial<Readonly<Record<Endpoint, (json: Json, nth: number) => unknown>>>;
  /** Inputs beside the usual ones. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** `red`: whichever of the two, but not green. */
  readonly verdict: 'fail' | 'error' | 'red';
  readonly reason?: string;
  /** What the log or the summary says about it. */
  readonly says: RegExp;
}

const CRITICAL = { severity: 'CRITICAL', ruleCode: 'AD-17' } as const;
const HIDDEN: Scenario = { files: [{ match: 'two-', issues: [CRITICAL] }] };
const FOUND = /CRITICAL issue/;
const MISSING = /only \d+ could be read|no asset that the service names as this file|could not be read/;
const OTHER_ID = '00000000-0000-4000-8000-000000000000';

function assetsIn({ assets }: Json): readonly Json[] {
  return Array.isArray(assets) ? assets : [];
}

function withAssets(edit: (asset: Json, index: number) => Json | undefined): (json: Json) => Json {
  return (json) => ({
    ...json,
    assets: assetsIn(json)
      .map(edit)
      .filter((asset) => asset !== undefined),
  });
}

function issuesIn({ issues }: Json): readonly Json[] {
  return Array.isArray(issues) ? issues : [];
}

function withIssues(edit: (issue: Json) => unknown): (json: Json) => Json {
  return (json) => ({ ...json, issues: issuesIn(json).map(edit) });
}

/** The same lie in both places where issues are told. */
function everywhere(edit: (issue: Json) => unknown): NonNullable<Lie['edits']> {
  return { 'assets/read': withIssues(edit), 'assets/issues': withIssues(edit) };
}

const isTwo = ({ filename }: Json): boolean => String(filename).startsWith('two-');
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const DEEP = 100_000;
const TEN_MB = 'Because of this. '.repeat(625_000);

export const LIES: readonly Lie[] = [
  // Where it stands.
  {
    name: 'the status goes backwards',
    scenario: {
      files: [{ match: 'two-', issues: [CRITICAL], reads: 4 }],
      statuses: ['processing', 'complete', 'submitted', 'uploading'],
    },
    verdict: 'fail',
    says: /uploading/,
  },
  {
    name: 'a status that nobody knows',
    scenario: HIDDEN,
    edits: { 'submissions/read': (json) => ({ ...json, status: 'archived' }) },
    verdict: 'red',
    says: /archived/,
  },
  {
    name: '`complete` with a failed asset',
    scenario: { files: [{ match: 'two-', fails: { isRetryable: false } }], statuses: ['complete', 'complete'] },
    verdict: 'error',
    reason: 'asset-failed',
    says: /could not analyse the file/,
  },
  {
    name: '`failed`, and no asset that has failed',
    edits: { 'submissions/read': (json) => ({ ...json, status: 'failed', errorMessage: '1 of 2 assets failed.' }) },
    verdict: 'error',
    says: /failed/,
  },
  {
    name: 'counted as clean, while the asset itself is still in the works',
    edits: { 'assets/read': (json) => (isTwo(json) ? { ...json, status: 'processing' } : json) },
    inputs: { 'wait-timeout-minutes': '1' },
    verdict: 'error',
    says: /two\.png.*processing|processing.*two\.png/s,
  },
  {
    name: 'counted as clean, while the asset itself has failed',
    edits: { 'assets/read': (json) => (isTwo(json) ? { ...json, status: 'failed' } : json) },
    verdict: 'error',
    reason: 'asset-failed',
    says: /could not analyse the file/,
  },
  {
    name: 'progress that is no number',
    scenario: HIDDEN,
    edits: { 'submissions/read': (json) => ({ ...json, progressPercent: 'soon' }) },
    verdict: 'fail',
    says: FOUND,
  },

  // Which assets there are.
  {
    name: 'an asset vanishes',
    scenario: { files: [{ match: 'two-', issues: [CRITICAL], reads: 2 }] },
    edits: {
      'submissions/read': (json, nth) =>
        nth < 2 ? json : withAssets((asset, index) => (index === 0 ? asset : undefined))(json),
    },
    verdict: 'red',
    says: /no asset that the service names|CRITICAL issue|not in the|no longer/,
  },
  {
    name: 'an asset was never there',
    scenario: HIDDEN,
    edits: { 'submissions/read': withAssets((asset, index) => (index === 0 ? asset : undefined)) },
    verdict: 'error',
    reason: 'results',
    says: /no asset that the service names as this file/,
  },
  {
    name: 'an asset appears',
    edits: {
      'submissions/read': (json) => ({
        ...json,
        assets: [...assetsIn(json), { ...assetsIn(json)[0], assetId: OTHER_ID }],
      }),
    },
    verdict: 'error',
    reason: 'results',
    says: /assets that were never sent/,
  },
  {
    name: 'two assets of one id',
    scenario: HIDDEN,
    edits: {
      'submissions/read': (json) =>
        withAssets((asset) => ({ ...asset, assetId: assetsIn(json)[0]?.['assetId'] }))(json),
    },
    verdict: 'error',
    reason: 'results',
    says: /no asset that the service names as this file/,
  },
  {
    name: 'two assets of one file name',
    scenario: HIDDEN,
    edits: { 'assets/read': (json) => ({ ...json, filename: String(json['filename']).replace(/^two-.*/, 'one.png') }) },
    verdict: 'error',
    reason: 'results',
    says: /others that were never sent: one\.png/,
  },
  {
    name: 'no file name at all',
    scenario: HIDDEN,
    edits: { 'assets/read': (json) => ({ ...json, filename: null }) },
    verdict: 'error',
    reason: 'results',
    says: /could not be read/,
  },
  {
    name: 'the answer of another asset',
    edits: { 'assets/read': (json) => (isTwo(json) ? { ...json, assetId: OTHER_ID } : json) },
    verdict: 'error',
    reason: 'results',
    says: /two\.png/,
  },
  {
    name: 'an asset of another submission',
    edits: { 'assets/read': (json) => (isTwo(json) ? { ...json, submissionId: OTHER_ID } : json) },
    verdict: 'error',
    reason: 'results',
    says: /two\.png/,
  },
  {
    name: 'another submission than was asked for',
    edits: { 'submissions/read': (json) => ({ ...json, submissionId: OTHER_ID }) },
    verdict: 'error',
    reason: 'results',
    says: new RegExp(OTHER_ID),
  },
  {
    name: 'a creation that answers with the id of nobody',
    edits: { 'submissions/create': (json) => ({ ...json, submissionId: OTHER_ID }) },
    verdict: 'error',
    reason: 'results',
    says: new RegExp(OTHER_ID),
  },
  {
    name: 'a creation that answers with a path',
    edits: { 'submissions/create': (json) => ({ ...json, submissionId: '../uploads/url?x=' }) },
    verdict: 'error',
    says: /while reading the submission/,
  },

  // How much was found.
  {
    name: 'more issues are counted than told',
    edits: { 'submissions/read': withAssets((asset) => ({ ...asset, issueCount: 3 })) },
    verdict: 'error',
    reason: 'results',
    says: /there are 3 issues, but only 0 could be read/,
  },
  {
    name: 'the submission counts none, the asset one',
    scenario: HIDDEN,
    edits: { 'submissions/read': withAssets((asset) => ({ ...asset, issueCount: 0 })) },
    verdict: 'fail',
    says: FOUND,
  },
  {
    name: 'nobody counts any, and the asset tells one',
    scenario: HIDDEN,
    edits: {
      'submissions/read': withAssets((asset) => ({ ...asset, issueCount: 0 })),
      'assets/read': (json) => ({ ...json, issueCount: 0 }),
    },
    verdict: 'fail',
    says: FOUND,
  },
  {
    name: 'more issues are told than counted',
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
    verdict: 'red',
    says: /AD-17|could be read/,
  },
  ...[-1, 0.5, '0', true].map(
    (count): Lie => ({
      name: `a count of ${JSON.stringify(count)}`,
      scenario: HIDDEN,
      edits: { 'submissions/read': withAssets((asset) => ({ ...asset, issueCount: count })) },
      verdict: 'error',
      reason: 'results',
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

  // What was found.
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
    verdict: 'red',
    says: /could be read|CRITICAL issue/,
  },
  {
    name: 'two issues of one id, the worse one last',
    scenario: { files: [{ match: 'two-', issues: [{ severity: 'INFO' }, CRITICAL] }] },
    edits: everywhere((issue) => ({ ...issue, id: OTHER_ID })),
    verdict: 'red',
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
    edits: everywhere(({ id: _, ...issue }) => issue),
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
    scenario: HIDDEN,
    edits: { 'assets/issues': withIssues((issue) => ({ ...issue, severityReasoning: TEN_MB })) },
    verdict: 'fail',
    says: FOUND,
  },
  {
    name: '10 MB of everything else',
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
      'assets/issues': (json) => JSON.stringify(json).replaceAll('"severity":', `"x":${nested(DEEP)},"severity":`),
    },
    verdict: 'fail',
    says: FOUND,
  },
  {
    name: 'an error message that is nested 100,000 deep',
    scenario: { files: [{ match: 'one-', fails: { isRetryable: false } }, ...(HIDDEN.files ?? [])] },
    edits: {
      'submissions/read': (json) =>
        JSON.stringify(json).replace(/"errorMessage":"The[^"]*"/, `"errorMessage":${nested(DEEP)}`),
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

  // What was uploaded.
  {
    name: 'one path for two files',
    edits: { 'uploads/direct': (json) => ({ ...json, blobPath: 'w/same.png' }) },
    verdict: 'error',
    reason: 'refused',
    says: /different files under one path/,
  },
  {
    name: 'fewer bytes were stored than sent',
    edits: { 'uploads/direct': (json) => ({ ...json, sizeBytes: 1 }) },
    verdict: 'error',
    reason: 'refused',
    says: /stored 1 bytes/,
  },
];
