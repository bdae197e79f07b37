import type { Content, SendableContent } from '../../src/media/content.ts';
import { waiverMatcher } from '../../src/media/patterns.ts';
import type { Analysis } from '../../src/service/analysis.ts';
import { type Issue, parseIssues } from '../../src/service/issue.ts';
import type { ListedAsset } from '../../src/service/responses.ts';
import type { Waiver } from '../../src/waivers/waivers-file.ts';

/** Builders of what the service says (issues, assets, analyses), and of waivers for its issues. */

export function issue(changes: Partial<Issue> = {}): Issue {
  const { severity = 'CRITICAL' } = changes;
  return {
    id: `${severity} 1`,
    summary: 'Claims a cure',
    severity,
    status: 'OPEN',
    ruleCode: 'AD-17',
    precedents: [],
    ...changes,
  };
}

/** CRITICAL issues as they are read from a response that gives only their ids. */
export function issues(...ids: readonly string[]): readonly Issue[] {
  return parseIssues(ids.map((id) => ({ id, severity: 'CRITICAL', status: 'OPEN' })));
}

export function listedAsset(assetId: string, facts: Partial<ListedAsset> = {}): ListedAsset {
  const nothing = { versionGroupId: null, issueCount: null, errorMessage: null, errorType: null };
  return { assetId, ...nothing, versionNumber: 1, isRetryable: false, retryCount: 0, ...facts };
}

export type Result<T extends Content = SendableContent> = Analysis & { readonly content: T };

/** The analysis of a file that was judged. */
export function result<T extends Content>(content: T, changes: Partial<Omit<Analysis, 'content'>> = {}): Result<T> {
  const ids = { submissionId: 's1', assetId: `asset-${content.sha256}`, versionNumber: 1 };
  return { issues: [], topics: [], ...ids, outcome: 'result', isSuspicious: false, ...changes, content };
}

/** A waiver that accepts `issue()` at this path. */
export function waiver(path: string, changes: Partial<Waiver> = {}): Waiver {
  return {
    rule: 'AD-17',
    path,
    matches: waiverMatcher(path),
    owner: 'legal',
    reason: 'agreed',
    expires: '2999-01-01',
    line: 1,
    ...changes,
  };
}
