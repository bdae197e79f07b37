import type { Scenario } from '../../emulator/emulator.ts';
import type { Endpoint } from '../../emulator/http.ts';
import { assetsIn, type Json } from '../harness/front.ts';

/** A service with wrong responses to a run of `one.png` and `two.png`. */
export interface Lie {
  readonly name: string;
  /** Changes the responses of an endpoint, to a value or to raw text. `nth` counts from 1. */
  readonly edits: Partial<Readonly<Record<Endpoint, (json: Json, nth: number) => unknown>>>;
  /** Default: a CRITICAL issue in `two.png`. */
  readonly scenario?: Scenario;
  /** Its responses were right in the run before, which saved a state. */
  readonly isLater?: true;
}

/** A file is not judged, and the message names the missing fact. */
export interface Unjudged extends Lie {
  readonly reason: string;
  readonly says: RegExp;
}

const CRITICAL = { severity: 'CRITICAL', ruleCode: 'AD-17' } as const;
const TWO_ISSUES: Scenario = { files: [{ match: 'two-', issues: [{ severity: 'INFO' }, CRITICAL] }] };
const OTHER_ID = '00000000-0000-4000-8000-000000000000';
const NESTED = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
const TEN_MB = 'Because of this. '.repeat(625_000);

type Edits = Lie['edits'];

function withAssets(edit: (asset: Json, index: number) => Json | undefined): (json: Json) => Json {
  return (json) => {
    const assets = assetsIn(json).map(edit);
    return { ...json, assets: assets.filter((asset) => asset !== undefined) };
  };
}

function issuesIn({ issues }: Json): readonly Json[] {
  return Array.isArray(issues) ? issues : [];
}

function withIssues(edit: (issue: Json) => unknown): (json: Json) => Json {
  return (json) => ({ ...json, issues: issuesIn(json).map(edit) });
}

/** The same lie in both responses that list issues. */
function everywhere(edit: (issue: Json) => unknown): Edits {
  return { 'assets/read': withIssues(edit), 'assets/issues': withIssues(edit) };
}

function ofTwo(changes: Json): Edits {
  return { 'assets/read': (json) => (String(json['filename']).startsWith('two-') ? { ...json, ...changes } : json) };
}

function countedAs(issueCount: unknown): Edits {
  return { 'submissions/read': withAssets((asset) => ({ ...asset, issueCount })) };
}

/** The CRITICAL issue is found all the same. */
export const HIDING: readonly Lie[] = [
  { name: 'an unknown status', edits: { 'submissions/read': (json) => ({ ...json, status: 'archived' }) } },
  {
    name: '`failed`, and no asset that has failed',
    edits: { 'submissions/read': (json) => ({ ...json, status: 'failed', errorMessage: '1 of 2 assets failed.' }) },
  },
  {
    name: 'the counts are zero, and the asset lists one',
    edits: { ...countedAs(0), 'assets/read': (json) => ({ ...json, issueCount: 0 }) },
  },
  { name: 'a negative count', edits: countedAs(-1) },
  { name: 'a count that is text', edits: countedAs('0') },
  { name: 'an unknown severity', edits: everywhere((issue) => ({ ...issue, severity: 'BLOCKER' })) },
  { name: 'a severity that is no text', edits: everywhere((issue) => ({ ...issue, severity: { level: 'low' } })) },
  { name: 'an unknown issue status', edits: everywhere((issue) => ({ ...issue, status: 'PARKED' })) },
  { name: 'an issue status that is no text', edits: everywhere((issue) => ({ ...issue, status: ['DISMISSED'] })) },
  {
    name: 'an issue that the list calls harmless and the asset CRITICAL',
    edits: { 'assets/issues': withIssues((issue) => ({ ...issue, severity: 'INFO' })) },
  },
  {
    name: 'an issue whose fields are in its prototype',
    edits: {
      'assets/issues': (json) =>
        JSON.stringify(json).replaceAll(
          '"severity":"CRITICAL"',
          '"__proto__":{"severity":"INFO","status":"DISMISSED"}',
        ),
    },
  },
  {
    name: 'an unknown field that is nested 100,000 deep',
    edits: {
      'assets/issues': (json) => JSON.stringify(json).replaceAll('"severity":', `"x":${NESTED},"severity":`),
    },
  },
  {
    name: 'an error message that is nested 100,000 deep',
    scenario: {
      files: [
        { match: 'one-', fails: { isRetryable: false } },
        { match: 'two-', issues: [CRITICAL] },
      ],
    },
    edits: {
      'submissions/read': (json) =>
        JSON.stringify(json).replace(/"errorMessage":"The[^"]*"/, `"errorMessage":${NESTED}`),
    },
  },
  {
    name: 'one of two issues of the run before has disappeared',
    scenario: TWO_ISSUES,
    isLater: true,
    edits: {
      'submissions/read': (json, nth) =>
        nth > 1
          ? json
          : withAssets((asset) => ({ ...asset, issueCount: Math.min(1, Number(asset['issueCount'])) }))(json),
      'assets/issues': (json, nth) => (nth > 1 ? json : { ...json, issues: issuesIn(json).slice(0, 1) }),
    },
  },
  {
    name: 'an asset of the run before has disappeared',
    isLater: true,
    edits: {
      'submissions/read': (json, nth) =>
        nth > 1 ? json : withAssets((asset) => (asset['issueCount'] === 0 ? asset : undefined))(json),
    },
  },
];

/** So large that it also keeps this process busy: nothing else may run at the same time. */
export const HUGE: Lie = {
  name: '10 MB of text in every field',
  edits: {
    'assets/issues': withIssues((issue) => ({
      ...issue,
      summary: TEN_MB,
      severityReasoning: TEN_MB,
      severityReasoningHeadline: TEN_MB,
      ruleCode: TEN_MB,
      precedents: Array.from({ length: 10_000 }, () => ({ url: 'x', title: 'y', decision: 'z', date: '-' })),
      unknown: TEN_MB,
    })),
  },
};

export const UNJUDGED: readonly Unjudged[] = [
  {
    name: 'counted as clean, while the asset itself is not finished',
    scenario: {},
    edits: ofTwo({ status: 'processing' }),
    reason: 'results',
    says: /processing/,
  },
  {
    name: 'counted as clean, while the asset itself has failed',
    scenario: {},
    edits: ofTwo({ status: 'failed' }),
    reason: 'asset-failed',
    says: /could not analyse the file/,
  },
  {
    name: 'an asset was never there',
    edits: { 'submissions/read': withAssets((asset, index) => (index === 0 ? asset : undefined)) },
    reason: 'results',
    says: /no asset with the name of this file/,
  },
  {
    name: 'two assets of one id',
    edits: {
      'submissions/read': (json) =>
        withAssets((asset) => ({ ...asset, assetId: assetsIn(json)[0]?.['assetId'] }))(json),
    },
    reason: 'results',
    says: /no asset with the name of this file/,
  },
  { name: 'the response of another asset', edits: ofTwo({ assetId: OTHER_ID }), reason: 'results', says: /assetId/ },
  {
    name: 'an asset of another submission',
    edits: ofTwo({ submissionId: OTHER_ID }),
    reason: 'results',
    says: /submissionId/,
  },
  {
    name: 'another submission than was asked for',
    edits: { 'submissions/read': (json) => ({ ...json, submissionId: OTHER_ID }) },
    scenario: {},
    reason: 'results',
    says: /submissionId/,
  },
  {
    name: 'a creation that answers with a path',
    edits: { 'submissions/create': (json) => ({ ...json, submissionId: '../uploads/url?x=' }) },
    reason: 'results',
    says: /One submission exists and is billed/,
  },
  {
    name: 'one path for two files',
    edits: { 'uploads/direct': (json) => ({ ...json, blobPath: 'w/same.png' }) },
    reason: 'refused',
    says: /different files under one path/,
  },
  {
    name: 'more issues are counted than listed',
    scenario: {},
    edits: countedAs(3),
    reason: 'results',
    says: /counts 3 issues, but only 0 could be read/,
  },
  {
    name: 'no count, ever',
    edits: {
      ...countedAs(null),
      'assets/read': (json) => ({ ...json, issueCount: null, issues: [] }),
      'assets/issues': (json) => ({ ...json, issues: [] }),
    },
    reason: 'results',
    says: /not how many issues it found/,
  },
  {
    name: 'two issues of one id',
    scenario: TWO_ISSUES,
    edits: everywhere((issue) => ({ ...issue, id: OTHER_ID, severity: 'INFO' })),
    reason: 'results',
    says: /only 1 could be read/,
  },
  {
    name: 'an issue that is no object',
    edits: everywhere(() => 'CRITICAL'),
    reason: 'results',
    says: /counts 1 issue, but only 0 could be read/,
  },
];
